// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// An element is read at a 64-bit address, by byte strides of each dimension; one outside its dimension is not read and is 0.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
!M = !trident.view<in batch x cols : i1>
!H = !trident.view<in batch x cols : f16>
// CHECK-LABEL: llvm.func @elements
// CHECK-SAME: %[[POINTER:[a-z0-9]+]]: i64, %[[OUTER:[a-z0-9]+]]: i64, %[[INNER:[a-z0-9]+]]: i64
trident.kernel @elements schedule #schedule shared_bytes 0 (%mask: !M, %half: !H, %c: f32) {
  %b = trident.program "batch" : i32
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %t = trident.full %c ["rows", "cols"] : f32 -> !C
    // The batch is this program's: no comparison. Two columns of a lane are read once each, for all rows.
    // CHECK-COUNT-2: llvm.inline_asm {{.*}}"{\0Amov.b32 $0, 0;\0A@$2 ld.global.u8 $0, [$1];\0A}", "=&r,l,b"
    // CHECK-NOT: ld.global.u8
    %m = trident.mask %t at : !C {
    ^bb0(%row: i32, %col: i32):
      %visible = trident.element %mask[%b, %col] : !M -> i1
      trident.yield %visible : i1
    }
    // CHECK-COUNT-4: llvm.inline_asm {{.*}}"{\0A.reg .b16 half;\0Amov.b16 half, 0;\0A@$2 ld.global.b16 half, [$1];\0Acvt.f32.f16 $0, half;\0A}", "=&f,l,b"
    // CHECK-NOT: ld.global.b16
    %s = trident.score %m at : !C {
    ^bb0(%score: f32, %row: i32, %col: i32):
      %place = arith.addi %row, %col : i32
      %e = trident.element %half[%b, %place] : !H -> f32
      %sum = arith.addf %score, %e : f32
      trident.yield %sum : f32
    }
  }
}
