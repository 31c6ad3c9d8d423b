// RUN: trident-opt %s --split-input-file --trident-specialize --verify-diagnostics
// Kernels that no values specialize.

// expected-error @below {{'trident.kernel' op uses '!trident.param<"dtype">': expected a parameter of the kernel whose values are types}}
trident.kernel @undeclared(%x: !trident.view<in rows : !trident.param<"dtype">>) {
}

// -----
// expected-error @below {{'trident.kernel' op uses '!trident.param<"cols">': expected a parameter of the kernel whose values are types}}
trident.kernel @not_a_type parameters [#trident.parameter<"cols", [64], 64>] (%x: !trident.view<in rows : !trident.param<"cols">>) {
}

// -----
// expected-error @below {{'trident.kernel' op parameter 'cols' is 96 : i64 in 'variant': expected one of 64, 128}}
trident.kernel @not_allowed parameters [#trident.parameter<"cols", [64, 128], 64>] variant {cols = 96} () {
}

// -----
trident.kernel @too_wide parameters [#trident.parameter<"seed", [4294967296], 4294967296>] () {
  // expected-error @below {{'trident.param' op reads parameter 'seed' = 4294967296: expected a value of 32 bits}}
  %seed = trident.param "seed" : i32
}

// -----
// expected-error @below {{'trident.kernel' op parameter 'cols_v' is '128', the value of 'cols', which is its default: expected one of 64, 96, or set 'cols_v'}}
trident.kernel @default_not_allowed parameters [#trident.parameter<"cols", [64, 128], 128>, #trident.parameter<"cols_v", [64, 96], #trident.param<"cols">>] () {
}
