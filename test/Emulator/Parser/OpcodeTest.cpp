//===- OpcodeTest.cpp - An example of every opcode of the list loads ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Emulator/Executor.h"

#include <gtest/gtest.h>

#include <set>

namespace trident::emu::test {
namespace {

/// At least one statement for each line of Opcodes.def, in all forms that this tree's kernels use.
const char *const examples[] = {
    "abs.s32 %r1, %r2;",
    "activemask.b32 %r1;",
    "add.rn.ftz.f32 %r1, %r2, %r3;",
    "add.s64 %rd1, %rd2, 8;",
    "addc.u32 %r1, %r2, %r3;",
    "and.pred %p1, %p2, %p3;",
    "applypriority.global.L2::evict_normal [%rd1], 128;",
    "atom.global.inc.u32 %r1, [%rd1], %r2;",
    "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;",
    "bar.sync 1, 256;",
    "bar.arrive 1, 256;",
    "bar.warp.sync -1;",
    "barrier.sync.aligned 2;",
    "barrier.cluster.arrive.release.aligned;",
    "barrier.cluster.wait.acquire.aligned;",
    "bfe.u32 %r1, %r2, 3, 4;",
    "bfi.b32 %r1, %r2, %r3, 3, 4;",
    "bfind.u32 %r1, %r2;",
    "bra.uni END;",
    "brev.b32 %r1, %r2;",
    "brkpt;",
    "{ T: .branchtargets END, END; brx.idx %r1, T; }",
    "clz.b32 %r1, %r2;",
    "cnot.b32 %r1, %r2;",
    "copysign.f32 %r1, %r2, %r3;",
    "cos.approx.f32 %r1, %r2;",
    "cp.async.cg.shared.global [%r1], [%rd1], 16;",
    "cp.async.commit_group;",
    "cp.async.wait_group 1;",
    "cp.async.wait_all;",
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];",
    "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {0, "
    "%r2, "
    "%r3, %r4}], [%r5];",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
    "cluster"
    ".L2::cache_hint [%r1], [%rd1, {0, %r2}], [%r5], %h1, %rd2;",
    "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%rd1, {%r2, %r3, %r4}], [%r1];",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {%r2, %r3}], "
    "[%r1];",
    "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {%r2, %r3}];",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group.read 0;",
    "createpolicy.fractional.L2::evict_first.b64 %rd1, 0f3F800000;",
    "cvt.rn.bf16x2.f32 %r1, %r2, %r3;",
    "cvt.u32.u64 %r1, %rd1;",
    "cvta.to.global.u64 %rd1, %rd2;",
    "cvta.param.u64 %rd1, %rd2;",
    "div.u32 %r1, %r2, %r3;",
    "div.full.f32 %r1, %r2, %r3;",
    "elect.sync %r1|%p1, -1;",
    "ex2.approx.ftz.f32 %r1, %r2;",
    "exit;",
    "fence.acq_rel.gpu;",
    "fence.sc.cluster;",
    "fence.proxy.async.shared::cta;",
    "fence.mbarrier_init.release.cluster;",
    "fma.rn.ftz.f32 %r1, %r2, %r3, %r4;",
    "getctarank.shared::cluster.u32 %r1, %r2;",
    "griddepcontrol.wait;",
    "isspacep.shared %p1, %rd1;",
    "ld.param.b32 %r1, [p];",
    "ld.volatile.global.u32 %r1, [%rd1];",
    "ld.global.nc.L1::no_allocate.v4.f32 {%r1, %r2, %r3, %r4}, [%rd1];",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];",
    "ldu.global.u32 %r1, [%rd1];",
    "lg2.approx.ftz.f32 %r1, %r2;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0xf8;",
    "mad.lo.s32 %r1, %r2, %r3, %r4;",
    "madc.hi.u32 %r1, %r2, %r3, %r4;",
    "mapa.shared::cluster.u32 %r1, %r2, %r3;",
    "match.any.sync.b32 %r1, %r2, -1;",
    "max.ftz.f32 %r1, %r2, %r3;",
    "mbarrier.init.shared::cta.b64 [%r1], 1;",
    "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;",
    "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2, 1000;",
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 32768;",
    "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
    "membar.gl;",
    "min.s32 %r1, %r2, %r3;",
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, "
    "%r3}, {%r4, "
    "%r5}, {%r0, %r1, %r2, %r3};",
    "mov.b64 %rd1, {%r1, 1073741888};",
    "mul.wide.u32 %rd1, %r1, 4;",
    "nanosleep.u32 100;",
    "neg.ftz.f32 %r1, %r2;",
    "not.b32 %r1, %r2;",
    "or.b32 %r1, %r2, %r3;",
    "popc.b32 %r1, %r2;",
    "prefetch.tensormap [%rd1];",
    "prefetch.global.L2 [%rd1];",
    "prefetchu.L1 [%rd1];",
    "prmt.b32 %r1, %r2, %r3, 0x5410;",
    "rcp.approx.ftz.f32 %r1, %r2;",
    "red.global.add.f32 [%rd1], %r2;",
    "red.relaxed.gpu.global.add.noftz.bf16x2 [%rd1], %r2;",
    "redux.sync.max.u32 %r1, %r2, -1;",
    "rem.u32 %r1, %r2, %r3;",
    "ret;",
    "rsqrt.approx.ftz.f32 %r1, %r2;",
    "sad.u32 %r1, %r2, %r3, %r4;",
    "selp.f32 %r1, %r2, 0fFF800000, %p1;",
    "set.lt.u32.s32 %r1, %r2, %r3;",
    "setmaxnreg.dec.sync.aligned.u32 24;",
    "setp.gtu.ftz.f32 %p1, %r2, %r3;",
    "shf.l.wrap.b32 %r1, %r2, %r3, %r4;",
    "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;",
    "shl.b32 %r1, %r2, 3;",
    "shr.u64 %rd1, %rd2, 3;",
    "sin.approx.f32 %r1, %r2;",
    "slct.u32.s32 %r1, %r2, %r3, %r4;",
    "sqrt.rn.f32 %r1, %r2;",
    "st.global.v4.b32 [%rd1+16], {%r1, %r2, %r3, %r4};",
    "st.shared::cluster.u32 [%r1], %r2;",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r1], {%r2, %r3};",
    "sub.s32 %r1, %r2, %r3;",
    "subc.u32 %r1, %r2, %r3;",
    "tanh.approx.f32 %r1, %r2;",
    "testp.finite.f32 %p1, %r2;",
    "trap;",
    "vote.sync.any.pred %p1, %p2, -1;",
    "wgmma.fence.sync.aligned;",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r0, %r1, %r2, %r3}, %rd1, %rd2, %p1, 1, "
    "1, 0, 1;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0;",
    "xor.b32 %r1, %r2, %r3;",
};

std::string opcodeOf(std::string text) {
  if (text[0] == '{')
    text = text.substr(text.find(';') + 2);
  return text.substr(0, text.find_first_of(". ;"));
}

TEST(Opcodes, EveryExampleLoads) {
  for (const char *example : examples) {
    ParseError error;
    EXPECT_NE(
        parse(
            ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k(.param .b32 p) {\n.reg .b32 "
            "%r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; .reg .b16 %h<2>;\n" +
                std::string(example) + "\nEND: ret; }",
            error),
        nullptr)
        << example << "\n"
        << error.str();
  }
}

TEST(Opcodes, EveryOpcodeOfTheListHasAnExample) {
  std::set<std::string> shown;
  for (const char *example : examples)
    shown.insert(opcodeOf(example));
#define OPCODE(opcode, builder, forms)                                                             \
  EXPECT_EQ(shown.count(#opcode), 1u) << #opcode << " (" << forms << ") has no example";
#include "Exec/Opcodes.def"
#undef OPCODE
}

} // namespace
} // namespace trident::emu::test
