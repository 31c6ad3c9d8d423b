// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// Before the first step nothing has been seen: its vote is decided, and what happens only then happens. The mask of a tensor's end is
// applied only if the first tile is the one that ends there.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!X = !trident.view<in rows x cols : bf16>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @stale
// CHECK-SAME: %[[WHOLE:whole]]: i32
trident.kernel @stale schedule #schedule (%x: !X, %begin: i32, %whole: i32, %end: i32, %slope: f32, %c: f32) {
  %q, %acc0 = builtin.unrealized_conversion_cast to !A, !C
  %nothing = arith.constant 0xFF800000 : f32
  %m0 = trident.full %nothing ["rows"] : f32 -> !R
  // CHECK: %[[S:.*]] = pipe.await
  // CHECK: %[[IS_LAST:.*]] = arith.cmpi sge, %{{.*}}, %[[WHOLE]] : i32
  // CHECK-NEXT: %[[X:.*]] = pipe.if %[[IS_LAST]] else(%[[S]] :
  // CHECK-NEXT: %[[MASKED:.*]] = trident.mask %[[S]]
  // CHECK: trident.yield %[[MASKED]]
  // CHECK-NOT: pipe.vote_exceeds
  // CHECK-NOT: pipe.if
  // CHECK: %[[M:.*]] = trident.reduce max %[[X]]
  // One step less can be partial.
  // CHECK: trident.for_tiles "cols" descending {{.*}} at_most [-1, 1] init(%[[M]],
  %acc, %m = trident.for_tiles "cols" descending bounds(%begin, %whole, %end) classes ["full", "partial"] at_most [-1, 2]
      init(%acc0, %m0 : !C, !R) {
  ^bb0(%j: !j, %acc1: !C, %m1: !R):
    // CHECK: trident.mask
    // CHECK: pipe.vote_exceeds
    // CHECK: pipe.if
    %s = pipe.dot_async %q, %q transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %masked = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %exists = arith.cmpi slt, %col, %end : i32
      trident.yield %exists : i1
    }
    %old = arith.negf %m1 : !R
    %any = pipe.vote_exceeds %masked, %slope, %old limit 8.0 : !C, !R
    %m2 = pipe.if %any else(%m1 : !R) {
      %new = trident.reduce max %masked : !C -> !R
      trident.yield %new : !R
    } -> !R
    %scaled = arith.mulf %acc1, %masked : !C
    %o = pipe.dot_async %q, %q into %scaled : !C, : !A, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1, %m2 : !C, !R
  } -> !C, !R
}
