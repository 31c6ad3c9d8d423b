//===- Reports.h - Small kernels that must be reported, or must not ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_MACHINE_REPORTS_H
#define TRIDENT_TEST_EMULATOR_MACHINE_REPORTS_H

#include "Machine.h"

#include <gtest/gtest.h>

namespace trident::emu::test {

/// Runs `body` in kernel() on `threads` threads with one seed.
inline LaunchResult launchWithSeed(uint64_t seed, const std::string &body, uint32_t threads,
                                   const std::string &shared, const std::string &directives,
                                   uint32_t blocks) {
  Machine machine(kernel(body, shared, directives));
  std::vector<uint32_t> in(256, 1), out(256, 0);
  machine.pass(machine.memory.add(in))
      .pass(machine.memory.add(out))
      .threads(threads)
      .blocks(blocks);
  machine.request.seed = seed;
  return machine.launch();
}

/// Runs `body` in kernel() on `threads` threads with ten seeds and returns the first seed's report.
/// All must be of its kind, or of `other`: what a fault shows first may depend on whose turn it is.
inline Report reportOf(const std::string &body, uint32_t threads, const std::string &shared = "",
                       ReportKind other = ReportKind::badLaunch, const std::string &directives = "",
                       uint32_t blocks = 1) {
  Report first;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    LaunchResult result = launchWithSeed(seed, body, threads, shared, directives, blocks);
    if (result.ok) {
      ADD_FAILURE() << "no report with seed " << seed;
      return first;
    }
    if (seed == 0)
      first = result.reports[0];
    ReportKind kind = result.reports[0].kind;
    EXPECT_TRUE(kind == other || kind == first.kind || first.kind == other)
        << "seed " << seed << ": " << result.reports[0].str();
  }
  return first;
}

inline void expectClean(const std::string &body, uint32_t threads, const std::string &shared = "",
                        const std::string &directives = "", uint32_t blocks = 1) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    LaunchResult result = launchWithSeed(seed, body, threads, shared, directives, blocks);
    EXPECT_TRUE(result.ok) << "seed " << seed << ": " << result.reports[0].str();
  }
}

#define EXPECT_REPORT(report, expectedKind, words, code)                                           \
  do {                                                                                             \
    Report given = report;                                                                         \
    EXPECT_EQ(name(given.kind), std::string(name(ReportKind::expectedKind))) << given.str();       \
    EXPECT_NE(given.message.find(words), std::string::npos) << given.str();                        \
    EXPECT_NE(given.instruction.find(code), std::string::npos) << given.str();                     \
  } while (false)

inline const std::string tile = ".shared .align 128 .b8 tile[1024];";
inline const std::string twoBarriers =
    ".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[1024];";
/// %r0 thread, %r1 the address of the thread's word of `tile`.
inline const std::string word = "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; "
                                "add.u32 %r1, %r1, %r2;\n";

} // namespace trident::emu::test

#endif // TRIDENT_TEST_EMULATOR_MACHINE_REPORTS_H
