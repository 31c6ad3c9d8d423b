// The sum over the tiles of `cols` of X Y^T Z: a dot whose result feeds the next as its first operand.
!T = f16
!X = !trident.view<in rows x depth : !T>
!Y = !trident.view<in cols x depth : !T>
!W = !trident.view<out rows x depth : f32>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
!a = tensor<?x?xf32>
!t = tensor<?x?x!T>
trident.kernel @product parameters [#trident.parameter<"depth", [64, 128, 256, 512], 128>] (%x: !X, %y: !Y, %z: !Y, %w: !W) {
  %i = trident.program "rows" : !i
  %xt = trident.load %x[%i] : !X[!i] -> !t
  %c = arith.constant 0.0 : f32
  %zero = trident.full %c ["rows", "depth"] : f32 -> !a
  %sum = trident.for_tiles "cols" init(%zero : !a) {
  ^bb0(%j: !j, %acc: !a):
    %yt = trident.load %y[%j] : !Y[!j] -> !t
    %s = trident.dot %xt, %yt transpose_b : !t, !t -> !a
    %p = trident.convert %s : !a -> !t
    %zt = trident.load %z[%j] : !Y[!j] -> !t
    %next = trident.dot %p, %zt into %acc : !a, : !t, !t -> !a
    trident.yield %next : !a
  } -> !a
  trident.store %sum, %w[%i] : !a, !W[!i]
}
