// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// Where items do not overlap, an item's first dots are started before the scalars that they do not need.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @starts_first
trident.kernel @starts_first schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  // CHECK: %[[RING:.*]] = pipe.ring
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK-NEXT: pipe.for_work init(%n : i32) {
  // CHECK-NEXT: ^bb0(%[[USE:.*]]: i32):
  // CHECK-NEXT: %[[T:.*]] = pipe.consume %[[RING]][%[[USE]]]
  // CHECK-NEXT: %[[F:.*]] = pipe.dot_async %[[T]], %[[T]]
  // CHECK-NEXT: trident.program "rows"
  // CHECK-NEXT: arith.addi %[[USE]], %n
  // CHECK-NEXT: %[[S:.*]] = pipe.await %[[F]]
  // CHECK-NEXT: pipe.release %[[RING]][%[[USE]]]
  // CHECK-NEXT: trident.for_tiles
  pipe.for_work init(%n : i32) {
  ^bb0(%use: i32):
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %next = arith.addi %use, %n : i32
    %t = pipe.consume %ring[%use] : !pipe.ring<2 x !A> -> !A
    %f = pipe.dot_async %t, %t transpose_b : !A, !A -> !pipe.async<!C>
    %s = pipe.await %f : !pipe.async<!C> -> !C
    pipe.release %ring[%use] : !pipe.ring<2 x !A>
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !j):
      trident.yield
    }
    %g = pipe.dot_async %t, %t into %s : !C, : !A, !A -> !pipe.async<!C>
    %o = pipe.await %g : !pipe.async<!C> -> !C
    trident.yield %next : i32
  }
}
