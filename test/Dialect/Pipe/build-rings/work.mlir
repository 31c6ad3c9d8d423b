// RUN: trident-opt %s --split-input-file --pipe-build-rings --verify-roundtrip | FileCheck %s
// The uses of a ring are counted through all items of a block: an item begins where the one before it ended.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @items
// CHECK: %[[ONCE:.*]] = pipe.ring : <1 x
// CHECK: %[[RING:.*]] = pipe.ring : <2 x
trident.kernel @items schedule #schedule (%x: !X, %begin: i32, %end: i32) {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[ZERO2:.*]] = arith.constant 0 : i32
  // CHECK-NEXT: pipe.for_work balanced init(%[[ZERO]], %[[ZERO2]] : i32, i32) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32):
  pipe.for_work balanced {
    %i = trident.program "rows" : !i
    // One use an item, without its number in the item.
    // CHECK: %[[A1:.*]] = arith.addi %[[A]], %{{.*}} : i32
    // CHECK: pipe.produce %[[ONCE]][%[[A]]]
    // CHECK: pipe.consume %[[ONCE]][%[[A]]]
    %f = pipe.copy_async 0, %x[%i, %begin] : !X[!i, i32] -> !pipe.async<!A>
    %t = pipe.await %f : !pipe.async<!A> -> !A
    // One use a step, after those of the items before.
    // CHECK: trident.for_tiles
    // CHECK: %[[STEP:.*]] = arith.subi %{{.*}}, %begin : i32
    // CHECK: %[[USE:.*]] = arith.addi %[[STEP]], %[[B]] : i32
    // CHECK: pipe.produce %[[RING]][%[[USE]]]
    trident.for_tiles "cols" bounds(%begin, %end) classes ["partial"] {
    ^bb0(%j: !j):
      %g = pipe.copy_async 1, %x[%i, %j] : !X[!i, !j] -> !pipe.async<!A>
      %u = pipe.await %g : !pipe.async<!A> -> !A
      trident.yield
    }
    // CHECK: %[[STEPS:.*]] = arith.subi %end, %begin
    // CHECK: %[[B1:.*]] = arith.addi %[[B]], %[[STEPS]] : i32
    // CHECK: trident.yield %[[A1]], %[[B1]] : i32, i32
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
// Without copies nothing is carried.
// CHECK-LABEL: trident.kernel @no_copies
// CHECK-NEXT: pipe.for_work {
// CHECK-NEXT: trident.yield
trident.kernel @no_copies schedule #schedule (%x: f32) {
  pipe.for_work {
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 3, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
// Where items overlap, what is loaded once an item is there for two of them at a time.
// CHECK-LABEL: trident.kernel @two_items
// CHECK: pipe.ring : <2 x
trident.kernel @two_items schedule #schedule (%x: !X, %n: i32) {
  pipe.for_work {
    %i = trident.program "rows" : !i
    %f = pipe.copy_async 0, %x[%i, %n] : !X[!i, i32] -> !pipe.async<!A>
    %t = pipe.await %f : !pipe.async<!A> -> !A
    trident.yield
  }
}
