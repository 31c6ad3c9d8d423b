//===- CheckTest.cpp - What the machine reports, and where -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One program for each fault: the report's kind, its line and the words that matter. Beside each
// stands the program without the fault, which must run clean in every seed.
//===----------------------------------------------------------------------===//
#include "Reports.h"

namespace trident::emu::test {
namespace {

TEST(Check, OutOfBoundsGlobal) {
  EXPECT_REPORT(reportOf("mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 64;\n"
                         "add.u64 %rd1, %in, %rd0;\nld.global.u32 %r1, [%rd1];",
                         32),
                outOfBounds, "reads 4 bytes", "ld.global.u32");
}

TEST(Check, OutOfBoundsEndIsMeasured) {
  EXPECT_REPORT(reportOf("st.global.v4.b32 [%out+1016], {1, 2, 3, 4};", 1), misaligned, "",
                "st.global.v4");
  EXPECT_REPORT(reportOf("st.global.b64 [%out+1024], 0;", 1), outOfBounds, "writes 8 bytes",
                "st.global.b64");
}

TEST(Check, OutOfBoundsShared) {
  EXPECT_REPORT(reportOf("st.shared.b32 [tile+1024], 0;", 1, tile), outOfBounds,
                "shared address 0x800", "st.shared");
}

TEST(Check, MisalignedShared) {
  EXPECT_REPORT(reportOf("st.shared.b32 [tile+2], 0;", 1, tile), misaligned, "0x402", "st.shared");
}

TEST(Check, UninitializedRegister) {
  EXPECT_REPORT(reportOf("add.u32 %r0, %r1, 1;", 1), uninitializedRegister, "%r1", "add.u32");
}

TEST(Check, UninitializedInSomeLanes) {
  Report report = reportOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 7;\n@%p0 mov.u32 %r1, 1;\n"
                           "add.u32 %r2, %r1, 1;",
                           32);
  EXPECT_REPORT(report, uninitializedRegister, "%r1", "add.u32");
  EXPECT_EQ(report.thread[0], 7u);
  EXPECT_EQ(report.line, 12u);
}

TEST(Check, UninitializedShared) {
  EXPECT_REPORT(reportOf("ld.shared.u32 %r0, [tile+8];", 1, tile), uninitializedShared, "0x408",
                "ld.shared");
}

TEST(Check, RaceBetweenWarps) {
  const std::string write = word + "st.shared.u32 [%r1], %r0;\n";
  const std::string read = "xor.b32 %r3, %r1, 128;\nld.shared.u32 %r4, [%r3];";
  EXPECT_REPORT(reportOf(write + read, 64, tile), uninitializedShared, "never written",
                "ld.shared");
  // The zeros of the first phase are ordered, the second writes are not.
  EXPECT_REPORT(reportOf(write + "bar.sync 0;\nst.shared.u32 [%r1], 5;\n" + read, 64, tile), race,
                "is not ordered before", "");
  expectClean(write + "bar.sync 0;\n" + read, 64, tile);
}

TEST(Check, RaceAfterRead) {
  const std::string start = word + "st.shared.u32 [%r1], %r0;\nbar.sync 0;\n"
                                   "xor.b32 %r3, %r1, 128;\nld.shared.u32 %r4, [%r3];\n";
  EXPECT_REPORT(reportOf(start + "st.shared.u32 [%r1], 9;", 64, tile), race,
                "is not ordered before", "");
  expectClean(start + "bar.sync 0;\nst.shared.u32 [%r1], 9;", 64, tile);
}

TEST(Check, RaceBetweenLanes) {
  const std::string write = word + "st.shared.u32 [%r1], %r0;\n";
  const std::string read = "xor.b32 %r3, %r1, 4;\nld.shared.u32 %r4, [%r3];";
  EXPECT_REPORT(reportOf(write + read, 32, tile), race, "lane", "ld.shared");
  expectClean(write + "bar.warp.sync -1;\n" + read, 32, tile);
}

TEST(Check, AtomicsDoNotRace) {
  expectClean(word + "setp.eq.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [tile], 0;\nbar.sync 0;\n"
                     "red.shared.add.u32 [tile], 1;\nbar.sync 0;\nld.shared.u32 %r5, [tile];",
              96, tile);
}

TEST(Check, BarrierOrdersNamedGroupsOnly) {
  const std::string start = word + "st.shared.u32 [%r1], %r0;\nshr.u32 %r5, %r0, 6;\n"
                                   "add.u32 %r5, %r5, 1;\nbar.sync %r5, 64;\n";
  expectClean(start + "xor.b32 %r3, %r1, 128;\nld.shared.u32 %r4, [%r3];", 128, tile);
  Report report = reportOf(start + "xor.b32 %r3, %r1, 256;\nld.shared.u32 %r4, [%r3];\nbar.sync 0;",
                           128, tile, ReportKind::uninitializedShared);
  EXPECT_TRUE(report.kind == ReportKind::race || report.kind == ReportKind::uninitializedShared)
      << report.str();
}

TEST(Check, BarrierReachedByPart) {
  EXPECT_REPORT(reportOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n@%p0 bra SKIP;\n"
                         "bar.sync 0;\nSKIP:",
                         64),
                deadlock, "barrier 0: 32 of 64 threads have arrived", "bar.sync");
}

