//! How many bytes a finished tool call keeps, natively. Prints the number. Apart from `reducer`, whose times the
//! counting would disturb.

#![allow(
    unsafe_code,
    reason = "an allocator that counts cannot be written without"
)]

#[path = "support/inputs.rs"]
#[allow(dead_code, reason = "each bench uses its part")]
mod inputs;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use acp_client_state::{ClientState, Options};

static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, and how many bytes of it are in use as they were asked for.
struct Counting;

// SAFETY: every call is passed on as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const CALLS: usize = 100_000;

fn main() {
    let mut state = ClientState::new(Options::default());
    for line in inputs::before() {
        state.received(&line, 0.0);
    }
    let before = LIVE.load(Ordering::Relaxed);
    for n in 0..CALLS {
        state.received(&inputs::finished(n), 0.0);
    }
    let kept = LIVE.load(Ordering::Relaxed) - before;
    println!("{}", kept.div_ceil(CALLS));
}
