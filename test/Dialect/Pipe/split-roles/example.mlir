// RUN: trident-opt %s --pipe-split-roles --verify-roundtrip | FileCheck %s
// The producer's loop makes the copies, with what says where they read; the consumers' keeps the rest. Scalars are for both.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 2>>
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel @roles
trident.kernel @roles schedule #schedule (%x: !X, %n: i32) {
  // CHECK: %[[RING:.*]] = pipe.ring
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK-NEXT: %[[ROW:.*]] = arith.muli %n, %n
  %row = arith.muli %n, %n : i32
  // CHECK-NEXT: pipe.roles warpgroups 2 registers 24, 240 producer {
  // CHECK-NEXT: trident.for_tiles "cols" descending bounds(%n, %n) classes ["full"] {
  // CHECK-NEXT: ^bb0(%[[J:.*]]: !trident.tile_index<"cols">):
  // CHECK-NEXT:   %[[USE:.*]] = trident.tile_number %[[J]]
  // CHECK-NEXT:   pipe.produce %[[RING]][%[[USE]]], %x[%[[ROW]], %[[J]]]
  // CHECK-NEXT:   trident.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: } consumer {
  // CHECK-NEXT: trident.for_tiles "cols" descending bounds(%n, %n) classes ["full"] {
  trident.for_tiles "cols" descending bounds(%n, %n) classes ["full"] {
  ^bb0(%j: !j):
    // CHECK: %[[USED:.*]] = trident.tile_number
    %use = trident.tile_number %j : !j -> i32
    pipe.produce %ring[%use], %x[%row, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    // CHECK-NEXT: pipe.consume %[[RING]][%[[USED]]]
    %t = pipe.consume %ring[%use] : !pipe.ring<2 x !A> -> !A
    // CHECK-NEXT: trident.convert_layout
    // CHECK-NEXT: pipe.release
    %r = trident.convert_layout %t : !A -> !B
    pipe.release %ring[%use] : !pipe.ring<2 x !A>
    trident.yield
  }
}
