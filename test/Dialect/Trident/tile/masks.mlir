// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// A mask of a mask becomes one; of masks on different tiles, the loop visits what either needs.

!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK: trident.kernel @kernel
trident.kernel @kernel schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X, %length: i32) {
  // CHECK: %[[COLS:.*]] = trident.dim "cols"
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  // CHECK: bounds(%c0_i32, %{{.*}}, %{{.*}}) classes ["full", "partial"]
  %m = trident.for_tiles "cols" init(%m0 : tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>):
    // CHECK: %[[S:.*]] = trident.full %{{.*}} ["rows", "cols"]
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    // CHECK-NEXT: trident.mask %[[S]]
    // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32)
    %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      // CHECK-NEXT: %[[BELOW:.*]] = arith.cmpi sle, %[[COL]], %[[ROW]]
      %below = arith.cmpi sle, %col, %row : i32
      trident.yield %below : i1
    }
    %u = trident.mask %t at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%r: i32, %c: i32):
      // CHECK-NEXT: %[[SHORT:.*]] = arith.cmpi slt, %[[COL]], %length
      // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[BELOW]], %[[SHORT]]
      // CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi slt, %[[COL]], %[[COLS]]
      // CHECK-NEXT: %[[ALL:.*]] = arith.andi %[[BOTH]], %[[EXISTS]]
      // CHECK-NEXT: trident.yield %[[ALL]]
      %short = arith.cmpi slt, %c, %length : i32
      trident.yield %short : i1
    }
    // CHECK: trident.mask %[[S]]
    %v = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %few = arith.constant 40 : i32
      %low = arith.cmpi slt, %col, %few : i32
      trident.yield %low : i1
    }
    %w = arith.addf %u, %v : tensor<?x?xf32>
    %m2 = trident.reduce max %w : tensor<?x?xf32> -> tensor<?xf32>
    trident.yield %m2 : tensor<?xf32>
  } -> tensor<?xf32>
}
