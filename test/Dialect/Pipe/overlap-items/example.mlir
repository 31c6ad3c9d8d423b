// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// The next item's first dot is started before this item's last one, and its row operations run beside that.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!O = tensor<64x64xbf16, #trident.operand<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
trident.kernel @items schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %y: !trident.view<out rows x cols : f32>, %n: i32, %c: f32) {
  %q = pipe.ring : !pipe.ring<2 x !A>
  %v = builtin.unrealized_conversion_cast to !A
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    // CHECK: pipe.skewed_work init(%n : i32) first {
    // CHECK: pipe.dot_async
    // CHECK: } steps {
    // CHECK: } next {
    // CHECK-NEXT: ^bb0(%[[USE:.*]]: i32, %[[P:.*]]: tensor<{{.*}}>, %[[ACC:.*]]: tensor<{{.*}}>, %[[I:.*]]: !trident.tile_index<"rows">):
    // CHECK: %[[NEXT:.*]] = arith.addi %[[USE]], %n
    // CHECK-NEXT: pipe.release %{{.*}}[%[[USE]]]
    // CHECK-NEXT: %[[Q1:.*]] = pipe.consume %{{.*}}[%[[NEXT]]]
    // CHECK-NEXT: %[[F:.*]] = pipe.dot_async %[[Q1]], %[[Q1]] transpose_b
    // CHECK-NEXT: %[[G:.*]] = pipe.dot_async %[[P]], %{{.*}} into %[[ACC]]
    // CHECK-NEXT: %[[I1:.*]] = trident.program "rows"
    // CHECK: %[[S:.*]] = pipe.await %[[F]] pending 1
    // CHECK-NEXT: %[[E:.*]] = math.exp2 %[[S]]
    // The operand of the dot in flight stays in its registers up to the wait; what the next is made of passes through it.
    // CHECK-NEXT: %[[O:.*]], %[[E1:.*]] = pipe.await %[[G]] keep(%[[P]] : {{.*}}) carry(%[[E]] :
    // CHECK-NEXT: %[[T:.*]] = trident.convert %[[E1]]
    // CHECK-NEXT: %[[P1:.*]] = trident.convert_layout %[[T]]
    // CHECK-NEXT: trident.store %[[O]], %y[%[[I]], %
    // CHECK: trident.yield %[[P1]], %[[NEXT]], %[[I1]]
    // CHECK-NEXT: } last {
    // CHECK: trident.store
    pipe.for_work init(%n : i32) {
    ^bb0(%use: i32):
      %i = trident.program "rows" : !i
      %first = trident.tile_at %n : i32 -> !j
      %acc = trident.full %c ["rows", "cols"] : f32 -> !C
      %q1 = pipe.consume %q[%use] : !pipe.ring<2 x !A> -> !A
      %f = pipe.dot_async %q1, %q1 transpose_b : !A, !A -> !pipe.async<!C>
      %s = pipe.await %f : !pipe.async<!C> -> !C
      %e = math.exp2 %s : !C
      %t = trident.convert %e : !C -> tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
      %p = trident.convert_layout %t : tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>> -> !O
      %p1, %acc1 = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%p, %acc : !O, !C) {
      ^bb0(%j: !j, %p2: !O, %acc2: !C):
        trident.yield %p2, %acc2 : !O, !C
      } -> !O, !C
      pipe.release %q[%use] : !pipe.ring<2 x !A>
      %g = pipe.dot_async %p1, %v into %acc1 : !C, : !O, !A -> !pipe.async<!C>
      %o = pipe.await %g : !pipe.async<!C> -> !C
      trident.store %o, %y[%i, %first] : !C, !trident.view<out rows x cols : f32>[!i, !j]
      %next = arith.addi %use, %n : i32
      trident.yield %next : i32
    }
  }
}
