// RUN: trident-opt %s --pipe-overlap --verify-roundtrip | FileCheck %s
// The second dot of a step runs beside the row operations of the next: the first step's other part comes before the loop, the
// last second dot after it.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!j = !trident.tile_index<"cols">
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!P = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!O = tensor<64x64xbf16, #trident.operand<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
trident.kernel @two_dots schedule #schedule (%x: !X, %n: i32, %c: f32) {
  %q, %acc0, %half = builtin.unrealized_conversion_cast to !A, !C, !C
  // CHECK: pipe.copy_async 0
  // CHECK: pipe.dot_async {{.*}} transpose_b
  // CHECK: trident.mask
  // CHECK: %[[P:.*]] = trident.convert_layout
  // CHECK-NOT: pipe.copy_async 1
  // CHECK: trident.for_tiles "cols" bounds({{.*}}) classes ["partial"] init(%[[P]], %{{.*}} :
  %acc = trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] init(%acc0 : !C) {
  ^bb0(%j: !j, %acc1: !C):
    // CHECK: pipe.copy_async 0
    // CHECK: %[[F:.*]] = pipe.dot_async {{.*}} transpose_b
    // CHECK: pipe.copy_async 1
    // CHECK: %[[G:.*]] = pipe.dot_async {{.*}} into
    // CHECK: pipe.await %[[F]]
    // CHECK: trident.mask
    // CHECK: %[[E:.*]] = math.exp2
    // The operand of the dot in flight stays in its registers up to the wait; what the next is made of passes through it.
    // CHECK: %[[U:.*]], %[[E1:.*]] = pipe.await %[[G]] keep({{.*}}) carry(%[[E]] :
    // CHECK: trident.convert %[[E1]]
    // CHECK: arith.mulf %[[U]]
    %f = pipe.copy_async 0, %x[%n, %j] : !X[i32, !j] -> !pipe.async<!A>
    %k = pipe.await %f : !pipe.async<!A> -> !A
    %s = pipe.dot_async %q, %k transpose_b : !A, !A -> !pipe.async<!C>
    %s1 = pipe.await %s : !pipe.async<!C> -> !C
    %m = trident.mask %s1 at cols(%j : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi slt, %col, %row : i32
      trident.yield %visible : i1
    }
    %e = math.exp2 %m : !C
    %scaled = arith.mulf %acc1, %half : !C
    %p = trident.convert %e : !C -> !P
    %a = trident.convert_layout %p : !P -> !O
    %g = pipe.copy_async 1, %x[%n, %j] : !X[i32, !j] -> !pipe.async<!A>
    %v = pipe.await %g : !pipe.async<!A> -> !A
    %o = pipe.dot_async %a, %v into %scaled : !C, : !O, !A -> !pipe.async<!C>
    %o1 = pipe.await %o : !pipe.async<!C> -> !C
    trident.yield %o1 : !C
  } -> !C
  // CHECK: } -> tensor
  // CHECK: pipe.copy_async 1
  // CHECK: %[[LAST:.*]] = pipe.dot_async {{.*}} into
  // CHECK: pipe.await %[[LAST]]
}
