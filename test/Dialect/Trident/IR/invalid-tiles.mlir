// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of arithmetic on tiles.

%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<32x16xbf16>
// expected-error @below {{'trident.dot' op operands are 'tensor<64x32xf16>' and 'tensor<32x16xbf16>': expected the same 16-bit float element type, or f32 with precision "bf16x3"}}
%dot_1 = trident.dot %a, %b : tensor<64x32xf16>, tensor<32x16xbf16> -> tensor<64x16xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf32>, tensor<32x16xf32>
// expected-error @below {{'trident.dot' op operands are 'tensor<64x32xf32>' and 'tensor<32x16xf32>': expected the same 16-bit float element type, or f32 with precision "bf16x3"}}
%dot_1_f32 = trident.dot %a, %b : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<32x16xf16>
// expected-error @below {{'trident.dot' op operands are 'tensor<64x32xf16>' and 'tensor<32x16xf16>': expected the same 16-bit float element type, or f32 with precision "bf16x3"}}
%dot_1_split = trident.dot %a, %b precision("bf16x3") : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<32x16xf16>
// expected-error @below {{'trident.dot' op has precision "tf32": expected "input" or "bf16x3"}}
%dot_4 = trident.dot %a, %b precision("tf32") : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<32x16xf16>
// expected-error @below {{'trident.dot' op has the precision of parameter 'way': expected a parameter of the kernel}}
%dot_4_parameter = trident.dot %a, %b precision(#trident.param<"way">) : tensor<64x32xf16>, tensor<32x16xf16> -> tensor<64x16xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<16x32xf16>
// expected-error @below {{'trident.dot' op operand 'b' is 'tensor<16x32xf16>': expected depth 32 as 'a', which is 'tensor<64x32xf16>'}}
%dot_2 = trident.dot %a, %b : tensor<64x32xf16>, tensor<16x32xf16> -> tensor<64x32xf32>

// -----
%a, %b = builtin.unrealized_conversion_cast to tensor<64x32xf16>, tensor<16x32xf16>
// expected-error @below {{'trident.dot' op result is 'tensor<64x32xf32>': expected 64 x 16}}
%dot_3 = trident.dot %a, %b transpose_b : tensor<64x32xf16>, tensor<16x32xf16> -> tensor<64x32xf32>

// -----
%a, %b, %c = builtin.unrealized_conversion_cast to tensor<32x64xf16>, tensor<32x16xf16>, tensor<64x8xf32>
// expected-error @below {{'trident.dot' op accumulator is 'tensor<64x8xf32>': expected the result's type 'tensor<64x16xf32>'}}
%dot_3_accumulator = trident.dot %a, %b transpose_a into %c : tensor<64x8xf32>, : tensor<32x64xf16>, tensor<32x16xf16> -> tensor<64x16xf32>

// -----
%x = builtin.unrealized_conversion_cast to tensor<64x32xf32>
// expected-error @below {{'trident.reduce' op result is 'tensor<32xf32>': expected the rows of 'tensor<64x32xf32>'}}
%reduce_1 = trident.reduce sum %x : tensor<64x32xf32> -> tensor<32xf32>

// -----
%x = builtin.unrealized_conversion_cast to tensor<64xf32>
// expected-error @below {{'trident.broadcast' op result is 'tensor<32x64xf32>': expected the rows and element type of 'tensor<64xf32>'}}
%broadcast_1 = trident.broadcast %x along "cols" : tensor<64xf32> -> tensor<32x64xf32>

// -----
%x = builtin.unrealized_conversion_cast to tensor<64xf16>
// expected-error @below {{'trident.convert' op is from 'tensor<64xf16>' to 'tensor<64xbf16>': expected exactly one side to be f32}}
%convert_1 = trident.convert %x : tensor<64xf16> -> tensor<64xbf16>

// -----
%x, %m = builtin.unrealized_conversion_cast to tensor<64x32xf32>, tensor<32xf32>
// expected-error @below {{'trident.softmax_step' op has a row vector 'tensor<32xf32>': expected the rows of 'tensor<64x32xf32>'}}
%softmax_step_1:4 = trident.softmax_step %x, %m, %m : tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32> -> tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>

// -----
#row = #trident.row<warpgroups = 2>
#share = #trident.row<warpgroups = 2, partial = true>
%l, %a = builtin.unrealized_conversion_cast to tensor<128xf32, #row>, tensor<128xf32, #share>
// expected-error @below {{'trident.rescale_add' op factor is 'tensor<128xf32, #trident.row<warpgroups = 2, partial = true>>': expected a layout that is not partial}}
%rescale_add_1 = trident.rescale_add %l, %a, %l : tensor<128xf32, #row>, tensor<128xf32, #share>
