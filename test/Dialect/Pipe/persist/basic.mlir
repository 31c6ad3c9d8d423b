// RUN: trident-opt %s --split-input-file --pipe-persist --verify-roundtrip | FileCheck %s
// What no item changes stays outside, items of different weight are balanced, and a kernel whose schedule does not ask stays as it is.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @common
trident.kernel @common schedule #schedule (%x: !trident.view<in heads x rows x cols : bf16>, %c: f32, %n: i32) {
  // A constant and what is computed from common values are common, wherever they stand.
  // CHECK-NEXT: %[[TWO:.*]] = arith.constant 2 : i32
  // CHECK-NEXT: %[[DOUBLE:.*]] = arith.muli %n, %[[TWO]]
  // CHECK-NEXT: pipe.for_work {
  // CHECK-NEXT: %[[HEAD:.*]] = trident.program "heads"
  // A tile is an item's even when its value is not: registers are given to one item at a time.
  // CHECK-NEXT: trident.full
  // A scalar of a program is an item's, and so is what is computed from it.
  // CHECK-NEXT: %[[OWN:.*]] = arith.addi %[[HEAD]], %[[DOUBLE]]
  // CHECK-NEXT: %[[OWN2:.*]] = arith.muli %[[OWN]], %[[TWO]]
  // CHECK-NEXT: trident.for_tiles "cols" bounds(%n, %[[OWN2]])
  %head = trident.program "heads" : i32
  %two = arith.constant 2 : i32
  %s = trident.full %c ["rows", "cols"] : f32 -> !C
  %double = arith.muli %n, %two : i32
  %own = arith.addi %head, %double : i32
  %own2 = arith.muli %own, %two : i32
  trident.for_tiles "cols" bounds(%n, %own2) classes ["full"] {
  ^bb0(%j: !j):
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// How long the loop of an item is depends on its tile, by way of a sum.
// CHECK-LABEL: trident.kernel @tile_decides
// CHECK: pipe.for_work balanced {
trident.kernel @tile_decides schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %i = trident.program "rows" : !i
  %number = trident.tile_number %i : !i -> i32
  %end = arith.addi %number, %n : i32
  trident.for_tiles "cols" bounds(%n, %end) classes ["full"] {
  ^bb0(%j: !j):
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = false>
// CHECK-LABEL: trident.kernel @not_asked
// CHECK-NOT: pipe.for_work
// CHECK: trident.program
trident.kernel @not_asked schedule #schedule (%x: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
}

// -----
// CHECK-LABEL: trident.kernel @no_schedule
// CHECK-NOT: pipe.for_work
// CHECK: trident.program
trident.kernel @no_schedule(%x: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
}

// -----
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
// CHECK-LABEL: trident.kernel @dynamic
// CHECK: pipe.for_work dynamic {
trident.kernel @dynamic schedule #schedule (%x: !trident.view<in rows x cols : bf16>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
}
