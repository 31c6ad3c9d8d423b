// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of functions of sequences, lengths, views of a sequence, and of arguments that are extents.

// expected-error @below {{'trident.kernel' op argument 'm' is the second extent of 'rows': expected one}}
trident.kernel @kernel_1_extent(%n: !trident.extent<"rows">, %m: !trident.extent<"rows">) {
}

// -----
trident.kernel @load_1_extra(%x: !trident.view<in rows + 1 : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  // expected-error @below {{'trident.load' op view is '!trident.view<in rows + 1 : f32>': expected axes that have no element past their dimension}}
  %t = trident.load %x[%i] : !trident.view<in rows + 1 : f32>[!trident.tile_index<"rows">] -> tensor<?xf32>
}

// -----
// expected-error @below {{'trident.sequence_mod' op takes (): expected ('i32') and then arguments of its own}}
trident.sequence_mod @sequence_mod_1 of "rows" by "batch" () {
  %n = arith.constant 1 : i32
  trident.yield %n : i32
}

// -----
// expected-error @below {{'trident.sequence_mod' op argument 'x' is '!trident.view<in batch : f32>': expected an 'in' view of i32, i32 or an extent}}
trident.sequence_mod @sequence_mod_1_argument of "rows" by "batch" (%sequence: i32, %x: !trident.view<in batch : f32>) {
  trident.yield %sequence : i32
}

// -----
// expected-error @below {{'trident.sequence_mod' op ends in a yield of other types: expected a yield of 'i32', 'i32'}}
trident.sequence_mod @sequence_mod_1_packed of "rows" by "batch" in "total" (%sequence: i32) {
  trident.yield %sequence : i32
}

// -----
trident.sequence_mod @sequence_mod_2 of "rows" by "batch" (%sequence: i32, %n: i32) {
  // expected-error @below {{'arith.divsi' op is in 'sequence_mod_2', a function of sequences: expected constants, addi, subi, muli, minsi, maxsi, signed cmpi, select of i32, or trident.element of a view of one dimension}}
  %q = arith.divsi %sequence, %n : i32
  trident.yield %q : i32
}

// -----
trident.sequence_mod @sequence_mod_2_unsigned of "rows" by "batch" (%sequence: i32, %n: i32) {
  // expected-error @below {{'arith.cmpi' op is in 'sequence_mod_2_unsigned', a function of sequences: expected constants, addi}}
  %less = arith.cmpi ult, %sequence, %n : i32
  trident.yield %n : i32
}

// -----
trident.kernel @length_1(%x: !trident.view<in rows : f32>, %n: i32) {
  // expected-error @below {{'trident.length' op names dimension 'cols': expected a dimension of an argument of kernel 'length_1'}}
  %l = trident.length "cols" %n : i32
}

// -----
trident.kernel @length_2(%x: !trident.view<in rows : f32>, %n: i32) {
  %l = trident.length "rows" %n : i32
  // expected-error @below {{'trident.length' op is the second for dimension 'rows': expected one}}
  %m = trident.length "rows" %n : i32
}

// -----
!X = !trident.view<in total x cols : f32>
trident.kernel @sequence_1(%x: !X, %n: i32) {
  // expected-error @below {{'trident.sequence' op makes '!trident.view<in rows x heads : f32>' of '!trident.view<in total x cols : f32>': expected the same but for one dimension, 'rows'}}
  %s = trident.sequence %x "rows" length(%n) : !X -> !trident.view<in rows x heads : f32>
}

// -----
!X = !trident.view<in total x cols : f32>
trident.kernel @sequence_1_other(%x: !X, %n: i32) {
  // expected-error @below {{'trident.sequence' op makes '!trident.view<in rows x cols : f32>' of '!trident.view<in total x cols : f32>': expected the same but for one dimension, 'cols'}}
  %s = trident.sequence %x "cols" length(%n) : !X -> !trident.view<in rows x cols : f32>
}

// -----
!X = !trident.view<in rows x cols : f32>
trident.kernel @sequence_2(%x: !X, %n: i32) {
  %s = trident.sequence %x "rows" length(%n) : !X -> !X
  // expected-error @below {{'trident.sequence' op is of another sequence: expected an argument of the kernel}}
  %t = trident.sequence %s "rows" length(%n) : !X -> !X
}
