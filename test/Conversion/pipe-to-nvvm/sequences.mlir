// RUN: trident-opt %s --pipe-to-nvvm --split-input-file | FileCheck %s

// Row i of a sequence is fetched at (most - length + i, begin + length), so that rows from `length` on are outside the map; a
// store is predicated by the length. A copy outside of loops may be of no row: then its slot is filled with zeros by hand, since
// nothing need be mapped at the map's address.
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!X = !trident.view<in total x depth : bf16>    !Own = !trident.view<in rows x depth : bf16>
!L = !trident.view<out total : f32>            !OwnL = !trident.view<out rows : f32>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
// CHECK-LABEL: llvm.func @packed
// CHECK-SAME: operands = [{argument = "x", axis = 0 : i64, box = array<i64: 64, 64>, dimension = "rows", kind = "tensor_map", swizzle = 128 : i64}
// CHECK-SAME: {dimension = "rows", kind = "extent"}
trident.kernel @packed parameters [#trident.parameter<"depth", [64], 64>] variant {depth = 64} schedule #schedule shared_bytes 8208
    (%x: !X, %y: !L, %first: i32, %count: i32, %most: !trident.extent<"rows">, %c: f32) {
  // CHECK: llvm.intr.smax
  // CHECK: %[[CUT:.*]] = llvm.intr.smin
  // CHECK-NEXT: %[[LENGTH:.*]] = llvm.inline_asm has_side_effects "redux.sync.or.b32 $0, $1, -1;", {{.*}} %[[CUT]]
  %length = trident.length "rows" %count : i32
  %i = trident.program "rows" : !i
  %ring = pipe.ring at 0 barriers 8192 : !pipe.ring<1 x !A>
  pipe.roles warpgroups 1 registers 0, 0 producer {
    %zero = arith.constant 0 : i32
    %own = trident.sequence %x "rows" begin(%first) length(%length) : !X -> !Own
    // CHECK: %[[FIRST:.*]] = llvm.mul
    // CHECK-NEXT: %[[HAS:.*]] = llvm.icmp "slt" %[[FIRST]], %[[LENGTH]] : i32
    // CHECK-NEXT: llvm.cond_br %[[HAS]]
    pipe.produce %ring[%zero], %own[%i] : !pipe.ring<1 x !A>, !Own[!i]
  } consumer {
    %own = trident.sequence %y "rows" begin(%first) length(%length) : !L -> !OwnL
    %l = trident.full %c ["rows"] : f32 -> tensor<64xf32, #trident.row<warpgroups = 1>>
    // CHECK: llvm.icmp "slt" %{{.*}}, %[[LENGTH]] : i32
    // CHECK: @p st.global.f32
    trident.store %l, %own[%i] : tensor<64xf32, #trident.row<warpgroups = 1>>, !OwnL[!i]
  }
  // Of a row:
  // CHECK: %[[END:.*]] = llvm.add %arg3, %[[LENGTH]] : i32
  // CHECK: %[[AT_LEAST_ONE:.*]] = llvm.intr.smax
  // CHECK: %[[REST:.*]] = llvm.sub %[[AT_LEAST_ONE]], %[[LENGTH]] : i32
  // CHECK: %[[X:.*]] = llvm.add %{{.*}}, %[[REST]] : i32
  // CHECK: "cp.async.bulk.tensor.3d.{{.*}}, %[[X]], %[[END]], %
  // Of none:
  // CHECK: %[[NOT:.*]] = llvm.xor %[[HAS]]
  // CHECK-NEXT: llvm.cond_br %[[NOT]]
  // CHECK: mov.b32 left, 8192;{{.*}}ZERO: st.shared.v4.b32 {{.*}}fence.proxy.async.shared::cta;{{.*}}mbarrier.arrive.shared::cta.b64 _, [$1]
}

// -----

// An element past the dimension's extent is one of the view where the axis has it.
#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
!E = !trident.view<in batch + 1 : i32>
// CHECK-LABEL: llvm.func @extra
// CHECK-SAME: %[[BATCH:[a-z0-9]+]]: i32)
trident.kernel @extra schedule #schedule shared_bytes 0 (%n: i32, %ends: !E) {
  // CHECK: %[[COUNT:.*]] = llvm.add %[[BATCH]], %{{.*}} : i32
  // CHECK: llvm.icmp "ult" %{{.*}}, %[[COUNT]]
  %end = trident.element %ends[%n] : !E -> i32
}
