// RUN: trident-opt %s --split-input-file --pipe-build-rings --verify-roundtrip | FileCheck %s
// Which use of its ring a copy is, where a loop goes down and where a channel is used before, in and after it.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 3, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @descending
trident.kernel @descending schedule #schedule (%x: !X, %begin: i32, %middle: i32, %end: i32) {
  %i = trident.program "rows" : !i
  trident.for_tiles "cols" descending bounds(%begin, %middle, %end) classes ["full", "partial"] {
  ^bb0(%j: !j):
    // The first step is the last tile, whatever the segments.
    // CHECK: %[[NUMBER:.*]] = trident.tile_number
    // CHECK: %[[LAST:.*]] = arith.subi %end, %c1_i32
    // CHECK: %[[STEP:.*]] = arith.subi %[[LAST]], %[[NUMBER]]
    // CHECK: pipe.produce %{{.*}}[%[[STEP]]]
    %f = pipe.copy_async 0, %x[%i, %j] : !X[!i, !j] -> !pipe.async<!A>
    %t = pipe.await %f : !pipe.async<!A> -> !A
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 3, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @around_a_loop
// CHECK: %[[RING:.*]] = pipe.ring : <3 x
trident.kernel @around_a_loop schedule #schedule (%x: !X, %begin: i32, %end: i32) {
  %i = trident.program "rows" : !i
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: pipe.produce %[[RING]][%[[ZERO]]]
  %f = pipe.copy_async 0, %x[%i, %begin] : !X[!i, i32] -> !pipe.async<!A>
  trident.for_tiles "cols" bounds(%begin, %end) classes ["partial"] {
  ^bb0(%j: !j):
    // Two a step.
    // CHECK: %[[STEP:.*]] = arith.subi
    // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[ONE]] : i32
    // CHECK-NEXT: pipe.produce %[[RING]][%[[FIRST]]]
    %g = pipe.copy_async 0, %x[%i, %j] : !X[!i, !j] -> !pipe.async<!A>
    // CHECK: %[[SECOND:.*]] = arith.addi %{{.*}}, %[[ONE]] : i32
    // CHECK-NEXT: pipe.produce %[[RING]][%[[SECOND]]]
    %h = pipe.copy_async 0, %x[%i, %begin] : !X[!i, i32] -> !pipe.async<!A>
    trident.yield
  }
  // CHECK: %[[STEPS:.*]] = arith.subi %end, %begin
  // CHECK: %[[IN_LOOP:.*]] = arith.muli %[[STEPS]], %{{.*}}
  // CHECK: %[[AFTER:.*]] = arith.addi %[[ONE]], %[[IN_LOOP]]
  // CHECK: pipe.produce %[[RING]][%[[AFTER]]]
  %k = pipe.copy_async 0, %x[%i, %begin] : !X[!i, i32] -> !pipe.async<!A>
}