TEST(Check, BarrierCountsDiffer) {
  // When the two warps that agree meet first, the third waits for ever.
  Report report = reportOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n@%p0 bra A;\n"
                           "bar.sync 1, 64;\nbra B;\nA: bar.sync 1, 96;\nB:",
                           96, "", ReportKind::deadlock);
  EXPECT_NE(report.message.find("barrier 1"), std::string::npos) << report.str();
}

TEST(Check, BarrierTwice) {
  EXPECT_REPORT(reportOf("bar.arrive 1, 96;\nbar.arrive 1, 96;", 32 * 3), barrierMisuse,
                "arrives twice", "bar.arrive");
}

/// As the manual forbids: an H200 stops with an illegal instruction.
TEST(Check, ReductionsMixedWithOtherArrivals) {
  const std::string two = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n@%p0 bra A;\n"
                          "barrier.red.popc.u32 %r1, 1, 64, %p0; bra B;\nA: ";
  EXPECT_REPORT(reportOf(two + "barrier.arrive 1, 64;\nB:", 64), barrierMisuse,
                "at barrier 1, where others", "barrier.");
  EXPECT_REPORT(reportOf(two + "barrier.sync 1, 64;\nB:", 64), barrierMisuse,
                "at barrier 1, where others", "barrier.");
  EXPECT_REPORT(reportOf(two + "barrier.red.or.pred %p1, 1, 64, %p0;\nB:", 64), barrierMisuse,
                "at barrier 1, where others use red.", "barrier.red");
  expectClean(two + "barrier.red.popc.u32 %r2, 1, 64, !%p0;\nB:", 64);
}

TEST(Check, BarrierInPartOfAWarp) {
  EXPECT_REPORT(reportOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 16;\n@%p0 bar.sync 0;", 32),
                divergence, "predicate is false in lanes 16-31", "bar.sync");
}

TEST(Check, ShuffleWithoutALane) {
  EXPECT_REPORT(reportOf("mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 16;\n"
                         "@%p0 shfl.sync.idx.b32 %r1, %r0, 0, 31, -1;",
                         32),
                divergence, "predicate is false in lanes 16-31", "shfl.sync");
}

TEST(Check, DeadlockNamesEveryWait) {
  const std::string init = "mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra READY;\n"
                           "mbarrier.init.shared::cta.b64 [bar], 2;\nREADY: bar.sync 0;\n";
  const std::string wait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
                           "@!%p1 bra WAIT;";
  Report report =
      reportOf(init + "@!%p0 mbarrier.arrive.shared::cta.b64 _, [bar];\n" + wait, 64, twoBarriers);
  EXPECT_REPORT(report, deadlock, "1 of 2 arrivals", "try_wait");
  EXPECT_NE(report.message.find("warp 0"), std::string::npos);
  EXPECT_NE(report.message.find("warp 1"), std::string::npos);
}

