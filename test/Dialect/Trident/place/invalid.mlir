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

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @panels schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op has a tile 'tensor<64x80xf16>': expected a multiple of 64 columns, which are 128 bytes; use another tile, or pad the dimension}}
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : f16>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x80xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @innermost_coordinate schedule #schedule target #target (%x: !trident.view<in rows x cols x depth : f16>, %n: i32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op reads one coordinate of the innermost dimension of '!trident.view<in rows x cols x depth : f16>': expected a tile of it, or no index}}
  %t = trident.load %x[%i, %j, %n] : !trident.view<in rows x cols x depth : f16>[!trident.tile_index<"rows">, !trident.tile_index<"cols">, i32] -> tensor<64x64xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @three_dimensions schedule #schedule target #target (%x: !trident.view<in rows x cols x depth : f16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %k = trident.program "depth" : !trident.tile_index<"depth">
  // expected-error @below {{'trident.load' op has a tile 'tensor<64x64x64xf16>': expected one or two dimensions}}
  %t = trident.load %x[%i, %j, %k] : !trident.view<in rows x cols x depth : f16>[!trident.tile_index<"rows">, !trident.tile_index<"cols">, !trident.tile_index<"depth">] -> tensor<64x64x64xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @integers schedule #schedule target #target (%x: !trident.view<in rows x cols : i32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op has a tile 'tensor<64x64xi32>': expected f16, bf16 or f32}}
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : i32>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x64xi32>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @row_of_halves schedule #schedule target #target (%x: !trident.view<in rows : f16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // expected-error @below {{'trident.load' op has a row vector 'tensor<64xf16>': expected f32}}
  %t = trident.load %x[%i] : !trident.view<in rows : f16>[!trident.tile_index<"rows">] -> tensor<64xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @converted_row schedule #schedule target #target (%x: !trident.view<in rows : f32>, %c: f32) {
  %t = trident.full %c ["rows"] : f32 -> tensor<64xf32>
  // expected-error @below {{'trident.convert' op has a row vector 'tensor<64xf16>': expected f32, i32 or i1}}
  %h = trident.convert %t : tensor<64xf32> -> tensor<64xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @open_type schedule #schedule target #target (%x: !trident.view<in rows x cols : !trident.param<"dtype">>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op has a tile of unknown type 'tensor<64x64x!trident.param<"dtype">>': expected trident-specialize to run first}}
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : !trident.param<"dtype">>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x64x!trident.param<"dtype">>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @rows_of_a_loaded_tile schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %y: !trident.view<out rows x cols : f16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op has a tile 'tensor<32x64xf16>': expected a multiple of 64 rows for 1 warpgroups; use fewer warpgroups or larger tiles}}
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : f16>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<32x64xf16>
  trident.store %t, %y[%i, %j] : tensor<32x64xf16>, !trident.view<out rows x cols : f16>[!trident.tile_index<"rows">, !trident.tile_index<"cols">]
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
trident.kernel @columns parameters [#trident.parameter<"depth", [20], 20>] variant {depth = 20} schedule #schedule target #target
    (%x: !trident.view<in rows x depth : f16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // expected-error @below {{'trident.load' op has a tile 'tensor<64x20xf16>': expected a multiple of 8 columns}}
  %t = trident.load %x[%i] : !trident.view<in rows x depth : f16>[!trident.tile_index<"rows">] -> tensor<64x20xf16>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!Y = !trident.view<in depth x cols : f16>
trident.kernel @contracted_rows parameters [#trident.parameter<"depth", [72], 72>] variant {depth = 72} schedule #schedule target #target
    (%x: !trident.view<in rows x depth : f16>, %y: !Y) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %k = trident.program "depth" : !trident.tile_index<"depth">
  %a = trident.load %x[%i] : !trident.view<in rows x depth : f16>[!trident.tile_index<"rows">] -> tensor<64x72xf16>
  %b = trident.load %y[%k, %j] : !Y[!trident.tile_index<"depth">, !trident.tile_index<"cols">] -> tensor<72x64xf16>
  // expected-error @below {{'trident.dot' op operand 'b' is 'tensor<72x64xf16, #trident.shared<swizzle = 128>>', of which it contracts the rows: expected a multiple of 16, the depth of one instruction}}
  %s = trident.dot %a, %b : tensor<64x72xf16>, tensor<72x64xf16> -> tensor<64x64xf32>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x cols : f32>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">
trident.kernel @split_and_read schedule #schedule target #target (%x: !X) {
  %i = trident.program "rows" : !i    %j = trident.program "cols" : !j
  // expected-error @below {{'trident.load' op has a tile that 'arith.addf' reads beside a dot of precision "bf16x3", whose home is two rounded tiles: expected only such dots; load the tile again for other uses}}
  %a = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<64x64xf32>
  %s = trident.dot %a, %a transpose_b precision("bf16x3") : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %c = arith.addf %a, %a : tensor<64x64xf32>
}
