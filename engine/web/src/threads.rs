//! Threads in which tables are answered and bots think. They stay the same, because each keeps the script hosts of the games
//! that it has played.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A fixed number of threads, and the jobs that wait for one.
#[derive(Debug, Clone)]
pub struct Threads {
    jobs: Sender<Job>,
}

impl Threads {
    /// So many threads with this name.
    ///
    /// # Errors
    /// If the operating system gives no more threads.
    pub fn new(name: &str, threads: usize) -> io::Result<Threads> {
        let (jobs, waiting) = channel::<Job>();
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..threads.max(1) {
            let waiting = Arc::clone(&waiting);
            thread::Builder::new().name(format!("{name}-{number}")).spawn(move || work(&waiting))?;
        }
        Ok(Threads { jobs })
    }

    /// Does something in one of the threads, when one is free.
    pub fn start(&self, job: impl FnOnce() + Send + 'static) {
        // It fails only if all threads have ended, which they never do.
        let _ = self.jobs.send(Box::new(job));
    }

    /// The same, and waits for the result; nothing if the job panicked.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, result) = oneshot::channel();
        self.start(move || {
            let _ = done.send(job());
        });
        result.await.ok()
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            // A bug of ours in one job must not end the thread: whoever waits for the job is told that it failed.
            Ok(job) => drop(std::panic::catch_unwind(std::panic::AssertUnwindSafe(job))),
            Err(_) => return,
        }
    }
}