TEST(Check, OneLaneReleasesForItselfOnly) {
  // Warp 0 reads, its lane 0 arrives; warp 1 waits and overwrites.
  const std::string start =
      word + "setp.ne.u32 %p0, %r0, 0;\n@!%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n"
             "st.shared.u32 [%r1], %r0;\nbar.sync 0;\nsetp.ge.u32 %p1, %r0, 32;\n@%p1 bra WRITER;\n"
             "ld.shared.u32 %r4, [%r1];\n";
  const std::string end = "@!%p0 mbarrier.arrive.shared::cta.b64 _, [bar];\nbra DONE;\nWRITER:\n"
                          "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n"
                          "@!%p2 bra WAIT;\nst.shared.u32 [%r1+-128], 7;\nDONE:";
  EXPECT_REPORT(reportOf(start + end, 64, twoBarriers), race, "the read of byte", "st.shared.u32");
  expectClean(start + "bar.warp.sync -1;\n" + end, 64, twoBarriers);
}

TEST(Check, OneLaneAcquiresForItselfOnly) {
  const std::string start =
      word +
      "setp.ne.u32 %p0, %r0, 0;\n@!%p0 mbarrier.init.shared::cta.b64 [bar], 32;\nbar.sync 0;\n"
      "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra READER;\nst.shared.u32 [%r1], 7;\n"
      "mbarrier.arrive.shared::cta.b64 _, [bar];\nbra DONE;\nREADER:\n"
      "setp.ne.u32 %p3, %r0, 32;\n@%p3 bra READ;\n"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\nREAD:\n";
  const std::string end = "ld.shared.u32 %r4, [%r1+-128];\nDONE:";
  Report report = reportOf(start + end, 64, twoBarriers, ReportKind::uninitializedShared);
  EXPECT_NE(report.instruction.find("ld.shared"), std::string::npos) << report.str();
  expectClean(start + "bar.warp.sync -1;\n" + end, 64, twoBarriers);
}

TEST(Check, MbarrierArrivesTooOften) {
  EXPECT_REPORT(reportOf("mbarrier.init.shared::cta.b64 [bar], 1;\n"
                         "mbarrier.arrive.shared::cta.b64 _, [bar], 2;",
                         1, twoBarriers),
                mbarrierMisuse, "2 arrivals", "mbarrier.arrive");
}

TEST(Check, MbarrierNotInitialized) {
  EXPECT_REPORT(reportOf("mbarrier.arrive.shared::cta.b64 _, [bar];", 1, twoBarriers),
                mbarrierMisuse, "no mbarrier was initialized", "mbarrier.arrive");
}

TEST(Check, MbarrierUsedBeforeItsInitIsOrdered) {
  Report report = reportOf("mov.u32 %r0, %tid.x;\nsetp.ne.u32 %p0, %r0, 0;\n"
                           "@!%p0 mbarrier.init.shared::cta.b64 [bar], 64;\n"
                           "mbarrier.arrive.shared::cta.b64 _, [bar];",
                           64, twoBarriers, ReportKind::race);
  EXPECT_TRUE(report.kind == ReportKind::race || report.kind == ReportKind::mbarrierMisuse)
      << report.str();
}

TEST(Check, MbarrierOverwritten) {
  EXPECT_REPORT(reportOf("mbarrier.init.shared::cta.b64 [bar], 1;\nst.shared.b32 [bar+4], 0;", 1,
                         twoBarriers),
                mbarrierMisuse, "touches the mbarrier at 0x400", "st.shared");
}

TEST(Check, ExpectedBytesNeverCome) {
  EXPECT_REPORT(reportOf("mbarrier.init.shared::cta.b64 [bar], 1;\n"
                         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;",
                         1, twoBarriers),
                mbarrierMisuse, "still expects 64 bytes", "mbarrier.init");
}

