// RUN: trident-opt %s --split-input-file --verify-diagnostics
// Rule kernel.4: names of dimensions are followed from where a tile is made to where tiles meet.

!X = !trident.view<in rows x cols : f16>
!Y = !trident.view<in cols x rows : f16>
trident.kernel @kernel_4_dot(%x: !X, %y: !Y) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %a = trident.load %x[%i, %j] : !X[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<?x?xf16>
  // expected-error @below {{'trident.dot' op has dimension 'cols' meet dimension 'rows': expected the same dimension}}
  %s = trident.dot %a, %a : tensor<?x?xf16>, tensor<?x?xf16> -> tensor<?x?xf32>
}

// -----
trident.kernel @kernel_4_elementwise(%c: f32) {
  %a = trident.full %c ["rows", "cols"] : f32 -> tensor<?x?xf32>
  %b = trident.full %c ["rows", "depth"] : f32 -> tensor<?x?xf32>
  // expected-error @below {{'arith.addf' op has dimension 'depth' meet dimension 'cols': expected the same dimension}}
  %s = arith.addf %a, %b : tensor<?x?xf32>
}

// -----
!Y = !trident.view<out cols : f32>
trident.kernel @kernel_4_store(%y: !Y, %c: f32) {
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %a = trident.full %c ["rows"] : f32 -> tensor<?xf32>
  // expected-error @below {{'trident.store' op has dimension 'rows' meet dimension 'cols' of the view: expected the same dimension}}
  trident.store %a, %y[%j] : tensor<?xf32>, !Y[!trident.tile_index<"cols">]
}

// -----
!X = !trident.view<in rows : f32>
trident.kernel @kernel_4_loop(%x: !X, %c: f32) {
  %a = trident.full %c ["cols"] : f32 -> tensor<?xf32>
  %s = trident.for_tiles "rows" init(%a : tensor<?xf32>) {
  ^bb0(%i: !trident.tile_index<"rows">, %sum: tensor<?xf32>):
    %t = trident.load %x[%i] : !X[!trident.tile_index<"rows">] -> tensor<?xf32>
    // expected-error @below {{'trident.yield' op has dimension 'rows' meet dimension 'cols': expected the same dimension}}
    trident.yield %t : tensor<?xf32>
  } -> tensor<?xf32>
}
