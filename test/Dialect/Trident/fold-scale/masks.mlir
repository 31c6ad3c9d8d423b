// RUN: trident-opt %s --split-input-file --trident-fold-scale --verify-roundtrip | FileCheck %s
// Masks between the multiplication and the step stay; the factor may stand on either side of the product.

!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @masked
trident.kernel @masked(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: %[[SIGNED:.*]] = trident.negate_if
  // CHECK-NOT: arith.mulf
  %t = arith.mulf %c, %s : !tile
  // CHECK: %[[ONE:.*]] = trident.mask %[[SIGNED]]
  %u = trident.mask %t at : !tile {
  ^bb0(%row: i32, %col: i32):
    %p = arith.cmpi sle, %col, %row : i32
    trident.yield %p : i1
  }
  // CHECK: %[[TWO:.*]] = trident.mask %[[ONE]]
  %v = trident.mask %u at : !tile {
  ^bb0(%row: i32, %col: i32):
    %p = arith.cmpi ne, %col, %row : i32
    trident.yield %p : i1
  }
  // CHECK: trident.softmax_step %[[TWO]], {{.*}} factor
  %p, %m1, %l1, %alpha = trident.softmax_step %v, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}

// -----
!tile = tensor<16x32xf32>
!row = tensor<16xf32>
// CHECK-LABEL: trident.kernel @two_steps
trident.kernel @two_steps(%scale: f32) {
  %s, %m, %l = builtin.unrealized_conversion_cast to !tile, !row, !row
  %c = trident.full %scale ["rows", "cols"] : f32 -> !tile
  // CHECK: %[[FACTOR:.*]] = arith.select
  // CHECK-NOT: arith.select
  // The product has another use, and stays for it.
  // CHECK: %[[PRODUCT:.*]] = arith.mulf
  %t = arith.mulf %s, %c : !tile
  // CHECK: trident.softmax_step {{.*}} factor %[[FACTOR]]
  %p, %m1, %l1, %alpha = trident.softmax_step %t, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
  // CHECK: math.exp2 %[[PRODUCT]]
  %e = math.exp2 %t : !tile
  %u = arith.mulf %e, %c : !tile
  // CHECK: trident.softmax_step {{.*}} factor %[[FACTOR]]
  %p2, %m2, %l2, %alpha2 = trident.softmax_step %u, %m, %l : !tile, !row, !row -> !tile, !row, !row, !row
}
