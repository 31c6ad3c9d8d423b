//===- Compiler.h - Text and options in, artifacts out ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The whole compiler as one function without side effects: it reads no file and no environment (but
// starts ptxas), and the same options give the same bytes.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_COMPILER_COMPILER_H
#define TRIDENT_COMPILER_COMPILER_H

#include "trident/Analysis/TileVisits.h"
#include "trident/Stages/Stages.h"
#include "trident/Target/PTX/AssembleCubin.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trident {

using NameAndValue = std::pair<std::string, std::string>;

struct CompileOptions {
  /// The text of the kernel, and what to call it in messages ("attention_fwd.mlir").
  std::string source;
  std::string sourceName;
  /// Functions of scores and masks in files of their own, name and text, in the order in which they
  /// are applied. What they take follows the kernel's arguments.
  std::vector<NameAndValue> scores, masks;
  /// A logit that joins the softmax, likewise.
  std::optional<NameAndValue> sink;
  /// Where the sequences of dimensions lie, likewise; each file has one function or more.
  std::vector<NameAndValue> sequences;

  bool appliesFunctions() const {
    return !scores.empty() || !masks.empty() || sink || !sequences.empty();
  }

  /// Names the generated function and files; the kernel's own name when empty.
  std::string name;

  std::vector<std::string> targets = {"sm_90a"};
  /// Parameters to set, with the values to compile: a variant for each combination. Those whose
  /// values go together are one name, "rows/cols", with values like "64/128"; where a value has
  /// fewer parts the last parameters keep their defaults.
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
  /// Fields of the schedule to override, in every variant.
  std::vector<NameAndValue> scheduleFields;
  /// Of each variant also a slower one, behind it, whose copies are by threads: it takes the calls
  /// whose tensors have strides or addresses that the fast one refuses.
  bool anyLayout = false;
  /// Tables of schedules, name and text: a row of theirs goes before those that are built in.
  std::vector<NameAndValue> scheduleTables;
  /// Sizes, by dimension or product of dimensions ("batch*heads"), whose schedule is taken for
  /// calls of all sizes.
  std::vector<std::pair<std::string, int64_t>> sizes;

  /// Count the tiles that loops visit in a call of these sizes, where i32 arguments and all
  /// elements of integer tensors have the values assumed.
  bool countTiles = false;
  std::vector<std::pair<std::string, int64_t>> assumed;

  /// The source is IR after this stage.
  Stage from = Stage::source;
  /// The stage to stop after, whose result is the artifact.
  Stage emit = Stage::launcher;

  /// The ptxas to run; when empty the launcher carries PTX only.
  std::string ptxas;
  /// Refuse code that spills, that ptxas warns about, or that takes more registers than a block
  /// has.
  bool strict = true;

  /// Threads that compile variants; 0: one for each processor. Of no effect on the result.
  unsigned jobs = 0;

  /// Recorded in the generated files: the command line, without paths of this machine.
  std::string command;

  /// Called after each variant with its label and how many are done, one call at a time.
  std::function<void(unsigned done, unsigned total, llvm::StringRef label)> progress;
};

/// What became of one variant, for people.
struct VariantReport {
  /// "head_dim=64 sm_90a".
  std::string label;
  std::string target;
  /// The calls that it is for, "seq_k < 2048"; empty: all.
  std::string sizes;
  /// The label of the variant that has the same schedule and was compiled for both; empty: none.
  std::string compiledAs;
  /// The schedule attribute as chosen; empty when the compilation stopped earlier.
  std::string schedule;
  /// It is not the tables', which spills with the functions that are applied.
  bool isLighter = false;
  /// Rows of the tables that would have been taken and do not fit beside the fields that override
  /// them; empty: none.
  std::string passedOver;
  /// The same as the object that a row of a table has.
  std::string scheduleObject;
  /// Dynamic shared memory of a block, and how much the target has; absent before the stage that
  /// decides it.
  std::optional<unsigned> sharedBytes;
  unsigned sharedLimit = 0;
  std::optional<PtxasReport> ptxas;
  std::size_t ptxBytes = 0;
  std::size_t cubinBytes = 0;
  /// What each loop over tiles does in a call of the sizes given; empty unless that was asked for.
  std::vector<TileVisits> visits;
  /// Stages in the order they ran, and milliseconds.
  std::vector<std::pair<Stage, double>> times;
};

struct Artifact {
  /// The file's name, relative to the folder of the outputs: "trident/launch.h". Empty for the one
  /// text or image that `emit` names before the stage `launcher`.
  std::string name;
  std::string bytes;
};

struct CompileResult {
  std::vector<Artifact> artifacts;
  std::vector<VariantReport> variants;
};

/// Compiles. Diagnostics with a place in the source go to `diagnostics`, each once; the error says
/// which variant failed at which stage.
llvm::Expected<CompileResult> compile(const CompileOptions &options,
                                      llvm::raw_ostream &diagnostics);

/// The report that `--explain` prints.
void explain(const CompileResult &result, llvm::raw_ostream &stream);

/// "trident-compile 0.1.0".
llvm::StringRef compilerVersion();

} // namespace trident

#endif // TRIDENT_COMPILER_COMPILER_H
