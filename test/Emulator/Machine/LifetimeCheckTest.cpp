//===- LifetimeCheckTest.cpp - Copies, blocks and lanes that end too early ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reports.h"

namespace trident::emu::test {
namespace {

const std::string start = "mbarrier.init.shared::cta.b64 [bar], 1;\n"
                          "fence.mbarrier_init.release.cluster;\n";
const std::string load =
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 64, [bar];\n";
std::string waitFor(int phase, const std::string &label = "WAIT") {
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], " +
         std::to_string(phase % 2) + ";\n@!%p1 bra " + label + ";\n";
}
const std::string store = "st.shared.v4.b32 [tile], {1, 2, 3, 4};\nfence.proxy.async.shared::cta;\n"
                          "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n";
const std::string commit = "cp.async.bulk.commit_group;\n";

TEST(LifetimeCheck, LoadThatNobodyWaitsFor) {
  EXPECT_REPORT(reportOf(start + load, 1, twoBarriers), race,
                "no thread waits for phase 0 of the mbarrier at 0x400", "cp.async.bulk.shared");
  Report report = reportOf(start + load + waitFor(0) + load, 1, twoBarriers);
  EXPECT_REPORT(report, race, "no thread waits for phase 1", "cp.async.bulk.shared");
  EXPECT_EQ(report.line, 16u);
  expectClean(start + load + waitFor(0) + load + waitFor(1, "AGAIN"), 1, twoBarriers);
}

TEST(LifetimeCheck, StoreThatIsNotWaitedFor) {
  EXPECT_REPORT(reportOf(store + commit, 1, tile), race,
                "may still read shared memory: expected cp.async.bulk.wait_group", "ret");
  EXPECT_REPORT(reportOf(store, 1, tile), race, "may still read shared memory", "ret");
  EXPECT_REPORT(reportOf(store + commit + "cp.async.bulk.wait_group 1;\n", 1, tile), race,
                "may still read shared memory", "ret");
  expectClean(store + commit + "cp.async.bulk.wait_group.read 0;\n", 1, tile);
  expectClean(commit, 1, tile);
}

TEST(LifetimeCheck, BytesOverTheExpected) {
  Report report = reportOf(
      start +
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 32;\n"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], "
          "64, [bar];\n" +
          waitFor(0),
      1, twoBarriers, ReportKind::mbarrierMisuse);
  EXPECT_TRUE(report.kind == ReportKind::deadlock || report.kind == ReportKind::mbarrierMisuse)
      << report.str();
  EXPECT_NE(report.message.find("-32"), std::string::npos) << report.str();
}

TEST(LifetimeCheck, InitFenceOfAnotherLane) {
  const std::string init = "mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;\n"
                           "@!%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n";
  const std::string rest = "bar.sync 0;\n@%p0 bra READY;\n" + load + "READY:\n" + waitFor(0);
  EXPECT_REPORT(
      reportOf(init + "@%p0 fence.mbarrier_init.release.cluster;\n" + rest, 32, twoBarriers),
      proxyFence, "fence.mbarrier_init", "cp.async.bulk");
  expectClean(init + "@!%p0 fence.mbarrier_init.release.cluster;\n" + rest, 32, twoBarriers);
}

TEST(LifetimeCheck, MatricesNeedAllLanes) {
  EXPECT_REPORT(reportOf("mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 31; @%p0 exit;\n"
                         "mov.u32 %r2, tile;\n"
                         "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r2];",
                         32, tile),
                divergence, "lane 31 has ended", "ldmatrix");
  EXPECT_REPORT(
      reportOf("mov.b32 %r0, 0; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, "
               "%f2, %f3}, {%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
               24),
      divergence, "lane 24", "mma.sync");
}

TEST(LifetimeCheck, SetmaxnregOfPartOfAWarpgroup) {
  const std::string part = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; @%p0 bra OTHERS;\n"
                           "setmaxnreg.dec.sync.aligned.u32 24;\nbra DONE;\nOTHERS:\n";
  Report report = reportOf(part + "DONE:", 128);
  EXPECT_REPORT(report, divergence, "setmaxnreg", "");
  EXPECT_REPORT(reportOf(part + "setmaxnreg.dec.sync.aligned.u32 32;\nDONE:", 128), divergence,
                "another warp of the warpgroup executes the setmaxnreg of line", "setmaxnreg");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

const std::string pairOfBlocks = ".reqnctapercluster 2, 1, 1";
const std::string other = "mov.u32 %r9, %cluster_ctarank; mov.u32 %r2, tile; xor.b32 %r4, %r9, 1;\n"
                          "mapa.shared::cluster.u32 %r5, %r2, %r4; st.shared.u32 [%r2], %r9;\n";
const std::string meet = "barrier.cluster.arrive.release.aligned;\n"
                         "barrier.cluster.wait.acquire.aligned;\n";
const std::string read = "ld.shared::cluster.u32 %r6, [%r5];\n";

TEST(LifetimeCheck, ReadsOfABlockThatMayHaveEnded) {
  expectClean(other + meet + read + meet, 1, tile, pairOfBlocks, 2);
  unsigned found = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Machine machine(kernel(other + meet + read, tile, pairOfBlocks));
    std::vector<uint32_t> in(256, 1), out(256, 0);
    machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).threads(1).blocks(2);
    machine.request.seed = seed;
    LaunchResult result = machine.launch();
    if (result.ok)
      continue;
    ++found;
    EXPECT_REPORT(result.reports[0], outOfBounds, "which has ended", "ld.shared::cluster");
  }
  EXPECT_GT(found, 5u); // whether the other block is faster is up to the seed
}

