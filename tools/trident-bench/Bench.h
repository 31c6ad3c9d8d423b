//===- Bench.h - Measures calls of the generated attention function -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_BENCH_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_BENCH_H

#include "Median.h"
#include "Numbers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trident::bench {

/// How Q, K, V and O lie in memory, outermost dimension first.
enum class Layout { bshd, bhsd, sbhd };

/// Elements of a row of Q and K, and of V and O.
struct HeadDims {
  int64_t keys = 128, values = 128;

  /// "128", or "192/128" where they differ.
  std::string text() const;
  /// Reads `text()`; throws on anything else.
  static HeadDims parse(const std::string &text);
  bool operator==(const HeadDims &other) const {
    return keys == other.keys && values == other.values;
  }
  bool operator<(const HeadDims &other) const {
    return std::pair(keys, values) < std::pair(other.keys, other.values);
  }
};

/// One call to be measured.
struct Cell {
  host::Element element = host::Element::bf16;
  HeadDims headDims;
  int64_t batch = 1, heads = 16, kvHeads = 16, seqQ = 1024, seqK = 1024;
  std::string causal = "none";
  Layout layout = Layout::bshd;
  bool lse = false;

  std::string name() const;
  /// 2 batch heads seq_q seq_k (head_dim + head_dim_v), half of it with a causal mask.
  double operations() const;
};

struct Settings {
  int warmUp = 5;        ///< calls before any is timed
  int rounds = 30;       ///< measurements that a median is taken of
  double burstMs = 20;   ///< length of a back-to-back burst
  int callsInGraph = 20; ///< calls that a replayed graph holds
};

/// Times in microseconds; a part that was not asked for, or does not work here, is absent.
struct Measurement {
  Cell cell;
  std::optional<Median> flushed;    ///< one call, the L2 cache written over before it
  std::optional<Median> backToBack; ///< one call of a burst without gaps
  std::optional<Median> graph;      ///< one call of a replayed graph
  std::optional<Median> hostCall;   ///< host time of a call: checks, tensor maps and launch
  std::optional<Median> hostBare;   ///< host time of a cuLaunchKernelEx of an empty kernel
  std::string problem;              ///< why the cell was not measured
};

struct Modes {
  bool flushed = true, backToBack = true, graph = true, host = true;
};

/// Measures one cell in the current context.
Measurement measure(const Cell &cell, const Modes &modes, const Settings &settings);

/// A line for each cell, times in microseconds.
std::string table(const std::vector<Measurement> &results);

/// Everything, with what is needed to run it again.
std::string json(const std::vector<Measurement> &results, const std::string &device,
                 const std::string &command);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_BENCH_H
