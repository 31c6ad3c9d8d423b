// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Layouts are encodings of tile types; dots say which operand is stored the other way round.

#shared = #trident.shared<swizzle = 128>
#acc = #trident.accumulator<warpgroups = 2>
#operand = #trident.operand<warpgroups = 2>
#row = #trident.row<warpgroups = 2>
#share = #trident.row<warpgroups = 2, partial = true>
!A = tensor<128x64xf16, #operand>
!B = tensor<32x64xf16, #shared>
!C = tensor<128x32xf32, #acc>
%a, %b, %at, %negative = builtin.unrealized_conversion_cast to !A, !B, tensor<64x128xf16, #shared>, i1
// CHECK: trident.dot %{{.*}}, %{{.*}} transpose_b : tensor<128x64xf16, #trident.operand<warpgroups = 2>>, tensor<32x64xf16, #trident.shared<swizzle = 128>> -> tensor<128x32xf32, #trident.accumulator<warpgroups = 2>>
%s = trident.dot %a, %b transpose_b : !A, !B -> !C
// CHECK: trident.dot %{{.*}}, %{{.*}} transpose_a transpose_b into %{{.*}} :
%s2 = trident.dot %at, %b transpose_a transpose_b into %s : !C, : tensor<64x128xf16, #shared>, !B -> !C
// A f32 tile of which dots read what two bf16 tiles stand for.
!F = tensor<128x64xf32, #trident.operand<warpgroups = 2, pair = true>>
!G = tensor<32x64xf32, #trident.shared<swizzle = 128, pair = true>>
%f, %g = builtin.unrealized_conversion_cast to !F, !G
// CHECK: trident.dot %{{.*}}, %{{.*}} transpose_b precision("bf16x3") : tensor<128x64xf32, #trident.operand<warpgroups = 2, pair = true>>, tensor<32x64xf32, #trident.shared<swizzle = 128, pair = true>>
%s1 = trident.dot %f, %g transpose_b precision("bf16x3") : !F, !G -> !C
// CHECK: trident.negate_if %{{.*}}, %{{.*}} : tensor<128x32xf32, #trident.accumulator<warpgroups = 2>>
%s3 = trident.negate_if %negative, %s2 : !C
// CHECK: trident.convert_layout %{{.*}} : tensor<128x32xf32, #trident.accumulator<warpgroups = 2>> -> tensor<128x32xf32, #trident.shared<swizzle = 128>>
%moved = trident.convert_layout %s3 : !C -> tensor<128x32xf32, #shared>
// CHECK: trident.reduce sum %{{.*}} -> tensor<128xf32, #trident.row<warpgroups = 2, partial = true>>
%l = trident.reduce sum %s3 : !C -> tensor<128xf32, #share>
%m = trident.reduce max %s3 : !C -> tensor<128xf32, #row>
// CHECK: trident.rescale_add %{{.*}}, %{{.*}}, %{{.*}} :
%l1 = trident.rescale_add %l, %m, %l : tensor<128xf32, #share>, tensor<128xf32, #row>