TEST(LifetimeCheck, RacesBetweenBlocks) {
  Report early =
      reportOf(other + read + meet, 1, tile, ReportKind::uninitializedShared, pairOfBlocks, 2);
  EXPECT_TRUE(early.kind == ReportKind::race || early.kind == ReportKind::uninitializedShared)
      << early.str();
  EXPECT_REPORT(reportOf(other + meet + "st.shared::cluster.u32 [%r5], 7;\n" + meet +
                             "st.shared.u32 [%r2+4], 1;\nld.shared.u32 %r6, [%r2];\n"
                             "st.shared::cluster.u32 [%r5], 8;\n" +
                             meet,
                         1, tile, ReportKind::badLaunch, pairOfBlocks, 2),
                race, "of block rank", "");
}

TEST(LifetimeCheck, ClusterBarrierMisused) {
  EXPECT_REPORT(reportOf("barrier.cluster.wait.acquire.aligned;", 32, "", ReportKind::badLaunch,
                         pairOfBlocks, 2),
                barrierMisuse, "without an arrive", "barrier.cluster.wait");
  EXPECT_REPORT(reportOf("barrier.cluster.arrive.aligned;\nbarrier.cluster.arrive.aligned;", 32, "",
                         ReportKind::badLaunch, pairOfBlocks, 2),
                barrierMisuse, "arrives twice", "barrier.cluster.arrive");
  EXPECT_REPORT(reportOf("mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0; @%p0 bra WAIT;\n"
                         "mbarrier.init.shared::cta.b64 [bar], 1;\n"
                         "L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra L;\n"
                         "WAIT: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
                         1, twoBarriers, ReportKind::badLaunch, pairOfBlocks, 2),
                deadlock, "barrier.cluster; not arrived: block rank 1 warp 0", "");
}

/// An H200 never ends this, though the manual lets lanes come from different places.
TEST(LifetimeCheck, ClusterBarrierFromTwoPlacesOfAWarp) {
  const std::string odd = "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 0;\n";
  const std::string wait = "barrier.cluster.wait;";
  Report report = reportOf(odd +
                               "@%p0 bra EVEN;\nbarrier.cluster.arrive; bra ON;\n"
                               "EVEN: barrier.cluster.arrive;\nON: " +
                               wait,
                           32, "", ReportKind::badLaunch, pairOfBlocks, 2);
  EXPECT_REPORT(report, deadlock, "lanes 1, 3, 5", "barrier.cluster.arrive");
  EXPECT_REPORT(
      reportOf(odd + "barrier.cluster.arrive;\n@%p0 bra EVEN;\nbarrier.cluster.wait; bra ON;\n"
                     "EVEN: barrier.cluster.wait;\nON:",
               32, "", ReportKind::badLaunch, pairOfBlocks, 2),
      deadlock, "lanes 1, 3, 5", wait);
  // One after the other, at the same instruction.
  expectClean(odd +
                  "LOOP: sub.u32 %r1, %r1, 1; setp.ne.u32 %p1, %r1, -1; @%p1 bra LOOP;\n"
                  "barrier.cluster.arrive;\n" +
                  wait,
              32, "", pairOfBlocks, 2);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Report tensorReport(uint64_t rows, const std::string &directive) {
  Machine machine(".version 8.0\n.target sm_90a\n.address_size 64\n" + twoBarriers +
                  "\n.visible .entry k(.param .align 64 .b8 map[128])\n{\n.reg .b64 %rd<2>; "
                  ".reg .pred %p<2>;\nmov.b64 %rd0, map; cvta.param.u64 %rd1, %rd0;\n" +
                  start + directive + "\nret;\n}\n");
  std::vector<uint32_t> in(256, 1); // 16 rows of 64 bytes
  EmuTensorMap map = {};
  map.magic = tensorMapMagic;
  map.globalAddress = machine.memory.add(in);
  map.rank = 2;
  map.elementBytes = 4;
  map.dataType = 2;
  map.dimensions[0] = 16;
  map.dimensions[1] = rows;
  map.strides[0] = 64;
  map.box[0] = 16;
  map.box[1] = 4;
  map.elementStrides[0] = map.elementStrides[1] = 1;
  LaunchResult result = machine.pass(map).launch();
  EXPECT_FALSE(result.ok);
  return result.ok ? Report() : result.reports[0];
}

std::string tensorLoad(const std::string &to, const std::string &coordinates) {
  return "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [" + to +
         "], [%rd1, {" + coordinates + "}], [bar];";
}

TEST(LifetimeCheck, TensorLargerThanItsAllocation) {
  EXPECT_REPORT(tensorReport(17, tensorLoad("tile", "0, 14")), outOfBounds, "reads 16 bytes",
                "cp.async.bulk.tensor");
  EXPECT_REPORT(tensorReport(17, "st.shared.b32 [tile], 1; fence.proxy.async; "
                                 "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {0, "
                                 "14}], [tile];"),
                outOfBounds, "writes 16 bytes", "cp.async.bulk.tensor");
}

TEST(LifetimeCheck, TensorTileOutsideOrMisaligned) {
  EXPECT_REPORT(tensorReport(16, tensorLoad("tile+896", "0, 0")), outOfBounds,
                "256 bytes at shared address", "cp.async.bulk.tensor");
  EXPECT_REPORT(tensorReport(16, tensorLoad("tile+64", "0, 0")), misaligned,
                "expected 128-byte alignment", "cp.async.bulk.tensor");
}

TEST(LifetimeCheck, TensorMapOfAnotherRank) {
  EXPECT_REPORT(tensorReport(16, "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::"
                                 "complete_tx::bytes [tile], [%rd1, {0}], [bar];"),
                badOperand, "a tensor map of rank 2, expected 1", "cp.async.bulk.tensor");
}

} // namespace
} // namespace trident::emu::test
