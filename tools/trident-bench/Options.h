//===- Options.h - The command line of the bench --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_OPTIONS_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_OPTIONS_H

#include "Bench.h"
#include "Page.h"
#include "Tune.h"

#include <CLI/CLI.hpp>

namespace trident::bench {

/// What the command line may say; zero means the default that the help states.
struct Options {
  std::vector<std::string> headDims{"64", "128", "256"};
  std::vector<int64_t> lengths{512, 1024, 2048, 4096, 8192, 16384};
  std::vector<std::string> causal{"none", "bottom_right"}, types{"bf16"}, layouts{"bshd"};
  std::vector<std::string> modes{"flushed", "back-to-back", "graph", "host"};
  int64_t batch = 0, heads = 0, kvHeads = 0, keys = 0;
  bool lse = false;
  std::string jsonPath;
  Settings settings;

  std::string pagePath, peersPath, yardstick;
  Ceilings ceilings;
  bool measure = true;

  std::string bundle, rowsPath;            ///< --tune DIR, --rows FILE
  std::vector<std::string> calls, scalars; ///< --at, --scalar
  TuneSettings tuning;
};

void addOptions(CLI::App &app, Options &o);

/// Every combination of the lists.
std::vector<Cell> cellsOf(const Options &o);

/// The calls that candidates are timed on: those of --at, else what the lists give for a kernel
/// whose dimensions are those of attention.
TuneSettings tuningOf(const Options &o, const Bundle &bundle);

/// What the page shows: the peers of --peers and what was measured.
PageData pageOf(const Options &o, const std::vector<Measurement> &results);

Modes modesOf(const Options &o);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_OPTIONS_H
