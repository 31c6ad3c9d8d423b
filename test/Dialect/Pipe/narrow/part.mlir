// RUN: trident-opt %s --pipe-narrow --verify-roundtrip | FileCheck %s
// The step in front of the loop runs the warpgroup's own last tile: what its ring holds before that is given back, two slots of three
// at the most. What only the loop reads is passed there, by the steps that are left out.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 3, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!R = !pipe.ring<3 x !A>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel
// CHECK-SAME: %u: i32, %zero: i32, %[[LAST:last]]: i32
trident.kernel @part schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %u: i32, %zero: i32, %last: i32, %c: f32) {
  %i = trident.program "rows" : !i
  // CHECK: %[[EARLY:.*]] = pipe.ring
  %early = pipe.ring : !R
  // CHECK: %[[LATE:.*]] = pipe.ring
  %late = pipe.ring : !R
  %s = trident.full %c ["rows", "cols"] : f32 -> !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK: %[[MINUS_TWO:.*]] = arith.constant -2 : i32
    // CHECK-NEXT: %[[AHEAD:.*]] = arith.addi %[[LAST]], %[[MINUS_TWO]]
    // CHECK-NEXT: %[[NEAREST:.*]] = arith.maxsi %{{.*}}, %[[AHEAD]]
    // CHECK-NEXT: %[[NOT_BELOW:.*]] = arith.maxsi %[[NEAREST]], %zero
    // CHECK-NEXT: %[[OWN:.*]] = arith.minsi %[[NOT_BELOW]], %[[LAST]]
    // CHECK: %[[SKIPPED:.*]] = arith.addi %[[LAST]], %
    // CHECK: %[[J:.*]] = trident.tile_at %[[OWN]]
    %j0 = trident.tile_at %last : i32 -> !j
    // CHECK: %[[USE:.*]] = arith.addi %u, %[[SKIPPED]]
    // CHECK-NEXT: pipe.consume %[[EARLY]][%[[USE]]] past %[[SKIPPED]]
    %t0 = pipe.consume %early[%u] : !R -> !A
    // CHECK-NEXT: pipe.release %[[EARLY]][%[[USE]]]
    pipe.release %early[%u] : !R
    // CHECK-NEXT: trident.mask %{{.*}} cols(%[[J]] :
    %m0 = trident.mask %s at rows(%i : !i) cols(%j0 : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi sle, %col, %row : i32
      trident.yield %visible : i1
    }
    // CHECK: trident.for_tiles "cols" descending bounds(%[[FROM:.*]], %[[LAST]]) classes ["full"] {
    // CHECK-NOT: %[[EARLY]]
    // CHECK: pipe.consume %[[LATE]]
    // CHECK-NEXT: pipe.release %[[LATE]]
    // CHECK-NEXT: trident.yield
    // CHECK-NEXT: }
    // CHECK-NEXT: trident.for_tiles "cols" descending bounds(%[[END:.*]], %[[FROM]]) classes ["full"] {
    // CHECK: pipe.consume %[[EARLY]]
    // CHECK: pipe.consume %[[LATE]]
    // CHECK: trident.yield
    // CHECK-NEXT: }
    // CHECK-NEXT: trident.for_tiles "cols" descending bounds(%zero, %[[END]]) classes ["partial"] init(
    %acc = trident.for_tiles "cols" descending bounds(%zero, %last) classes ["partial"] init(%m0 : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %number = trident.tile_number %j : !j -> i32
      %t = pipe.consume %early[%number] : !R -> !A
      pipe.release %early[%number] : !R
      %v = pipe.consume %late[%number] : !R -> !A
      pipe.release %late[%number] : !R
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %visible = arith.cmpi sle, %col, %row : i32
        trident.yield %visible : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
