// RUN: trident-opt %s --trident-to-pipe --verify-roundtrip | FileCheck %s
// With a stale reference a maximum crosses lanes, and accumulators are rescaled, only where a score of the warp has outgrown it by 2^8.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "stale", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// CHECK-LABEL: trident.kernel @step
trident.kernel @step schedule #schedule (%factor: f32) {
  // CHECK: %[[IN:.*]]:4 = builtin.unrealized_conversion_cast
  %x, %m, %l, %acc = builtin.unrealized_conversion_cast to !C, !R, !L, !C
  // CHECK: %[[SLOPE:.*]] = arith.mulf %factor,
  // CHECK: %[[OLD:.*]] = arith.negf
  // CHECK: %[[ANY:.*]] = pipe.vote_exceeds %[[IN]]#0, %[[SLOPE]], %[[OLD]] limit 8.000000e+00 or
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK: %[[KEPT:.*]] = trident.full %[[ONE]]
  // CHECK: %[[NEW:.*]]:6 = pipe.if %[[ANY]] else(%[[IN]]#1, %[[KEPT]], %[[IN]]#2, %[[IN]]#0, %[[SLOPE]], %[[OLD]] :
  // CHECK: trident.reduce max %[[IN]]#0
  // CHECK: %[[L:.*]] = trident.rescale_add %[[IN]]#2,
  // Differences are taken exactly only there, where a reference can be new and large.
  // CHECK: %[[LARGE:.*]] = pipe.vote_any
  // CHECK: %[[EXACT:.*]]:2 = pipe.if %[[LARGE]] else(%[[IN]]#0, %{{.*}} :
  // CHECK: %[[FACTOR:.*]] = arith.select %[[LARGE]], %{{.*}}, %[[SLOPE]]
  // CHECK: trident.yield %{{.*}}, %{{.*}}, %[[L]], %[[EXACT]]#0, %[[FACTOR]], %[[EXACT]]#1 :
  // CHECK-NOT: trident.reduce max
  // CHECK-NOT: pipe.if
  // CHECK: %[[SCALE:.*]] = trident.full %[[NEW]]#4
  // CHECK: %[[OFFSET:.*]] = trident.broadcast %[[NEW]]#5
  // CHECK: %[[T:.*]] = math.fma %[[NEW]]#3, %[[SCALE]], %[[OFFSET]]
  // CHECK: %[[P:.*]] = math.exp2 %[[T]]
  // CHECK: %[[SUM:.*]] = trident.reduce sum %[[P]]
  // CHECK: arith.addf %[[NEW]]#2, %[[SUM]]
  %p, %m1, %l1, %alpha = trident.softmax_step %x, %m, %l factor %factor : !C, !R, !L -> !C, !R, !L, !R
  %along = trident.broadcast %alpha along "cols" : !R -> !C
  // CHECK: pipe.if %[[ANY]] else(%[[IN]]#3 : {{.*}}) {
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[IN]]#3,
  // CHECK-NEXT: trident.yield %[[SCALED]]
  %scaled = arith.mulf %acc, %along : !C
}
