// RUN: trident-opt %s --trident-select-schedule="fields=stages=3" | FileCheck %s
// A copy by rows: two warpgroups of 64 rows each, and one field as asked.

!X = !trident.view<in rows x cols : f16>
!Y = !trident.view<out rows x cols : f16>
!i = !trident.tile_index<"rows">
// CHECK: trident.kernel @copy
// CHECK-SAME: schedule <tiles = {rows = 128 : i64}, warpgroups = 2, stages = 3,
// CHECK-SAME: target <name = "sm_90a",
trident.kernel @copy parameters [#trident.parameter<"cols", [64], 64>] variant {cols = 64} (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !i
  %t = trident.load %x[%i] : !X[!i] -> tensor<?x?xf16>
  trident.store %t, %y[%i] : tensor<?x?xf16>, !Y[!i]
}
