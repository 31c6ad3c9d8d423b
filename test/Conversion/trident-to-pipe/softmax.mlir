// RUN: trident-opt %s --trident-to-pipe --verify-roundtrip | FileCheck %s
// One step of an online softmax, spelled out: p = exp2(x * (factor * log2 e) - m * log2 e), with 0 for m where no score was seen; where
// m is large anywhere in a warp, the difference x * factor - m is taken first.

!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
!L = tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
// CHECK-LABEL: trident.kernel @step
trident.kernel @step(%factor: f32) {
  // CHECK: %[[IN:.*]]:3 = builtin.unrealized_conversion_cast
  %x, %m, %l = builtin.unrealized_conversion_cast to !C, !R, !L
  // CHECK: %[[SLOPE:.*]] = arith.mulf %factor, %{{.*}} : f32
  // CHECK: %[[MAX:.*]] = trident.reduce max %[[IN]]#0 : {{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1>>
  // CHECK: %[[TIMES:.*]] = trident.full %factor
  // CHECK: %[[LARGEST:.*]] = arith.mulf %[[MAX]], %[[TIMES]]
  // CHECK: %[[M:.*]] = arith.maxnumf %[[IN]]#1, %[[LARGEST]]
  // CHECK: %[[UNSEEN:.*]] = arith.cmpf oeq, %[[M]],
  // CHECK: %[[SAFE:.*]] = arith.select %[[UNSEEN]], %{{.*}}, %[[M]]
  // CHECK: %[[CHANGE:.*]] = arith.subf %[[IN]]#1, %[[SAFE]]
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[CHANGE]],
  // CHECK: %[[ALPHA:.*]] = math.exp2 %[[SCALED]]
  // CHECK: %[[OFFSET:.*]] = arith.negf
  // CHECK: %[[LARGE:.*]] = pipe.vote_any
  // CHECK: %[[T:.*]]:2 = pipe.if %[[LARGE]] else(%[[IN]]#0, %[[OFFSET]] :
  // CHECK: %[[DIFFERENCE:.*]] = arith.subf
  // CHECK: trident.yield %[[DIFFERENCE]],
  // CHECK: %[[FACTOR:.*]] = arith.select %[[LARGE]], %{{.*}}, %[[SLOPE]] : f32
  // CHECK-DAG: %[[ALONG:.*]] = trident.broadcast %[[T]]#1
  // CHECK-DAG: %[[FACTORS:.*]] = trident.full %[[FACTOR]]
  // CHECK: %[[SHIFTED:.*]] = math.fma %[[T]]#0, %[[FACTORS]], %[[ALONG]]
  // CHECK: %[[P:.*]] = math.exp2 %[[SHIFTED]]
  // The sum of a step stays partial, as l is.
  // CHECK: %[[SUM:.*]] = trident.reduce sum %[[P]] : {{.*}} -> tensor<64xf32, #trident.row<warpgroups = 1, partial = true>>
  // CHECK: trident.rescale_add %[[IN]]#2, %[[ALPHA]], %[[SUM]]
  // CHECK-NOT: trident.softmax_step
  %p, %m1, %l1, %alpha = trident.softmax_step %x, %m, %l factor %factor : !C, !R, !L -> !C, !R, !L, !R
}
