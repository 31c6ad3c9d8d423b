// y[r, c] = exp(x[r, c] - max of row r) / (sum over c of exp(x[r, c] - max of row r)).
// Two passes over a row: one for its maximum and sum, one that writes the result.
!T = !trident.param<"dtype">
!X = !trident.view<in rows x cols : !T>
!Y = !trident.view<out rows x cols : !T>
!ri = !trident.tile_index<"rows">
!cj = !trident.tile_index<"cols">
!half = tensor<?x?x!T>
!tile = tensor<?x?xf32>
!row = tensor<?xf32>

trident.kernel @row_softmax parameters [#trident.parameter<"dtype", [bf16, f16], bf16>] (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !ri
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = trident.full %minus_inf ["rows"] : f32 -> !row
  %l0 = trident.full %c0 ["rows"] : f32 -> !row
  %m, %l = trident.for_tiles "cols" init(%m0, %l0 : !row, !row) {
  ^bb0(%j: !cj, %m1: !row, %l1: !row):
    %xt = trident.load %x[%i, %j] : !X[!ri, !cj] -> !half
    %xf = trident.convert %xt : !half -> !tile
    %xm = trident.mask %xf at rows(%i : !ri) cols(%j : !cj) : !tile {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
    %p, %m2, %l2, %alpha = trident.softmax_step %xm, %m1, %l1 : !tile, !row, !row -> !tile, !row, !row, !row
    trident.yield %m2, %l2 : !row, !row
  } -> !row, !row
  %one = trident.full %c1 ["rows"] : f32 -> !row
  %inverse = arith.divf %one, %l : !row
  %shift = trident.broadcast %m along "cols" : !row -> !tile
  %weight = trident.broadcast %inverse along "cols" : !row -> !tile
  trident.for_tiles "cols" {
  ^bb0(%j: !cj):
    %xt = trident.load %x[%i, %j] : !X[!ri, !cj] -> !half
    %xf = trident.convert %xt : !half -> !tile
    %d = arith.subf %xf, %shift : !tile
    %e = math.exp %d : !tile
    %n = arith.mulf %e, %weight : !tile
    %yt = trident.convert %n : !tile -> !half
    trident.store %yt, %y[%i, %j] : !half, !Y[!ri, !cj]
  }
}
