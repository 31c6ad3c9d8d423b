// y[r, c] = exp(x[r, c] - max of row r) / (sum over c of exp(x[r, c] - max of row r)).
// Two passes over a row: one for its maximum and sum, one that writes the result.
!T = !trident.param<"dtype">
!X = !trident.view<in rows x cols : !T>
!Y = !trident.view<out rows x cols : !T>
!ri = !trident.tile_index<"rows">
!cj = !trident.tile_index<"cols">

trident.kernel @row_softmax parameters [#trident.parameter<"dtype", [bf16, f16], bf16>] (%x: !X, %y: !Y) {
  %i = trident.program "rows" : !ri
  %c0 = arith.constant 0.0 : f32
  %c1 = arith.constant 1.0 : f32
  %minus_inf = arith.constant 0xFF800000 : f32
  %m0 = trident.full %minus_inf ["rows"] : f32 -> tensor<?xf32>
  %l0 = trident.full %c0 ["rows"] : f32 -> tensor<?xf32>
  %m, %l = trident.for_tiles "cols" init(%m0, %l0 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%j: !cj, %m1: tensor<?xf32>, %l1: tensor<?xf32>):
    %xt = trident.load %x[%i, %j] : !X[!ri, !cj] -> tensor<?x?x!T>
    %xf = trident.convert %xt : tensor<?x?x!T> -> tensor<?x?xf32>
    %xm = trident.mask %xf at rows(%i : !ri) cols(%j : !cj) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
    %p, %m2, %l2, %alpha = trident.softmax_step %xm, %m1, %l1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    trident.yield %m2, %l2 : tensor<?xf32>, tensor<?xf32>
  } -> tensor<?xf32>, tensor<?xf32>
  %one = trident.full %c1 ["rows"] : f32 -> tensor<?xf32>
  %inverse = arith.divf %one, %l : tensor<?xf32>
  %shift = trident.broadcast %m along "cols" : tensor<?xf32> -> tensor<?x?xf32>
  %weight = trident.broadcast %inverse along "cols" : tensor<?xf32> -> tensor<?x?xf32>
  trident.for_tiles "cols" {
  ^bb0(%j: !cj):
    %xt = trident.load %x[%i, %j] : !X[!ri, !cj] -> tensor<?x?x!T>
    %xf = trident.convert %xt : tensor<?x?x!T> -> tensor<?x?xf32>
    %d = arith.subf %xf, %shift : tensor<?x?xf32>
    %e = math.exp %d : tensor<?x?xf32>
    %n = arith.mulf %e, %weight : tensor<?x?xf32>
    %yt = trident.convert %n : tensor<?x?xf32> -> tensor<?x?x!T>
    trident.store %yt, %y[%i, %j] : tensor<?x?x!T>, !Y[!ri, !cj]
  }
}
