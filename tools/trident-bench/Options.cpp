//===- Options.cpp - The command line of the bench ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Options.h"

#include <algorithm>

namespace trident::bench {

void addOptions(CLI::App &app, Options &o) {
  auto list = [&](const char *name, auto &values, const char *help) {
    return app.add_option(name, values, help)->delimiter(',')->capture_default_str();
  };
  list("--head-dim", o.headDims, "Head sizes");
  list("--seq", o.lengths, "Lengths of queries, and of keys unless --seq-k says otherwise");
  list("--causal", o.causal, "Masks")->check(CLI::IsMember({"none", "top_left", "bottom_right"}));
  list("--dtype", o.types, "Element types")->check(CLI::IsMember({"bf16", "f16"}));
  list("--layout", o.layouts, "Layouts")->check(CLI::IsMember({"bshd", "bhsd", "sbhd"}));
  list("--mode", o.modes, "What is measured")
      ->check(CLI::IsMember({"flushed", "back-to-back", "graph", "host"}));
  app.add_option("--seq-k", o.keys, "Length of keys");
  app.add_option("--batch", o.batch, "Batches (default: 16384 tokens in all)");
  app.add_option("--heads", o.heads, "Query heads (default: 2048 / head_dim)");
  app.add_option("--kv-heads", o.kvHeads, "Key heads (default: as many as query heads)");
  app.add_flag("--lse", o.lse, "Ask for LSE as well");
  app.add_option("--warm-up", o.settings.warmUp, "Calls before any is timed")
      ->capture_default_str();
  app.add_option("--rounds", o.settings.rounds, "Measurements that a median is taken of")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--json", o.jsonPath, "Write everything to this file");
}

std::vector<Cell> cellsOf(const Options &o) {
  std::vector<Cell> cells;
  for (const std::string &type : o.types)
    for (const std::string &layout : o.layouts)
      for (int64_t headDim : o.headDims)
        for (int64_t length : o.lengths)
          for (const std::string &causal : o.causal) {
            Cell cell;
            cell.element = type == "bf16" ? host::Element::bf16 : host::Element::f16;
            cell.layout = layout == "bshd"   ? Layout::bshd
                          : layout == "bhsd" ? Layout::bhsd
                                             : Layout::sbhd;
            cell.headDim = headDim;
            cell.causal = causal;
            cell.seqQ = length;
            cell.seqK = o.keys ? o.keys : length;
            cell.batch = o.batch ? o.batch : std::max<int64_t>(1, 16384 / length);
            cell.heads = o.heads ? o.heads : std::max<int64_t>(1, 2048 / headDim);
            cell.kvHeads = o.kvHeads ? o.kvHeads : cell.heads;
            cell.lse = o.lse;
            cells.push_back(cell);
          }
  return cells;
}

Modes modesOf(const Options &o) {
  auto asked = [&](const char *mode) {
    return std::find(o.modes.begin(), o.modes.end(), mode) != o.modes.end();
  };
  return {asked("flushed"), asked("back-to-back"), asked("graph"), asked("host")};
}

} // namespace trident::bench
