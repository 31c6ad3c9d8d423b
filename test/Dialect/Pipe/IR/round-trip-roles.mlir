// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Roles and turns, dots and waits, and slots that are passed over, are printed as they are read.

!A = tensor<128x64xbf16, #trident.operand<warpgroups = 2>>
!B = tensor<64x128xbf16, #trident.shared<swizzle = 128>>
!C = tensor<128x128xf32, #trident.accumulator<warpgroups = 2>>
// CHECK: pipe.roles warpgroups 2 registers 24, 240 producer {
// CHECK-NEXT: } consumer {
pipe.roles warpgroups 2 registers 24, 240 producer {
} consumer {
  %a, %b, %c = builtin.unrealized_conversion_cast to !A, !B, !C
  // CHECK: pipe.turn_wait
  pipe.turn_wait
  // CHECK-NEXT: %[[S:.*]] = pipe.dot_async %[[A:.*]], %[[B:.*]] : tensor<128x64xbf16, {{.*}}>, tensor<64x128xbf16, {{.*}}> -> <tensor<128x128xf32, {{.*}}>>
  %s = pipe.dot_async %a, %b : !A, !B -> !pipe.async<!C>
  // CHECK-NEXT: %[[O:.*]] = pipe.dot_async %[[B]], %[[B]] transpose_a transpose_b into %[[C:.*]] : tensor<128x128xf32, {{.*}}>, : tensor<64x128xbf16,
  %o = pipe.dot_async %b, %b transpose_a transpose_b into %c : !C, : !B, !B -> !pipe.async<!C>
  // CHECK-NEXT: pipe.turn_pass
  pipe.turn_pass
  // CHECK-NEXT: pipe.await %[[S]] pending 1 : <tensor<128x128xf32, {{.*}}>> -> tensor<128x128xf32,
  %s1 = pipe.await %s pending 1 : !pipe.async<!C> -> !C
  // CHECK-NEXT: %[[O1:.*]], %[[C1:.*]] = pipe.await %[[O]] keep(%[[A]] : tensor<128x64xbf16, {{.*}}>) carry(%[[C]] : tensor<128x128xf32, {{.*}}>) : <{{.*}}> -> tensor<128x128xf32, {{.*}}>, tensor<128x128xf32,
  %o1, %c1 = pipe.await %o keep(%a : !A) carry(%c : !C) : !pipe.async<!C> -> !C, !C
  // CHECK-NEXT: %[[W:.*]] = pipe.warpgroup : i32
  %w = pipe.warpgroup : i32
  // CHECK: pipe.consume %[[RING:.*]][%[[W]]] past %[[W]] : <2 x tensor<64x128xbf16, {{.*}}>> -> tensor<64x128xbf16,
  %ring = builtin.unrealized_conversion_cast to !pipe.ring<2 x !B>
  %t = pipe.consume %ring[%w] past %w : !pipe.ring<2 x !B> -> !B
}