const std::string bulkStart = "mbarrier.init.shared::cta.b64 [bar], 1;\n";
const std::string bulkCopy =
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 64, [bar];\n";
const std::string bulkWait = "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
                             "@!%p1 bra WAIT;\n";

TEST(Check, CopyNeedsTheInitFence) {
  EXPECT_REPORT(reportOf(bulkStart + bulkCopy + bulkWait, 1, twoBarriers), proxyFence,
                "fence.mbarrier_init", "cp.async.bulk");
  expectClean(bulkStart + "fence.mbarrier_init.release.cluster;\n" + bulkCopy + bulkWait +
                  "ld.shared.u32 %r0, [tile];",
              1, twoBarriers);
}

TEST(Check, CopyReadBeforeItsWait) {
  Report report = reportOf(bulkStart + "fence.mbarrier_init.release.cluster;\n" + bulkCopy +
                               "ld.shared.u32 %r0, [tile];\n" + bulkWait,
                           1, twoBarriers);
  EXPECT_REPORT(report, race, "an asynchronous copy", "ld.shared");
}

/// A ring of one slot: thread 32 copies into it twice, warp 0 reads what came and lets lane 0 give
/// the slot back.
const std::string ring =
    ".shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 128 .b8 tile[1024];";
const std::string ringStart =
    "mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;\n"
    "@!%p0 mbarrier.init.shared::cta.b64 [full], 1;\n"
    "@!%p0 mbarrier.init.shared::cta.b64 [empty], 1;\n"
    "@!%p0 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
    "shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n"
    "setp.lt.u32 %p1, %r0, 32; @%p1 bra CONSUMER;\nsetp.ne.u32 %p2, %r0, 32; @%p2 bra DONE;\n"
    "mov.u32 %r3, 0;\n"
    "FILL: setp.eq.u32 %p4, %r3, 0; @%p4 bra FREE;\n"
    "EMPTY: mbarrier.try_wait.parity.shared::cta.b64 %p3, [empty], 0; @!%p3 bra EMPTY;\nFREE:\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 128;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%in], 128, "
    "[full];\n"
    "add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, 2; @%p4 bra FILL;\nbra DONE;\nCONSUMER:\n"
    "FULL0: mbarrier.try_wait.parity.shared::cta.b64 %p3, [full], 0; @!%p3 bra FULL0;\n";
const std::string ringRead = "ld.shared.u32 %r4, [%r1];\n";
const std::string ringFence = "fence.proxy.async.shared::cta;\n";
const std::string ringEnd =
    "bar.warp.sync -1;\n@!%p0 mbarrier.arrive.shared::cta.b64 _, [empty];\n"
    "FULL1: mbarrier.try_wait.parity.shared::cta.b64 %p3, [full], 1; @!%p3 bra FULL1;\n"
    "ld.shared.u32 %r4, [%r1];\nDONE:";

TEST(Check, SlotReadThroughTheGenericProxyNeedsAFenceBeforeItsNextCopy) {
  Report report = reportOf(ringStart + ringRead + ringEnd, 64, ring);
  EXPECT_REPORT(report, proxyFence, "write after read", "cp.async.bulk.shared");
  EXPECT_NE(report.message.find("was read by warp 0 lane 0 at line 27"), std::string::npos)
      << report.str();
  EXPECT_EQ(report.line, 22u);
  EXPECT_EQ(report.thread[0], 32u);
  expectClean(ringStart + ringRead + ringFence + ringEnd, 64, ring);
}

TEST(Check, FenceBeforeTheReadIsNoFenceAfterIt) {
  EXPECT_REPORT(reportOf(ringStart + ringFence + ringRead + ringEnd, 64, ring), proxyFence,
                "write after read", "cp.async.bulk.shared");
}

