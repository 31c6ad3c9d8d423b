// RUN: trident-opt %s --trident-apply-sequences --split-input-file --verify-diagnostics
// Sequences that a kernel cannot have are refused by name.

trident.kernel @no_program(%x: !trident.view<in batch x rows : f32>) {
}
// expected-error @below {{'trident.sequence_mod' op numbers sequences by 'batch', and kernel 'no_program' has no programs for its coordinates: expected a 'trident.program' of it as i32}}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// -----
trident.kernel @no_access(%x: !trident.view<in batch x rows : f32>) {
  %b = trident.program "batch" : i32
}
// expected-error @below {{'trident.sequence_mod' op is of 'rows', and kernel 'no_access' loads and stores no tile of a view that has it: expected a dimension of such a view}}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// -----
!X = !trident.view<in rows x heads x cols : bf16>
!i = !trident.tile_index<"rows">
trident.kernel @no_batch parameters [#trident.parameter<"cols", [64], 64>] (%x: !X, %y: !trident.view<in batch : f32>) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  // expected-error @below {{'trident.load' op is of '!trident.view<in rows x heads x cols : bf16>', which has sequences along 'rows': expected the program's coordinate of 'batch' as an index}}
  %t = trident.load %x[%i, %b] : !X[!i, i32] -> tensor<?x?xbf16>
}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// -----
!X = !trident.view<in batch x rows x cols : bf16>
trident.kernel @one_row parameters [#trident.parameter<"cols", [64], 64>] (%x: !X, %row: i32) {
  %b = trident.program "batch" : i32
  // expected-error @below {{'trident.load' op takes no tile of 'rows' of '!trident.view<in batch x rows x cols : bf16>', a dimension of sequences: expected a tile index}}
  %t = trident.load %x[%b, %row] : !X[i32, i32] -> tensor<?xbf16>
}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// -----
!X = !trident.view<in batch x rows x cols : f32>
trident.kernel @columns(%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op is of sequences of 'rows' and of 'cols': expected one of them in a view}}
  %t = trident.load %x[%b, %i, %j] : !X[i32, !trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<?x?xf32>
}
trident.sequence_mod @of_rows of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}
trident.sequence_mod @of_cols of "cols" by "batch" (%sequence: i32, %m: i32) {
  trident.yield %m : i32
}

// -----
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
trident.kernel @elements(%x: !X, %n: i32) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  // expected-error @below {{'trident.element' op reads '!trident.view<in batch x rows : f32>', whose sequences are packed in 'total': expected loads and stores of tiles only}}
  %e = trident.element %x[%b, %n] : !X -> f32
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
trident.sequence_mod @packed of "rows" by "batch" in "total" (%sequence: i32, %first: i32, %count: i32) {
  trident.yield %first, %count : i32, i32
}

// -----
!X = !trident.view<in batch x cols x rows : bf16>
!i = !trident.tile_index<"rows">
trident.kernel @innermost(%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !trident.tile_index<"cols">
  // expected-error @below {{'trident.load' op reads columns along 'rows' of '!trident.view<in batch x cols x rows : bf16>', a dimension of sequences: expected another innermost dimension}}
  %t = trident.load %x[%b, %j, %i] : !X[i32, !trident.tile_index<"cols">, !i] -> tensor<?x?xbf16>
}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}

// -----
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
trident.kernel @same_argument(%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
// expected-error @below {{'trident.sequence_mod' op has argument 'x', but kernel 'same_argument' and what is applied to it before have one of that name: expected another name}}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %x: i32) {
  trident.yield %x : i32
}

// -----
!X = !trident.view<in batch x rows : f32>
!i = !trident.tile_index<"rows">
// expected-error @below {{'trident.kernel' op is specialized already: expected sequences to be given before}}
trident.kernel @late variant {} (%x: !X) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !i
  %t = trident.load %x[%b, %i] : !X[i32, !i] -> tensor<?xf32>
}
trident.sequence_mod @used of "rows" by "batch" (%sequence: i32, %n: i32) {
  trident.yield %n : i32
}
