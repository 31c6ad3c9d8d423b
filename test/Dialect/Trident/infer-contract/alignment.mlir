// RUN: trident-opt %s --trident-infer-contract | FileCheck %s
// A view needs the alignment of the widest access to it: whole columns are stored in pieces, tiled ones by elements.

!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!Half = !trident.view<out rows x depth : f16>
!Full = !trident.view<out rows x depth : f32>
!Tiled = !trident.view<out rows x cols : f16>
// CHECK: trident.kernel @stores
// CHECK-SAME: #trident.check<alignment, argument = "half", expected = 16 : i64>
// CHECK-SAME: #trident.check<alignment, argument = "full", expected = 8 : i64>
// CHECK-SAME: #trident.check<alignment, argument = "tiled", expected = 2 : i64>
trident.kernel @stores parameters [#trident.parameter<"depth", [72], 72>] variant {depth = 72} (%half: !Half, %full: !Full, %tiled: !Tiled, %c: f32) {
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !j
  %a = trident.full %c ["rows", "depth"] : f32 -> tensor<?x?xf32>
  %d = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  %ah = trident.convert %a : tensor<?x?xf32> -> tensor<?x?xf16>
  %dh = trident.convert %d : tensor<?x?xf32> -> tensor<?x?xf16>
  trident.store %ah, %half[%i] : tensor<?x?xf16>, !Half[!i]
  trident.store %a, %full[%i] : tensor<?x?xf32>, !Full[!i]
  trident.store %dh, %tiled[%i, %j] : tensor<?x?xf16>, !Tiled[!i, !j]
}
