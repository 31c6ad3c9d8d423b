// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// A mask on the tiles of two loops belongs to the inner one. It rejects what is past the end of both dimensions, and a
// last tile of the outer loop that is not whole makes all tiles of the inner one partial.

!X = !trident.view<in rows x cols : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK: trident.kernel @kernel
trident.kernel @kernel schedule <tiles = {cols = 32, rows = 16}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%x: !X) {
  // CHECK-DAG: %[[ROWS:.*]] = trident.dim "rows"
  // CHECK-DAG: %[[COLS:.*]] = trident.dim "cols"
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["cols"] : f32 -> tensor<?xf32>
  // CHECK: trident.for_tiles "rows" bounds({{.*}}) classes ["full"]
  %m = trident.for_tiles "rows" init(%m0 : tensor<?xf32>) {
  ^bb0(%i: !r, %m1: tensor<?xf32>):
    // CHECK: %[[WHOLE:.*]] = arith.cmpi sge
    // CHECK: arith.select %[[WHOLE]]
    // CHECK: trident.for_tiles "cols" bounds({{.*}}) classes ["full", "partial"]
    %n = trident.for_tiles "cols" init(%m1 : tensor<?xf32>) {
    ^bb0(%j: !c, %n1: tensor<?xf32>):
      %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
      // CHECK: trident.mask
      // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32)
      %t = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
      ^bb0(%row: i32, %col: i32):
        // CHECK: arith.cmpi slt, %[[ROW]], %[[ROWS]]
        // CHECK: arith.cmpi slt, %[[COL]], %[[COLS]]
        %p = arith.cmpi sle, %col, %row : i32
        trident.yield %p : i1
      }
      trident.yield %n1 : tensor<?xf32>
    } -> tensor<?xf32>
    trident.yield %n : tensor<?xf32>
  } -> tensor<?xf32>
}
