// RUN: trident-opt %s --split-input-file --pipe-stage-elements | FileCheck %s
// Reads into registers stay where shared memory is too small, where the schedule says so, where coordinates are other lines than rows and
// columns, and where two tiles of a view are needed at a time.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 10240,
    max_registers = 255, block_registers = 65536>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!V = !trident.view<in rows x cols : bf16>
// 64 rows of 144 bytes are 9216: 16 bytes are missing.
// CHECK-LABEL: trident.kernel @too_small
// CHECK-SAME: shared_bytes 1032
// CHECK-NOT: pipe.copy_elements
// CHECK: trident.element_tile
trident.kernel @too_small schedule #schedule target #target shared_bytes 1032 (%v: !V, %c: f32) {
  %x = trident.full %c ["rows", "cols"] : f32 -> !C
  %t = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  %y = trident.score %x with(%t : !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
    trident.yield %e : f32
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0, stage_elements = false>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!V = !trident.view<in rows x cols : bf16>
// CHECK-LABEL: trident.kernel @not_wanted
// CHECK-NOT: pipe.copy_elements
// CHECK: trident.element_tile
trident.kernel @not_wanted schedule #schedule target #target shared_bytes 0 (%v: !V, %c: f32) {
  %x = trident.full %c ["rows", "cols"] : f32 -> !C
  %t = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  %y = trident.score %x with(%t : !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
    trident.yield %e : f32
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!V = !trident.view<in rows x cols : bf16>
// CHECK-LABEL: trident.kernel @other_lines
// CHECK-NOT: pipe.copy_elements
// CHECK-COUNT-2: trident.element_tile
// CHECK-NOT: trident.element_tile
// CHECK-LABEL: trident.kernel @two_at_a_time
// CHECK-NOT: pipe.copy_elements
// CHECK-COUNT-2: trident.element_tile
trident.kernel @other_lines schedule #schedule target #target shared_bytes 0 (%v: !V, %w: !V, %c: f32, %two: i32) {
  %x = trident.full %c ["rows", "cols"] : f32 -> !C
  %t = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    %other = arith.muli %row, %two : i32
    trident.yield %other, %col : i32, i32
  }
  %u = trident.element_tile %w at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    %diagonal = arith.addi %row, %col : i32
    trident.yield %two, %diagonal : i32, i32
  }
  %y = trident.score %x with(%t, %u : !B, !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32, %f: f32):
    %sum = arith.addf %e, %f : f32
    trident.yield %sum : f32
  }
}
trident.kernel @two_at_a_time schedule #schedule target #target shared_bytes 0 (%v: !V, %c: f32, %n: i32) {
  %x = trident.full %c ["rows", "cols"] : f32 -> !C
  %t = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  %u = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    %next = arith.addi %row, %n : i32
    trident.yield %next, %col : i32, i32
  }
  %y = trident.score %x with(%t, %u : !B, !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32, %f: f32):
    %sum = arith.addf %e, %f : f32
    trident.yield %sum : f32
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>
!B = tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!V = !trident.view<in rows x cols : bf16>
// One after the other they have one place, and the second copy comes after the first one's reads.
// CHECK-LABEL: trident.kernel @one_after_another
// CHECK-SAME: shared_bytes 9216
// CHECK: pipe.copy_elements at 0 %v
// CHECK: pipe.read_elements
// CHECK: pipe.copy_elements at 0 %v
// CHECK: pipe.read_elements
// CHECK-NEXT: trident.score
trident.kernel @one_after_another schedule #schedule target #target shared_bytes 0 (%v: !V, %c: f32, %n: i32) {
  %x = trident.full %c ["rows", "cols"] : f32 -> !C
  %t = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  %y = trident.score %x with(%t : !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
    trident.yield %e : f32
  }
  %u = trident.element_tile %v at : !V -> !B {
  ^bb0(%row: i32, %col: i32):
    %next = arith.addi %row, %n : i32
    trident.yield %next, %col : i32, i32
  }
  %z = trident.score %y with(%u : !B) at : !C {
  ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
    trident.yield %e : f32
  }
}
