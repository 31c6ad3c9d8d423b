// RUN: trident-opt %s --trident-specialize="set=dtype=bf16" | FileCheck %s
// A copy for one type: the parameter is gone from views and tiles.

!T = !trident.param<"dtype">
// CHECK: trident.kernel @copy
// CHECK-SAME: variant {cols = 128 : i64, dtype = bf16}
// CHECK-SAME: (%x: !trident.view<in rows x cols : bf16>, %y: !trident.view<out rows x cols : bf16>)
trident.kernel @copy
    parameters [#trident.parameter<"dtype", [f16, bf16], f16>, #trident.parameter<"cols", [64, 128], 128>]
    (%x: !trident.view<in rows x cols : !T>, %y: !trident.view<out rows x cols : !T>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // CHECK: trident.load {{.*}} -> tensor<?x?xbf16>
  %t = trident.load %x[%i] : !trident.view<in rows x cols : !T>[!trident.tile_index<"rows">] -> tensor<?x?x!T>
  trident.store %t, %y[%i] : tensor<?x?x!T>, !trident.view<out rows x cols : !T>[!trident.tile_index<"rows">]
}
