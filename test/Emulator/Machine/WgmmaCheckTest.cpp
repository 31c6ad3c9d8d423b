//===- WgmmaCheckTest.cpp - What is reported of wgmma ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reports.h"

namespace trident::emu::test {
namespace {

const std::string operands = ".shared .align 1024 .b8 tile[16384];";

/// Each thread fills its 128 bytes of `tile`; %r2 is the tile, %r1 the thread's part.
std::string fill(const std::string &fence = "fence.proxy.async.shared::cta;\n") {
  std::string text = "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 7; mov.u32 %r2, tile; "
                     "add.u32 %r1, %r1, %r2;\n";
  for (unsigned i = 0; i < 8; ++i)
    text += "st.shared.v4.b32 [%r1+" + std::to_string(16 * i) + "], {0, 0, 0, 0};\n";
  return text + fence + "bar.sync 0;\n";
}

/// %rd0: both operands, rows of 128 bytes with the 128-byte swizzle; accumulators %f0 to %f7.
const std::string descriptor = "shr.u32 %r3, %r2, 4; cvt.u64.u32 %rd0, %r3; or.b64 %rd0, %rd0, "
                               "0x4000004000010000; setp.eq.u32 %p0, 0, 0;\n"
                               "mov.b32 %f0, 0; mov.b32 %f1, 0; mov.b32 %f2, 0; mov.b32 %f3, 0;\n"
                               "mov.b32 %f4, 0; mov.b32 %f5, 0; mov.b32 %f6, 0; mov.b32 %f7, 0;\n";
const std::string fence = "wgmma.fence.sync.aligned;\n";

std::string mma(unsigned first = 0, const std::string &a = "%rd0", const std::string &b = "%rd0") {
  std::string list;
  for (unsigned i = 0; i < 4; ++i)
    list += (i ? ", %f" : "%f") + std::to_string(first + i);
  return "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {" + list + "}, " + a + ", " + b +
         ", %p0, 1, 1, " + (a[0] == '{' ? "0;\n" : "0, 0;\n");
}
const std::string commit = "wgmma.commit_group.sync.aligned;\n";
std::string wait(unsigned groups = 0) {
  return "wgmma.wait_group.sync.aligned " + std::to_string(groups) + ";\n";
}
const std::string use = "add.f32 %f9, %f0, %f1;\n";

Report wgmmaReport(const std::string &body, ReportKind other = ReportKind::badLaunch) {
  return reportOf(body, 128, operands, other);
}
void wgmmaClean(const std::string &body) { expectClean(body, 128, operands); }

TEST(WgmmaCheck, RightOnesAreClean) {
  wgmmaClean(fill() + descriptor + fence + mma() + commit + wait() + use);
  // Products of the same accumulators need no fence and no wait between them.
  wgmmaClean(fill() + descriptor + fence + mma() + mma() + commit + mma() + commit + wait() + use);
  // One group behind: the first group's accumulators are free, the second's are not touched.
  wgmmaClean(fill() + descriptor + fence + mma(0) + commit + mma(4) + commit + wait(1) + use +
             wait());
  // What wgmma has read is written again after the wait, and read again after a fence.
  wgmmaClean(fill() + descriptor + fence + mma() + commit + wait() +
             "bar.sync 0; st.shared.b32 [%r1], 0; fence.proxy.async.shared::cta; bar.sync 0;\n" +
             fence + mma() + commit + wait());
}

TEST(WgmmaCheck, AccumulatorsBeforeTheWait) {
  const std::string start = fill() + descriptor + fence + mma() + commit;
  EXPECT_REPORT(wgmmaReport(start + use + wait()), asyncRegister, "%f0", "add.f32");
  EXPECT_REPORT(wgmmaReport(start + "mov.b32 %f2, 0;\n" + wait()), asyncRegister, "%f2", "mov.b32");
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + fence + mma(0) + commit + mma(4) + commit +
                            wait(1) + "add.f32 %f9, %f4, %f0;\n" + wait()),
                asyncRegister, "%f4", "add.f32");
}

TEST(WgmmaCheck, AWaitWithoutACommitWaitsForNothing) {
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + fence + mma() + wait() + use + commit + wait()),
                asyncRegister, "%f0", "add.f32");
}

