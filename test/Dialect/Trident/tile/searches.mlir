// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// Of elements that do not fall along the columns tiles are searched: those that begin with a number that is small enough for some row, and
// end with one for all, and the same for numbers that are large enough. The last axis of another dimension bounds nothing.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : f32>
!R = !trident.view<in rows : i32>
!E = !trident.view<in cols : i32>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">
// CHECK-LABEL: @searches
trident.kernel @searches schedule #schedule (%v: !V, %ids: !E, %own: !R, %c: f32) {
  %i = trident.program "rows" : !i
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // CHECK: trident.search %ids[] for %{{.*}} through step 64 among
  // CHECK: trident.search %ids[] for %{{.*}} through whole step 64 among
  // CHECK: trident.search %ids[] for %{{.*}} whole step 64 among
  // CHECK: trident.search %ids[] for %{{[^ ]*}} step 64 among
  // CHECK: trident.for_tiles "cols" bounds(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) classes ["partial", "full", "partial"] {
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %of_row = trident.element %own[%row] nondecreasing : !R -> i32
      %of_col = trident.element %ids[%col] nondecreasing : !E -> i32
      %visible = arith.cmpi eq, %of_row, %of_col : i32
      trident.yield %visible : i1
    }
  }
  // CHECK-NOT: trident.search
  // CHECK: trident.for_tiles "cols" bounds(%{{.*}}, %{{.*}}) classes ["partial"] {
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %of_col = trident.element %own[%col] nondecreasing : !R -> i32
      %visible = arith.cmpi sle, %of_col, %row : i32
      trident.yield %visible : i1
    }
  }
}
