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

// A function's argument may come first: it is held against those that no extent of 1 stands for.
// CHECK: @mods_first
// CHECK-SAME: #trident.check<equal_or_one, argument = "prefix", axis = 0, dimension = "batch", other = "starts", other_axis = 0>
// CHECK-NOT: argument = "starts", axis = 0
trident.kernel @mods_first variant {} (%prefix: !trident.view<in batch : i32>, %starts: !E, %n: i32) {
  %p = trident.element %prefix[%n] : !trident.view<in batch : i32> -> i32
  %a = trident.element %starts[%n] : !E -> i32
}
