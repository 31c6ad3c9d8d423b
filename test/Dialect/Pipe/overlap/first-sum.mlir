// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// Before the first step no row has a reference: a vote whether one is large, as -inf is, is decided, and of two branches of which one
// happens then one is left.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!X = !trident.view<in rows x cols : bf16>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!F = tensor<64xi1, #trident.row<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @sum
trident.kernel @sum schedule #schedule (%x: !X, %begin: i32, %end: i32, %log2e: f32, %limit: f32) {
  %q, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %nothing = arith.constant 0xFF800000 : f32
  %many = arith.constant 256.0 : f32
  %true = arith.constant true
  %m0 = trident.full %nothing ["rows"] : f32 -> !R
  // CHECK: %[[S:.*]] = pipe.await
  // CHECK-NOT: {{pipe.vote|pipe.if|math.exp}}
  // CHECK: %[[Y:.*]] = math.absf %[[S]]
  // CHECK: trident.for_tiles
  // CHECK: pipe.vote_any
  // CHECK: math.exp
  // CHECK: math.absf
  // CHECK: pipe.vote_exceeds
  %acc, %m = trident.for_tiles "cols" descending bounds(%begin, %end) classes ["partial"] init(%acc0, %m0 : !C, !R) {
  ^bb0(%j: !j, %acc1: !C, %m1: !R):
    %size = math.absf %m1 : !R
    %bound = trident.full %many ["rows"] : f32 -> !R
    %large = arith.cmpf ogt, %size, %bound : !R
    %slowly = pipe.vote_any %large : !F
    %quickly = arith.xori %slowly, %true : i1
    %s = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %e = pipe.if %quickly else(%s1 : !C) {
      %e1 = math.exp %s1 : !C
      trident.yield %e1 : !C
    } -> !C
    %y = pipe.if %slowly else(%e : !C) {
      %y1 = math.absf %e : !C
      trident.yield %y1 : !C
    } -> !C
    %masked = trident.mask %y at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %exists = arith.cmpi slt, %col, %end : i32
      trident.yield %exists : i1
    }
    %any = pipe.vote_exceeds %masked, %log2e, %bound limit 8.0 or %large : !F, : !C, !R
    %m2 = pipe.if %any else(%m1 : !R) {
      %largest = trident.reduce max %masked : !C -> !R
      trident.yield %largest : !R
    } -> !R
    %acc2 = arith.mulf %acc1, %masked : !C
    %o = pipe.dot_async %q, %q into %acc2 : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1, %m2 : !C, !R
  } -> !C, !R
}
