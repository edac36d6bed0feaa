//! What the wasm brings instead of the standard library: an allocator, and a panic without words.

/// The one that the standard library would bring. A smaller one (talc) needs three times the memory for the tables
/// of finished calls, which grow for as long as a connection lasts.
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// No input reaches a panic. Were one reached, the face would say so; texts for it would be a tenth of the wasm.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
