// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of the ops with regions: masks, scores and loops.

%x = builtin.unrealized_conversion_cast to tensor<64x32xf32>
// expected-error @below {{'trident.mask' op region is ('i32') -> ('i32'): expected ('i32', 'i32') -> ('i1')}}
%mask_1 = trident.mask %x at : tensor<64x32xf32> {
^bb0(%row: i32):
  trident.yield %row : i32
}

// -----
%x = builtin.unrealized_conversion_cast to tensor<64x32xf32>
// expected-error @below {{'trident.score' op region is ('f32', 'i32') -> ('f32'): expected ('f32', 'i32', 'i32') -> ('f32')}}
%score_1 = trident.score %x at : tensor<64x32xf32> {
^bb0(%score: f32, %row: i32):
  trident.yield %score : f32
}

// -----
%x, %r = builtin.unrealized_conversion_cast to tensor<64x32xf32>, tensor<64xf32>
// expected-error @below {{'trident.score' op region is ('f32', 'i32', 'i32') -> ('f32'): expected ('f32', 'i32', 'i32', 'f32') -> ('f32')}}
%score_1_with = trident.score %x with(%r : tensor<64xf32>) at : tensor<64x32xf32> {
^bb0(%score: f32, %row: i32, %col: i32):
  trident.yield %score : f32
}

// -----
%x, %t = builtin.unrealized_conversion_cast to tensor<64x32xf32>, tensor<64x16xf32>
// expected-error @below {{'trident.score' op is given 'tensor<64x16xf32>': expected a tile of f32, f16 or bf16, or a row vector of f32, with the rows of 'tensor<64x32xf32>'}}
%score_2 = trident.score %x with(%t : tensor<64x16xf32>) at : tensor<64x32xf32> {
^bb0(%score: f32, %row: i32, %col: i32, %other: f32):
  trident.yield %score : f32
}

// -----
trident.kernel @element_tile_1(%v: !trident.view<in rows x cols : f16>) {
  // expected-error @below {{'trident.element_tile' op reads 'tensor<64x32xf32>' of '!trident.view<in rows x cols : f16>': expected an 'in' view of f32, f16 or bf16, and its type of elements}}
  %t = trident.element_tile %v at : !trident.view<in rows x cols : f16> -> tensor<64x32xf32> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
}

// -----
trident.kernel @element_tile_2(%v: !trident.view<in rows x cols : f16>) {
  // expected-error @below {{'trident.element_tile' op region is ('i32', 'i32') -> ('i32'): expected (i32, i32) -> 2 times i32 for '!trident.view<in rows x cols : f16>'}}
  %t = trident.element_tile %v at : !trident.view<in rows x cols : f16> -> tensor<64x32xf16> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %col : i32
  }
}

// -----
trident.kernel @element_tile_3(%v: !trident.view<in rows x cols : f16>) {
  // expected-error @below {{'trident.element_tile' op region yields other coordinates than such that the last one is the column plus what does not depend on it: expected neighbours along the columns}}
  %t = trident.element_tile %v at : !trident.view<in rows x cols : f16> -> tensor<64x32xf16> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %col, %row : i32, i32
  }
}

// -----
trident.kernel @for_tiles_1(%v: !trident.view<in rows x cols : f32>, %c: f32) {
  // expected-error @below {{'trident.for_tiles' op body takes ('!trident.tile_index<"cols">', 'f32'): expected a tile index of 'rows' and ('f32')}}
  %s = trident.for_tiles "rows" init(%c : f32) {
  ^bb0(%i: !trident.tile_index<"cols">, %sum: f32):
    trident.yield %sum : f32
  } -> f32
}

// -----
trident.kernel @for_tiles_2(%v: !trident.view<in rows : f32>, %c: f32, %n: i32) {
  // expected-error @below {{'trident.for_tiles' op yields ('i32') for results ('f32'): expected ('f32')}}
  %s = trident.for_tiles "rows" init(%c : f32) {
  ^bb0(%i: !trident.tile_index<"rows">, %sum: f32):
    trident.yield %n : i32
  } -> f32
}

// -----
trident.kernel @for_tiles_3(%v: !trident.view<in rows : f32>, %n: i32) {
  // expected-error @below {{'trident.for_tiles' op has 2 bounds for 2 classes: expected 3}}
  trident.for_tiles "rows" bounds(%n, %n) classes ["full", "partial"] {
  ^bb0(%i: !trident.tile_index<"rows">):
    trident.yield
  }
}

// -----
trident.kernel @for_tiles_3_at_most(%v: !trident.view<in rows : f32>, %n: i32) {
  // expected-error @below {{'trident.for_tiles' op has 1 numbers of tiles for 2 classes: expected 2}}
  trident.for_tiles "rows" bounds(%n, %n, %n) classes ["full", "partial"] at_most [1] {
  ^bb0(%i: !trident.tile_index<"rows">):
    trident.yield
  }
}
