//===- attention_combos.cpp - Drawn kernels, drawn calls, against float64 -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each kernel is a combination of masks, scores, a sink, types, head sizes and sequences that
// draw_kernels.py drew; each call of it has heads, lengths, layouts and arguments of the functions
// drawn here. It runs twice on poisoned outputs and is compared with attention in float64.
//===----------------------------------------------------------------------===//
#include "ComboCall.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

using namespace trident::test;

namespace {
struct Options {
  uint64_t seed = 1;
  int64_t calls = 4, only = -1; ///< calls of each kernel, or the one of this number
  ComboSize size = ComboSize::small;
  std::vector<std::string> kernels;
  std::string standIn, part = "1/1", after;
  bool verbose = false;
};

Options parse(int argc, char **argv) {
  Options options;
  bool large = false;
  CLI::App app("Drawn kernels with functions of scores and masks, against float64");
  app.add_option("--seed", options.seed, "Seed of the calls")->capture_default_str();
  app.add_option("--calls", options.calls, "Calls of each kernel")->capture_default_str();
  app.add_flag("--large", large, "Calls of up to some thousand rows, for a GPU");
  app.add_option("--kernel", options.kernels, "Only these kernels");
  app.add_option("--call", options.only, "Only the call of this number, which a failure printed");
  app.add_option("--part", options.part, "I/N: the I-th of N shares of the kernels")
      ->capture_default_str();
  app.add_option("--after", options.after,
                 "Only the kernels after this one, which lost the context");
  app.add_option("--stand-in", options.standIn, "The driver library to use without a GPU");
  app.add_flag("--verbose", options.verbose, "A line for each call");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    std::exit(app.exit(error));
  }
  options.size = large ? ComboSize::large : ComboSize::small;
  return options;
}

/// The kernels that were asked for, in the order of their names.
std::vector<ComboKernel> chooseKernels(const Options &options) {
  std::vector<ComboKernel> all = comboKernels(), chosen;
  std::sort(all.begin(), all.end(),
            [](const ComboKernel &a, const ComboKernel &b) { return a.name < b.name; });
  std::size_t slash = options.part.find('/');
  std::size_t share = std::stoul(options.part), shares = std::stoul(options.part.substr(slash + 1));
  if (slash == std::string::npos || share == 0 || share > shares)
    throw std::invalid_argument("--part " + options.part + ": expected I/N with I from 1 to N");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<std::string> &names = options.kernels;
    bool named = names.empty() || std::count(names.begin(), names.end(), all[i].name);
    if (named && all[i].name > options.after && i % shares == share - 1)
      chosen.push_back(all[i]);
  }
  return chosen;
}

struct Results {
  int64_t passed = 0, refused = 0;
  double worstRatio = 0, worstLse = 0;
  std::string worst;
  std::vector<std::string> failures;
};

void runCall(const ComboKernel &kernel, int64_t index, const Options &options, Results &results) {
  std::string command = "attention_combos --seed " + std::to_string(options.seed) + " --kernel " +
                        kernel.name + " --call " + std::to_string(index) +
                        (options.size == ComboSize::large ? " --large" : "");
  try {
    ComboResult result =
        checkCombo(kernel, options.seed, static_cast<uint64_t>(index), options.size);
    const Comparison &comparison = result.comparison;
    ++results.passed;
    results.worstLse = std::max(results.worstLse, comparison.lseExcess);
    if (comparison.budgetRatio() > results.worstRatio) {
      results.worstRatio = comparison.budgetRatio();
      results.worst = command;
    }
    if (options.verbose)
      std::printf("ok %.3f of the budget, LSE %.3f: %s\n    %s\n    %s\n", comparison.budgetRatio(),
                  comparison.lseExcess, command.c_str(), kernel.arguments.c_str(),
                  result.call.c_str());
  } catch (const DriverError &) {
    std::printf("FAILED %s\n    %s\n", command.c_str(), kernel.arguments.c_str());
    throw; // the context is lost, later calls would fail for that alone
  } catch (const std::exception &failure) {
    results.failures.push_back(command + "\n    " + kernel.arguments + "\n    " + failure.what());
    std::printf("FAILED %s\n", results.failures.back().c_str());
  }
  std::fflush(stdout);
}

int run(const Options &options) {
  std::vector<ComboKernel> kernels = chooseKernels(options);
  RunOptions library;
  library.standIn = options.standIn;
  if (!openDriverOrSkip(library, "attention_combos", kernels.size()))
    return skippedStatus;
  Context context;
  Results results;
  auto start = std::chrono::steady_clock::now();
  for (const ComboKernel &kernel : kernels) {
    if (!kernel.call) {
      ++results.refused;
      std::printf("REFUSED by the compiler: %s %s\n    %s\n", kernel.name.c_str(),
                  kernel.arguments.c_str(), kernel.refused.c_str());
      continue;
    }
    for (int64_t i = 0; i < options.calls; ++i)
      if (options.only < 0 || i == options.only)
        runCall(kernel, i, options, results);
    if (options.only >= options.calls)
      runCall(kernel, options.only, options, results);
  }
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("nearest to its budget (%.3f): %s\nLSE at most %.3f of its bound\n",
              results.worstRatio, results.worst.c_str(), results.worstLse);
  std::printf("attention_combos: %lld passed, %zu failed, %lld kernels of %zu refused by the "
              "compiler, in %.1f s\n",
              static_cast<long long>(results.passed), results.failures.size(),
              static_cast<long long>(results.refused), kernels.size(), seconds.count());
  for (const std::string &failure : results.failures)
    std::printf("failed: %s\n", failure.c_str());
  return results.failures.empty() && results.refused == 0 && !kernels.empty() ? 0 : 1;
}
} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  try {
    return run(options);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "attention_combos: %s\n", failure.what());
    return 1;
  }
}
