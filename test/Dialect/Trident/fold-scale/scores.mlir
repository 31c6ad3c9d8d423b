// RUN: trident-opt %s --trident-fold-scale --split-input-file | FileCheck %s
// The scalar that a function of scores begins with joins the one before it; the one that it ends with is the step's factor.

!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @capped
trident.kernel @capped(%scale: f32, %inverse: f32, %cap: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  // CHECK: %[[S:.*]]:3 = builtin.unrealized_conversion_cast
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  %t = arith.mulf %s, %c : !tile
  // CHECK-DAG: %[[BOTH:.*]] = arith.mulf %scale, %inverse : f32
  // CHECK: %[[U:.*]] = trident.score %[[S]]#0
  // CHECK: ^bb0(%[[SCORE:.*]]: f32,
  // CHECK-NEXT: %[[X:.*]] = arith.mulf %[[SCORE]], %[[BOTH]]
  // CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[X]]
  // CHECK-NEXT: trident.yield %[[TANH]]
  %u = trident.score %t at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %x = arith.mulf %score, %inverse : f32
    %tanh = math.tanh %x : f32
    %capped = arith.mulf %tanh, %cap : f32
    trident.yield %capped : f32
  }
  // CHECK: %[[V:.*]] = trident.negate_if %{{.*}}, %[[U]]
  // CHECK: trident.softmax_step %[[V]], {{.*}} factor %
  %p, %m1, %l1, %alpha = trident.softmax_step %u, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----

// A function that only multiplies is gone.
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @temperature
trident.kernel @temperature(%scale: f32, %inverse: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  // CHECK: arith.mulf %scale, %inverse : f32
  // CHECK-NOT: trident.score
  // CHECK: trident.softmax_step {{.*}} factor %
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  %t = arith.mulf %s, %c : !tile
  %u = trident.score %t at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %x = arith.mulf %score, %inverse : f32
    trident.yield %x : f32
  }
  %p, %m1, %l1, %alpha = trident.softmax_step %u, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}
