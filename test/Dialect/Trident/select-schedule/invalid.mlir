// RUN: trident-opt %s --split-input-file --trident-select-schedule --verify-diagnostics
// Kernels that have no schedule.

// expected-error @below {{'trident.kernel' op has parameters without values: expected a kernel after 'trident-specialize'}}
trident.kernel @parametric parameters [#trident.parameter<"cols", [64, 128], 64>] (%x: !trident.view<in rows x cols : f32>) {
}

// -----
trident.kernel @unknown_extent(%c: f32) {
  // expected-error @below {{'trident.full' op result is a tile of dimension 'rows', whose extent is unknown: expected an integer parameter, or a dimension that 'trident.program' or 'trident.for_tiles' tiles}}
  %t = trident.full %c ["rows"] : f32 -> tensor<?xf32>
}
