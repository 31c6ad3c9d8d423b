// RUN: trident-opt %s --pipe-narrow --verify-roundtrip | FileCheck %s
// The step in front of the loop runs the warpgroup's own last tile: what its ring holds before that is given back, two slots of three
// at the most. What only the loop reads is passed there, by the steps that are left out.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 3, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @part
trident.kernel @part schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %u: i32, %zero: i32, %last: i32, %c: f32) {
  %i = trident.program "rows" : !i
  // CHECK: %[[EARLY:.*]] = pipe.ring
  // CHECK: %[[LATE:.*]] = pipe.ring
  %early = pipe.ring : !pipe.ring<3 x !A>
  %late = pipe.ring : !pipe.ring<3 x !A>
  %s = trident.full %c ["rows", "cols"] : f32 -> !C
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    // CHECK: %[[AHEAD:.*]] = arith.addi %last, %c-2_i32
    // CHECK-NEXT: arith.maxsi %{{.*}}, %[[AHEAD]]
    // CHECK: %[[OWN:.*]] = arith.minsi %{{.*}}, %last
    // CHECK: %[[SKIPPED:.*]] = arith.addi %last, %
    // CHECK: %[[J:.*]] = trident.tile_at %[[OWN]]
    %j0 = trident.tile_at %last : i32 -> !j
    // CHECK: %[[USE:.*]] = arith.addi %u, %[[SKIPPED]]
    // CHECK-NEXT: pipe.consume %[[EARLY]][%[[USE]]] past %[[SKIPPED]]
    %t0 = pipe.consume %early[%u] : !pipe.ring<3 x !A> -> !A
    // CHECK-NEXT: pipe.release %[[EARLY]][%[[USE]]]
    pipe.release %early[%u] : !pipe.ring<3 x !A>
    // CHECK-NEXT: trident.mask %{{.*}} cols(%[[J]] :
    %m0 = trident.mask %s at rows(%i : !i) cols(%j0 : !j) : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = arith.cmpi sle, %col, %row : i32
      trident.yield %visible : i1
    }
    // CHECK: trident.for_tiles "cols" descending bounds(%[[FROM:.*]], %last) classes ["full"] {
    // CHECK-NOT: %[[EARLY]]
    // CHECK: pipe.consume %[[LATE]]
    // CHECK: trident.for_tiles "cols" descending bounds(%[[END:.*]], %[[FROM]]) classes ["full"] {
    // CHECK: pipe.consume %[[EARLY]]
    // CHECK: pipe.consume %[[LATE]]
    // CHECK: trident.for_tiles "cols" descending bounds(%zero, %[[END]]) classes ["partial"] init(
    %acc = trident.for_tiles "cols" descending bounds(%zero, %last) classes ["partial"] init(%m0 : !C) {
    ^bb0(%j: !j, %acc1: !C):
      %number = trident.tile_number %j : !j -> i32
      %t = pipe.consume %early[%number] : !pipe.ring<3 x !A> -> !A
      pipe.release %early[%number] : !pipe.ring<3 x !A>
      %v = pipe.consume %late[%number] : !pipe.ring<3 x !A> -> !A
      pipe.release %late[%number] : !pipe.ring<3 x !A>
      %m = trident.mask %acc1 at rows(%i : !i) cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %visible = arith.cmpi sle, %col, %row : i32
        trident.yield %visible : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
