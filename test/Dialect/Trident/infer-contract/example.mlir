// RUN: trident-opt %s --trident-infer-contract | FileCheck %s
// Two arguments share the dimension `n`: a launcher compares their extents.

// CHECK: trident.kernel @copy
// CHECK-SAME: #trident.check<equal, argument = "y", axis = 0, dimension = "n", other = "x", other_axis = 0>
// CHECK-SAME: #trident.check<injective, argument = "y">
trident.kernel @copy(%x: !trident.view<in n : f32>, %y: !trident.view<out n : f32>) {
  %i = trident.program "n" : !trident.tile_index<"n">
  %t = trident.load %x[%i] : !trident.view<in n : f32>[!trident.tile_index<"n">] -> tensor<?xf32>
  trident.store %t, %y[%i] : tensor<?xf32>, !trident.view<out n : f32>[!trident.tile_index<"n">]
}
