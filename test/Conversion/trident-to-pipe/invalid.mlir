// RUN: trident-opt %s --trident-to-pipe --verify-diagnostics
// A kernel that was not placed.

// expected-error @below {{'trident.kernel' op has tiles without a layout: expected trident-place to run first}}
trident.kernel @no_layout(%x: !trident.view<in rows : f32>, %c: f32) {
  %t = trident.full %c ["rows"] : f32 -> tensor<64xf32>
}
