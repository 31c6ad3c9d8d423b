// RUN: trident-opt %s --pipe-build-rings --verify-roundtrip | FileCheck %s
// A copy before a loop has a ring of one slot; one in the loop has the schedule's stages, and its use is the number of the step.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel @rings
// CHECK-NEXT: %[[ONCE:.*]] = pipe.ring : <1 x tensor<64x64xbf16, #trident.shared<swizzle = 128>>>
// CHECK-NEXT: %[[RING:.*]] = pipe.ring : <2 x tensor<64x64xbf16, #trident.shared<swizzle = 128>>>
trident.kernel @rings schedule #schedule (%x: !X, %first: i32, %end: i32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // CHECK: %[[I:.*]] = trident.program "rows"
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: pipe.produce %[[ONCE]][%[[ZERO]]], %x[%[[I]], %first]
  %f = pipe.copy_async 0, %x[%i, %first] : !X[!trident.tile_index<"rows">, i32] -> !pipe.async<!A>
  // CHECK: pipe.consume %[[ONCE]][%[[ZERO]]]
  %t = pipe.await %f : !pipe.async<!A> -> !A
  // CHECK: trident.for_tiles "cols" bounds(%first, %end)
  trident.for_tiles "cols" bounds(%first, %end) classes ["partial"] {
  ^bb0(%j: !j):
    // CHECK: %[[NUMBER:.*]] = trident.tile_number %[[J:.*]] :
    // CHECK: %[[STEP:.*]] = arith.subi %[[NUMBER]], %first
    // CHECK: pipe.produce %[[RING]][%[[STEP]]], %x[%[[I]], %[[J]]]
    %g = pipe.copy_async 1, %x[%i, %j] : !X[!trident.tile_index<"rows">, !j] -> !pipe.async<!A>
    // CHECK: pipe.consume %[[RING]][%[[STEP]]]
    %u = pipe.await %g : !pipe.async<!A> -> !A
    trident.yield
  }
}
