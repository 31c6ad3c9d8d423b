// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// A few masked tiles before the whole ones share their loop, masked under a branch; a segment that can have no tile has no loop.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @few
// CHECK-SAME: %[[BEGIN:arg1]]: i32, %[[MIDDLE:arg2]]: i32, %[[END:arg3]]: i32
trident.kernel @few schedule #schedule shared_bytes 0 (%x: !trident.view<in cols : f32>, %begin: i32, %middle: i32, %end: i32, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %s0 = trident.full %c ["rows", "cols"] : f32 -> !C
    // One loop down from the end.
    // CHECK: %[[LAST:.*]] = llvm.sub %[[END]],
    // CHECK: ^[[LOOP:bb[0-9]+]](%[[TILE:[0-9]+]]: i32,
    // CHECK-NEXT: llvm.icmp "sge" %[[TILE]], %[[BEGIN]] : i32
    // CHECK: %[[IS_MASKED:.*]] = llvm.icmp "sge" %[[TILE]], %[[MIDDLE]] : i32
    // CHECK-NEXT: llvm.cond_br %[[IS_MASKED]], ^[[MASK:bb[0-9]+]], ^[[WHOLE:bb[0-9]+]](
    // CHECK: ^[[MASK]]:
    // CHECK-COUNT-32: llvm.select
    // CHECK-NEXT: llvm.br ^[[WHOLE]](
    // CHECK-NOT: llvm.select
    // CHECK: llvm.br ^[[LOOP]](
    // CHECK-NOT: llvm.icmp
    %s = trident.for_tiles "cols" descending bounds(%begin, %middle, %end) classes ["full", "partial"] at_most [-1, 2]
        init(%s0 : !C) {
    ^bb0(%j: !j, %s1: !C):
      %m = trident.mask %s1 at cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %visible = arith.cmpi slt, %col, %row : i32
        trident.yield %visible : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @none
// CHECK-SAME: %[[BEGIN:arg1]]: i32, %[[MIDDLE:arg2]]: i32, %[[END:arg3]]: i32
trident.kernel @none schedule #schedule shared_bytes 0 (%x: !trident.view<in cols : f32>, %begin: i32, %middle: i32, %end: i32, %c: f32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %s0 = trident.full %c ["rows", "cols"] : f32 -> !C
    // CHECK-NOT: llvm.select
    // CHECK: %[[LAST:.*]] = llvm.sub %[[MIDDLE]],
    // CHECK: llvm.icmp "sge" %{{.*}}, %[[BEGIN]] : i32
    // CHECK-NOT: llvm.icmp
    // CHECK-NOT: llvm.select
    %s = trident.for_tiles "cols" descending bounds(%begin, %middle, %end) classes ["full", "partial"] at_most [-1, 0]
        init(%s0 : !C) {
    ^bb0(%j: !j, %s1: !C):
      %m = trident.mask %s1 at cols(%j : !j) : !C {
      ^bb0(%row: i32, %col: i32):
        %visible = arith.cmpi slt, %col, %row : i32
        trident.yield %visible : i1
      }
      trident.yield %m : !C
    } -> !C
  }
}
