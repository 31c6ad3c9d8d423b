//===- Stages.h - The road of a kernel, stage by stage ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_STAGES_STAGES_H
#define TRIDENT_STAGES_STAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace trident {

/// In the order in which a kernel goes through them. `--emit`, the folders of the tests and the
/// documentation use these names.
enum class Stage {
  source,
  specialize,
  schedule,
  tile,
  place,
  pipeline,
  nvvm,
  ptx,
  cubin,
  launcher
};

llvm::ArrayRef<Stage> allStages();

/// "specialize".
llvm::StringRef stageName(Stage stage);
std::optional<Stage> findStage(llvm::StringRef name);

/// One sentence: what is true of a kernel after the stage.
llvm::StringRef stagePromise(Stage stage);

/// The names of the passes of a stage that works on IR, in order; none for the others.
llvm::ArrayRef<llvm::StringLiteral> stagePasses(Stage stage);

/// What the passes are told.
struct StageOptions {
  std::string target = "sm_90a";
  /// Parameters of the kernel to choose; the others take their defaults.
  std::vector<std::pair<std::string, std::string>> parameters;
  /// Fields of the schedule to override.
  std::vector<std::pair<std::string, std::string>> scheduleFields;
  /// Whether the other fields come from the built-in tables; `scheduleFields` are complete if not.
  bool scheduleTables = true;
};

/// The passes of a stage with their options as text,
/// "trident.kernel(trident-specialize{set=head_dim=64})"; empty for a stage without passes.
std::string stagePipeline(Stage stage, const StageOptions &options);

/// Runs the passes of a stage, then checks its promise. Errors are diagnostics of the context.
llvm::LogicalResult runStage(Stage stage, mlir::ModuleOp module, const StageOptions &options);

/// Checks that `module` is as the stage and those before it promise. Errors are diagnostics.
llvm::LogicalResult verifyStage(Stage stage, mlir::ModuleOp module);

/// Everything that IR of any stage may hold.
void registerDialects(mlir::DialectRegistry &registry);

/// The passes of all stages, and the pass `verify-stage`; may be called more than once.
void registerPasses();

} // namespace trident

#endif // TRIDENT_STAGES_STAGES_H
