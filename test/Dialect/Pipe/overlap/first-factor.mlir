// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// In the first step the factor of what was accumulated is exp2 of -inf less a number above it, so 0: nothing is multiplied.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!B = tensor<64xi1, #trident.row<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @first_factor
trident.kernel @first_factor schedule #schedule (%x: !X, %begin: i32, %end: i32) {
  %q = builtin.unrealized_conversion_cast to !A
  %zero = arith.constant 0.0 : f32
  %nothing = arith.constant 0xFF800000 : f32
  %acc0 = trident.full %zero ["rows", "cols"] : f32 -> !C
  %dead = trident.full %nothing ["rows"] : f32 -> !R
  %none = trident.full %zero ["rows"] : f32 -> !R
  // CHECK: math.exp2
  // CHECK-NOT: arith.mulf
  // CHECK: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK-NEXT: %[[SCALED:.*]] = trident.full %[[ZERO]] ["", ""]
  // What the largest of a row may be -inf with stays as it is.
  // CHECK: %[[UNKNOWN:.*]] = arith.subf
  // CHECK-NEXT: math.exp2 %[[UNKNOWN]]
  // CHECK: arith.mulf
  // CHECK: trident.for_tiles "cols"
  // CHECK-SAME: init(%{{.*}}, %[[SCALED]],
  // CHECK: arith.mulf
  // CHECK: arith.mulf
  %acc, %other, %m = trident.for_tiles "cols" descending bounds(%begin, %end) classes ["partial"] init(%acc0, %acc0, %dead : !C, !C, !R) {
  ^bb0(%j: !j, %acc1: !C, %other1: !C, %m1: !R):
    %s = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %masked = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %exists = arith.cmpi slt, %col, %end : i32
      trident.yield %exists : i1
    }
    %row_max = trident.reduce max %masked : !C -> !R
    %largest = arith.maxnumf %m1, %row_max : !R
    %is_dead = arith.cmpf oeq, %largest, %dead : !R
    %m2 = arith.select %is_dead, %none, %largest : !B, !R
    %d = arith.subf %m1, %m2 : !R
    %e = math.exp2 %d : !R
    %factor = trident.broadcast %e along "cols" : !R -> !C
    %scaled = arith.mulf %acc1, %factor : !C
    %d1 = arith.subf %m1, %largest : !R
    %e1 = math.exp2 %d1 : !R
    %factor1 = trident.broadcast %e1 along "cols" : !R -> !C
    %scaled1 = arith.mulf %other1, %factor1 : !C
    %o = pipe.dot_async %q, %q into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %p = pipe.dot_async %q, %q into %scaled1 : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    %p1 = pipe.await %p : !pipe.async<!C> -> !C
    trident.yield %o1, %p1, %m2 : !C, !C, !R
  } -> !C, !C, !R
}
