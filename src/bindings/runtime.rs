//! What the wasm brings instead of the standard library: an allocator, and a panic without words.

#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// No input reaches a panic. Were one reached, the face would say so; texts for it would be a tenth of the wasm.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
