// RUN: trident-opt %s --trident-infer-contract --verify-roundtrip | FileCheck %s
// Names that two arguments share, integer parameters and uses of a view are checks; a view that feeds a dot is read by
// the copy engine, whose alignment it needs.

!A = !trident.view<in rows x depth : f16>
!B = !trident.view<in depth x cols : f16>
!C = !trident.view<optional_out rows x cols : f32>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: trident.kernel @product
// CHECK-SAME: contract [#trident.check<type, argument = "a", expected = f16>,
// CHECK-SAME: #trident.check<rank, argument = "a", expected = 2 : i64>,
// CHECK-SAME: #trident.check<extent, argument = "a", axis = 1, dimension = "depth", expected = 64 : i64>,
// CHECK-SAME: #trident.check<contiguous, argument = "a", axis = 1, dimension = "depth">,
// CHECK-SAME: #trident.check<alignment, argument = "a", expected = 16 : i64>,
// CHECK-SAME: #trident.check<extent, argument = "b", axis = 0, dimension = "depth", expected = 64 : i64>,
// CHECK-SAME: #trident.check<type, argument = "c", expected = f32>,
// CHECK-SAME: #trident.check<equal, argument = "c", axis = 0, dimension = "rows", other = "a", other_axis = 0>,
// CHECK-SAME: #trident.check<equal, argument = "c", axis = 1, dimension = "cols", other = "b", other_axis = 1>,
// CHECK-SAME: #trident.check<alignment, argument = "c", expected = 4 : i64>,
// CHECK-SAME: #trident.check<injective, argument = "c">,
// CHECK-SAME: #trident.check<type, argument = "n", expected = i32>,
// CHECK-SAME: #trident.check<type, argument = "scale", expected = f32>,
// CHECK-SAME: #trident.check<finite, argument = "scale">,
// CHECK-SAME: #trident.check<requirement, expected = #trident.requires<"rows" less_equal "cols">>] (
trident.kernel @product parameters [#trident.parameter<"depth", [64], 64>] requires [#trident.requires<"rows" less_equal "cols">]
    variant {depth = 64} (%a: !A, %b: !B, %c: !C, %n: i32, %scale: f32) {
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !j
  %at = trident.load %a[%i] : !A[!i] -> tensor<?x?xf16>
  %k = arith.constant 0 : i32
  %bt = trident.load %b[%k, %j] : !B[i32, !j] -> tensor<?xf16>
  %s = trident.dot %at, %at transpose_b : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
}
