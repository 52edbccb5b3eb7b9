//! Work on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest number of threads.
pub const MOST_THREADS: usize = 256;

/// The number of cores of the machine.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Applies a function to every item on several threads; the results are in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len()).min(MOST_THREADS);
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let some = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return done };
                done.push((index, work(item)));
            }
        };
        // The thread of the caller works too.
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(some)).collect();
        let mut done = some();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|n| n * n).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(side_by_side(&items, threads, |n| n * n), squares, "{threads} threads");
        }
        assert!(side_by_side(&[] as &[u64], 4, |n| n * n).is_empty());
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_not_lost() {
        side_by_side(&[1, 2, 3, 4], 2, |n| assert_ne!(*n, 3, "the third"));
    }
}
