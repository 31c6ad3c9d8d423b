//===- UnusualTest.cpp - Legal kernels of which nothing is reported ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reports.h"

#include <algorithm>
#include <set>

namespace trident::emu::test {
namespace {

TEST(Unusual, LanesThatTakeALockOneAfterTheOther) {
  const std::string inside = "ld.global.u32 %r2, [%out+4]; add.u32 %r2, %r2, 1; "
                             "st.global.u32 [%out+4], %r2; membar.gl;\n"
                             "atom.global.exch.b32 %r3, [%out], 0;";
  expectClean("L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra L;\n" +
                  inside,
              64);
  expectClean("L: atom.global.cas.b32 %r1, [%out], 0, 1; setp.eq.u32 %p0, %r1, 0; @%p0 bra IN;\n"
              "nanosleep.u32 10; bra L;\nIN: " +
                  inside,
              64);
}

TEST(Unusual, ThreadsThatWaitForAFlagInGlobalMemory) {
  auto waiting = [](const std::string &who, const std::string &load, const std::string &store) {
    return who + " @%p0 bra OTHER;\nL: " + load +
           " %r1, [%out]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;\nbra DONE;\nOTHER: " + store +
           " [%out], 1;\nDONE:";
  };
  // Another lane, another warp, an earlier block.
  expectClean(waiting("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;", "ld.volatile.global.u32",
                      "st.volatile.global.u32"),
              32);
  expectClean(waiting("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32;", "ld.acquire.gpu.global.u32",
                      "st.release.gpu.global.u32"),
              64);
  expectClean(waiting("mov.u32 %r0, %ctaid.x; setp.eq.u32 %p0, %r0, 0;",
                      "ld.acquire.gpu.global.u32", "st.release.gpu.global.u32"),
              32, "", "", 2);
}

/// Thread 32 writes a word and a flag, thread 0 waits for the flag and reads the word.
std::string flagged(const std::string &store, const std::string &load) {
  return "mov.u32 %r0, %tid.x; setp.eq.u32 %p2, %r0, 0;\n@%p2 st.shared.u32 [tile], 0;\nbar.sync "
         "0;\n"
         "@%p2 bra WAIT; setp.ne.u32 %p3, %r0, 32; @%p3 bra DONE;\nst.shared.u32 [tile+4], 9;\n" +
         store + "\nbra DONE;\nWAIT: " + load +
         " setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;\nld.shared.u32 %r2, [tile+4];\nDONE:";
}

TEST(Unusual, FlagsInSharedMemory) {
  expectClean(
      flagged("st.release.cta.shared.u32 [tile], 1;", "ld.acquire.cta.shared.u32 %r1, [tile];"), 64,
      tile);
  expectClean(flagged("fence.acq_rel.cta; st.relaxed.cta.shared.u32 [tile], 1;",
                      "ld.relaxed.cta.shared.u32 %r1, [tile]; fence.acq_rel.cta;"),
              64, tile);
  expectClean(flagged("membar.cta; st.volatile.shared.u32 [tile], 1;",
                      "ld.volatile.shared.u32 %r1, [tile]; membar.cta;"),
              64, tile);
  expectClean(flagged("red.release.cta.shared.add.u32 [tile], 1;",
                      "atom.acquire.cta.shared.or.b32 %r1, [tile], 0;"),
              64, tile);
}

TEST(Unusual, FlagsThatOrderNothing) {
  const std::string acquire = "ld.acquire.cta.shared.u32 %r1, [tile];";
  auto expectRace = [](const std::string &body, const char *code) {
    Report report = reportOf(body, 64, tile, ReportKind::uninitializedShared);
    EXPECT_REPORT(report, race, "is not ordered before", code);
  };
  expectRace(flagged("st.relaxed.cta.shared.u32 [tile], 1;", acquire), "ld.shared.u32");
  expectRace(
      flagged("st.release.cta.shared.u32 [tile], 1;", "ld.relaxed.cta.shared.u32 %r1, [tile];"),
      "ld.shared.u32");
  expectRace(flagged("st.volatile.shared.u32 [tile], 1;", "ld.volatile.shared.u32 %r1, [tile];"),
             "ld.shared.u32");
  expectRace(flagged("st.shared.u32 [tile], 1;", acquire), "");
}

TEST(Unusual, TheLastToArriveReadsWhatAllWrote) {
  const std::string start = word + "setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.u32 [tile], 0;\n"
                                   "bar.sync 0; st.shared.u32 [%r1+16], %r0;\n";
  const std::string end = " %r3, [tile], 1; setp.ne.u32 %p1, %r3, 63; @%p1 bra DONE;\n"
                          "ld.shared.u32 %r4, [tile+16]; ld.shared.u32 %r5, [tile+264];\nDONE:";
  expectClean(start + "atom.acq_rel.cta.shared.add.u32" + end, 64, tile);
  expectClean(start + "fence.acq_rel.cta; atom.shared.add.u32 %r3, [tile], 1; fence.acq_rel.cta;\n"
                      "setp.ne.u32 %p1, %r3, 63; @%p1 bra DONE; ld.shared.u32 %r4, [tile+16];\n"
                      "ld.shared.u32 %r5, [tile+264];\nDONE:",
              64, tile);
  EXPECT_REPORT(reportOf(start + "atom.release.cta.shared.add.u32" + end, 64, tile), race,
                "is not ordered before", "ld.shared.u32");
}

TEST(Unusual, LanesThatArriveForAnotherOfTheirWarp) {
  expectClean("mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0;\n"
              "@!%p0 mbarrier.init.shared::cta.b64 [bar], 31;\nbar.sync 0;\n@%p0 bra OTHER;\n"
              "L: mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra L; bra DONE;\n"
              "OTHER: mbarrier.arrive.shared::cta.b64 _, [bar];\nDONE:",
              32, twoBarriers);
}

TEST(Unusual, MemoryOfAnMbarrierUsedAgain) {
  expectClean(
      "mbarrier.init.shared::cta.b64 [bar], 1;\n"
      "mbarrier.arrive.shared::cta.b64 %rd0, [bar];\nmbarrier.inval.shared::cta.b64 [bar];\n"
      "st.shared.u64 [bar], 5; ld.shared.u64 %rd1, [bar];\n"
      "mbarrier.init.shared::cta.b64 [bar], 2;",
      1, twoBarriers);
}

TEST(Unusual, ThreadsThatReadWhatABulkStoreReads) {
  expectClean("st.shared.v4.b32 [tile], {1, 2, 3, 4}; fence.proxy.async;\n"
              "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n"
              "cp.async.bulk.commit_group; ld.shared.u32 %r0, [tile];\n"
              "cp.async.bulk.wait_group.read 0; st.shared.u32 [tile], 1;",
              1, tile);
}

TEST(Unusual, WarpsAndLanesThatEndEarly) {
  expectClean("mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 64; @%p0 exit;\nbar.sync 0, 64;", 96);
  expectClean("mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 5; @%p0 exit;\nbar.sync 0;\n"
              "vote.sync.any.pred %p1, %p0, -1;",
              64);
  // The others of the warp arrived before, from another place.
  expectClean("mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 16; @%p0 bra A;\n"
              "setp.eq.u32 %p1, %r0, 20; @%p1 exit;\nbarrier.sync 0; bra DONE;\n"
              "A: barrier.sync 0;\nDONE:",
              64);
}

TEST(Unusual, LanesThatMeetFromSeveralPlaces) {
  const std::string start = word + "st.shared.u32 [%r1], %r0; and.b32 %r3, %r0, 3; "
                                   "setp.eq.u32 %p0, %r3, 0; setp.eq.u32 %p1, %r3, 1;\n";
  expectClean(start + "@%p0 bra A; @%p1 bra B; bar.warp.sync -1; bra MET;\n"
                      "A: bar.warp.sync -1; bra MET;\nB: bar.warp.sync -1;\n"
                      "MET: xor.b32 %r4, %r1, 12; ld.shared.u32 %r5, [%r4];",
              32, tile);
  // Two groups of lanes at once, each with its own mask, several times.
  expectClean(word + "setp.lt.u32 %p0, %r0, 16; selp.b32 %r6, 0xffff, 0xffff0000, %p0;\n"
                     "mov.u32 %r7, 0;\nLOOP: st.shared.u32 [%r1], %r0; bar.warp.sync %r6;\n"
                     "xor.b32 %r4, %r1, 32; ld.shared.u32 %r5, [%r4]; bar.warp.sync %r6;\n"
                     "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 4; @%p1 bra LOOP;",
              32, tile);
  EXPECT_REPORT(reportOf(word + "setp.lt.u32 %p0, %r0, 16; selp.b32 %r6, 0xffff, 0xffff0000, "
                                "%p0;\nst.shared.u32 [%r1], %r0; bar.warp.sync %r6;\n"
                                "xor.b32 %r4, %r1, 64; ld.shared.u32 %r5, [%r4];",
                         32, tile, ReportKind::uninitializedShared),
                race, "is not ordered before", "ld.shared.u32");
}

TEST(Unusual, RingOfCpAsyncOneGroupBehind) {
  expectClean(
      "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n"
      "mov.u32 %r9, 0; cp.async.cg.shared.global [%r1], [%in], 16; cp.async.commit_group;\n"
      "LOOP: xor.b32 %r3, %r1, 512; bar.sync 0; cp.async.cg.shared.global [%r3], [%in], 16;\n"
      "cp.async.commit_group; cp.async.wait_group 1; bar.sync 0; xor.b32 %r5, %r1, 16;\n"
      "ld.shared.u32 %r4, [%r5]; mov.u32 %r1, %r3; add.u32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, 6;\n"
      "@%p0 bra LOOP; cp.async.wait_all;",
      32, ".shared .align 1024 .b8 tile[1024];");
}

TEST(Unusual, HalvesAndPredicatesThatAreNotUsed) {
  expectClean("mov.u32 %r1, 5; mov.b64 %rd0, {%r1, %r1}; mov.b64 {%r2, _}, %rd0;", 1);
  expectClean("setp.eq.u32 %p0, 0, 0; @%p0 mov.u32 %r1, 3; add.u32 %r1, %r1, 1;", 1);
}

TEST(Unusual, TheWarpsPlaceIsNotItsNumber) {
  Machine machine(kernel("mov.u32 %r0, %warpid; mov.u32 %r1, %tid.x; mul.wide.u32 %rd0, %r1, 4;\n"
                         "add.u64 %rd0, %rd0, %out; st.global.u32 [%rd0], %r0;"));
  std::vector<uint32_t> in(4, 1), out(64, 99);
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).threads(64);
  ASSERT_TRUE(machine.launch().ok);
  EXPECT_NE(out[0], 0u);
  EXPECT_NE(out[0], out[32]);
  EXPECT_LT(std::max(out[0], out[32]), 64u);
}

/// The order in which 8 warps, each with a copy of its own to wait for, write their numbers.
std::vector<uint32_t> orderOf(uint64_t seed) {
  Machine machine(kernel(
      "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; setp.ne.u32 %p0, %r1, 0; @%p0 exit;\n"
      "shr.u32 %r0, %r0, 5; mov.u32 %r2, bars; mad.lo.u32 %r2, %r0, 8, %r2; mov.u32 %r3, tile;\n"
      "mad.lo.u32 %r3, %r0, 16, %r3; mbarrier.init.shared::cta.b64 [%r2], 1;\n"
      "fence.mbarrier_init.release.cluster;\n"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 16;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%in], 16, [%r2];\n"
      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra WAIT;\n"
      "atom.global.add.u32 %r4, [%out], 1; mul.wide.u32 %rd0, %r4, 4; add.u64 %rd0, %rd0, %out;\n"
      "st.global.u32 [%rd0+4], %r0;",
      ".shared .align 8 .b64 bars[8]; .shared .align 16 .b8 tile[128];"));
  std::vector<uint32_t> in(4, 1), out(9, 0);
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).threads(256);
  machine.request.seed = seed;
  LaunchResult result = machine.launch();
  EXPECT_TRUE(result.ok) << result.reports[0].str();
  return out;
}

TEST(Seeds, RepeatTheirOrderAndDifferFromEachOther) {
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<uint32_t> order = orderOf(seed);
    EXPECT_EQ(order, orderOf(seed)) << "seed " << seed;
    orders.insert(order);
  }
  EXPECT_GE(orders.size(), 8u);
}

} // namespace
} // namespace trident::emu::test
