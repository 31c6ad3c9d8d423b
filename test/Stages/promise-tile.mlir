// RUN: trident-opt %s --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=tile})' --allow-unregistered-dialect
// After tile no size is open.

%0 = "test.make"() : () -> tensor<64x128xf32>
// expected-error @+1 {{stage 'tile' promises that every tile has a size, and every loop knows which tiles it visits and which need a mask: 'tensor<64x?xf32>' has an open size}}
%1 = "test.make"() : () -> tensor<64x?xf32>
