// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// Bounds that an author wrote, or this pass before, stay.

// CHECK: trident.kernel @kernel
trident.kernel @kernel schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !trident.view<in rows x cols : f32>) {
  %zero = arith.constant 0.0 : f32
  %from = arith.constant 1 : i32
  %to = arith.constant 2 : i32
  // CHECK: %[[M0:.*]] = trident.full
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<16xf32>
  // CHECK-NEXT: trident.for_tiles "cols" bounds(%c1_i32, %c2_i32) classes ["partial"] init(%[[M0]]
  %m = trident.for_tiles "cols" bounds(%from, %to) classes ["partial"] init(%m0 : tensor<16xf32>) {
  ^bb0(%j: !trident.tile_index<"cols">, %m1: tensor<16xf32>):
    trident.yield %m1 : tensor<16xf32>
  } -> tensor<16xf32>
}
