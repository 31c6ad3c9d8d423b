// y = x, in one of two ways.
!X = !trident.view<in rows x cols : bf16>
!Y = !trident.view<out rows x cols : bf16>
!i = !trident.tile_index<"rows">
trident.kernel @fixed parameters [#trident.parameter<"cols", [64], 64>, #trident.parameter<"way", ["first", "second"], "first", fixed>]
    (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !i
  %t = trident.load %x[%i] : !X[!i] -> tensor<?x?xbf16>
  trident.store %t, %y[%i] : tensor<?x?xbf16>, !Y[!i]
}
