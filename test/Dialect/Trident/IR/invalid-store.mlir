// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of store, and of full, which have no view or tile to take them from.

!X = !trident.view<in rows : f32>
!i = !trident.tile_index<"rows">
trident.kernel @store_1(%x: !X, %c: f32) {
  %i = trident.program "rows" : !i
  %t = trident.full %c ["rows"] : f32 -> tensor<?xf32>
  // expected-error @below {{'trident.store' op view is '!trident.view<in rows : f32>': expected an 'out' or 'optional_out' view}}
  trident.store %t, %x[%i] : tensor<?xf32>, !X[!i]
}

// -----
!Y = !trident.view<out rows : f16>
!i = !trident.tile_index<"rows">
trident.kernel @store_1_type(%y: !Y, %c: f32) {
  %i = trident.program "rows" : !i
  %t = trident.full %c ["rows"] : f32 -> tensor<?xf32>
  // expected-error @below {{'trident.store' op tile is 'tensor<?xf32>': expected the element type of the view, which is '!trident.view<out rows : f16>'}}
  trident.store %t, %y[%i] : tensor<?xf32>, !Y[!i]
}

// -----
!Y = !trident.view<out rows x cols : f32>
trident.kernel @store_2(%y: !Y, %c: f32, %i: i32) {
  %t = trident.full %c ["cols"] : f32 -> tensor<?xf32>
  // expected-error @below {{'trident.store' op takes dimension 'cols' of '!trident.view<out rows x cols : f32>' whole: expected an index, or an integer parameter of that name}}
  trident.store %t, %y[%i] : tensor<?xf32>, !Y[i32]
}

// -----
!Y = !trident.view<out rows : f32>
trident.kernel @store_3(%y: !Y, %c: f32, %i: i32) {
  %t = trident.full %c ["rows"] : f32 -> tensor<?xf32>
  // expected-error @below {{'trident.store' op tile is 'tensor<?xf32>': expected 0 dimensions, one for each tile index and each dimension taken whole}}
  trident.store %t, %y[%i] : tensor<?xf32>, !Y[i32]
}

// -----
trident.kernel @full_1(%c: f32) {
  // expected-error @below {{'trident.full' op has 1 dimension names: expected 2 for 'tensor<?x?xf32>'}}
  %t = trident.full %c ["rows"] : f32 -> tensor<?x?xf32>
}
