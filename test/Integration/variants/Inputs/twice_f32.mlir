// y[r, c] = 2 x[r, c], of f32 tiles that stay f32 in shared memory; the columns are tiled, and end anywhere.
!X = !trident.view<in rows x cols : f32>
!Y = !trident.view<out rows x cols : f32>
!ri = !trident.tile_index<"rows">    !cj = !trident.tile_index<"cols">
trident.kernel @twice_f32 (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !ri
  trident.for_tiles "cols" {
  ^bb0(%j: !cj):
    %xt = trident.load %x[%i, %j] : !X[!ri, !cj] -> tensor<?x?xf32>
    %yt = arith.addf %xt, %xt : tensor<?x?xf32>
    trident.store %yt, %y[%i, %j] : tensor<?x?xf32>, !Y[!ri, !cj]
  }
}
