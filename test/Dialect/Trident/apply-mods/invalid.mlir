// RUN: trident-opt %s --trident-apply-mods --split-input-file --verify-diagnostics
// What cannot be applied says which function and why.

// expected-error @below {{'trident.kernel' op has no place for functions of scores and masks, and 1 are given: expected a 'trident.apply_mods' of its scores}}
trident.kernel @no_place(%v: !trident.view<in rows : f32>) {
}
trident.mask_mod @all(%b: i32, %h: i32, %row: i32, %col: i32) {
  %true = arith.constant true
  trident.yield %true : i1
}

// -----

trident.kernel @same_argument(%v: !trident.view<in rows : f32>, %limit: i32) {
  %one = arith.constant 1.0 : f32
  %s = trident.full %one ["rows", "rows"] : f32 -> tensor<?x?xf32>
  %x = trident.apply_mods %s batch(%limit) head(%limit) at : tensor<?x?xf32>
}
// expected-error @below {{'trident.mask_mod' op has argument 'limit', but kernel 'same_argument' and what is applied to it before have one of that name: expected another name}}
trident.mask_mod @m(%b: i32, %h: i32, %row: i32, %col: i32, %limit: i32) {
  %visible = arith.cmpi sle, %col, %limit : i32
  trident.yield %visible : i1
}

// -----

trident.kernel @same_parameter parameters [#trident.parameter<"side", ["a", "b"], "a">] (%v: !trident.view<in rows : f32>, %n: i32) {
  %one = arith.constant 1.0 : f32
  %s = trident.full %one ["rows", "rows"] : f32 -> tensor<?x?xf32>
  %x = trident.apply_mods %s batch(%n) head(%n) at : tensor<?x?xf32>
}
// expected-error @below {{'trident.score_mod' op has parameter #trident.parameter<"side", ["c"], "c">, but 'side' is declared as #trident.parameter<"side", ["a", "b"], "a"> already: expected the same, or another name}}
trident.score_mod @m parameters [#trident.parameter<"side", ["c"], "c">] (%s: f32, %b: i32, %h: i32, %row: i32, %col: i32) {
  trident.yield %s : f32
}

// -----

// expected-error @below {{'trident.kernel' op is specialized already: expected functions of scores and masks to be given before}}
trident.kernel @late variant {} (%v: !trident.view<in rows : f32>, %n: i32) {
  %one = arith.constant 1.0 : f32
  %s = trident.full %one ["rows", "rows"] : f32 -> tensor<?x?xf32>
  %x = trident.apply_mods %s batch(%n) head(%n) at : tensor<?x?xf32>
}
trident.score_mod @m(%s: f32, %b: i32, %h: i32, %row: i32, %col: i32) {
  trident.yield %s : f32
}

// -----

// expected-error @below {{'trident.kernel' op has no softmax that a sink may join, and 'sink' is given: expected a 'trident.softmax_start'}}
trident.kernel @no_softmax(%v: !trident.view<in rows : f32>) {
}
trident.sink_mod @sink(%b: i32, %h: i32, %logit: f32) {
  trident.yield %logit : f32
}

// -----

trident.kernel @two_sinks(%v: !trident.view<in rows : f32>, %n: i32) {
  %m, %l = trident.softmax_start "rows" batch(%n) head(%n) : tensor<?xf32>
}
trident.sink_mod @sink(%b: i32, %h: i32, %logit: f32) {
  trident.yield %logit : f32
}
// expected-error @below {{'trident.sink_mod' op is the second sink, after 'sink': expected one}}
trident.sink_mod @other(%b: i32, %h: i32, %other: f32) {
  trident.yield %other : f32
}
