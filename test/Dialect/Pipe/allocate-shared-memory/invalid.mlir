// RUN: trident-opt %s --split-input-file --pipe-allocate-shared-memory --verify-diagnostics
// Rings that have no place.

trident.kernel @slots_off_the_pattern(%x: f32) {
  // expected-error @below {{'pipe.ring' op has slots of 512 bytes: expected a multiple of 1024}}
  %q = pipe.ring : !pipe.ring<2 x tensor<4x64xbf16, #trident.shared<swizzle = 128>>>
}

// -----
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
// expected-error @below {{'trident.kernel' op needs 262192 bytes of shared memory (1 x 65536 + 2 x 98304 + barriers 48): expected at most 232448 on sm_90a; use fewer stages or smaller tiles}}
trident.kernel @too_much target #target (%x: f32) {
  %q = pipe.ring : !pipe.ring<1 x tensor<128x256xbf16, #trident.shared<swizzle = 128>>>
  %k = pipe.ring : !pipe.ring<2 x tensor<192x256xbf16, #trident.shared<swizzle = 128>>>
}
