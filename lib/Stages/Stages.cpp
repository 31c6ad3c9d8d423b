//===- Stages.cpp - The list of passes -------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Stages/Stages.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

namespace {
struct Row {
  Stage stage;
  llvm::StringLiteral name;
  llvm::StringLiteral promise;
  llvm::ArrayRef<llvm::StringLiteral> passes;
};
} // namespace

static constexpr llvm::StringLiteral specialize[] = {
    "trident-apply-mods", "trident-apply-sequences", "trident-specialize",
    "trident-infer-contract"};
static constexpr llvm::StringLiteral schedule[] = {"trident-select-schedule"};
static constexpr llvm::StringLiteral tile[] = {"trident-tile", "trident-fold-scale",
                                               "trident-read-ahead"};
static constexpr llvm::StringLiteral place[] = {"trident-place"};
static constexpr llvm::StringLiteral pipeline[] = {"trident-to-pipe",
                                                   "pipe-overlap",
                                                   "pipe-persist",
                                                   "pipe-skip-empty",
                                                   "pipe-build-rings",
                                                   "pipe-insert-waits",
                                                   "pipe-split-roles",
                                                   "pipe-narrow",
                                                   "pipe-overlap-items",
                                                   "pipe-insert-turns",
                                                   "pipe-allocate-shared-memory",
                                                   "pipe-stage-elements"};
static constexpr llvm::StringLiteral nvvm[] = {"pipe-to-nvvm"};

static const Row table[] = {
    {Stage::source, "source", "the kernel is valid; its parameters and tile sizes are open", {}},
    {Stage::specialize, "specialize",
     "every parameter is a constant, and the kernel lists all that a call must satisfy",
     specialize},
    {Stage::schedule, "schedule",
     "the kernel names its target and one schedule that fits it; nothing has moved", schedule},
    {Stage::tile, "tile",
     "every tile has a size, and every loop knows which tiles it visits and which need a mask",
     tile},
    {Stage::place, "place", "every tile has a home and a layout", place},
    {Stage::pipeline, "pipeline",
     "producer and consumers have their own code, and each asynchronous value is waited for before "
     "it is read",
     pipeline},
    {Stage::nvvm, "nvvm", "the kernel is per-thread code in the LLVM and NVVM dialects", nvvm},
    {Stage::ptx, "ptx", "the kernel is PTX that calls nothing outside itself", {}},
    {Stage::cubin,
     "cubin",
     "the kernel is machine code, and its registers and spills are known",
     {}},
    {Stage::launcher,
     "launcher",
     "a C++ header and source hold every variant and check each call before it is launched",
     {}},
};

static const Row &rowOf(Stage stage) { return table[static_cast<size_t>(stage)]; }

llvm::ArrayRef<Stage> trident::allStages() {
  static const auto stages =
      llvm::to_vector(llvm::map_range(table, [](const Row &row) { return row.stage; }));
  return stages;
}

llvm::StringRef trident::stageName(Stage stage) { return rowOf(stage).name; }
llvm::StringRef trident::stagePromise(Stage stage) { return rowOf(stage).promise; }
llvm::ArrayRef<llvm::StringLiteral> trident::stagePasses(Stage stage) {
  return rowOf(stage).passes;
}

std::optional<Stage> trident::findStage(llvm::StringRef name) {
  for (const Row &row : table)
    if (row.name == name)
      return row.stage;
  return std::nullopt;
}

static std::string join(llvm::StringRef option,
                        llvm::ArrayRef<std::pair<std::string, std::string>> list) {
  if (list.empty())
    return "";
  auto assignments =
      llvm::map_range(list, [](const auto &pair) { return pair.first + "=" + pair.second; });
  return (option + "=" + llvm::join(assignments, ",")).str();
}

std::string trident::stagePipeline(Stage stage, const StageOptions &options) {
  // Those on the whole module come first.
  std::vector<std::string> ofModule, ofKernel;
  for (llvm::StringRef pass : stagePasses(stage)) {
    std::string arguments;
    if (pass == "trident-specialize")
      arguments = join("set", options.parameters);
    else if (pass == "trident-select-schedule")
      arguments = "target=" + options.target + (options.scheduleTables ? " " : " tables=false ") +
                  join("fields", options.scheduleFields);
    bool isOfModule =
        pass == "trident-apply-mods" || pass == "trident-apply-sequences" || pass == "pipe-to-nvvm";
    (isOfModule ? ofModule : ofKernel)
        .push_back(pass.str() + (arguments.empty() ? "" : "{" + arguments + "}"));
  }
  std::string onKernels =
      ofKernel.empty() ? "" : "trident.kernel(" + llvm::join(ofKernel, ",") + ")";
  if (ofModule.empty())
    return onKernels;
  if (!onKernels.empty())
    ofModule.push_back(onKernels);
  return "builtin.module(" + llvm::join(ofModule, ",") + ")";
}

llvm::LogicalResult trident::runStage(Stage stage, mlir::ModuleOp module,
                                      const StageOptions &options) {
  registerPasses();
  mlir::PassManager manager(module.getContext());
  std::string text = stagePipeline(stage, options), errors;
  llvm::raw_string_ostream stream(errors);
  // A list on the whole module is the manager's own, one on kernels is nested in it.
  llvm::StringRef list = text;
  if (list.consume_front("builtin.module("))
    list.consume_back(")");
  if (!list.empty() && failed(mlir::parsePassPipeline(list, manager, stream)))
    return module.emitError("the passes of stage '")
           << stageName(stage) << "' are not what this compiler was built with: " << errors;
  if (failed(manager.run(module)))
    return mlir::failure();
  return verifyStage(stage, module);
}