TEST(Check, FenceOfOneLaneIsNoFenceOfTheOthers) {
  // Lane 0 fences for what it has seen: its own read, and after bar.warp.sync everyone's.
  const std::string laneZero = "@!%p0 fence.proxy.async.shared::cta;\n";
  Report report = reportOf(ringStart + ringRead + laneZero + ringEnd, 64, ring);
  EXPECT_REPORT(report, proxyFence, "was read by warp 0 lane 1 ", "cp.async.bulk.shared");
  expectClean(ringStart + ringRead + "bar.warp.sync -1;\n" + laneZero + ringEnd, 64, ring);
}

TEST(Check, BytesWrittenThroughTheGenericProxyNeedAFenceBeforeACopyIntoThem) {
  const std::string start = bulkStart + "fence.mbarrier_init.release.cluster;\n"
                                        "st.shared.b32 [tile+16], 5;\n";
  EXPECT_REPORT(reportOf(start + bulkCopy + bulkWait, 1, twoBarriers), proxyFence,
                "was written by warp 0 lane 0", "cp.async.bulk.shared");
  expectClean(start + "fence.proxy.async;\n" + bulkCopy + bulkWait, 1, twoBarriers);
}

TEST(Check, TensorCoordinateMisaligned) {
  Machine machine(".version 8.0\n.target sm_90a\n.address_size 64\n" + twoBarriers +
                  "\n.visible .entry k(.param .align 64 .b8 map[128])\n{\n.reg .b64 %rd<2>;\n"
                  "mov.b64 %rd0, map; cvta.param.u64 %rd1, %rd0;\n" +
                  bulkStart +
                  "fence.mbarrier_init.release.cluster;\n"
                  "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[tile], [%rd1, {3}], [bar];\nret;\n}\n");
  std::vector<uint32_t> in(256, 1);
  EmuTensorMap map = {};
  map.magic = tensorMapMagic;
  map.globalAddress = machine.memory.add(in);
  map.rank = 1;
  map.elementBytes = 4;
  map.dataType = 2;
  map.dimensions[0] = 256;
  map.box[0] = 4;
  map.elementStrides[0] = 1;
  LaunchResult result = machine.pass(map).launch();
  ASSERT_FALSE(result.ok);
  EXPECT_REPORT(result.reports[0], misaligned, "innermost coordinate 3 is 12 bytes",
                "cp.async.bulk.tensor");
}

/// Copies 4 words through a map of words that begins 64 bytes before an allocation of 64 bytes.
static LaunchResult copyFromMapBefore(int coordinate) {
  Machine machine(".version 8.0\n.target sm_90a\n.address_size 64\n" + twoBarriers +
                  "\n.visible .entry k(.param .align 64 .b8 map[128])\n{\n.reg .b64 %rd<2>;\n.reg "
                  ".pred %p<2>;\n"
                  "mov.b64 %rd0, map; cvta.param.u64 %rd1, %rd0;\n" +
                  bulkStart +
                  "fence.mbarrier_init.release.cluster;\n"
                  "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n"
                  "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
                  "[tile], [%rd1, {" +
                  std::to_string(coordinate) + "}], [bar];\n" + bulkWait + "\nret;\n}\n");
  std::vector<uint32_t> in(16, 1);
  EmuTensorMap map = {};
  map.magic = tensorMapMagic;
  map.globalAddress = machine.memory.add(in) - 64;
  map.rank = 1;
  map.elementBytes = 4;
  map.dataType = 2;
  map.dimensions[0] = 32;
  map.box[0] = 4;
  map.elementStrides[0] = 1;
  return machine.pass(map).launch();
}

TEST(Check, TensorMapMayBeginBeforeItsAllocationButNoCopyOfItMay) {
  for (int coordinate : {16, 28}) {
    LaunchResult result = copyFromMapBefore(coordinate);
    EXPECT_TRUE(result.ok) << coordinate;
  }
  LaunchResult before = copyFromMapBefore(12);
  ASSERT_FALSE(before.ok);
  EXPECT_REPORT(before.reports[0], outOfBounds, "16 bytes", "cp.async.bulk.tensor");
  LaunchResult outside = copyFromMapBefore(32);
  ASSERT_FALSE(outside.ok);
  EXPECT_REPORT(outside.reports[0], outOfBounds, "wholly outside", "cp.async.bulk.tensor");
}

