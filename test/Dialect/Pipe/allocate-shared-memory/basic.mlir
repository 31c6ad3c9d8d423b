// RUN: trident-opt %s --split-input-file --pipe-allocate-shared-memory --verify-roundtrip | FileCheck %s
// A ring of one slot may have any size; a kernel without rings needs nothing; rings inside of roles count too.

// CHECK-LABEL: trident.kernel @one_small_slot
// CHECK-SAME: shared_bytes 2080
trident.kernel @one_small_slot(%x: f32) {
  // CHECK: pipe.ring at 0 barriers 2048
  %small = pipe.ring : !pipe.ring<1 x tensor<4x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK: pipe.ring at 1024 barriers 2064
    %other = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  }
}

// -----
// CHECK-LABEL: trident.kernel @no_ring
// CHECK-SAME: shared_bytes 0 (%x
trident.kernel @no_ring(%x: f32) {
}

// -----
// A tile whose columns end inside a panel takes whole panels: 16 KB a slot for 64 rows of 72.
// CHECK-LABEL: trident.kernel @padded
// CHECK-SAME: shared_bytes 32800
trident.kernel @padded(%x: f32) {
  // CHECK: pipe.ring at 0 barriers 32768
  %ring = pipe.ring : !pipe.ring<2 x tensor<64x72xbf16, #trident.shared<swizzle = 128>>>
}

// -----
// Both roles' loops hand items over in one place, behind the barriers: two more of them, and 8 bytes of the item.
// CHECK-LABEL: trident.kernel @handover
// CHECK-SAME: shared_bytes 1064
trident.kernel @handover(%x: f32) {
  // CHECK: pipe.ring at 0 barriers 1024
  %ring = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    // CHECK: pipe.for_work dynamic attributes {handover = 1040 : i64}
    pipe.for_work dynamic {
      trident.yield
    }
  } consumer {
    // CHECK: pipe.skewed_work balanced dynamic attributes {handover = 1040 : i64} first
    pipe.skewed_work balanced dynamic first {
      trident.yield
    } steps {
      trident.yield
    } next {
      trident.yield
    } last {
      trident.yield
    }
  }
}
