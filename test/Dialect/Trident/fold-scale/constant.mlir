// RUN: trident-opt %s --split-input-file --trident-fold-scale --verify-roundtrip | FileCheck %s
// Of a constant the sign and the magnitude are known.

!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @positive
trident.kernel @positive() {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %scale = arith.constant 0.125 : f32
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: %[[FACTOR:.*]] = arith.constant 1.250000e-01 : f32
  // CHECK-NOT: trident.negate_if
  // CHECK: trident.softmax_step {{.*}} factor %[[FACTOR]]
  %t = arith.mulf %s, %c : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @negative
trident.kernel @negative() {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %scale = arith.constant -2.0 : f32
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK-DAG: %[[FACTOR:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-DAG: %[[YES:.*]] = arith.constant true
  // CHECK: %[[SIGNED:.*]] = trident.negate_if %[[YES]]
  // CHECK: trident.softmax_step %[[SIGNED]], {{.*}} factor %[[FACTOR]]
  %t = arith.mulf %s, %c : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @zero
trident.kernel @zero() {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %scale = arith.constant 0.0 : f32
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: %[[FACTOR:.*]] = arith.constant 1.17549435E-38 : f32
  // CHECK-NOT: trident.negate_if
  // CHECK: trident.softmax_step {{.*}} factor %[[FACTOR]]
  %t = arith.mulf %s, %c : !tile
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}
