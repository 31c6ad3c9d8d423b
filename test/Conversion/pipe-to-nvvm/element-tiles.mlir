// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// Two neighbours are read at once where the lane's rows and columns lie in the view, its elements lie one after another and its
// addresses are even; else each is read if it lies in the view. Of two rows of 8 columns a lane has two pairs.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : bf16>
!B = tensor<64x8xbf16, #trident.accumulator<warpgroups = 1>>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @pairs
trident.kernel @pairs schedule #schedule shared_bytes 0 (%v: !V, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %x = trident.full %c ["rows", "cols"] : f32 -> !C
    // CHECK: vote.sync.any
    // CHECK: llvm.cond_br
    // CHECK-COUNT-2: llvm.inline_asm "ld.global.b32 $0, [$1+0];", "=r,l"
    // CHECK-NOT: ld.global.b32
    // CHECK: llvm.cond_br
    // CHECK-COUNT-2: llvm.inline_asm {{.*}}setp.lt.u32 is, at, $4;\0A@is ld.global.b16 low, [where];{{.*}}@is ld.global.b16 high, [where];\0Amov.b32 $0, {low, high};
    // CHECK-NOT: ld.global
    %t = trident.element_tile %v at : !V -> !B {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
    // Each use unpacks them itself.
    // CHECK: llvm.inline_asm "mov.b32 $0, $1; // 0"
    %y = trident.score %x with(%t : !B) at : !C {
    ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
      %sum = arith.addf %score, %e : f32
      trident.yield %sum : f32
    }
    // CHECK: llvm.inline_asm "mov.b32 $0, $1; // 1"
    %z = trident.score %y with(%t : !B) at : !C {
    ^bb0(%score: f32, %row: i32, %col: i32, %e: f32):
      %product = arith.mulf %score, %e : f32
      trident.yield %product : f32
    }
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!V = !trident.view<in rows x cols : f32>
!C = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: llvm.func @numbers
trident.kernel @numbers schedule #schedule shared_bytes 0 (%v: !V, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK-COUNT-2: llvm.inline_asm "ld.global.v2.f32 {$0, $1}, [$2+0];", "=f,=f,l"
    // CHECK-NOT: ld.global.v2
    // CHECK-COUNT-4: llvm.inline_asm {{.*}}@is ld.global.b32 $0, [where];
    %t = trident.element_tile %v at : !V -> !C {
    ^bb0(%row: i32, %col: i32):
      trident.yield %row, %col : i32, i32
    }
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 16, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x16xf32, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xf32, #trident.row<warpgroups = 1>>
// A multiple of the column's number that is added to what the row has, and may be rounded elsewhere: once a row for the first column, then
// a multiply-add with a constant.
// CHECK-LABEL: llvm.func @columns
trident.kernel @columns schedule #schedule shared_bytes 0 (%slope: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %x = trident.full %slope ["rows", "cols"] : f32 -> !C
    %r = trident.full %slope ["rows"] : f32 -> !R
    // CHECK: llvm.sitofp
    // CHECK: %[[FIRST:.*]] = llvm.call_intrinsic "llvm.fma.f32"(%[[SLOPE:[^,]*]], %{{.*}}, %{{.*}})
    // CHECK: llvm.mlir.constant(1.000000e+00 : f32)
    // CHECK: llvm.call_intrinsic "llvm.fma.f32"(%[[SLOPE]], %{{.*}}, %[[FIRST]])
    // CHECK: llvm.mlir.constant(9.000000e+00 : f32)
    // CHECK: llvm.call_intrinsic "llvm.fma.f32"(%[[SLOPE]], %{{.*}}, %[[FIRST]])
    %y = trident.score %x with(%r : !R) at : !C {
    ^bb0(%score: f32, %row: i32, %col: i32, %offset: f32):
      %distance = arith.subi %col, %row : i32
      %far = arith.sitofp %distance : i32 to f32
      %sum = math.fma %slope, %far, %offset fastmath<reassoc> : f32
      %all = arith.addf %sum, %score : f32
      trident.yield %all : f32
    }
  }
}
