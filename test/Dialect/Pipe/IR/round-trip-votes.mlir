// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Votes of a warp, and branches on them, are printed as they are read.

!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
!R = tensor<128xf32, #trident.row<warpgroups = 2>>
!F = tensor<128xi1, #trident.row<warpgroups = 2>>
// CHECK: %[[IN:.*]]:4 = unrealized_conversion_cast
%x, %slope, %r, %large = builtin.unrealized_conversion_cast to !C, f32, !R, !F
// CHECK-NEXT: pipe.vote_exceeds %[[IN]]#0, %[[IN]]#1, %[[IN]]#2 limit 8.000000e+00 : tensor<128x128xf32, {{.*}}>, tensor<128xf32,
%some = pipe.vote_exceeds %x, %slope, %r limit 8.0 : !C, !R
// CHECK-NEXT: %[[ANY:.*]] = pipe.vote_exceeds %[[IN]]#0, %[[IN]]#1, %[[IN]]#2 limit 8.000000e+00 or %[[IN]]#3 : tensor<128xi1, {{.*}}>, : tensor<128x128xf32,
%any = pipe.vote_exceeds %x, %slope, %r limit 8.0 or %large : !F, : !C, !R
// CHECK-NEXT: %[[LARGE:.*]] = pipe.vote_any %[[IN]]#3 : tensor<128xi1,
%large_row = pipe.vote_any %large : !F
// CHECK-NEXT: pipe.if %[[ANY]] else(%[[IN]]#0, %[[IN]]#1, %[[LARGE]] : tensor<128x128xf32, {{.*}}>, f32, i1) {
// CHECK-NEXT:   %[[SQUARE:.*]] = arith.mulf
// CHECK-NEXT:   trident.yield %[[SQUARE]], %[[IN]]#1, %[[ANY]]
// CHECK-NEXT: } -> tensor<128x128xf32, {{.*}}>, f32, i1
%y, %factor, %flag = pipe.if %any else(%x, %slope, %large_row : !C, f32, i1) {
  %square = arith.mulf %x, %x : !C
  trident.yield %square, %slope, %any : !C, f32, i1
} -> !C, f32, i1
