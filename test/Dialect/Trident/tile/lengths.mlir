// RUN: trident-opt %s --trident-tile | FileCheck %s
// A loop ends, and a mask rejects, where the program's sequence ends; a tile that begins past the end of its own visits nothing.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 32}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in batch x rows x cols : f32>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">
// CHECK-LABEL: @lengths
trident.kernel @lengths schedule #schedule (%v: !V, %used: !trident.view<in batch : i32>, %c: f32) {
  %b = trident.program "batch" : i32
  %n = trident.element %used[%b] : !trident.view<in batch : i32> -> i32
  // CHECK: %[[ROWS:.*]] = trident.length "rows"
  // CHECK: %[[COLS:.*]] = trident.length "cols"
  %rows = trident.length "rows" %n : i32
  %cols = trident.length "cols" %n : i32
  %i = trident.program "rows" : !i
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // CHECK: %[[FULL:.*]] = arith.divui %[[COLS]], %{{.*}}
  // CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %c32
  // CHECK: %[[HAS:.*]] = arith.cmpi slt, %[[FIRST]], %[[ROWS]]
  // CHECK: %[[END_OF_FULL:.*]] = arith.select %[[HAS]], %[[FULL]], %[[ZERO:.*]] : i32
  // CHECK: %[[END:.*]] = arith.select %[[HAS]], %{{.*}}, %[[ZERO]] : i32
  // CHECK: trident.for_tiles "cols" bounds(%[[ZERO]], %[[END_OF_FULL]], %[[END]]) classes ["full", "partial"]
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    // CHECK: arith.cmpi slt, %{{.*}}, %[[COLS]]
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
  }
  // CHECK-NOT: trident.dim
}
