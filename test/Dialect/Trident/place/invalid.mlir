// RUN: trident-opt %s --split-input-file --trident-place --verify-diagnostics
// Kernels that cannot be placed.

// expected-error @below {{'trident.kernel' op has no schedule and target: expected trident-select-schedule to run first}}
trident.kernel @no_schedule(%c: f32) {
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @unknown_size schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %c: f32) {
  // expected-error @below {{'trident.full' op has a tile of unknown size 'tensor<?x64xf32>': expected trident-tile to run first}}
  %t = trident.full %c ["rows", "cols"] : f32 -> tensor<?x64xf32>
}

// -----
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @rows_of_warpgroups schedule #schedule target #target (%x: !trident.view<in rows : f16>, %c: f32) {
  // expected-error @below {{'trident.full' op has a tile 'tensor<64xf32>': expected a multiple of 128 rows for 2 warpgroups; use fewer warpgroups or larger tiles}}
  %t = trident.full %c ["rows"] : f32 -> tensor<64xf32>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @computed_b schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %c: f32) {
  %t = trident.full %c ["rows", "cols"] : f32 -> tensor<64x64xf32>
  %h = trident.convert %t : tensor<64x64xf32> -> tensor<64x64xf16>
  // expected-error @below {{'trident.dot' op operand 'b' is computed in registers: expected a tile loaded from memory}}
  %s = trident.dot %h, %h transpose_b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x cols : f16>
trident.kernel @transposed_a schedule #schedule target #target (%x: !X, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %b = trident.load %x[%i, %j] : !X[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x64xf16>
  %t = trident.full %c ["rows", "cols"] : f32 -> tensor<64x64xf32>
  %h = trident.convert %t : tensor<64x64xf32> -> tensor<64x64xf16>
  // expected-error @below {{'trident.dot' op operand 'a' is computed in registers and transposed: expected a tile loaded from memory}}
  %s = trident.dot %h, %b transpose_a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
}
