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

// -----
// An item brings along the i32 that are read for it, four bytes each, in whole words of eight: here two searches, of which the producer needs
// one. The element that they search for is not handed over, nor what is read again.
// CHECK-LABEL: trident.kernel @handed_reads
// CHECK-SAME: shared_bytes 1072
trident.kernel @handed_reads(%ids: !trident.view<in rows : i32>, %x: !trident.view<in heads x rows : i32>, %n: i32) {
  %ring = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    pipe.for_work dynamic init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %id = trident.element %ids[%h] : !trident.view<in rows : i32> -> i32
      %value = arith.extsi %id : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !trident.view<in rows : i32>
      %next = arith.addi %uses, %end : i32
      trident.yield %next : i32
    }
  } consumer {
    pipe.for_work dynamic init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %id = trident.element %ids[%h] : !trident.view<in rows : i32> -> i32
      %value = arith.extsi %id : i32 to i64
      %end = trident.search %ids[] for %value through step 64 among %n : !trident.view<in rows : i32>
      %start = trident.search %ids[] for %value step 64 among %n : !trident.view<in rows : i32>
      %range = arith.subi %end, %start : i32
      %next = arith.addi %uses, %range : i32
      trident.yield %next : i32
    }
  }
}

// -----
// Three take as much as four.
// CHECK-LABEL: trident.kernel @three_handed_reads
// CHECK-SAME: shared_bytes 1080
trident.kernel @three_handed_reads(%ids: !trident.view<in rows : i32>, %x: !trident.view<in heads x rows : i32>, %n: i32) {
  %ring = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    pipe.for_work dynamic init(%n, %n, %n : i32, i32, i32) {
    ^bb0(%a: i32, %b: i32, %c: i32):
      %h = trident.program "heads" : i32
      %next = arith.addi %h, %n : i32
      %first = trident.element %ids[%h] : !trident.view<in rows : i32> -> i32
      %second = trident.element %ids[%next] : !trident.view<in rows : i32> -> i32
      // What follows from the item before cannot be read for this one.
      %carried = trident.element %ids[%a] : !trident.view<in rows : i32> -> i32
      %third = trident.element %ids[%n] : !trident.view<in rows : i32> -> i32
      %sum = arith.addi %third, %carried : i32
      trident.yield %first, %second, %sum : i32, i32, i32
    }
  } consumer {
  }
}

// -----
// What the producer does not need is not handed over.
// CHECK-LABEL: trident.kernel @read_by_consumers
// CHECK-SAME: shared_bytes 1064
trident.kernel @read_by_consumers(%ids: !trident.view<in rows : i32>, %x: !trident.view<in heads x rows : i32>, %n: i32) {
  %ring = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    pipe.for_work dynamic {
      trident.yield
    }
  } consumer {
    pipe.for_work dynamic init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %id = trident.element %ids[%h] : !trident.view<in rows : i32> -> i32
      trident.yield %id : i32
    }
  }
}

// -----
// Nor where the order is static, and nothing is handed over.
// CHECK-LABEL: trident.kernel @static_order
// CHECK-SAME: shared_bytes 1040
trident.kernel @static_order(%ids: !trident.view<in rows : i32>, %x: !trident.view<in heads x rows : i32>, %n: i32) {
  %ring = pipe.ring : !pipe.ring<1 x tensor<8x64xbf16, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    pipe.for_work init(%n : i32) {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %id = trident.element %ids[%h] : !trident.view<in rows : i32> -> i32
      trident.yield %id : i32
    }
  } consumer {
  }
}
