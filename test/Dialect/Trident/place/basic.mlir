// RUN: trident-opt %s --split-input-file --trident-place --verify-roundtrip | FileCheck %s
// One rule a use: what is loaded, what is computed, what is one value a row.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x cols : f16>
// CHECK-LABEL: trident.kernel @rows
trident.kernel @rows schedule #schedule target #target (%x: !X, %bias: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // CHECK: %[[X:.*]] = trident.load %x{{.*}} -> tensor<64x64xf16, #trident.shared<swizzle = 128>>
  %t = trident.load %x[%i, %j] : !X[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x64xf16>
  // Element-wise uses read the loaded tile into registers; the dot reads it where it is.
  // CHECK: %[[R:.*]] = trident.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #trident.accumulator<warpgroups = 1>>
  // A row vector is read into the lanes that own the rows.
  // CHECK: trident.load %bias{{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1>>
  %b = trident.load %bias[%i] : !trident.view<in rows : f32>[!trident.tile_index<"rows">] -> tensor<64xf32>
  // CHECK: trident.dot %[[X]], %[[X]] transpose_b
  %s = trident.dot %t, %t transpose_b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  // CHECK: trident.convert %[[R]]
  %f = trident.convert %t : tensor<64x64xf16> -> tensor<64x64xf32>
  // CHECK: trident.reduce max {{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1>>
  %m = trident.reduce max %s : tensor<64x64xf32> -> tensor<64xf32>
  // CHECK: arith.constant dense<1.000000e+00> : tensor<64xf32, #trident.row<warpgroups = 1>>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  // CHECK: arith.cmpf {{.*}} : tensor<64xf32, #trident.row<warpgroups = 1>>
  %low = arith.cmpf olt, %m, %one : tensor<64xf32>
  // CHECK: trident.broadcast {{.*}} : tensor<64xi1, #trident.row<warpgroups = 1>> -> tensor<64x64xi1, #trident.accumulator<warpgroups = 1>>
  %wide = trident.broadcast %low along "cols" : tensor<64xi1> -> tensor<64x64xi1>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
// A carried tile has the layout of what is yielded.
// CHECK-LABEL: trident.kernel @carried
trident.kernel @carried schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %zero: f32) {
  %b = trident.dim "cols" : i32
  // CHECK: %[[S0:.*]] = trident.full {{.*}} -> tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
  %s0 = trident.full %zero ["rows", "cols"] : f32 -> tensor<64x64xf32>
  // CHECK: trident.for_tiles "cols" bounds{{.*}} init(%[[S0]] : tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>)
  // CHECK-NEXT: ^bb0({{.*}}, %{{.*}}: tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>):
  %s = trident.for_tiles "cols" bounds(%b, %b) classes ["full"] init(%s0 : tensor<64x64xf32>) {
  ^bb0(%j: !trident.tile_index<"cols">, %s1: tensor<64x64xf32>):
    trident.yield %s1 : tensor<64x64xf32>
  // CHECK: -> tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
  } -> tensor<64x64xf32>
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x depth : f16>
// A dimension taken whole may end inside a panel, and inside the depth of an instruction where it is columns of both operands.
// CHECK-LABEL: trident.kernel @padded
trident.kernel @padded parameters [#trident.parameter<"depth", [72], 72>] variant {depth = 72} schedule #schedule target #target
    (%x: !X) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // CHECK: trident.load {{.*}} -> tensor<64x72xf16, #trident.shared<swizzle = 128>>
  %t = trident.load %x[%i] : !X[!trident.tile_index<"rows">] -> tensor<64x72xf16>
  %s = trident.dot %t, %t transpose_b : tensor<64x72xf16>, tensor<64x72xf16> -> tensor<64x64xf32>
  %p = trident.convert %s : tensor<64x64xf32> -> tensor<64x64xf16>
  // CHECK: trident.dot {{.*}} -> tensor<64x72xf32, #trident.accumulator<warpgroups = 1>>
  %o = trident.dot %p, %t : tensor<64x64xf16>, tensor<64x72xf16> -> tensor<64x72xf32>
}
