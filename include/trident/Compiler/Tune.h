//===- Tune.h - Candidate schedules of one kernel, compiled ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A bundle of candidates is measured where there is a GPU and no compiler (trident-bench --tune):
// tune.json says how each is launched, and beside it lie the images.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_COMPILER_TUNE_H
#define TRIDENT_COMPILER_TUNE_H

#include "trident/Compiler/Compiler.h"

namespace trident {

/// A field of the schedule and the values that it is tried with.
using TunedField = std::pair<std::string, std::vector<std::string>>;

struct TuneOptions {
  /// For one target and one value of each parameter. `scheduleFields` hold in every candidate.
  CompileOptions compile;
  /// Instead of what the grid has for these fields.
  std::vector<TunedField> fields;
};

/// A candidate that is not in the bundle.
struct DroppedCandidate {
  std::string schedule;
  std::string reason;
};

struct TuneResult {
  /// tune.json, and the images that it names.
  std::vector<Artifact> artifacts;
  std::size_t candidates = 0;
  std::vector<DroppedCandidate> dropped;
};

/// Compiles a grid of schedules: those that the target cannot hold, that spill, or whose matrix
/// instructions ptxas runs one after another are dropped. The first candidate is the schedule that
/// the kernel has without tuning.
llvm::Expected<TuneResult> compileCandidates(const TuneOptions &options,
                                             llvm::raw_ostream &diagnostics);

} // namespace trident

#endif // TRIDENT_COMPILER_TUNE_H
