// RUN: trident-opt %s --pipe-to-nvvm | FileCheck %s
// With a dynamic order the producer asks for the next item once its loops' copies are on their way, and hands it over.
// Without a workspace it works out the static order.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, dynamic = true>
!X = !trident.view<in heads x rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
// CHECK-LABEL: llvm.func @work
// CHECK-SAME: %[[WORKSPACE:arg[0-9]+]]: i64, %[[TICKET:arg[0-9]+]]: i32)
// CHECK-SAME: {kind = "workspace"}, {kind = "ticket"}]
trident.kernel @work schedule #schedule shared_bytes 16472 (%x: !X, %n: i32) {
  %ring = pipe.ring at 0 barriers 16384 : !pipe.ring<2 x !A>
  %j = trident.tile_at %n : i32 -> !j
  // Two slots with two barriers each, and those of the handover: the producer arrives once, each of four warps once.
  // CHECK-COUNT-6: mbarrier.init.shared
  pipe.roles warpgroups 1 registers 24, 240 producer {
    // CHECK: setmaxnreg.dec
    // A block that has an item claims the workspace.
    // CHECK: @given atom.relaxed.gpu.global.cas.b64 was, [$0], 0, claimed;{{.*}} %[[WORKSPACE]], %[[TICKET]]
    // CHECK: ^[[HEADER:bb[0-9]+]](%{{.*}}: i32, %[[NUMBER:.*]]: i32, %[[PLACE:.*]]: i32, %[[TILE:.*]]: i32, %[[HEAD:.*]]: i32, %[[COUNT:.*]]: i32, %{{.*}}: i32):
    // The copies of the loop come first, that behind it afterwards.
    // CHECK: cp.async.bulk.tensor.3d
    // CHECK: %[[ANSWER:.*]] = llvm.inline_asm {{.*}}@given atom.relaxed.gpu.global.add.u64 $0, [$1], 1;
    // CHECK: cp.async.bulk.tensor.3d
    // CHECK: %[[GIVEN:.*]] = llvm.icmp "ne" %[[WORKSPACE]],
    // CHECK: llvm.cond_br %[[GIVEN]], ^[[COUNTED:bb[0-9]+]], ^[[KNOWN:bb[0-9]+]](
    // CHECK: ^[[COUNTED]]:
    // CHECK: %[[TAKEN:.*]] = llvm.trunc %[[ANSWER]]
    // CHECK: %[[UPPER:.*]] = llvm.lshr %[[ANSWER]],
    // CHECK: %[[OWNER:.*]] = llvm.trunc %[[UPPER]]
    // CHECK: @other trap;{{.*}} %[[OWNER]], %[[TICKET]]
    // Who took the last number clears the workspace.
    // CHECK: @last st.relaxed.gpu.global.u64 [$0], 0;{{.*}} %[[WORKSPACE]], %[[TAKEN]]
    // CHECK: llvm.br ^[[KNOWN]](
    // CHECK: ^[[KNOWN]](%[[EXISTS1:.*]]: i32, %[[TILE1:.*]]: i32, %[[HEAD1:.*]]: i32):
    // CHECK: %[[COUNT1:.*]] = llvm.add %[[COUNT]],
    // CHECK: mbarrier.try_wait.parity
    // CHECK: %[[SENT:.*]] = llvm.select %{{.*}}, %[[TILE1]], %{{.*}}
    // CHECK: st.shared.v2.b32 [$0], {$1, $2};{{.*}} %{{.*}}, %[[SENT]], %[[HEAD1]]
    // CHECK: mbarrier.arrive.shared::cta.b64 _, [$0];
    // CHECK: llvm.br ^[[HEADER]](
    pipe.for_work dynamic init(%n : i32) attributes {handover = 16416 : i64} {
    ^bb0(%uses: i32):
      %h = trident.program "heads" : i32
      %i = trident.program "rows" : !i
      trident.for_tiles "cols" bounds(%n, %n) classes ["full"] {
      ^bb0(%k: !j):
        pipe.produce %ring[%n], %x[%h, %i, %k] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
        trident.yield
      }
      pipe.produce %ring[%uses], %x[%h, %i, %j] : !pipe.ring<2 x !A>, !X[i32, !i, !j]
      %next = arith.addi %uses, %n : i32
      trident.yield %next : i32
    }
  } consumer {
  }
}
