// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Copies and rings are printed as they are read.

!K = !trident.view<in cols x depth : bf16>
!j = !trident.tile_index<"cols">
!B = tensor<64x128xbf16, #trident.shared<swizzle = 128>>
// CHECK: trident.kernel @copies
trident.kernel @copies(%k: !K) {
  %n = arith.constant 0 : i32
  %j = trident.tile_at %n : i32 -> !j
  // CHECK: %[[F:.*]] = pipe.copy_async 3, %k[%[[J:.*]], %[[N:.*]]] : <in cols x depth : bf16>[!trident.tile_index<"cols">, i32] -> <tensor<64x128xbf16, #trident.shared<swizzle = 128>>>
  %f = pipe.copy_async 3, %k[%j, %n] : !K[!j, i32] -> !pipe.async<!B>
  // CHECK-NEXT: pipe.await %[[F]] : <tensor<64x128xbf16, #trident.shared<swizzle = 128>>> -> tensor<64x128xbf16, #trident.shared<swizzle = 128>>
  %t = pipe.await %f : !pipe.async<!B> -> !B
  // CHECK-NEXT: %[[RING:.*]] = pipe.ring : <2 x tensor<64x128xbf16, #trident.shared<swizzle = 128>>>
  %ring = pipe.ring : !pipe.ring<2 x !B>
  // CHECK-NEXT: pipe.ring at 1024 barriers 4096 : <1 x
  %placed = pipe.ring at 1024 barriers 4096 : !pipe.ring<1 x !B>
  // CHECK-NEXT: pipe.produce %[[RING]][%[[N]]], %k[%[[J]]] : <2 x tensor<64x128xbf16, #trident.shared<swizzle = 128>>>, <in cols x depth : bf16>[!trident.tile_index<"cols">]
  pipe.produce %ring[%n], %k[%j] : !pipe.ring<2 x !B>, !K[!j]
  // CHECK-NEXT: pipe.consume %[[RING]][%[[N]]] : <2 x tensor<64x128xbf16, #trident.shared<swizzle = 128>>> -> tensor<64x128xbf16, #trident.shared<swizzle = 128>>
  %u = pipe.consume %ring[%n] : !pipe.ring<2 x !B> -> !B
  // CHECK-NEXT: pipe.release %[[RING]][%[[N]]] : <2 x tensor<64x128xbf16, #trident.shared<swizzle = 128>>>
  pipe.release %ring[%n] : !pipe.ring<2 x !B>
}