TEST(WgmmaCheck, FenceMissingOrTooEarly) {
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + mma() + commit + wait()), asyncRegister,
                "wgmma.fence", "wgmma.mma_async");
  EXPECT_REPORT(
      wgmmaReport(fill() + descriptor + fence + "mov.b32 %f1, 0;\n" + mma() + commit + wait()),
      asyncRegister, "%f1 was accessed after the last wgmma.fence", "wgmma.mma_async");
}

TEST(WgmmaCheck, OperandInRegistersOverwritten) {
  const std::string start = fill() + descriptor +
                            "mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b32 %r7, 0;\n" +
                            fence + mma(0, "{%r4, %r5, %r6, %r7}") + commit;
  EXPECT_REPORT(wgmmaReport(start + "mov.b32 %r6, 1;\n" + wait()), asyncRegister, "%r6", "mov.b32");
  wgmmaClean(start + "add.u32 %r8, %r6, 1;\n" + wait() + "mov.b32 %r6, 1;\n");
}

TEST(WgmmaCheck, OperandInSharedMemoryOverwritten) {
  Report report = wgmmaReport(fill() + descriptor + fence + mma() + commit +
                              "st.shared.b32 [%r1], 1;\n" + wait());
  EXPECT_REPORT(report, race, "a wgmma of warp", "st.shared.b32");
}

TEST(WgmmaCheck, OperandsWithoutAProxyFence) {
  EXPECT_REPORT(wgmmaReport(fill("") + descriptor + fence + mma() + commit + wait()), proxyFence,
                "without fence.proxy.async", "wgmma.mma_async");
  EXPECT_REPORT(wgmmaReport(fill("fence.proxy.async.global;\n") + descriptor + fence + mma() +
                            commit + wait()),
                proxyFence, "without fence.proxy.async", "wgmma.mma_async");
}

TEST(WgmmaCheck, OperandsNeverWrittenOrOutside) {
  EXPECT_REPORT(wgmmaReport("mov.u32 %r2, tile;\n" + descriptor + fence + mma() + commit + wait()),
                uninitializedShared, "never written", "wgmma.mma_async");
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + "add.u64 %rd1, %rd0, 1000;\n" + fence +
                            mma(0, "%rd0", "%rd1") + commit + wait()),
                outOfBounds, "operand B reads 16 bytes", "wgmma.mma_async");
}

TEST(WgmmaCheck, DescriptorsThatHardwareDoesNotKnow) {
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + "or.b64 %rd1, %rd0, 0x8000;\n" + fence +
                            mma(0, "%rd0", "%rd1") + commit + wait()),
                badOperand, "reserved bits", "wgmma.mma_async");
  EXPECT_REPORT(wgmmaReport(fill() + descriptor +
                            "cvt.u64.u32 %rd1, %r0; add.u64 %rd1, %rd0, "
                            "%rd1;\n" +
                            fence + mma(0, "%rd0", "%rd1") + commit + wait()),
                badOperand, "differs between lanes", "wgmma.mma_async");
}

TEST(WgmmaCheck, WarpsThatDisagree) {
  EXPECT_REPORT(wgmmaReport(fill() + descriptor +
                            "shr.u32 %r4, %r0, 5; shl.b32 %r4, %r4, 6; cvt.u64.u32 %rd1, %r4; "
                            "add.u64 %rd1, %rd0, %rd1;\n" +
                            fence + mma(0, "%rd0", "%rd1") + commit + wait()),
                divergence, "differ from another warp's", "wgmma.mma_async");
  Report report = wgmmaReport(fill() + descriptor + "setp.ge.u32 %p1, %r0, 96; @%p1 bra DONE;\n" +
                              fence + mma() + commit + wait() + "DONE:");
  EXPECT_REPORT(report, deadlock, "is not issued by warps 3", "wgmma.wait_group");
}

TEST(WgmmaCheck, BlockOfTwoWarps) {
  EXPECT_REPORT(reportOf("wgmma.fence.sync.aligned;", 64), divergence, "64 threads", "wgmma.fence");
}

TEST(WgmmaCheck, KernelThatEndsBeforeTheWait) {
  EXPECT_REPORT(wgmmaReport(fill() + descriptor + fence + mma() + commit), asyncRegister,
                "is in flight: expected wgmma.wait_group", "ret");
}

} // namespace
} // namespace trident::emu::test
