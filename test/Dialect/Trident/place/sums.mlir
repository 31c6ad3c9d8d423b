// RUN: trident-opt %s --split-input-file --trident-place --verify-roundtrip | FileCheck %s
// The running sum of an online softmax is reduced over lanes once, after the loop, unless somebody reads it before.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!t = tensor<64x64xf32>
!r = tensor<64xf32>
// CHECK-LABEL: trident.kernel @delayed
trident.kernel @delayed schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %y: !trident.view<out rows : f32>, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %b = trident.dim "rows" : i32
  %t = trident.full %c ["rows", "cols"] : f32 -> !t
  // CHECK: %[[L0:.*]] = trident.full %c ["rows"] : f32 -> tensor<64xf32, #trident.row<warpgroups = 1>>
  %l0 = trident.full %c ["rows"] : f32 -> !r
  // CHECK: %[[SHARE:.*]] = trident.convert_layout %[[L0]] {{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
  // CHECK: %[[L:.*]]:2 = trident.for_tiles {{.*}} init(%[[L0]], %[[SHARE]] :
  %m, %l = trident.for_tiles "cols" bounds(%b, %b) classes ["full"] init(%l0, %l0 : !r, !r) {
  ^bb0(%j: !trident.tile_index<"cols">, %m1: !r, %l1: !r):
    // CHECK: trident.softmax_step {{.*}}, tensor<64xf32, #trident.row<warpgroups = 1, partial = true>> ->
    %p, %m2, %l2, %alpha = trident.softmax_step %t, %m1, %l1 : !t, !r, !r -> !t, !r, !r, !r
    trident.yield %m2, %l2 : !r, !r
  } -> !r, !r
  // CHECK: %[[SUM:.*]] = trident.convert_layout %[[L]]#1 {{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1>>
  // CHECK: trident.store %[[SUM]]
  trident.store %l, %y[%i] : !r, !trident.view<out rows : f32>[!trident.tile_index<"rows">]
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!t = tensor<64x64xf32>
!r = tensor<64xf32>
// CHECK-LABEL: trident.kernel @read_in_the_loop
// CHECK-NOT: partial = true
trident.kernel @read_in_the_loop schedule #schedule target #target (%x: !trident.view<in rows x cols : f16>, %y: !trident.view<out rows : f32>, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %b = trident.dim "rows" : i32
  %t = trident.full %c ["rows", "cols"] : f32 -> !t
  %l0 = trident.full %c ["rows"] : f32 -> !r
  %m, %l = trident.for_tiles "cols" bounds(%b, %b) classes ["full"] init(%l0, %l0 : !r, !r) {
  ^bb0(%j: !trident.tile_index<"cols">, %m1: !r, %l1: !r):
    %p, %m2, %l2, %alpha = trident.softmax_step %t, %m1, %l1 : !t, !r, !r -> !t, !r, !r, !r
    trident.store %l2, %y[%i] : !r, !trident.view<out rows : f32>[!trident.tile_index<"rows">]
    trident.yield %m2, %l2 : !r, !r
  } -> !r, !r
}
