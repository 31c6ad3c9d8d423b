// RUN: trident-opt %s --trident-infer-contract | FileCheck %s
// A view that single elements are read of may have any strides, and an extent of 1 where others have more.

!B = !trident.view<in rows x cols : bf16>
// CHECK: contract
// CHECK-SAME: #trident.check<equal_or_one, argument = "bias", axis = 0, dimension = "rows", other = "x", other_axis = 0>
// CHECK-SAME: #trident.check<equal_or_one, argument = "bias", axis = 1, dimension = "cols", other = "x", other_axis = 1>
// CHECK-NOT: contiguous, argument = "bias"
// CHECK-SAME: #trident.check<alignment, argument = "bias", expected = 2 : i64>
trident.kernel @elements variant {} (%x: !trident.view<in rows x cols : f32>, %bias: !B, %n: i32) {
  %e = trident.element %bias[%n, %n] : !B -> f32
}
