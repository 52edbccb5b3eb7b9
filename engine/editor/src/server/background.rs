//! The whole check, in a thread of its own: every way to play, all scenarios, a few games.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use rulepack_tools::{CheckRequest, Library, check};

use super::findings::{Found, findings};

/// Random games for each way to play.
const PLAYOUTS: u64 = 1;

/// What is to be checked.
pub(super) struct Job {
    pub(super) folders: Vec<PathBuf>,
    pub(super) texts: BTreeMap<PathBuf, Arc<str>>,
    pub(super) pack: String,
    /// The number of the change after which it was asked for.
    pub(super) number: u64,
}

/// What was found.
pub(super) struct Done {
    pub(super) pack: String,
    pub(super) number: u64,
    pub(super) found: Vec<Found>,
}

/// Begins the thread: jobs go in, results come out. Of several jobs that wait, only the last for each pack is done.
pub(super) fn begin() -> (Sender<Job>, Receiver<Done>) {
    let (to_do, jobs) = unbounded::<Job>();
    let (done, results) = unbounded();
    thread::spawn(move || {
        while let Ok(job) = jobs.recv() {
            let mut waiting: BTreeMap<String, Job> = BTreeMap::new();
            for job in std::iter::once(job).chain(jobs.try_iter()) {
                waiting.insert(job.pack.clone(), job);
            }
            for (pack, job) in waiting {
                let number = job.number;
                // A mistake of ours ends this check and not the server.
                let found = std::panic::catch_unwind(|| whole(&job)).ok().flatten();
                if found.is_some_and(|found| done.send(Done { pack, number, found }).is_err()) {
                    return;
                }
            }
        }
    });
    (to_do, results)
}

fn whole(job: &Job) -> Option<Vec<Found>> {
    let library = Library::open(&job.folders).ok()?;
    library.hold();
    for (path, text) in &job.texts {
        if let Some(shown) = library.shown_path(path) {
            library.replace(&shown, text.to_string());
        }
    }
    let request = CheckRequest { playouts: PLAYOUTS, threads: 1, ..CheckRequest::default() };
    let checked = check(&library, &job.pack, &request, &mut || {});
    Some(findings(&library, &job.pack, &checked.diagnostics))
}
