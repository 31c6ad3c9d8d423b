//===- Tune.h - Which candidate schedule is fastest -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_TUNE_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_TUNE_H

#include "Bundle.h"
#include "Median.h"

#include <ostream>

namespace trident::bench {

struct TuneSettings {
  std::vector<Extents> calls; ///< that are timed
  std::map<std::string, double> scalars;
  int rounds = 12;       ///< interleaved measurements of each candidate
  double burstMs = 5;    ///< length of one
  double slowest = 1.15; ///< past this, of the best, after a third of the rounds: timed no more
  double splitGain = 3;  ///< percent by which two size classes must beat one schedule
};

/// Medians of one call, by candidate; absent for one that was dropped before.
struct TunedCall {
  Extents extents;
  std::vector<std::optional<Median>> times; ///< microseconds
};

/// A candidate for some of the sizes: those whose `dimension` is below or from `bound` on; all when
/// the dimension is empty.
struct TunedRow {
  std::string dimension;
  int64_t bound = 0;
  bool below = false;
  std::size_t candidate = 0;
};

struct TuneOutcome {
  std::vector<TunedCall> calls;
  /// Geometric mean of time / best time over the calls, by candidate; 0: dropped.
  std::vector<double> means;
  std::vector<TunedRow> rows;
  /// How much faster two size classes are than one schedule, in percent.
  double splitGain = 0;
};

/// Fills in `means`, `rows` and `splitGain` from the times of the calls: one row for all sizes, or
/// two where that is worth it; of all bounds on all dimensions that differ among the calls, the one
/// that gains most.
void chooseRows(const Bundle &bundle, double splitGain, TuneOutcome &outcome);

/// Checks every candidate, times those that are right, and chooses. A bar on `progress`.
TuneOutcome tune(Bundle &bundle, const TuneSettings &settings, std::ostream &progress);

/// What was found, for people.
std::string describeOutcome(const Bundle &bundle, const TuneOutcome &outcome);

/// The rows for a table of schedules.
std::string tableRows(const Bundle &bundle, const TuneOutcome &outcome);

/// Extents for the correctness of a bundle: a little more than whole tiles.
Extents smallExtents(const Bundle &bundle);

/// Compares the outputs of a call with float64, for kernels that the bench knows: `known` says
/// whether this is one. Empty when they are right, else what is wrong.
std::string compareWithReference(const Bundle &bundle, const BundleCall &call, bool &known);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_TUNE_H
