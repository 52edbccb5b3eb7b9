//! The one scheduler: it runs numbered jobs on several threads, each with a state of its own. The caller gets the results as
//! they come, or in order.
//!
//! It is written with the standard library alone. A thread keeps its state, such as a Lua VM, for all of its jobs. The caller
//! gets each result on the caller's own thread, so that it can show progress and stop the rest. A pool such as `rayon` would
//! not help: its jobs may change threads, and results need a channel, which is most of this file.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// The largest number of threads.
pub const MOST_THREADS: usize = 256;

/// The number of results for each thread that may wait for the caller; if there are more, the threads wait.
const WAITING_RESULTS: usize = 4;

/// The number of cores of the machine.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the jobs from 0 to `count - 1`, each once, on one thread for each of the `starts`, at most [`MOST_THREADS`].
///
/// A thread makes its state from its start with `begin`, and passes it to `work` with the number of a job. `each` is called
/// with every result on the caller's thread, in no particular order. When it returns `false`, no further job is begun; it is
/// still called for jobs that were running. A panic in a job stops the others in the same way and continues in the caller.
/// With a single start, everything runs on the caller's thread.
pub fn run_on_threads<W: Send, S, R: Send>(
    mut starts: Vec<W>,
    count: u64,
    begin: impl Fn(W) -> S + Sync,
    work: impl Fn(&mut S, u64) -> R + Sync,
    mut each: impl FnMut(u64, R) -> bool,
) {
    starts.truncate(MOST_THREADS.min(usize::try_from(count).unwrap_or(usize::MAX)));
    if starts.len() <= 1 {
        let Some(mut state) = starts.pop().map(begin) else { return };
        for job in 0..count {
            if !each(job, work(&mut state, job)) {
                return;
            }
        }
        return;
    }
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let run = &|start_of_thread: W, sender: mpsc::SyncSender<(u64, R)>| {
        let _guard = StopOnPanic(&stop);
        let mut state = begin(start_of_thread);
        while !stop.load(Ordering::Relaxed) {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= count || sender.send((job, work(&mut state, job))).is_err() {
                return;
            }
        }
    };
    let (sender, receiver) = mpsc::sync_channel(starts.len().saturating_mul(WAITING_RESULTS));
    std::thread::scope(|scope| {
        let spawn = |start_of_thread| {
            let sender = sender.clone();
            scope.spawn(move || run(start_of_thread, sender))
        };
        let threads: Vec<_> = starts.into_iter().map(spawn).collect();
        drop(sender);
        for (job, result) in receiver {
            if !each(job, result) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Calls a function with every item, on several threads; the results are in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    side_by_side_with(vec![(); threads.clamp(1, MOST_THREADS)], items, |()| (), |(), item| work(item))
}

/// Like [`side_by_side`], on one thread for each of the `starts`, from which `begin` makes the state of the thread.
pub fn side_by_side_with<W: Send, S, T: Sync, R: Send>(
    starts: Vec<W>,
    items: &[T],
    begin: impl Fn(W) -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let mut done = Vec::with_capacity(items.len());
    // The number of a job is the index of its item.
    let work = |state: &mut S, job: u64| items.get(job as usize).map(|item| work(state, item));
    run_on_threads(starts, items.len() as u64, begin, work, |job, result| {
        done.extend(result.map(|result| (job, result)));
        true
    });
    done.sort_unstable_by_key(|(job, _)| *job);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Stops the other threads if its own thread panics.
struct StopOnPanic<'s>(&'s AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|n| n * n).collect();
        for threads in [0, 1, 2, 7, usize::MAX] {
            assert_eq!(side_by_side(&items, threads, |n| n * n), squares, "{threads} threads");
        }
        assert!(side_by_side(&[] as &[u64], 4, |n| n * n).is_empty());
    }

    #[test]
    fn a_thread_keeps_its_state_for_all_of_its_jobs() {
        for threads in [1, 3] {
            let (mut jobs, mut states) = (BTreeSet::new(), BTreeSet::new());
            let work = |(worker, done): &mut (usize, u64), _| {
                *done += 1;
                (*worker, *done)
            };
            run_on_threads(
                (0..threads).collect(),
                100,
                |worker| (worker, 0),
                work,
                |job, state| {
                    jobs.insert(job);
                    states.insert(state)
                },
            );
            assert_eq!(jobs, (0..100).collect(), "{threads} threads");
            // Each thread counted its own jobs: no count is missing or doubled.
            assert_eq!(states.len(), 100, "{threads} threads");
        }
    }

    #[test]
    fn the_caller_stops_all_threads() {
        for threads in [1, 3] {
            let mut heard = 0;
            run_on_threads(
                vec![(); threads],
                u64::MAX,
                |()| (),
                |(), job| job,
                |_, _| {
                    heard += 1;
                    heard < 10
                },
            );
            // `each` is also called for jobs that were running, and for results that were waiting.
            let most = 10 + threads * (WAITING_RESULTS + 1);
            assert!((10..=most).contains(&heard), "{heard} with {threads} threads");
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_not_lost() {
        side_by_side(&[1, 2, 3, 4], 2, |n| assert_ne!(*n, 3, "the third"));
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_ends_the_jobs_of_the_other_threads() {
        run_on_threads(vec![(); 3], u64::MAX, |()| (), |(), job| assert_ne!(job, 3, "the third"), |_, ()| true);
    }
}
