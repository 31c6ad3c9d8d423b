// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// The order of the programs is the order of the items: it stays that of the producer when only the last program is needed early.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: trident.kernel @program_order
trident.kernel @program_order schedule #schedule (%x: !trident.view<in batch x heads x rows x cols : bf16>, %n: i32) {
  %ring = pipe.ring : !pipe.ring<2 x !A>
  // CHECK: pipe.for_work {
  // CHECK-NEXT: trident.program "batch"
  // CHECK-NEXT: %[[H:.*]] = trident.program "heads"
  // CHECK-NEXT: %[[I:.*]] = trident.program "rows"
  // CHECK-NEXT: %[[USE:.*]] = trident.tile_number %[[I]]
  // CHECK-NEXT: pipe.consume %{{.*}}[%[[USE]]]
  // CHECK-NEXT: pipe.dot_async
  // CHECK-NEXT: arith.addi %[[H]]
  pipe.for_work {
    %b = trident.program "batch" : i32
    %h = trident.program "heads" : i32
    %sum = arith.addi %h, %b : i32
    %i = trident.program "rows" : !i
    %use = trident.tile_number %i : !i -> i32
    %t = pipe.consume %ring[%use] : !pipe.ring<2 x !A> -> !A
    %f = pipe.dot_async %t, %t transpose_b : !A, !A -> !pipe.async<!C>
    %s = pipe.await %f : !pipe.async<!C> -> !C
    trident.for_tiles "cols" bounds(%n, %sum) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      trident.yield
    }
    %g = pipe.dot_async %t, %t into %s : !C, : !A, !A -> !pipe.async<!C>
    %o = pipe.await %g : !pipe.async<!C> -> !C
    trident.yield
  }
}
