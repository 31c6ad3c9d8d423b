// RUN: trident-opt %s --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=pipeline})' --allow-unregistered-dialect
// After pipeline every ring has its place.

// expected-error @+1 {{this ring has no place in shared memory}}
%0 = pipe.ring : !pipe.ring<2 x tensor<64x64xbf16, #trident.shared<swizzle = 128>>>
