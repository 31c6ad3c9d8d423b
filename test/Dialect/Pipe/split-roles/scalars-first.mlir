// RUN: trident-opt %s --pipe-split-roles --verify-roundtrip | FileCheck %s
// The producer works out an item's scalars before its first copy, which waits for its slot; what the loop gives comes after the loop.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
trident.kernel @scalars schedule #schedule (%x: !X, %n: i32, %zero: i32) {
  %once = pipe.ring : !pipe.ring<1 x !A>
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK: producer {
  // CHECK-NEXT: pipe.for_work init(%zero : i32) {
  // CHECK-NEXT: ^bb0(%[[USES:.*]]: i32):
  // CHECK-NEXT: %[[I:.*]] = trident.program "rows"
  // CHECK-NEXT: %[[END:.*]] = trident.tile_number %[[I]]
  // CHECK-NEXT: %[[FIRST:.*]] = trident.tile_at %[[END]]
  // CHECK-NEXT: pipe.produce %{{.*}}[%[[USES]]], %x[%[[I]], %n]
  // CHECK-NEXT: pipe.produce %{{.*}}[%[[USES]]], %x[%[[I]], %[[FIRST]]]
  // CHECK-NEXT: trident.for_tiles
  // CHECK: pipe.produce
  // CHECK: }
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[USES]], %[[END]]
  // CHECK-NEXT: trident.yield %[[NEXT]]
  pipe.for_work init(%zero : i32) {
  ^bb0(%uses: i32):
    %i = trident.program "rows" : !i
    pipe.produce %once[%uses], %x[%i, %n] : !pipe.ring<1 x !A>, !X[!i, i32]
    %q = pipe.consume %once[%uses] : !pipe.ring<1 x !A> -> !A
    %end = trident.tile_number %i : !i -> i32
    %first = trident.tile_at %end : i32 -> !j
    pipe.produce %ring[%uses], %x[%i, %first] : !pipe.ring<2 x !A>, !X[!i, !j]
    %t = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
    trident.for_tiles "cols" bounds(%n, %end) classes ["full"] {
    ^bb0(%j: !j):
      pipe.produce %ring[%uses], %x[%i, %j] : !pipe.ring<2 x !A>, !X[!i, !j]
      %u = pipe.consume %ring[%uses] : !pipe.ring<2 x !A> -> !A
      trident.yield
    }
    %next = arith.addi %uses, %end : i32
    trident.yield %next : i32
  }
}
