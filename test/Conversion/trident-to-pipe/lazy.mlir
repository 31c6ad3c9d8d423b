// RUN: trident-opt %s --trident-to-pipe --verify-roundtrip | FileCheck %s
// The reference is the largest score so far in each step; accumulators are rescaled only where that of a row of the warp has grown.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "lazy", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// CHECK-LABEL: trident.kernel @step
trident.kernel @step schedule #schedule (%factor: f32) {
  // CHECK: %[[IN:.*]]:4 = builtin.unrealized_conversion_cast
  %x, %m, %l, %acc = builtin.unrealized_conversion_cast to !C, !R, !L, !C
  // CHECK: trident.reduce max %[[IN]]#0
  // CHECK: %[[M:.*]] = arith.maxnumf %[[IN]]#1,
  // CHECK: math.exp2
  // CHECK: trident.rescale_add %[[IN]]#2,
  // CHECK: %[[GROWN:.*]] = arith.cmpf ogt, %[[M]], %[[IN]]#1
  // CHECK: %[[ANY:.*]] = pipe.vote_any %[[GROWN]]
  %p, %m1, %l1, %alpha = trident.softmax_step %x, %m, %l factor %factor : !C, !R, !L -> !C, !R, !L, !R
  %along = trident.broadcast %alpha along "cols" : !R -> !C
  // CHECK: pipe.if %[[ANY]] else(%[[IN]]#3 : {{.*}}) {
  // CHECK-NEXT: arith.mulf %[[IN]]#3,
  %scaled = arith.mulf %acc, %along : !C
}
