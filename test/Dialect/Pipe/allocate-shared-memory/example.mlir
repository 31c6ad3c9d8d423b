// RUN: trident-opt %s --pipe-allocate-shared-memory --verify-roundtrip | FileCheck %s
// Slots first, each ring where a swizzle pattern begins; then the barriers, a full and an empty one a slot.

// CHECK: trident.kernel @rings
// CHECK-SAME: shared_bytes 41008
trident.kernel @rings(%x: f32) {
  // CHECK: pipe.ring at 0 barriers 40960 : <1 x
  %q = pipe.ring : !pipe.ring<1 x tensor<64x64xbf16, #trident.shared<swizzle = 128>>>
  // CHECK: pipe.ring at 8192 barriers 40976 : <2 x
  %k = pipe.ring : !pipe.ring<2 x tensor<128x64xbf16, #trident.shared<swizzle = 128>>>
}
