// RUN: trident-opt %s --split-input-file --trident-place --verify-roundtrip | FileCheck %s
// What dots in a loop take as `a`, and the loop does not change, is read into registers in front of it.

#schedule = #trident.schedule<tiles = {cols = 64, depth = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, hold_operands = true>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x depth : f16>
!Y = !trident.view<in cols x depth : f16>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">    !k = !trident.tile_index<"depth">
// CHECK-LABEL: trident.kernel @held
trident.kernel @held schedule #schedule target #target (%x: !X, %y: !Y, %zero: f32) {
  %i = trident.program "rows" : !i    %k = trident.program "depth" : !k
  %n = trident.dim "cols" : i32
  // CHECK: %[[X:.*]] = trident.load %x
  // CHECK-NEXT: %[[A:.*]] = trident.convert_layout %[[X]] : {{.*}} -> tensor<64x64xf16, #trident.operand<warpgroups = 1>>
  %a = trident.load %x[%i, %k] : !X[!i, !k] -> tensor<64x64xf16>
  %s0 = trident.full %zero ["rows", "cols"] : f32 -> tensor<64x64xf32>
  %s = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%s0 : tensor<64x64xf32>) {
  ^bb0(%j: !j, %s1: tensor<64x64xf32>):
    // CHECK: %[[Y:.*]] = trident.load %y
    %b = trident.load %y[%j, %k] : !Y[!j, !k] -> tensor<64x64xf16>
    // CHECK-NEXT: trident.dot %[[A]], %[[Y]] transpose_b
    %s2 = trident.dot %a, %b transpose_b into %s1 : tensor<64x64xf32>, : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    // What the step itself loads stays where it is, and so does what is transposed.
    // CHECK-NEXT: trident.dot %[[Y]], %[[Y]] transpose_b
    %s3 = trident.dot %b, %b transpose_b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    // CHECK-NEXT: trident.dot %[[X]], %[[X]] transpose_a
    %s4 = trident.dot %a, %a transpose_a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    trident.yield %s2 : tensor<64x64xf32>
  } -> tensor<64x64xf32>
}

// -----
// Without a loop, or without the schedule's word, the dot reads it where it is.
#schedule = #trident.schedule<tiles = {depth = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, hold_operands = true>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x depth : f16>
!i = !trident.tile_index<"rows">    !k = !trident.tile_index<"depth">
// CHECK-LABEL: trident.kernel @once
trident.kernel @once schedule #schedule target #target (%x: !X) {
  %i = trident.program "rows" : !i    %k = trident.program "depth" : !k
  // CHECK: %[[X:.*]] = trident.load %x
  // CHECK-NEXT: trident.dot %[[X]], %[[X]] transpose_b
  %a = trident.load %x[%i, %k] : !X[!i, !k] -> tensor<64x64xf16>
  %s = trident.dot %a, %a transpose_b : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
}
