// RUN: trident-opt %s --trident-place --verify-roundtrip | FileCheck %s
// With precision bf16x3 the home of an operand is a pair of bf16 tiles, in shared memory and in registers.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!X = !trident.view<in rows x cols : f32>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @pairs
trident.kernel @pairs schedule #schedule target #target (%x: !X, %y: !X) {
  %i = trident.program "rows" : !i    %j = trident.program "cols" : !j
  // CHECK: %[[A:.*]] = trident.load %x{{.*}} -> tensor<64x64xf32, #trident.shared<swizzle = 128, pair = true>>
  %a = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<64x64xf32>
  // CHECK: %[[S:.*]] = trident.dot %[[A]], %[[A]] transpose_b precision("bf16x3")
  %s = trident.dot %a, %a transpose_b precision("bf16x3") : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  // What is computed is split in registers.
  // CHECK: %[[P:.*]] = trident.convert_layout %[[S]] : {{.*}} -> tensor<64x64xf32, #trident.operand<warpgroups = 1, pair = true>>
  // CHECK: trident.dot %[[P]], %[[A]] precision("bf16x3")
  %o = trident.dot %s, %a precision("bf16x3") : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  // A f32 tile that no dot reads is copied as it is.
  // CHECK: trident.load %y{{.*}} -> tensor<64x64xf32, #trident.shared<swizzle = 128>>
  %b = trident.load %y[%i, %j] : !X[!i, !j] -> tensor<64x64xf32>
  %c = arith.addf %b, %o : tensor<64x64xf32>
}
