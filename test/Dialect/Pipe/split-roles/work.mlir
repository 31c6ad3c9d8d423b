// RUN: trident-opt %s --pipe-split-roles --verify-roundtrip | FileCheck %s
// Each role runs the same items: both have the item's program and the numbers of uses, the producer the copies, the consumers the rest.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @work
trident.kernel @work schedule #schedule (%x: !X, %n: i32, %zero: i32) {
  // CHECK: %[[ONCE:.*]] = pipe.ring
  %once = pipe.ring : !pipe.ring<1 x !A>
  // CHECK: %[[RING:.*]] = pipe.ring
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK-NEXT: pipe.roles warpgroups 1 registers 24, 240 producer {
  // CHECK-NEXT: pipe.for_work balanced init(%zero : i32) {
  // CHECK-NEXT: ^bb0(%[[USES:.*]]: i32):
  // CHECK-NEXT: %[[I:.*]] = trident.program "rows"
  // CHECK-NEXT: %[[END:.*]] = trident.tile_number %[[I]]
  // CHECK-NEXT: pipe.produce %[[ONCE]][%[[USES]]], %x[%[[I]], %n]
  // CHECK-NEXT: trident.for_tiles "cols" bounds(%n, %[[END]]) classes ["full"] at_most [3]
  // CHECK-NEXT: ^bb0(%[[J:.*]]: !trident.tile_index<"cols">):
  // CHECK-NEXT: pipe.produce %[[RING]][%[[USES]]], %x[%[[I]], %[[J]]]
  // CHECK-NEXT: trident.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[USES]], %[[END]]
  // CHECK-NEXT: trident.yield %[[NEXT]] : i32
  // CHECK-NEXT: }
  // CHECK-NEXT: } consumer {
  // CHECK-NEXT: pipe.for_work balanced init(%zero : i32) {
  // CHECK-NOT: pipe.produce
  // CHECK: %[[I2:.*]] = trident.program "rows"
  // CHECK: %[[END2:.*]] = trident.tile_number %[[I2]]
  // CHECK: pipe.consume %[[ONCE]]
  // CHECK: trident.for_tiles "cols" bounds(%n, %[[END2]]) classes ["full"] at_most [3]
  // CHECK: pipe.consume %[[RING]]
  // CHECK: %[[NEXT2:.*]] = arith.addi %{{.*}}, %[[END2]]
  // CHECK-NEXT: trident.yield %[[NEXT2]] : i32
  pipe.for_work balanced init(%zero : i32) {
  ^bb0(%uses: i32):
    %i = trident.program "rows" : !i
    %end = trident.tile_number %i : !i -> i32
    pipe.produce %once[%uses], %x[%i, %n] : !pipe.ring<1 x !A>, !X[!i, i32]
    %q = pipe.consume %once[%uses] : !pipe.ring<1 x !A> -> !A
    trident.for_tiles "cols" bounds(%n, %end) classes ["full"] at_most [3] {
    ^bb0(%j: !j):
      pipe.produce %ring[%uses], %x[%i, %j] : !pipe.ring<2 x !A>, !X[!i, !j]
      %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      trident.yield
    }
    %next = arith.addi %uses, %end : i32
    trident.yield %next : i32
  }
}
