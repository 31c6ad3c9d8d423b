// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of functions of scores and masks, of their place and of elements.

// expected-error @below {{'trident.score_mod' op takes ('f32', 'i32', 'i32'): expected ('f32', 'i32', 'i32', 'i32', 'i32') and then arguments of its own}}
trident.score_mod @score_mod_1(%score: f32, %row: i32, %col: i32) {
  trident.yield %score : f32
}

// -----
// expected-error @below {{'trident.score_mod' op argument 'y' is '!trident.view<out rows : f32>': expected an 'in' view, f32 or i32}}
trident.score_mod @score_mod_1_argument(%score: f32, %b: i32, %h: i32, %row: i32, %col: i32, %y: !trident.view<out rows : f32>) {
  trident.yield %score : f32
}

// -----
trident.score_mod @score_mod_2(%score: f32, %b: i32, %h: i32, %row: i32, %col: i32) {
  // expected-error @below {{'trident.program' op is in 'score_mod_2', a function of scores or masks: expected arith, math, trident.element, trident.dim or trident.param}}
  %i = trident.program "rows" : i32
  trident.yield %score : f32
}

// -----
// expected-error @below {{'trident.mask_mod' op ends in a yield of other types: expected a yield of one 'i1'}}
trident.mask_mod @mask_mod_1(%b: i32, %h: i32, %row: i32, %col: i32) {
  trident.yield %col : i32
}

// -----
trident.mask_mod @mask_mod_2(%b: i32, %h: i32, %row: i32, %col: i32) {
  %true = arith.constant true
  // expected-error @below {{'trident.tile_at' op is in 'mask_mod_2', a function of scores or masks: expected arith, math, trident.element, trident.dim or trident.param}}
  %t = trident.tile_at %row : i32 -> !trident.tile_index<"rows">
  trident.yield %true : i1
}

// -----
trident.kernel @apply_mods_1(%v: !trident.view<in rows : f32>, %n: i32, %c: f32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %s = trident.full %c ["rows", "rows"] : f32 -> tensor<?x?xf32>
  // expected-error @below {{'trident.apply_mods' op has one tile index for rows and columns: expected different ones}}
  %x = trident.apply_mods %s batch(%n) head(%n) at rows(%i : !trident.tile_index<"rows">) cols(%i : !trident.tile_index<"rows">) : tensor<?x?xf32>
}

// -----
trident.kernel @element_1(%v: !trident.view<in rows : f64>, %n: i32) {
  // expected-error @below {{'trident.element' op view is '!trident.view<in rows : f64>': expected an 'in' view of f32, f16, bf16, a type parameter, i32 or i1}}
  %e = trident.element %v[%n] : !trident.view<in rows : f64> -> f32
}

// -----
trident.kernel @element_2(%v: !trident.view<in rows x cols : f32>, %n: i32) {
  // expected-error @below {{'trident.element' op has 1 indices: expected 2 for '!trident.view<in rows x cols : f32>'}}
  %e = trident.element %v[%n] : !trident.view<in rows x cols : f32> -> f32
}

// -----
trident.kernel @element_3(%v: !trident.view<in rows : i1>, %n: i32) {
  // expected-error @below {{'trident.element' op result is 'i32': expected 'i1' for '!trident.view<in rows : i1>'}}
  %e = trident.element %v[%n] : !trident.view<in rows : i1> -> i32
}

// -----
// expected-error @below {{'trident.sink_mod' op takes ('i32', 'f32'): expected ('i32', 'i32') and then arguments of its own}}
trident.sink_mod @sink_mod_1(%b: i32, %logit: f32) {
  trident.yield %logit : f32
}

// -----
trident.sink_mod @sink_mod_2(%b: i32, %h: i32, %logit: f32) {
  // expected-error @below {{'trident.program' op is in 'sink_mod_2', a function of scores or masks: expected arith, math, trident.element, trident.dim or trident.param}}
  %i = trident.program "rows" : i32
  trident.yield %logit : f32
}

// -----
trident.kernel @softmax_start_1(%v: !trident.view<in rows : f32>, %n: i32) {
  // expected-error @below {{'trident.softmax_start' op names dimension 'cols': expected a dimension of an argument of kernel 'softmax_start_1'}}
  %m, %l = trident.softmax_start "cols" batch(%n) head(%n) : tensor<?xf32>
}

// -----
trident.kernel @search_1(%v: !trident.view<in batch x rows + 1 : i32>, %n: i32) {
  %x = arith.extsi %n : i32 to i64
  // expected-error @below {{'trident.search' op view is '!trident.view<in batch x rows + 1 : i32>': expected an 'in' view of i32 with the elements of its dimensions}}
  %e = trident.search %v[%n] for %x step 1 among %n : !trident.view<in batch x rows + 1 : i32>
}

// -----
trident.kernel @search_2(%v: !trident.view<in batch x rows : i32>, %n: i32) {
  %x = arith.extsi %n : i32 to i64
  // expected-error @below {{'trident.search' op has 0 indices: expected 1 for '!trident.view<in batch x rows : i32>'}}
  %e = trident.search %v[] for %x step 1 among %n : !trident.view<in batch x rows : i32>
}
