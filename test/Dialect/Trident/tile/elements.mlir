// RUN: trident-opt %s --trident-tile | FileCheck %s
// Of elements that do not fall along the rows, those of a tile's first and last row bound the loop; others bound nothing.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : f32>
!E = !trident.view<in rows : i32>
!i = !trident.tile_index<"rows">    !j = !trident.tile_index<"cols">
// CHECK-LABEL: @elements
trident.kernel @elements schedule #schedule (%v: !V, %ends: !E, %c: f32) {
  %i = trident.program "rows" : !i
  %s = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  // CHECK: %[[LARGEST:.*]] = trident.element %ends[%{{.*}}] nondecreasing
  // CHECK: %[[SMALLEST:.*]] = trident.element %ends[%{{.*}}] nondecreasing
  // CHECK: trident.for_tiles "cols" bounds(%{{.*}}, %{{.*}}, %{{.*}}) classes ["full", "partial"] {
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %end = trident.element %ends[%row] nondecreasing : !E -> i32
      %visible = arith.cmpi slt, %col, %end : i32
      trident.yield %visible : i1
    }
  }
  // CHECK: trident.mask
  // CHECK: nondecreasing
  // CHECK-NOT: trident.element
  // CHECK: trident.for_tiles "cols" bounds(%{{.*}}, %{{.*}}) classes ["partial"] {
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %m = trident.mask %s at rows(%i : !i) cols(%j : !j) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %end = trident.element %ends[%row] : !E -> i32
      %visible = arith.cmpi slt, %col, %end : i32
      trident.yield %visible : i1
    }
  }
}
