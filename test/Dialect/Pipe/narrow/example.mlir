// RUN: trident-opt %s --pipe-narrow --verify-roundtrip | FileCheck %s
// Columns up to the row are seen: the warpgroup with the upper rows is done with the tiles that only the lower rows see.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel
// CHECK-SAME: %zero: i32, %[[WHOLE:whole]]: i32, %[[END:end]]: i32
trident.kernel @causal schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %zero: i32, %whole: i32, %end: i32) {
  %i = trident.program "rows" : !i
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %c = builtin.unrealized_conversion_cast to !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK: %[[TILE:.*]] = trident.tile_number
    // CHECK: %[[W:.*]] = pipe.warpgroup
    // CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
    // A warpgroup whose rows are all past the end sees nothing.
    // CHECK: %[[SOME:.*]] = arith.cmpi slt, %[[ROW]],
    // CHECK-NEXT: %[[SEEN:.*]] = arith.select %[[SOME]], %{{.*}}, %zero
    // CHECK-NEXT: %[[OWN:.*]] = arith.minsi %[[SEEN]], %[[END]]
    // Its rows see all of more tiles than all rows do.
    // CHECK-NEXT: %[[MORE:.*]] = arith.maxsi %[[WHOLE]],
    // CHECK-NEXT: %[[FULL:.*]] = arith.minsi %[[MORE]], %[[OWN]]
    // CHECK-NEXT: trident.for_tiles "cols" descending bounds(%[[OWN]], %[[END]]) classes ["full"] {
    // CHECK: %[[USE:.*]] = arith.subi %[[END]],
    // CHECK-NEXT: pipe.consume %{{.*}}[%[[USE]]]
    // CHECK-NEXT: pipe.release %{{.*}}[%[[USE]]]
    // CHECK-NEXT: trident.yield
    // CHECK-NOT: arith
    // CHECK: trident.for_tiles "cols" descending bounds(%zero, %[[FULL]], %[[OWN]]) classes ["full", "partial"]
    %acc = trident.for_tiles "cols" descending bounds(%zero, %whole, %end) classes ["full", "partial"] init(%c : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %number = trident.tile_number %j : !j -> i32
      %use = arith.subi %end, %number : i32
      %t = pipe.consume %ring[%use] : !pipe.ring<2 x !A> -> !A
      pipe.release %ring[%use] : !pipe.ring<2 x !A>
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %visible = arith.cmpi sle, %col, %row : i32
        trident.yield %visible : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
