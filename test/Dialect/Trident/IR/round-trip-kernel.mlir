// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// A kernel keeps the names of its arguments, and all that passes write on it.

// CHECK: trident.kernel @plain (%x: !trident.view<in rows x cols : f32>, %n: i32)
trident.kernel @plain(%x: !trident.view<in rows x cols : f32>, %n: i32) {
}

// CHECK: trident.kernel @decorated
trident.kernel @decorated
    // CHECK-SAME: parameters [#trident.parameter<"dtype", [f16, bf16], f16>]
    parameters [#trident.parameter<"dtype", [f16, bf16], f16>]
    // CHECK-SAME: requires [#trident.requires<"a" divides "b">, #trident.requires<"a" less_equal "b">]
    requires [#trident.requires<"a" divides "b">, #trident.requires<"a" less_equal "b">]
    // CHECK-SAME: variant {dtype = bf16}
    variant {dtype = bf16}
    // CHECK-SAME: source_types [!trident.view<in a x b : !trident.param<"dtype">>]
    source_types [!trident.view<in a x b : !trident.param<"dtype">>]
    // CHECK-SAME: contract [#trident.check<rank, argument = "x", expected = 2 : i64>]
    contract [#trident.check<rank, argument = "x", expected = 2>]
    // CHECK-SAME: schedule <tiles = {a = 128 : i64}, warpgroups = 2,
    schedule <tiles = {a = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false, producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
    // CHECK-SAME: target <name = "sm_90a", mma_rows = 64,
    target <name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448, max_registers = 255, block_registers = 65536>
    // CHECK-SAME: shared_bytes 1024
    shared_bytes 1024
    // CHECK-SAME: (%x: !trident.view<in a x b : bf16>)
    (%x: !trident.view<in a x b : bf16>) {
}

// Four integers at equal distances are a range, however they are written; three or others are a list.
// CHECK: trident.kernel @ranges
trident.kernel @ranges
    // CHECK-SAME: #trident.parameter<"a", 8 to 32 step 8, 16 : i64>
    parameters [#trident.parameter<"a", [8, 16, 24, 32], 16>,
                // CHECK-SAME: #trident.parameter<"b", 0 to 3 step 1, 0 : i64>
                #trident.parameter<"b", 0 to 3 step 1, 0>,
                // CHECK-SAME: #trident.parameter<"c", [8, 16, 24], 8 : i64>
                #trident.parameter<"c", 8 to 24 step 8, 8>,
                // CHECK-SAME: #trident.parameter<"d", [8, 16, 24, 40], 8 : i64>
                #trident.parameter<"d", [8, 16, 24, 40], 8>,
                // CHECK-SAME: #trident.parameter<"e", [8, 16], #trident.param<"a">>
                #trident.parameter<"e", [8, 16], #trident.param<"a">>] (%x: !trident.view<in rows : f32>) {
}

// CHECK: trident.kernel @indices
trident.kernel @indices parameters [#trident.parameter<"mode", ["a", "b"], "a">, #trident.parameter<"width", [1, 2], 1>]
    (%x: !trident.view<in rows x cols : f32>) {
  // CHECK: trident.program "rows" : !trident.tile_index<"rows">
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // CHECK: trident.program "cols" : i32
  %j = trident.program "cols" : i32
  // CHECK: trident.tile_number %{{.*}} : <"rows"> -> i32
  %n = trident.tile_number %i : !trident.tile_index<"rows"> -> i32
  // CHECK: trident.dim "rows" : i32
  %rows = trident.dim "rows" : i32
  // CHECK: trident.param "width" : i32
  %width = trident.param "width" : i32
  // CHECK: trident.param "mode" is("b") : i1
  %is_b = trident.param "mode" is("b") : i1
}
