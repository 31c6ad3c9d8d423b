//===- attention_cases.cpp - Random legal calls, against float64 ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Draws calls from the lists of docs/Testing.md: the same ones every time from the recorded seed,
// and others from a fresh seed that is printed. Each runs twice on poisoned outputs and is compared
// with attention in float64.
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <random>

using namespace trident::test;

namespace {
constexpr uint64_t recordedSeed = 20261130;

struct Options {
  uint64_t seed = recordedSeed, freshSeed = 0;
  int64_t count = -1, freshCount = -1; ///< by default what the machine does in a few minutes
  int64_t smallCount = 0;              ///< if any, these instead of the others
  CaseLimits limits;
  std::string standIn, only;
  bool verbose = false;
};

/// What the closing table says of a kind of case.
struct Row {
  int64_t cases = 0, failed = 0;
  double worstRatio = 0, worstRms = 0, worstLse = 0;
  std::string worst;
};

struct Table {
  std::map<std::string, Row> rows;
  std::vector<std::string> failures;

  void add(const AttentionCase &shape, const Comparison &comparison) {
    auto update = [&](Row &row) {
      ++row.cases;
      row.worstRms = std::max(row.worstRms, comparison.rms());
      row.worstLse = std::max(row.worstLse, comparison.lseExcess);
      if (comparison.budgetRatio() >= row.worstRatio) {
        row.worstRatio = comparison.budgetRatio();
        row.worst = shape.text();
      }
    };
    update(rows[kind(shape)]);
    update(rows["all"]);
  }

  void fail(const AttentionCase &shape, const std::string &why) {
    for (const std::string &name : {kind(shape), std::string("all")}) {
      ++rows[name].cases;
      ++rows[name].failed;
    }
    failures.push_back("attention_cases --case '" + shape.text() + "'\n    " + why);
    std::printf("FAILED %s\n", failures.back().c_str());
  }

  static std::string kind(const AttentionCase &shape) {
    return std::string(shape.element == Element::bf16 ? "bf16" : "f16 ") + " head_dim " +
           std::to_string(shape.headDim);
  }

  void print() const {
    std::printf("\n%-20s %6s %7s %16s %12s %14s\n", "kind", "cases", "failed", "error / budget",
                "worst RMS", "LSE / bound");
    for (const auto &[name, row] : rows)
      std::printf("%-20s %6lld %7lld %16.3f %12.3g %14.3f\n", name.c_str(),
                  static_cast<long long>(row.cases), static_cast<long long>(row.failed),
                  row.worstRatio, row.worstRms, row.worstLse);
    auto all = rows.find("all");
    if (all != rows.end())
      std::printf("nearest to its budget: %s\n", all->second.worst.c_str());
  }
};

void runOne(const AttentionCase &shape, const Options &options, Table &table) {
  try {
    Comparison comparison = checkCase(shape);
    table.add(shape, comparison);
    if (options.verbose)
      std::printf("ok %.3f of the budget, RMS %.3g: %s\n", comparison.budgetRatio(),
                  comparison.rms(), shape.text().c_str());
  } catch (const DriverError &) {
    std::printf("FAILED attention_cases --case '%s'\n", shape.text().c_str());
    throw; // the context is lost, later cases would fail for that alone
  } catch (const std::runtime_error &failure) {
    table.fail(shape, failure.what());
  }
  std::fflush(stdout);
}

Options parse(int argc, char **argv) {
  Options options;
  std::vector<std::string> elements;
  CLI::App app("Random legal calls of the generated attention function, against float64");
  app.add_option("--seed", options.seed, "Seed of the recorded cases")->capture_default_str();
  app.add_option("--count", options.count, "Number of recorded cases (300; on the stand-in 60)");
  app.add_option("--fresh-seed", options.freshSeed, "Seed of the fresh cases (default: random)");
  app.add_option("--fresh-count", options.freshCount,
                 "Number of fresh cases (60; on the stand-in 10)");
  app.add_option("--small", options.smallCount,
                 "Only this many small cases of --seed, all variants in turn, empty inputs too");
  app.add_option("--max-work", options.limits.maxWork,
                 "Most multiply-adds of a case: batch x heads x seq_q x seq_k x head_dim");
  app.add_option("--dtype", elements, "Only these element types")
      ->delimiter(',')
      ->check(CLI::IsMember({"bf16", "f16"}));
  app.add_option("--head-dim", options.limits.headDims, "Only these head sizes")->delimiter(',');
  app.add_option("--case", options.only, "Run this one case: the text a failure printed");
  app.add_option("--stand-in", options.standIn, "The driver library to use without a GPU");
  app.add_flag("--verbose", options.verbose, "A line for each case");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    std::exit(app.exit(error));
  }
  for (const std::string &name : elements)
    options.limits.elements.push_back(name == "bf16" ? Element::bf16 : Element::f16);
  if (options.freshSeed == 0)
    options.freshSeed = std::random_device()();
  return options;
}

/// Fills in what the command line left open; the stand-in gets fewer and smaller cases.
void setDefaults(Options &options) {
  bool slow = driverIsStandIn();
  if (options.smallCount) {
    options.count = options.smallCount;
    options.freshCount = 0;
  }
  if (options.count < 0)
    options.count = slow ? 60 : 300;
  if (options.freshCount < 0)
    options.freshCount = slow ? 10 : 60;
  if (options.limits.maxWork == 0 && slow)
    options.limits.maxWork = 100'000'000;
}

int run(Options options) {
  RunOptions library;
  library.standIn = options.standIn;
  if (!openDriverOrSkip(library, "attention_cases", options.only.empty() ? 300 : 1))
    return skippedStatus;
  setDefaults(options);
  int64_t count = options.only.empty() ? options.count + options.freshCount : 1;
  Context context;
  Table table;
  auto start = std::chrono::steady_clock::now();
  if (!options.only.empty()) {
    runOne(AttentionCase::parse(options.only), options, table);
  } else {
    std::printf(
        "%lld cases of seed %llu, %lld of fresh seed %llu\n", static_cast<long long>(options.count),
        static_cast<unsigned long long>(options.seed), static_cast<long long>(options.freshCount),
        static_cast<unsigned long long>(options.freshSeed));
    for (int64_t i = 0; i < count; ++i) {
      bool fresh = i >= options.count;
      uint64_t seed = fresh ? options.freshSeed : options.seed;
      auto index = static_cast<uint64_t>(i);
      runOne(options.smallCount ? drawSmallCase(seed, index)
                                : drawCase(seed, index, options.limits),
             options, table);
    }
  }
  table.print();
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("attention_cases: %lld passed, %zu failed, 0 skipped, of %lld, in %.1f s\n",
              static_cast<long long>(count) - static_cast<long long>(table.failures.size()),
              table.failures.size(), static_cast<long long>(count), seconds.count());
  for (const std::string &failure : table.failures)
    std::printf("failed: %s\n", failure.c_str());
  return table.failures.empty() ? 0 : 1;
}
} // namespace

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  try {
    return run(options);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "attention_cases: %s\n", failure.what());
    return 1;
  }
}
