// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// Without a group in the schedule: as many coordinates as five eighths of the cache (32000 KiB) hold what loops read (8 KiB a tile of
// 64 columns; what is read once does not count), in four rounds at the most.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0, persistent = true>
#target = #trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536, l2_bytes = 52428800>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @by_cache
// CHECK-SAME: %[[COLS:arg3]]: i32
trident.kernel @by_cache schedule #schedule target #target shared_bytes 24624 (%x: !X, %n: i32) {
  %once = pipe.ring at 0 barriers 24576 : !pipe.ring<1 x !A>
  %ring = pipe.ring at 8192 barriers 24592 : !pipe.ring<2 x !A>
  %first = trident.tile_at %n : i32 -> !j
  pipe.roles warpgroups 1 registers 0, 0 producer {
    // CHECK: %[[BLOCKS:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.x"
    // CHECK: %[[BEFORE:.*]] = llvm.sub %[[COLS]],
    // CHECK: %[[WHOLE:.*]] = llvm.udiv %[[BEFORE]],
    // CHECK: %[[LOOPTILES:.*]] = llvm.add %[[WHOLE]],
    // CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK-NEXT: %[[SIZE:.*]] = llvm.mul %[[LOOPTILES]], %[[EIGHT]]
    // CHECK: %[[CACHE:.*]] = llvm.mlir.constant(32000 : i32)
    // CHECK: %[[FIT:.*]] = llvm.udiv %[[CACHE]], %
    // CHECK: llvm.mul %{{.*}}, %[[FIT]]
    // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK-NEXT: llvm.intr.umin(%{{.*}}, %[[TWO]])
    // CHECK-NEXT: llvm.mlir.constant
    pipe.for_work balanced {
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      pipe.produce %once[%n], %x[%h, %i, %first] : !pipe.ring<1 x !A>, !X[i32, !i, !j]
      trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
      ^bb0(%j: !j):
        pipe.produce %ring[%n], %x[%h, %i, %j] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
        trident.yield
      }
      trident.yield
    }
  } consumer {
  }
}
