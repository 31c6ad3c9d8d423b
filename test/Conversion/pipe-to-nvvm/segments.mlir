// RUN: trident-opt %s --split-input-file --pipe-to-nvvm | FileCheck %s
// A loop for each segment, in the order of the loop, without masks in full ones; one loop where no mask tells them apart.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!X = !trident.view<in rows x cols : f32>
// CHECK-LABEL: llvm.func @masked
trident.kernel @masked schedule #schedule shared_bytes 0 (%x: !X, %begin: i32, %middle: i32, %end: i32, %c: f32) {
  // CHECK-NOT: setmaxnreg
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    %s0 = trident.full %c ["rows", "cols"] : f32 -> !C
    // Descending: the partial segment is first, from its last tile.
    // CHECK: llvm.icmp "sge" %{{.*}}, %[[MIDDLE:arg.*]] : i32
    // CHECK-COUNT-32: llvm.select
    // CHECK-NOT: llvm.select
    // CHECK: llvm.icmp "sge" %{{.*}}, %[[BEGIN:arg.*]] : i32
    // CHECK-NOT: llvm.select
    %s = trident.for_tiles "cols" descending bounds(%begin, %middle, %end) classes ["full", "partial"] init(%s0 : !C) {
    ^bb0(%j: !trident.tile_index<"cols">, %s1: !C):
      %m = trident.mask %s1 at cols(%j : !trident.tile_index<"cols">) : !C {
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
!X = !trident.view<in rows x cols : f32>
// CHECK-LABEL: llvm.func @not_masked
trident.kernel @not_masked schedule #schedule shared_bytes 0 (%x: !X, %begin: i32, %middle: i32, %end: i32) {
  pipe.roles warpgroups 1 registers 0, 0 producer {
  } consumer {
    // CHECK-COUNT-1: llvm.icmp "slt"
    // CHECK-NOT: llvm.icmp
    trident.for_tiles "cols" bounds(%begin, %middle, %end) classes ["full", "partial"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      trident.yield
    }
  }
}
