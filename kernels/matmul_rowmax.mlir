// c[m, n] = sum over k of a[m, k] * b[n, k], and rowmax[m] = max over n of c[m, n].
!T = !trident.param<"dtype">
!A = !trident.view<in m x k : !T>
!B = !trident.view<in n x k : !T>
!C = !trident.view<out m x n : f32>
!R = !trident.view<out m : f32>
!mi = !trident.tile_index<"m">
!nj = !trident.tile_index<"n">

trident.kernel @matmul_rowmax
    parameters [#trident.parameter<"dtype", [bf16, f16], bf16>, #trident.parameter<"k", 8 to 256 step 8, 128>]
    (%a: !A, %b: !B, %c: !C, %rowmax: !R) {
  %i = trident.program "m" : !mi
  %minus_inf = arith.constant 0xFF800000 : f32
  %at = trident.load %a[%i] : !A[!mi] -> tensor<?x?x!T>
  %r0 = trident.full %minus_inf ["m"] : f32 -> tensor<?xf32>
  %r = trident.for_tiles "n" init(%r0 : tensor<?xf32>) {
  ^bb0(%j: !nj, %r1: tensor<?xf32>):
    %bt = trident.load %b[%j] : !B[!nj] -> tensor<?x?x!T>
    %ct = trident.dot %at, %bt transpose_b : tensor<?x?x!T>, tensor<?x?x!T> -> tensor<?x?xf32>
    trident.store %ct, %c[%i, %j] : tensor<?x?xf32>, !C[!mi, !nj]
    %inside = trident.mask %ct at rows(%i : !mi) cols(%j : !nj) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
    %largest = trident.reduce max %inside : tensor<?x?xf32> -> tensor<?xf32>
    %r2 = arith.maxnumf %r1, %largest : tensor<?xf32>
    trident.yield %r2 : tensor<?xf32>
  } -> tensor<?xf32>
  trident.store %r, %rowmax[%i] : tensor<?xf32>, !R[!mi]
}
