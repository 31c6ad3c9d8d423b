// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of reading and writing tiles of views.

!Y = !trident.view<out rows : f32>
trident.kernel @load_1(%y: !Y, %i: i32) {
  // expected-error @below {{'trident.load' op view is '!trident.view<out rows : f32>': expected an 'in' view}}
  %t = trident.load %y[%i] : !Y[i32] -> tensor<f32>
}

// -----
!X = !trident.view<in rows : f32>
!i = !trident.tile_index<"rows">
trident.kernel @load_1_type(%x: !X) {
  %i = trident.program "rows" : !i
  // expected-error @below {{'trident.load' op tile is 'tensor<?xf16>': expected the element type of the view, which is '!trident.view<in rows : f32>'}}
  %t = trident.load %x[%i] : !X[!i] -> tensor<?xf16>
}

// -----
!X = !trident.view<in rows x cols : f32>
trident.kernel @load_2(%x: !X) {
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op index 0 is '!trident.tile_index<"cols">': expected a tile index of 'rows' or i32 for '!trident.view<in rows x cols : f32>'}}
  %t = trident.load %x[%j, %j] : !X[!trident.tile_index<"cols">, !trident.tile_index<"cols">] -> tensor<?x?xf32>
}

// -----
!X = !trident.view<in rows x cols : f32>
trident.kernel @load_2_whole(%x: !X, %i: i32) {
  // expected-error @below {{'trident.load' op takes dimension 'cols' of '!trident.view<in rows x cols : f32>' whole: expected an index, or an integer parameter of that name}}
  %t = trident.load %x[%i] : !X[i32] -> tensor<?xf32>
}

// -----
!X = !trident.view<in rows : f32>
trident.kernel @load_2_count(%x: !X, %i: i32) {
  // expected-error @below {{'trident.load' op has 2 indices: expected at most 1 for '!trident.view<in rows : f32>'}}
  %t = trident.load %x[%i, %i] : !X[i32, i32] -> tensor<f32>
}

// -----
!X = !trident.view<in rows : f32>
trident.kernel @load_3(%x: !X) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // expected-error @below {{'trident.load' op tile is 'tensor<?x?xf32>': expected 1 dimensions, one for each tile index and each dimension taken whole}}
  %t = trident.load %x[%i] : !X[!trident.tile_index<"rows">] -> tensor<?x?xf32>
}
