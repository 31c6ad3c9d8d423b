//===- StrictnessTest.cpp - Each kind of report names its place and values ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels that are wrong in one line, marked /*!*/, and in the second of two blocks only. Every
// seed's report must have the kind, the line, the block, the thread and the words, which hold the
// values.
//===----------------------------------------------------------------------===//
#include "Reports.h"

#include <set>

namespace trident::emu::test {
namespace {

struct Wrong {
  ReportKind kind;
  uint32_t threads, thread; ///< how many there are; which one is named
  std::string words;
  std::string body; ///< %r0: the thread; %r1: the address of its word of `tile`
};

const std::string declared = ".shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[1024];";
const std::string begin = "mov.u32 %r40, %ctaid.x; setp.eq.u32 %p15, %r40, 0; @%p15 exit;\n"
                          "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; "
                          "add.u32 %r1, %r1, %r2; setp.ne.u32 %p0, %r0, 0;\n";
const std::string init = "@!%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n"
                         "@!%p0 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n";
const std::string copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[tile], [%in], 64, [bar];";
const std::string waiting = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
                            "@!%p1 bra WAIT;\n";

const std::vector<Wrong> &wrongs() {
  using K = ReportKind;
  static const std::vector<Wrong> all = {
      // Addresses.
      {K::outOfBounds, 32, 5, "reads 4 bytes at 0x",
       "setp.eq.u32 %p1, %r0, 5; selp.u32 %r3, "
       "4096, 0, %p1; cvt.u64.u32 %rd1, %r3; add.u64 %rd1, %rd1, %in;\n"
       "/*!*/ ld.global.u32 %r4, [%rd1];"},
      {K::outOfBounds, 32, 31, "writes 8 bytes",
       "mul.wide.u32 %rd1, %r0, 33; and.b64 %rd1, %rd1, "
       "-8; add.u64 %rd1, %rd1, %out;\n/*!*/ st.global.b64 [%rd1+8], 0;"},
      {K::outOfBounds, 1, 0, "writes 4 bytes at 0x0", "/*!*/ red.global.add.u32 [0], 1;"},
      {K::outOfBounds, 32, 3, "4 bytes at shared address 0x80c, expected within [0x400, 0x800)",
       "setp.ne.u32 %p1, %r0, 3; @%p1 exit;\n/*!*/ st.shared.b32 [%r1+1024], 0;"},
      {K::outOfBounds, 1, 0, "4 bytes at local address 0x10, expected within 16 bytes",
       "{ .local .align 8 .b8 stack[16]; /*!*/ st.local.u32 [stack+16], %r0; }"},
      {K::outOfBounds, 1, 0, "names block 1 of a cluster of 1",
       "add.u32 %r3, %r2, 0x1000000;\n/*!*/ ld.shared::cluster.u32 %r4, [%r3];"},
      {K::outOfBounds, 1, 0, "reads 64 bytes at 0x",
       init +
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n/*!*/ cp.async.bulk.shared::"
           "cluster.global.mbarrier::complete_tx::bytes [tile], [%in+1008], 64, [bar];"},
      {K::outOfBounds, 32, 0, "16 bytes at shared address 0x",
       "/*!*/ ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2+2048];"},
      {K::outOfBounds, 32, 2, "reads 16 bytes",
       "mul.wide.u32 %rd1, %r0, 496; add.u64 %rd1, "
       "%rd1, %in; mul.lo.u32 %r3, %r0, 16; add.u32 %r3, %r3, %r2; setp.gt.u32 %p1, %r0, 2; "
       "@%p1 exit;\n/*!*/ cp.async.cg.shared.global [%r3], [%rd1+32], 16;"},
      {K::misaligned, 32, 1, "of an access of 4 bytes",
       "mul.wide.u32 %rd1, %r0, 2; add.u64 %rd1, "
       "%rd1, %in;\n/*!*/ ld.global.u32 %r4, [%rd1];"},
      {K::misaligned, 1, 0, "address 0x408 of an access of 16 bytes",
       "/*!*/ st.shared.v4.b32 "
       "[tile+8], {0, 0, 0, 0};"},
      {K::misaligned, 1, 0, "of an access of 4 bytes",
       "/*!*/ atom.global.add.u32 %r3, [%in+2], 1;"},
      {K::misaligned, 1, 0, "expected 8-byte alignment",
       "/*!*/ mbarrier.init.shared::cta.b64 "
       "[bar+4], 1;"},
      {K::misaligned, 1, 0, "20 bytes at",
       init +
           "/*!*/ cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], "
           "20, [bar];"},
      {K::misaligned, 1, 0, "of a copy of 16 bytes",
       "/*!*/ cp.async.cg.shared.global [tile+8], "
       "[%in], 16;"},
      // What was never written.
      {K::uninitializedRegister, 32, 9, "%r5",
       "setp.ne.u32 %p1, %r0, 9;\n@%p1 mov.u32 %r5, 1;\n"
       "/*!*/ add.u32 %r6, %r5, 1;"},
      {K::uninitializedRegister, 1, 0, "%p3", "/*!*/ @%p3 add.u32 %r6, %r0, 1;"},
      {K::uninitializedRegister, 32, 4, "%rd3",
       "setp.ne.u32 %p1, %r0, 4;\n@%p1 mov.u64 %rd3, %in;"
       "\n/*!*/ ld.global.u32 %r6, [%rd3];"},
      {K::uninitializedRegister, 32, 16, "%r5",
       "setp.lt.u32 %p1, %r0, 16;\n@%p1 mov.u32 %r5, 1;\n"
       "/*!*/ shfl.sync.bfly.b32 %r6, %r5, 1, 31, -1;"},
      {K::uninitializedShared, 32, 7, "byte 0x41c of shared memory was never written",
       "setp.ne.u32 %p1, %r0, 7;\n@%p1 st.shared.u32 [%r1], 1;\n/*!*/ ld.shared.u32 %r3, [%r1];"},
      {K::uninitializedShared, 1, 0, "never written",
       "st.shared.v2.b32 [tile], {1, 2};\n"
       "fence.proxy.async;\n/*!*/ cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;"},
      // Races.
      {K::race, 32, 1, "by warp 0 lane 0 at line 11 is not ordered before",
       "st.shared.u32 [%r1], 1; setp.ne.u32 %p1, %r0, 1; @%p1 exit;\n"
       "/*!*/ st.shared.u32 [%r1+-4], 2;"},
      {K::race, 1, 0, "a cp.async of warp 0",
       "cp.async.ca.shared.global [tile], [%in], 16;\n"
       "cp.async.commit_group;\ncp.async.ca.shared.global [tile+16], [%in], 16;\n"
       "cp.async.commit_group;\ncp.async.wait_group 1;\n/*!*/ ld.shared.u32 %r3, [tile+16];"},
      {K::race, 1, 0, "an asynchronous copy",
       init + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n" + copy + "\n/*!*/ " +
           copy},
      {K::race, 1, 0, "a bulk copy of warp 0",
       "st.shared.v4.b32 [tile], {1, 2, 3, 4};\n"
       "fence.proxy.async;\ncp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n"
       "/*!*/ st.shared.b32 [tile+12], 5;"},
      // Proxies.
      {K::proxyFence, 1, 0, "without fence.proxy.async",
       "st.shared.v4.b32 [tile], {1, 2, 3, 4};\n"
       "fence.acq_rel.cta;\n/*!*/ cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;"},
      {K::proxyFence, 1, 0, "without fence.proxy.async",
       "fence.proxy.async;\n"
       "st.shared.v4.b32 [tile], {1, 2, 3, 4};\n/*!*/ cp.async.bulk.global.shared::cta.bulk_group "
       "[%out], [tile], 16;"},
      {K::proxyFence, 1, 0, "by a cp.async of warp 0",
       "cp.async.ca.shared.global [tile], [%in], "
       "16;\ncp.async.wait_all;\n/*!*/ cp.async.bulk.global.shared::cta.bulk_group [%out], "
       "[tile], 16;"},
      {K::proxyFence, 1, 0, "fence.mbarrier_init",
       "mbarrier.init.shared::cta.b64 [bar], 1;\n"
       "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n/*!*/ " +
           copy},
      // mbarriers.
      {K::mbarrierMisuse, 1, 0,
       "2 arrivals at the mbarrier at 0x800, whose phase 0 still needs 1 "
       "of 1",
       init + "/*!*/ mbarrier.arrive.shared::cta.b64 _, [bar], 2;"},
      {K::mbarrierMisuse, 1, 0, "no mbarrier was initialized at 0x400",
       "/*!*/ mbarrier.arrive.shared::cta.b64 _, [tile];"},
      {K::mbarrierMisuse, 1, 0, "count 0, expected 1 to",
       "/*!*/ mbarrier.init.shared::cta.b64 "
       "[bar], 0;"},
      {K::mbarrierMisuse, 1, 0, "an mbarrier already lives at 0x800",
       init + "/*!*/ mbarrier.init.shared::cta.b64 [bar], 1;"},
      {K::mbarrierMisuse, 1, 0, "touches the mbarrier at 0x800",
       init + "/*!*/ ld.shared.u64 %rd1, [bar];"},
      {K::mbarrierMisuse, 1, 0, "no mbarrier was initialized at 0x800",
       init +
           "mbarrier.inval.shared::cta.b64 [bar];\n/*!*/ mbarrier.test_wait.parity.shared::cta.b64 "
           "%p1, [bar], 0;"},
      {K::mbarrierMisuse, 1, 0, "still expects 64 bytes",
       "/*!*/ mbarrier.init.shared::cta.b64 "
       "[bar], 2;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;"},
      {K::deadlock, 1, 0, "parity 0; it is in phase 0, 0 of 1 arrivals, 64 bytes outstanding",
       init + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 64;\n/*!*/ WAIT: "
              "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra WAIT;"},
      {K::mbarrierMisuse, 32, 8,
       "arrives in phase 1 of the mbarrier at 0x800, whose phase 0 other lanes have completed",
       "setp.ne.u32 %p1, %r0, 0; @%p1 bra READY;\nmbarrier.init.shared::cta.b64 [bar], 8;\n"
       "READY: bar.sync 0;\n/*!*/ mbarrier.arrive.shared::cta.b64 _, [bar];"},
      // Barriers.
      {K::barrierMisuse, 32, 0, "barrier 16, expected 0 to 15",
       "mov.u32 %r3, 16;\n/*!*/ bar.sync "
       "%r3;"},
      {K::barrierMisuse, 64, 0, "thread count 48, expected a multiple of 32 up to 64",
       "setp.ge.u32 %p1, %r0, 32; @%p1 exit;\n/*!*/ bar.sync 1, 48;"},
      {K::barrierMisuse, 32, 16, "the barrier differs between the lanes of a warp: 0 and 1",
       "shr.u32 %r3, %r0, 4;\n/*!*/ bar.sync %r3;"},
      {K::barrierMisuse, 64, 0, "warp 0 arrives twice at barrier 1",
       "setp.ge.u32 %p1, %r0, 32; "
       "@%p1 exit;\nbar.arrive 1, 64;\n/*!*/ bar.arrive 1, 64;"},
      {K::deadlock, 64, 0, "barrier 2: 32 of 64 threads have arrived (warps 0)",
       "setp.ge.u32 %p1, %r0, 32; @%p1 exit;\n/*!*/ bar.sync 2, 64;"},
      {K::divergence, 32, 3, "its predicate is false in lanes 3",
       "setp.ne.u32 %p1, %r0, 3;\n"
       "/*!*/ @%p1 bar.sync 0;"},
      {K::divergence, 32, 8, "lane 8 is not in its own member mask 0xff",
       "/*!*/ bar.warp.sync 0xff;"},
      {K::divergence, 32, 4, "lane 4 is not in its own member mask 0xf",
       "/*!*/ vote.sync.any.pred %p1, %p0, 0xf;"},
      {K::divergence, 32, 1, "its predicate is false in lanes 1",
       "setp.ne.u32 %p1, %r0, 1;\n"
       "/*!*/ @%p1 redux.sync.add.u32 %r3, %r0, -1;"},
      // Resources and operands.
      {K::resource, 32, 0, "increases to 24 registers a thread from 256",
       "/*!*/ setmaxnreg.inc.sync.aligned.u32 24;"},
      {K::badOperand, 1, 0, "are not a tensor map",
       init + "cvta.global.u64 %rd1, %in;\n"
              "/*!*/ cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
              "[tile], "
              "[%rd1, {0}], [bar];"},
      {K::badOperand, 1, 0, "block 2 of a cluster of 1",
       "/*!*/ mapa.shared::cluster.u32 %r3, %r2, "
       "2;"},
      {K::badOperand, 32, 2, "branch index 2, expected less than 2",
       "setp.gt.u32 %p1, %r0, 2; "
       "@%p1 exit;\nT: .branchtargets A, A;\n/*!*/ brx.idx %r0, T;\nA:"},
      {K::trap, 32, 6, "the kernel trapped", "setp.eq.u32 %p1, %r0, 6;\n/*!*/ @%p1 trap;"},
  };
  return all;
}

TEST(Strictness, EveryReportNamesItsPlaceAndValues) {
  for (const Wrong &wrong : wrongs()) {
    std::string text = kernel(begin + wrong.body, declared);
    size_t marked = text.find("/*!*/");
    auto line = static_cast<unsigned>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(marked), '\n'));
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Machine machine(text);
      std::vector<uint32_t> in(256, 1), out(256, 0);
      machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).threads(wrong.threads);
      machine.blocks(2).request.seed = seed;
      LaunchResult result = machine.launch();
      ASSERT_FALSE(result.ok) << "no report of\n" << wrong.body;
      const Report &report = result.reports[0];
      std::string shown =
          "in\n" + wrong.body + "\nseed " + std::to_string(seed) + ": " + report.str();
      EXPECT_EQ(name(report.kind), std::string(name(wrong.kind))) << shown;
      EXPECT_NE(report.message.find(wrong.words), std::string::npos) << shown;
      EXPECT_EQ(report.line, line) << shown;
      EXPECT_EQ(report.block, (Dim3{1, 0, 0})) << shown;
      EXPECT_EQ(report.thread, (Dim3{wrong.thread, 0, 0})) << shown;
    }
  }
}

TEST(Strictness, EveryKindIsInTheTable) {
  std::set<ReportKind> shown = {ReportKind::badLaunch,      // of a launch, before any line runs
                                ReportKind::asyncRegister}; // WgmmaCheckTest
  for (const Wrong &wrong : wrongs())
    shown.insert(wrong.kind);
  EXPECT_EQ(shown.size(), static_cast<size_t>(ReportKind::trap) + 1);
}

} // namespace
} // namespace trident::emu::test
