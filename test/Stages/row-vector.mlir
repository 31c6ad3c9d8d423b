// RUN: trident-compile %s --emit=ptx | FileCheck %s
// A row vector is read by the lanes that own its rows, where the tile comes through a ring.

!X = !trident.view<in rows x cols : bf16>
!Y = !trident.view<out rows x cols : f32>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK: .visible .entry scale_rows
trident.kernel @scale_rows(%x: !X, %weight: !trident.view<in rows : f32>, %y: !Y) {
  %i = trident.program "rows" : !i
  // CHECK: ld.global.f32
  %w = trident.load %weight[%i] : !trident.view<in rows : f32>[!i] -> tensor<?xf32>
  %factor = trident.broadcast %w along "cols" : tensor<?xf32> -> tensor<?x?xf32>
  trident.for_tiles "cols" {
  ^bb0(%j: !j):
    %t = trident.load %x[%i, %j] : !X[!i, !j] -> tensor<?x?xbf16>
    %f = trident.convert %t : tensor<?x?xbf16> -> tensor<?x?xf32>
    %s = arith.mulf %f, %factor : tensor<?x?xf32>
    // CHECK: st.global.f32
    trident.store %s, %y[%i, %j] : tensor<?x?xf32>, !Y[!i, !j]
  }
}
