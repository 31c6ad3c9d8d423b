// RUN: trident-opt %s --split-input-file --trident-fold-scale --verify-roundtrip | FileCheck %s
// What is not a scaled tile, or is needed as it is, stays.

!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @has_factor
trident.kernel @has_factor(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: %[[T:.*]] = arith.mulf
  // CHECK: trident.softmax_step %[[T]], {{.*}} factor %scale
  %t = arith.mulf %s, %c : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l factor %scale : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @not_one_scalar
trident.kernel @not_one_scalar(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  // CHECK: %[[T:.*]] = arith.mulf
  // CHECK: trident.softmax_step %[[T]], %{{[^ ,]+}}, %{{[^ ,]+}} :
  %t = arith.mulf %s, %s : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @score_between
trident.kernel @score_between(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: arith.mulf
  // CHECK: %[[U:.*]] = trident.score
  // CHECK: trident.softmax_step %[[U]], %{{[^ ,]+}}, %{{[^ ,]+}} :
  %t = arith.mulf %s, %c : !tile
  %u = trident.score %t at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %tanh = math.tanh %score : f32
    trident.yield %tanh : f32
  }
  %p, %m1, %l1, %alpha = trident.softmax_step %u, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @shared_mask
trident.kernel @shared_mask(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: arith.mulf
  // CHECK: %[[U:.*]] = trident.mask
  // CHECK: trident.softmax_step %[[U]], %{{[^ ,]+}}, %{{[^ ,]+}} :
  %t = arith.mulf %s, %c : !tile
  %u = trident.mask %t at : !tile {
  ^bb0(%row: i32, %col: i32):
    %p = arith.cmpi sle, %col, %row : i32
    trident.yield %p : i1
  }
  %e = math.exp2 %u : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %u, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}
