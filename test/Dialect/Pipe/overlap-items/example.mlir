// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// The next item's first dot is started before this item's last one, and its row operations run beside that; then this item's
// result is stored.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!X = !trident.view<in rows x cols : bf16>
!Y = !trident.view<out rows x cols : f32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!P = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!O = tensor<64x64xbf16, #trident.operand<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel @items
trident.kernel @items schedule #schedule (%x: !X, %y: !Y, %n: i32, %c: f32) {
  // CHECK: %[[Q:.*]] = pipe.ring
  %q = pipe.ring : !pipe.ring<2 x !A>
  // CHECK-NEXT: %[[K:.*]] = pipe.ring
  %k = pipe.ring : !pipe.ring<2 x !A>
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    // CHECK: pipe.skewed_work init(%n : i32) first {
    // CHECK-NEXT: ^bb0(%[[USE0:.*]]: i32):
    // CHECK: pipe.dot_async
    // CHECK: trident.yield
    // CHECK-NEXT: } steps {
    // CHECK: %[[LOOP:.*]]:2 = trident.for_tiles
    // CHECK: trident.yield %{{.*}}, %[[LOOP]]#0, %[[LOOP]]#1, %{{.*}} :
    // CHECK-NEXT: } next {
    // CHECK-NEXT: ^bb0(%[[USE:.*]]: i32, %[[P:.*]]: tensor<{{.*}}>, %[[ACC:.*]]: tensor<{{.*}}>, %[[I:.*]]: !trident.tile_index<"rows">):
    // CHECK: %[[NEXT:.*]] = arith.addi %[[USE]], %n
    // What is due at once.
    // CHECK-NEXT: pipe.release %[[Q]][%[[USE]]]
    // CHECK-NEXT: %[[Q1:.*]] = pipe.consume %[[Q]][%[[NEXT]]]
    // CHECK-NEXT: %[[K1:.*]] = pipe.consume %[[K]][%[[NEXT]]]
    // CHECK-NEXT: %[[F:.*]] = pipe.dot_async %[[Q1]], %[[K1]] transpose_b
    // CHECK: %[[G:.*]] = pipe.dot_async %[[P]], %{{.*}} into %[[ACC]]
    // CHECK-NEXT: %[[I1:.*]] = trident.program "rows"
    // CHECK: %[[S:.*]] = pipe.await %[[F]] pending 1
    // CHECK-NEXT: pipe.release %[[K]][%[[NEXT]]]
    // CHECK-NEXT: %[[E:.*]] = math.exp2 %[[S]]
    // The operand of the dot in flight stays in its registers up to the wait; what the next is made of passes through it.
    // CHECK-NEXT: %[[O:.*]], %[[E1:.*]] = pipe.await %[[G]] keep(%[[P]] : {{.*}}) carry(%[[E]] :
    // CHECK-NEXT: %[[T:.*]] = trident.convert %[[E1]]
    // CHECK-NEXT: %[[P1:.*]] = trident.convert_layout %[[T]]
    // CHECK-NEXT: trident.store %[[O]], %y[%[[I]], %
    // CHECK: trident.yield %[[P1]], %[[NEXT]], %[[I1]]
    // CHECK-NEXT: } last {
    // CHECK-NOT: trident.program
    // CHECK: pipe.dot_async
    // CHECK: trident.store
    // CHECK: trident.yield
    pipe.for_work init(%n : i32) {
    ^bb0(%use: i32):
      %i = trident.program "rows" : !i
      %first = trident.tile_at %n : i32 -> !j
      %acc = trident.full %c ["rows", "cols"] : f32 -> !C
      %q1 = pipe.consume %q[%use] : !pipe.ring<2 x !A> -> !A
      %k1 = pipe.consume %k[%use] : !pipe.ring<2 x !A> -> !A
      %f = pipe.dot_async %q1, %k1 transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      pipe.release %k[%use] : !pipe.ring<2 x !A>
      %e = math.exp2 %s : !C
      %t = trident.convert %e : !C -> !P
      %p = trident.convert_layout %t : !P -> !O
      %p1, %acc1 = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%p, %acc : !O, !C) {
      ^bb0(%j: !j, %p2: !O, %acc2: !C):
        trident.yield %p2, %acc2 : !O, !C
      } -> !O, !C
      pipe.release %q[%use] : !pipe.ring<2 x !A>
      %v = builtin.unrealized_conversion_cast to !A
      %g = pipe.dot_async %p1, %v into %acc1 : !C, : !O, !A -> !pipe.async<!C>
      %o = pipe.await %g : !pipe.async<!C> -> !C
      trident.store %o, %y[%i, %first] : !C, !Y[!i, !j]
      %next = arith.addi %use, %n : i32
      trident.yield %next : i32
    }
  }
}
