//===- ApplyMods.cpp - put score and mask functions where a kernel says ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What of a function does not depend on the score, the row or the column is computed before the
// loop: once for each program, and where the analysis of masks sees it as a number of its own.
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

namespace trident {
#define GEN_PASS_DEF_APPLYMODS
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

namespace {
class ModApplication {
public:
  explicit ModApplication(KernelOp kernel) : kernel(kernel) {
    kernel.walk([&](ApplyModsOp place) { places.push_back(place); });
  }

  LogicalResult run(ArrayRef<ScoreModOp> scores, ArrayRef<MaskModOp> masks);

private:
  template <typename ModOp> LogicalResult declare(ModOp mod);
  LogicalResult declareParameters(Operation *mod, ArrayAttr parameters);
  template <typename ModOp> Value apply(ModOp mod, ApplyModsOp place, Value tile);

  KernelOp kernel;
  SmallVector<ApplyModsOp> places;
  /// What the arguments of functions have become.
  IRMapping arguments;
};
} // namespace

/// Parameters that are declared alike are one.
LogicalResult ModApplication::declareParameters(Operation *mod, ArrayAttr parameters) {
  SmallVector<Attribute> all;
  if (kernel.getParameters())
    llvm::append_range(all, kernel.getParametersAttr());
  for (auto parameter : parameters.getAsRange<ParameterAttr>()) {
    StringRef name = parameter.getName().getValue();
    ParameterAttr other = kernel.getParameter(name);
    if (other && other != parameter)
      return mod->emitOpError() << "has parameter " << parameter << ", but '" << name
                                << "' is declared as " << other
                                << " already: expected the same, or another name";
    if (!other)
      all.push_back(parameter);
  }
  if (!all.empty())
    kernel.setParametersAttr(ArrayAttr::get(kernel.getContext(), all));
  return success();
}

template <typename ModOp> LogicalResult ModApplication::declare(ModOp mod) {
  if (mod.getParameters() && failed(declareParameters(mod, mod.getParametersAttr())))
    return failure();
  SmallVector<Attribute> names(kernel.getArgNames().getValue());
  for (auto [i, argument] : llvm::enumerate(mod.getOwnArguments())) {
    auto name = StringAttr::get(kernel.getContext(), mod.getOwnArgumentName(i));
    if (llvm::is_contained(names, name))
      return mod.emitOpError() << "has argument '" << name.getValue() << "', but kernel '"
                               << kernel.getSymName()
                               << "' and what is applied to it before have one of that name: "
                                  "expected another name";
    names.push_back(name);
    arguments.map(argument, kernel.getBlock().addArgument(argument.getType(), argument.getLoc()));
  }
  kernel.setArgNamesAttr(ArrayAttr::get(kernel.getContext(), names));
  return success();
}

/// Where values that are the same for the whole loop nest are computed: before it, unless the
/// coordinates that they may use are of its inside.
static Operation *findOutside(KernelOp kernel, ApplyModsOp place) {
  for (Value coordinate : {place.getBatch(), place.getHead()})
    if (coordinate.getParentBlock() != &kernel.getBlock())
      return place;
  return kernel.getBlock().findAncestorOpInBlock(*place);
}

template <typename ModOp> Value ModApplication::apply(ModOp mod, ApplyModsOp place, Value tile) {
  constexpr bool isScore = std::is_same_v<ModOp, ScoreModOp>;
  using CoordinateOp = std::conditional_t<isScore, ScoreOp, MaskOp>;
  OpBuilder outside(findOutside(kernel, place)), b(place);
  auto op = CoordinateOp::create(b, mod.getLoc(), tile.getType(), tile, place.getRowTile(),
                                 place.getColTile());
  Block *body = b.createBlock(&op.getBody());
  ArrayRef<BlockArgument> inputs = mod.getBlock().getArguments();
  IRMapping mapping = arguments;
  auto addArgument = [&](BlockArgument input) {
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  };
  if (isScore) {
    addArgument(inputs.front());
    inputs = inputs.drop_front();
  }
  mapping.map(inputs[0], place.getBatch());
  mapping.map(inputs[1], place.getHead());
  addArgument(inputs[2]);
  addArgument(inputs[3]);
  for (Operation &inner : mod.getBlock()) {
    bool isInside = inner.hasTrait<OpTrait::IsTerminator>() ||
                    llvm::any_of(inner.getOperands(), [&](Value operand) {
                      return mapping.lookup(operand).getParentBlock() == body;
                    });
    (isInside ? b : outside).clone(inner, mapping);
  }
  return op.getResult();
}

LogicalResult ModApplication::run(ArrayRef<ScoreModOp> scores, ArrayRef<MaskModOp> masks) {
  if (!(scores.empty() && masks.empty())) {
    if (places.empty())
      return kernel.emitOpError() << "has no place for functions of scores and masks, and "
                                  << scores.size() + masks.size()
                                  << " are given: expected a 'trident.apply_mods' of its scores";
    if (kernel.getVariant())
      return kernel.emitOpError()
             << "is specialized already: expected functions of scores and masks to be given before";
  }
  for (ScoreModOp mod : scores)
    if (failed(declare(mod)))
      return failure();
  for (MaskModOp mod : masks)
    if (failed(declare(mod)))
      return failure();
  for (ApplyModsOp place : places) {
    Value tile = place.getOperand();
    for (ScoreModOp mod : scores)
      tile = apply(mod, place, tile);
    for (MaskModOp mod : masks)
      tile = apply(mod, place, tile);
    place.replaceAllUsesWith(tile);
    place.erase();
  }
  return success();
}

namespace {
struct ApplyMods : trident::impl::ApplyModsBase<ApplyMods> {
  void runOnOperation() override {
    auto scores = llvm::to_vector(getOperation().getOps<ScoreModOp>());
    auto masks = llvm::to_vector(getOperation().getOps<MaskModOp>());
    auto kernels = llvm::to_vector(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (failed(ModApplication(kernel).run(scores, masks)))
        return signalPassFailure();
    if (kernels.empty())
      return;
    llvm::for_each(scores, [](ScoreModOp mod) { mod.erase(); });
    llvm::for_each(masks, [](MaskModOp mod) { mod.erase(); });
  }
};
} // namespace
