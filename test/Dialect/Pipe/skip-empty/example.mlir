// RUN: trident-opt %s --pipe-skip-empty --verify-roundtrip | FileCheck %s
// All that a program stores are rows of its tile: where its sequence ends before the tile begins, the item is passed over.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
!Y = !trident.view<out batch x rows : f32>
!i = !trident.tile_index<"rows">
// CHECK: trident.kernel @ragged
trident.kernel @ragged schedule #schedule (%y: !Y, %used: !trident.view<in batch : i32>, %t: f32) {
  pipe.for_work {
    %b = trident.program "batch" : i32
    %n = trident.element %used[%b] : !trident.view<in batch : i32> -> i32
    // CHECK: %[[LENGTH:.*]] = trident.length "rows"
    %length = trident.length "rows" %n : i32
    // CHECK-NEXT: %[[I:.*]] = trident.program "rows"
    %i = trident.program "rows" : !i
    // CHECK-NEXT: %[[NUMBER:.*]] = trident.tile_number %[[I]]
    // CHECK-NEXT: %[[ROWS:.*]] = arith.constant 64
    // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %[[ROWS]]
    // CHECK-NEXT: %[[HAS:.*]] = arith.cmpi slt, %[[FIRST]], %[[LENGTH]]
    // CHECK-NEXT: pipe.skip_unless %[[HAS]]
    %l = trident.full %t ["rows"] : f32 -> tensor<64xf32>
    %own = trident.sequence %y "rows" length(%length) : !Y -> !Y
    trident.store %l, %own[%b, %i] : tensor<64xf32>, !Y[i32, !i]
    trident.yield
  }
}
