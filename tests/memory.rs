//! What is kept of many games: counted in the allocator, so that it is the same on every machine.

// A counting allocator cannot be written without it.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rulepack::{GameBox, Library, LinkRequest, SimRequest, simulate};

/// The system's allocator, which counts the bytes that are in use.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that are in use while the last games of a simulation are played, the bytes in use afterwards, and the digest.
fn live(game_box: &GameBox, games: u64) -> (usize, usize, String) {
    // The least when one of the last games has ended, while they are still being played. One thread plays: of two, the second
    // may not have begun.
    let (mut ended, mut least) = (0, usize::MAX);
    let request = SimRequest { games, ..SimRequest::default() };
    let report = simulate(game_box, &request, |_| {
        ended += 1;
        if (games - 60..games - 20).contains(&ended) {
            least = least.min(LIVE.load(Ordering::Relaxed));
        }
        true
    });
    assert_eq!(report.finished, games);
    (least, LIVE.load(Ordering::Relaxed), report.digest)
}

/// A list of all games was kept until the last one had ended, and what scripts leave behind until there were 4 MB of it.
#[test]
fn ten_thousand_games_keep_no_more_than_a_hundred() {
    for (pack, has_scripts) in [("away", false), ("nest", true), ("tiny", true)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(pack);
        let library = Library::open(&[folder]).expect("the library is there");
        let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
        let game_box = library.load(&request).expect("the pack links");
        assert_eq!(!game_box.rules().hooks.is_empty(), has_scripts);
        live(&game_box, 100);
        let (hundred, after_hundred, digest) = live(&game_box, 100);
        let (many, after_many, _) = live(&game_box, 10_000);
        println!(
            "{pack}: {hundred} bytes with 100 games, {many} with 10,000; {after_hundred} and {after_many} after them"
        );
        assert!(many * 100 <= hundred * 105, "{pack}: {hundred} bytes with 100 games, {many} with 10,000");
        assert!(
            after_many * 100 <= after_hundred * 105,
            "{pack}: {after_hundred} bytes after 100 games, {after_many} after 10,000"
        );
        // The digest does not depend on the order in which games end.
        let several = SimRequest { games: 100, threads: 4, ..SimRequest::default() };
        assert_eq!(simulate(&game_box, &several, |_| true).digest, digest);
    }
}
