// RUN: trident-opt %s --trident-infer-contract | FileCheck %s
// An extent may be a number of the caller's, or that of an axis with some elements more, whose one element stands for no other.

!E = !trident.view<in batch + 1 : i32>
// CHECK: contract
// CHECK-SAME: #trident.check<type, argument = "most", dimension = "rows", expected = i32>
// CHECK-SAME: #trident.check<equal, argument = "ends", axis = 0, dimension = "batch + 1", other = "starts", other_axis = 0>
// CHECK-SAME: #trident.check<equal_or_one, argument = "bias", axis = 0, dimension = "rows", other = "most">
trident.kernel @sequences variant {} (%starts: !E, %most: !trident.extent<"rows">, %ends: !E, %bias: !trident.view<in rows : f32>, %n: i32) {
  %a = trident.element %starts[%n] : !E -> i32
  %b = trident.element %ends[%n] : !E -> i32
  %e = trident.element %bias[%n] : !trident.view<in rows : f32> -> f32
}