TEST(Check, StoreNeedsTheProxyFence) {
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n"
                            "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;";
  const std::string write = "st.shared.v4.b32 [tile], {1, 2, 3, 4};\n";
  EXPECT_REPORT(reportOf(write + store, 1, tile), proxyFence, "without fence.proxy.async",
                "cp.async.bulk.global");
  expectClean(write + "fence.proxy.async.shared::cta;\n" + store, 1, tile);
}

TEST(Check, StoreOverwrittenBeforeItsWait) {
  EXPECT_REPORT(reportOf("st.shared.v4.b32 [tile], {1, 2, 3, 4};\nfence.proxy.async;\n"
                         "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n"
                         "cp.async.bulk.commit_group;\nst.shared.b32 [tile], 9;\n"
                         "cp.async.bulk.wait_group 0;",
                         1, tile),
                race, "a bulk copy", "st.shared.b32");
}

TEST(Check, CopyAsyncReadBeforeItsWait) {
  const std::string copy = "cp.async.ca.shared.global [tile], [%in], 16;\n"
                           "cp.async.commit_group;\n";
  EXPECT_REPORT(reportOf(copy + "ld.shared.u32 %r0, [tile];", 1, tile), race, "a cp.async",
                "ld.shared");
  expectClean(copy + "cp.async.wait_group 0;\nld.shared.u32 %r0, [tile];", 1, tile);
}

TEST(Check, RegistersRunOut) {
  EXPECT_REPORT(reportOf("setmaxnreg.inc.sync.aligned.u32 256;", 512), deadlock,
                "free registers for setmaxnreg", "setmaxnreg");
  EXPECT_REPORT(reportOf("setmaxnreg.dec.sync.aligned.u32 240;", 512), resource, "decreases",
                "setmaxnreg");
}

TEST(Check, MoreLiveValuesThanRegisters) {
  // 1024 threads leave 64 registers each; 70 values of each lane live at once, or the same 70 in
  // all lanes, which a reduction makes of those of each.
  std::string define, use = "mov.b32 %v0, 0;\n", source = "mov.u32 %s, %tid.x;\n";
  for (int i = 1; i <= 70; ++i) {
    std::string v = "%v" + std::to_string(i);
    define += "mad.lo.u32 " + v + ", %s, " + std::to_string(i) + ", 1;\n";
    use += "add.u32 %v0, %v0, " + v + ";\n";
  }
  const std::string registers = ".reg .b32 %v<80>; .reg .b32 %s;\n";
  EXPECT_REPORT(reportOf(registers + source + define + use, 1024), resource, "a thread has 64", "");
  expectClean(registers + source + define + use, 256);
  expectClean(registers + "mov.u32 %s, %ctaid.x;\n" + define + use, 1024);
  expectClean(registers + "mov.u32 %v79, %tid.x;\nredux.sync.or.b32 %s, %v79, -1;\n" + define + use,
              1024);
}

TEST(Check, Trap) { EXPECT_REPORT(reportOf("trap;", 1), trap, "trapped", "trap"); }

TEST(Check, SharedMemoryOverTheLimit) {
  Machine machine(kernel("", ".extern .shared .align 16 .b8 dynamic[];"));
  machine.request.dynamicSharedBytes = 232449;
  LaunchResult result = machine.launch();
  ASSERT_FALSE(result.ok);
  EXPECT_EQ(name(result.reports[0].kind), std::string("resource"));
}

TEST(Check, OffMeansOnlyWhatHardwareStops) {
  Machine machine(kernel("add.u32 %r0, %r1, 1;\nld.shared.u32 %r2, [tile];", tile));
  machine.request.checks = false;
  EXPECT_TRUE(machine.launch().ok);
}

} // namespace
} // namespace trident::emu::test
