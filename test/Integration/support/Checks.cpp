//===- Checks.cpp - A list of named tests and their closing lines ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Driver.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace trident::test {

using namespace host;

std::vector<NamedTest> &namedTests() {
  static std::vector<NamedTest> tests;
  return tests;
}

RunOptions parseRunOptions(int argc, char **argv) {
  RunOptions options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--list")
      options.list = true;
    else if (argument == "--stand-in" && i + 1 < argc)
      options.standIn = argv[++i];
    else if (argument == "--filter" && i + 1 < argc)
      options.filter = argv[++i];
    else if (argument == "--test" && i + 1 < argc)
      options.test = argv[++i];
    else {
      std::fprintf(stderr,
                   "usage: %s [--list] [--filter TEXT] [--test NAME] [--stand-in LIBRARY]\n",
                   argv[0]);
      std::exit(2);
    }
  }
  return options;
}

bool openDriverOrSkip(const RunOptions &options, const std::string &program, std::size_t count) {
  if (auto problem = openDriver(options.standIn)) {
    std::printf("SKIPPED %zu tests of %s: no driver and no stand-in: %s\n", count, program.c_str(),
                problem->c_str());
    return false;
  }
  std::printf("%s: on %s%s\n", program.c_str(), driverDescription().c_str(),
              driverIsStandIn() ? ", the stand-in that runs PTX on the CPU" : "");
  return true;
}

int runNamedTests(const std::string &program, const RunOptions &options) {
  std::vector<NamedTest> chosen;
  for (const NamedTest &test : namedTests())
    if (options.test.empty() ? std::string(test.name).find(options.filter) != std::string::npos
                             : options.test == test.name)
      chosen.push_back(test);
  if (options.list || chosen.empty()) {
    for (const NamedTest &test : chosen)
      std::puts(test.name);
    return options.list ? 0 : 2;
  }
  if (!openDriverOrSkip(options, program, chosen.size())) {
    for (const NamedTest &test : chosen)
      std::printf("SKIPPED %s\n", test.name);
    return skippedStatus;
  }
  std::size_t passed = 0, skipped = 0;
  std::vector<std::string> failures;
  for (const NamedTest &test : chosen) {
    auto start = std::chrono::steady_clock::now();
    std::string outcome = "ok";
    try {
      test.body();
      ++passed;
    } catch (const Skip &skip) {
      ++skipped;
      outcome = std::string("SKIPPED: ") + skip.what();
    } catch (const std::exception &failure) {
      outcome = std::string("FAILED: ") + failure.what();
      failures.emplace_back(test.name);
    }
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%-60s %7.2f s  %s\n", test.name, seconds.count(), outcome.c_str());
    std::fflush(stdout);
  }
  std::printf("%s: %zu passed, %zu failed, %zu skipped, of %zu\n", program.c_str(), passed,
              failures.size(), skipped, chosen.size());
  for (const std::string &name : failures)
    std::printf("failed: %s --test %s\n", program.c_str(), name.c_str());
  return failures.empty() ? 0 : 1;
}

} // namespace trident::test
