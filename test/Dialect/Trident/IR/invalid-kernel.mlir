// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of a kernel, of its parameters and of its dimensions.

// expected-error @below {{'trident.kernel' op argument 'n' is 'i64': expected a view, f32, i32 or an extent}}
trident.kernel @kernel_1(%n: i64) {
}

// -----
// expected-error @below {{'trident.kernel' op has two parameters 'cols': expected different names}}
trident.kernel @kernel_2 parameters [#trident.parameter<"cols", [64], 64>, #trident.parameter<"cols", [128], 128>] () {
}

// -----
// expected-error @below {{'trident.kernel' op has two arguments 'x': expected different names}}
"trident.kernel"() <{sym_name = "kernel_2_arguments", arg_names = ["x", "x"]}> ({
^bb0(%x: f32, %y: f32):
  "trident.return"() : () -> ()
}) : () -> ()

// -----
// expected-error @below {{'trident.kernel' op names dimension 'cols': expected a dimension of an argument of kernel 'kernel_3'}}
trident.kernel @kernel_3 requires [#trident.requires<"cols" divides "rows">] (%x: !trident.view<in rows : f32>) {
}

// -----
trident.kernel @kernel_5(%x: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : i32
  // expected-error @below {{'trident.program' op is the second for dimension 'rows': expected one}}
  %j = trident.program "rows" : !trident.tile_index<"rows">
}

// -----
// expected-error @below {{'trident.kernel' op parameter 'a' has the value of 'b' as default: expected a parameter declared before it}}
trident.kernel @kernel_6 parameters [#trident.parameter<"a", [64], #trident.param<"b">>, #trident.parameter<"b", [64], 64>] () {
}

// -----
// expected-error @below {{'trident.kernel' op parameter 'b', one of ["x"], has the value of 'a', one of [64], as default: expected values of one kind}}
trident.kernel @kernel_6_kind parameters [#trident.parameter<"a", [64], 64>, #trident.parameter<"b", ["x"], #trident.param<"a">>] () {
}

// -----
trident.kernel @param_1() {
  // expected-error @below {{'trident.param' op names parameter 'causal': expected a parameter of kernel 'param_1'}}
  %p = trident.param "causal" : i32
}

// -----
trident.kernel @param_2 parameters [#trident.parameter<"dtype", [f16, bf16], f16>] () {
  // expected-error @below {{'trident.param' op reads parameter 'dtype' = f16 as 'i32': expected an integer parameter and i32}}
  %p = trident.param "dtype" : i32
}

// -----
trident.kernel @param_2_is parameters [#trident.parameter<"mode", ["a", "b"], "a">] () {
  // expected-error @below {{'trident.param' op compares parameter 'mode' with "c": expected one of ["a", "b"] and i1}}
  %p = trident.param "mode" is("c") : i1
}

// -----
trident.kernel @dim_1(%x: !trident.view<in rows : f32>) {
  // expected-error @below {{'trident.dim' op names dimension 'cols': expected a dimension of an argument of kernel 'dim_1'}}
  %n = trident.dim "cols" : i32
}

// -----
trident.kernel @program_1(%x: !trident.view<in rows x cols : f32>) {
  // expected-error @below {{'trident.program' op result is '!trident.tile_index<"cols">': expected a tile index of 'rows'}}
  %i = trident.program "rows" : !trident.tile_index<"cols">
}
