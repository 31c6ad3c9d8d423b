// RUN: trident-opt %s --pipe-stage-elements --verify-roundtrip | FileCheck %s
// The copy begins with the step, in front of the dot that the element is added to, and each use reads it from shared memory behind what the
// rings have. A row of 64 elements of 16 bits takes 144 bytes, so that eight rows begin in different banks.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 128}, warpgroups = 2, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!A = tensor<128x64xbf16, #trident.shared<swizzle = 128>>
!B = tensor<128x64xbf16, #trident.accumulator<warpgroups = 2>>
!C = tensor<128x64xf32, #trident.accumulator<warpgroups = 2>>
!V = !trident.view<in heads x rows x cols : bf16>
// CHECK-LABEL: trident.kernel @bias
// CHECK-SAME: shared_bytes 19440
trident.kernel @bias schedule #schedule target #target shared_bytes 1008 (%v: !V, %n: i32) {
  pipe.roles warpgroups 2 registers 24, 240 producer {
  } consumer {
    %a = builtin.unrealized_conversion_cast to !A
    %h = trident.program "heads" : i32
    %i = trident.program "rows" : !trident.tile_index<"rows">
    trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      // CHECK: ^bb0(%[[J:.*]]: !trident.tile_index<"cols">):
      // CHECK-NEXT: %[[F:.*]] = pipe.copy_elements at 1008 %v rows({{.*}}) cols(%[[J]] : {{.*}}) : {{.*}} -> <tensor<128x64xbf16, {{.*}}>> {
      // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32):
      // CHECK-NEXT:   trident.yield %{{.*}}, %[[ROW]], %[[COL]]
      // CHECK: pipe.dot_async
      %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
      // CHECK-NOT: element_tile
      %t = trident.element_tile %v at rows(%i : !trident.tile_index<"rows">) cols(%j : !trident.tile_index<"cols">) : !V -> !B {
      ^bb0(%row: i32, %col: i32):
        trident.yield %h, %row, %col : i32, i32, i32
      }
      // CHECK: pipe.await
      %s = pipe.await %f : !pipe.async<!C> -> !C
      // CHECK-NEXT: %[[T:.*]] = pipe.read_elements %[[F]] at 1008
      // CHECK-NEXT: trident.score %{{.*}} with(%[[T]]
      %x = trident.score %s with(%t : !B) at : !C {
      ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
        %sum = arith.addf %score, %e : f32
        trident.yield %sum : f32
      }
      // CHECK: %[[AGAIN:.*]] = pipe.read_elements %[[F]] at 1008
      // CHECK-NEXT: trident.score %{{.*}} with(%[[AGAIN]]
      %y = trident.score %x with(%t : !B) at : !C {
      ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
        %product = arith.mulf %score, %e : f32
        trident.yield %product : f32
      }
      trident.yield
    }
  }
}
