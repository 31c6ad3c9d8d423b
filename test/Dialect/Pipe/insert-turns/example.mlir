// RUN: trident-opt %s --pipe-insert-turns --verify-roundtrip | FileCheck %s
// Two warpgroups take turns at the first dot of a step: each row operation of one runs beside a dot of the other.

#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 2, stages = 2, overlap = 0, turns = true,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
trident.kernel @turns schedule #schedule (%x: !trident.view<in cols : bf16>, %n: i32) {
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      // CHECK: pipe.turn_wait
      // CHECK-NEXT: pipe.dot_async
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      // CHECK-NEXT: pipe.await
      // CHECK-NEXT: pipe.turn_pass
      %s = pipe.await %f : !pipe.async<!C> -> !C
      // CHECK-NEXT: math.exp2
      %e = math.exp2 %s : !C
      // CHECK-NOT: pipe.turn
      %g = pipe.dot_async %a, %a transpose_b into %e : !C, : !A, !A -> !pipe.async<!C>
      %u = pipe.await %g : !pipe.async<!C> -> !C
      trident.yield
    }
  }
}
