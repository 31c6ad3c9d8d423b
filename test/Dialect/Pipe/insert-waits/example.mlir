// RUN: trident-opt %s --pipe-insert-waits --verify-roundtrip | FileCheck %s
// Two dots are in flight together: the wait for the first lets the second run on; a slot is given back after the dot that reads it.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
trident.kernel @waits schedule #schedule (%x: !X, %n: i32) {
  %ring = pipe.ring : !pipe.ring<2 x !A>
  trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
  ^bb0(%j: !j):
    // CHECK: pipe.produce
    pipe.produce %ring[%n], %x[%n, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    // CHECK-NEXT: %[[T:.*]] = pipe.consume
    %t = pipe.consume %ring[%n] : !pipe.ring<2 x !A> -> !A
    // CHECK-NEXT: %[[F:.*]] = pipe.dot_async %[[T]], %[[T]] :
    %f = pipe.dot_async %t, %t : !A, !A -> !pipe.async<!C>
    %s = pipe.await %f : !pipe.async<!C> -> !C
    // CHECK-NEXT: %[[G:.*]] = pipe.dot_async %[[T]], %[[T]] transpose_b
    %g = pipe.dot_async %t, %t transpose_b : !A, !A -> !pipe.async<!C>
    %u = pipe.await %g : !pipe.async<!C> -> !C
    // CHECK-NEXT: %[[S:.*]] = pipe.await %[[F]] pending 1
    // CHECK-NEXT: math.exp2 %[[S]]
    %e = math.exp2 %s : !C
    // CHECK-NEXT: %[[U:.*]] = pipe.await %[[G]] :
    // CHECK-NEXT: pipe.release
    // CHECK-NEXT: arith.addf %{{.*}}, %[[U]]
    %sum = arith.addf %e, %u : !C
    trident.yield
  }
}
