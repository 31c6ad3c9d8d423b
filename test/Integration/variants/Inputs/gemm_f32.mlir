// c[m, n] = sum over k of a[m, k] * b[k, n], of f32 as pairs of bf16: the columns of both operands are tiled, and end anywhere.
!A = !trident.view<in m x k : f32>
!B = !trident.view<in k x n : f32>
!C = !trident.view<out m x n : f32>
!mi = !trident.tile_index<"m">    !nj = !trident.tile_index<"n">    !kl = !trident.tile_index<"k">
trident.kernel @gemm_f32 (%a: !A, %b: !B, %c: !C) {
  %i = trident.program "m" : !mi    %j = trident.program "n" : !nj
  %zero = arith.constant 0.0 : f32
  %sum0 = trident.full %zero ["m", "n"] : f32 -> tensor<?x?xf32>
  %sum = trident.for_tiles "k" init(%sum0 : tensor<?x?xf32>) {
  ^bb0(%l: !kl, %sum1: tensor<?x?xf32>):
    %at = trident.load %a[%i, %l] : !A[!mi, !kl] -> tensor<?x?xf32>
    %bt = trident.load %b[%l, %j] : !B[!kl, !nj] -> tensor<?x?xf32>
    %sum2 = trident.dot %at, %bt precision("bf16x3") into %sum1 : tensor<?x?xf32>, : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    trident.yield %sum2 : tensor<?x?xf32>
  } -> tensor<?x?xf32>
  trident.store %sum, %c[%i, %j] : tensor<?x?xf32>, !C[!mi, !nj]
}
