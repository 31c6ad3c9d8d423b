// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// Where columns are masked at both ends, the first tile may be one of the first segment: its mask is applied without a question.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @window
trident.kernel @window schedule #schedule (%x: !trident.view<in cols : f32>, %a: i32, %b: i32, %c: i32, %d: i32) {
  %q, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  // CHECK: %[[S:.*]] = pipe.await
  // CHECK-NOT: pipe.if
  // CHECK: trident.mask %[[S]]
  // CHECK: trident.for_tiles
  %acc = trident.for_tiles "cols" descending bounds(%a, %b, %c, %d) classes ["partial", "full", "partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    %s = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %m = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %begun = arith.cmpi sge, %col, %a : i32
      %exists = arith.cmpi slt, %col, %d : i32
      %both = arith.andi %begun, %exists : i1
      trident.yield %both : i1
    }
    %scaled = arith.mulf %acc1, %m : !C
    %o = pipe.dot_async %q, %q into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
}
