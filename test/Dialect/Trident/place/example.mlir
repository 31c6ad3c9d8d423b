// RUN: trident-opt %s --trident-place --verify-roundtrip | FileCheck %s
// A product by a product: what is loaded lives in swizzled shared memory, what is computed in the registers of two warpgroups, and
// the first result is re-laid out, without leaving the registers, as an operand of the second.

!X = !trident.view<in rows x depth : bf16>
!W = !trident.view<in depth x depth : bf16>
!Y = !trident.view<out rows x depth : bf16>
!i = !trident.tile_index<"rows">
trident.kernel @twice schedule <tiles = {depth = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
    target <name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
    (%x: !X, %w: !W, %y: !Y) {
  %i = trident.program "rows" : !i
  %c0 = arith.constant 0 : i32
  %d = trident.tile_at %c0 : i32 -> !trident.tile_index<"depth">
  // CHECK: %[[X:.*]] = trident.load %x{{.*}} -> tensor<128x64xbf16, #trident.shared<swizzle = 128>>
  %xt = trident.load %x[%i, %d] : !X[!i, !trident.tile_index<"depth">] -> tensor<128x64xbf16>
  // CHECK: %[[W:.*]] = trident.load %w{{.*}} -> tensor<64x64xbf16, #trident.shared<swizzle = 128>>
  %wt = trident.load %w[%d, %d] : !W[!trident.tile_index<"depth">, !trident.tile_index<"depth">] -> tensor<64x64xbf16>
  // CHECK: %[[S:.*]] = trident.dot %[[X]], %[[W]] {{.*}} -> tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
  %s = trident.dot %xt, %wt : tensor<128x64xbf16>, tensor<64x64xbf16> -> tensor<128x64xf32>
  // CHECK: %[[P:.*]] = trident.convert %[[S]] {{.*}} -> tensor<128x64xbf16, #trident.accumulator<warpgroups = 2>>
  %p = trident.convert %s : tensor<128x64xf32> -> tensor<128x64xbf16>
  // CHECK: %[[A:.*]] = trident.convert_layout %[[P]] {{.*}} -> tensor<128x64xbf16, #trident.operand<warpgroups = 2>>
  // CHECK: trident.dot %[[A]], %[[W]]
  %t = trident.dot %p, %wt : tensor<128x64xbf16>, tensor<64x64xbf16> -> tensor<128x64xf32>
  %out = trident.convert %t : tensor<128x64xf32> -> tensor<128x64xbf16>
  trident.store %out, %y[%i, %d] : tensor<128x64xbf16>, !Y[!i, !trident.tile_index<"depth">]
}
