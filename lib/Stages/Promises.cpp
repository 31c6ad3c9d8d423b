//===- Promises.cpp - What must hold after each stage ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The promises are checked on names and types only, so that they judge the passes from outside: an
// op that a pass forgot is found here even if every verifier accepts it.
//===----------------------------------------------------------------------===//
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "trident/Stages/Stages.h"
#include "llvm/ADT/StringExtras.h"

using namespace trident;

static constexpr llvm::StringLiteral kernelName = "trident.kernel";

static mlir::LogicalResult broken(mlir::Operation *op, Stage stage, const llvm::Twine &what) {
  return op->emitError("stage '") << stageName(stage) << "' promises that " << stagePromise(stage)
                                  << ": " << what;
}

static mlir::LogicalResult needsAttributes(mlir::Operation *op, Stage stage,
                                           llvm::ArrayRef<llvm::StringLiteral> names) {
  if (op->getName().getStringRef() == kernelName)
    for (llvm::StringRef name : names)
      if (!op->getAttr(name))
        return broken(op, stage, "expected attribute '" + name + "'");
  return mlir::success();
}

// The types of an op's results and of its blocks' arguments.
static llvm::SmallVector<mlir::Type> typesOf(mlir::Operation *op) {
  llvm::SmallVector<mlir::Type> types(op->getResultTypes());
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  return types;
}

static bool mentionsParameter(mlir::Type type) {
  return type
      .walk([](mlir::Type inner) {
        return inner.getAbstractType().getName() == "trident.param" ? mlir::WalkResult::interrupt()
                                                                    : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static mlir::LogicalResult checkSpecialize(mlir::Operation *op) {
  static constexpr llvm::StringLiteral applied[] = {"trident.apply_mods", "trident.softmax_start",
                                                    "trident.score_mod",  "trident.mask_mod",
                                                    "trident.sink_mod",   "trident.sequence_mod"};
  if (op->getName().getStringRef() == "trident.param")
    return broken(op, Stage::specialize, "this parameter is open");
  if (llvm::is_contained(applied, op->getName().getStringRef()))
    return broken(op, Stage::specialize, "expected it to be applied");
  if (llvm::any_of(typesOf(op), mentionsParameter))
    return broken(op, Stage::specialize, "a type of this operation has an open parameter");
  return needsAttributes(op, Stage::specialize, {"variant", "contract"});
}

static mlir::LogicalResult checkTiles(mlir::Operation *op, Stage stage) {
  if (op->getName().getStringRef() == "trident.for_tiles" && !op->getAttr("classes"))
    return broken(op, stage, "this loop has no bounds");
  for (mlir::Type type : typesOf(op)) {
    auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
    if (!tile)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "'" << tile << "'";
    if (stage == Stage::tile && !tile.hasStaticShape())
      return broken(op, stage, text + " has an open size");
    if (stage == Stage::place && !tile.getEncoding())
      return broken(op, stage, text + " has no layout");
  }
  return mlir::success();
}

// A row vector is read by the lanes that own its rows, where the kernel reads it.
static bool isLoadOfTile(mlir::Operation *op) {
  auto tile = op->getNumResults() == 1
                  ? llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType())
                  : mlir::RankedTensorType();
  return op->getName().getStringRef() == "trident.load" && (!tile || tile.getRank() > 1);
}

static mlir::LogicalResult checkAwaited(mlir::Operation *op) {
  for (mlir::Value value : op->getResults()) {
    if (value.getType().getAbstractType().getName() != "pipe.async")
      continue;
    if (value.use_empty())
      return broken(op, Stage::pipeline, "nothing waits for what this starts");
    for (mlir::Operation *user : value.getUsers())
      if (llvm::StringRef name = user->getName().getStringRef();
          name != "pipe.await" && name != "pipe.read_elements")
        return broken(user, Stage::pipeline, "this reads what is still in flight");
  }
  return mlir::success();
}

static mlir::LogicalResult checkRole(mlir::Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  bool produces = name == "pipe.produce";
  if (!produces && name != "pipe.consume" && name != "pipe.release")
    return mlir::success();
  mlir::Operation *inside = op;
  while (inside && inside->getName().getStringRef() != "pipe.roles") {
    mlir::Region *region = inside->getParentRegion();
    inside = region ? region->getParentOp() : nullptr;
    if (inside && inside->getName().getStringRef() == "pipe.roles" &&
        (region->getRegionNumber() == 0) == produces)
      return mlir::success();
  }
  return broken(op, Stage::pipeline,
                llvm::Twine("'") + name + "' is expected in the code of the " +
                    (produces ? "producer" : "consumers"));
}

static mlir::LogicalResult checkPipeline(mlir::Operation *op) {
  static constexpr llvm::StringLiteral gone[] = {"trident.dot", "trident.softmax_step",
                                                 "pipe.copy_async"};
  llvm::StringRef name = op->getName().getStringRef();
  if (llvm::is_contained(gone, name) || isLoadOfTile(op))
    return broken(op, Stage::pipeline, "no '" + name + "' is expected any more");
  if (name == "pipe.ring" && (!op->getAttr("offset") || !op->getAttr("barriers")))
    return broken(op, Stage::pipeline, "this ring has no place in shared memory");
  if (failed(checkAwaited(op)) || failed(checkRole(op)))
    return mlir::failure();
  return needsAttributes(op, Stage::pipeline, {"shared_bytes"});
}

static mlir::LogicalResult checkNVVM(mlir::Operation *op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "llvm" || dialect == "nvvm" || dialect == "builtin")
    return mlir::success();
  return broken(op, Stage::nvvm, "expected an operation of the llvm or nvvm dialect");
}

static mlir::LogicalResult check(mlir::Operation *op, Stage stage) {
  switch (stage) {
  case Stage::specialize:
    return checkSpecialize(op);
  case Stage::schedule:
    return needsAttributes(op, stage, {"schedule", "target"});
  case Stage::tile:
  case Stage::place:
    return checkTiles(op, stage);
  case Stage::pipeline:
    return checkPipeline(op);
  case Stage::nvvm:
    return checkNVVM(op);
  default:
    return mlir::success();
  }
}

llvm::LogicalResult trident::verifyStage(Stage stage, mlir::ModuleOp module) {
  mlir::WalkResult result = module.walk([&](mlir::Operation *op) {
    return failed(check(op, stage)) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

namespace {
struct VerifyStagePass : mlir::PassWrapper<VerifyStagePass, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyStagePass)
  VerifyStagePass() = default;
  VerifyStagePass(const VerifyStagePass &other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const final { return "verify-stage"; }
  llvm::StringRef getDescription() const final { return "check what a stage promises"; }
  Option<std::string> stage{*this, "stage", llvm::cl::desc("the stage that the module is after")};
  void runOnOperation() final {
    std::optional<Stage> found = findStage(stage);
    if (!found) {
      getOperation().emitError("stage '")
          << stage << "' is unknown: expected one of "
          << llvm::join(llvm::map_range(allStages(), stageName), ", ");
      return signalPassFailure();
    }
    if (failed(verifyStage(*found, getOperation())))
      signalPassFailure();
  }
};
} // namespace

namespace trident {
void registerVerifyStagePass() { mlir::PassRegistration<VerifyStagePass>(); }
} // namespace trident
