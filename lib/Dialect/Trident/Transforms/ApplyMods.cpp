//===- ApplyMods.cpp - put score and mask functions where a kernel says ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What of a function does not depend on the score, the row or the column is computed before the
// loop: once for each program, and where the analysis of masks sees it as a number of its own.
//===----------------------------------------------------------------------===//

#include "DeclareArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

namespace trident {
#define GEN_PASS_DEF_APPLYMODS
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

/// "mask" where a mask is applied to a kernel; where only functions of scores are, "elements" if
/// one reads memory at each row and column, else "score".
static constexpr const char *functionsAttrName = "trident.functions";

/// True when \p value, of the body of a function, is computed from \p argument.
static bool dependsOn(Value value, BlockArgument argument) {
  Operation *op = value.getDefiningOp();
  return value == argument || (op && llvm::any_of(op->getOperands(), [&](Value operand) {
                                 return dependsOn(operand, argument);
                               }));
}

/// True when \p mod reads an element that differs from row to row and from column to column.
static bool readsEachElement(ScoreModOp mod) {
  BlockArgument row = mod.getBlock().getArgument(3), column = mod.getBlock().getArgument(4);
  return llvm::any_of(mod.getBlock().getOps<ElementOp>(), [&](ElementOp element) {
    return dependsOn(element.getResult(), row) && dependsOn(element.getResult(), column);
  });
}

namespace {
class ModApplication {
public:
  explicit ModApplication(KernelOp kernel) : kernel(kernel) {
    kernel.walk([&](ApplyModsOp place) { places.push_back(place); });
    kernel.walk([&](SoftmaxStartOp start) { starts.push_back(start); });
  }

  LogicalResult run(ArrayRef<ScoreModOp> scores, ArrayRef<MaskModOp> masks,
                    ArrayRef<SinkModOp> sinks);

private:
  template <typename ModOp> LogicalResult declare(ModOp mod);
  LogicalResult check(size_t functions, ArrayRef<SinkModOp> sinks);
  template <typename ModOp> Value apply(ModOp mod, ApplyModsOp place, Value tile);
  void start(SoftmaxStartOp op, SinkModOp sink);

  KernelOp kernel;
  SmallVector<ApplyModsOp> places;
  SmallVector<SoftmaxStartOp> starts;
  /// What the arguments of functions have become.
  IRMapping arguments;
};
} // namespace

/// Adds \p parameters of the function \p mod to those of \p kernel; such that are declared alike
/// are one.
static LogicalResult declareParameters(KernelOp kernel, Operation *mod, ArrayAttr parameters) {
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
  if (mod.getParameters() && failed(declareParameters(kernel, mod, mod.getParametersAttr())))
    return failure();
  return declareArguments(kernel, mod, arguments);
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
  OpBuilder b(place);
  auto op = CoordinateOp::create(b, mod.getLoc(), tile.getType(), tile, place.getRowTile(),
                                 place.getColTile());
  Operation *before = findOutside(kernel, place);
  OpBuilder outside(before == place.getOperation() ? op.getOperation() : before);
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

/// Replaces what a softmax starts with by the sink's logit and 1, or by -inf and 0.
void ModApplication::start(SoftmaxStartOp op, SinkModOp sink) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto constant = [&](float value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  };
  auto full = [&](Value value) {
    return FullOp::create(b, loc, op.getM().getType(), value, b.getArrayAttr(op.getDimAttr()));
  };
  Value logit;
  if (sink) {
    IRMapping mapping = arguments;
    mapping.map(sink.getBlock().getArgument(0), op.getBatch());
    mapping.map(sink.getBlock().getArgument(1), op.getHead());
    for (Operation &inner : sink.getBlock().without_terminator())
      b.clone(inner, mapping);
    logit = mapping.lookup(sink.getBlock().getTerminator()->getOperand(0));
  }
  Value m = full(sink ? logit : constant(-std::numeric_limits<float>::infinity()));
  op.replaceAllUsesWith(ValueRange{m, full(constant(sink ? 1.0f : 0.0f))});
  op.erase();
}

LogicalResult ModApplication::check(size_t functions, ArrayRef<SinkModOp> sinks) {
  if (functions != 0 && places.empty())
    return kernel.emitOpError() << "has no place for functions of scores and masks, and "
                                << functions
                                << " are given: expected a 'trident.apply_mods' of its scores";
  if (!sinks.empty() && starts.empty())
    return kernel.emitOpError() << "has no softmax that a sink may join, and '"
                                << SinkModOp(sinks.front()).getSymName()
                                << "' is given: expected a 'trident.softmax_start'";
  if (sinks.size() > 1)
    return SinkModOp(sinks[1]).emitOpError()
           << "is the second sink, after '" << SinkModOp(sinks.front()).getSymName()
           << "': expected one";
  if (functions + sinks.size() != 0 && kernel.getVariant())
    return kernel.emitOpError()
           << "is specialized already: expected functions of scores and masks to be given before";
  return success();
}

LogicalResult ModApplication::run(ArrayRef<ScoreModOp> scores, ArrayRef<MaskModOp> masks,
                                  ArrayRef<SinkModOp> sinks) {
  auto declareAll = [&](auto mods) {
    return success(llvm::all_of(mods, [&](auto mod) { return succeeded(declare(mod)); }));
  };
  if (failed(check(scores.size() + masks.size(), sinks)) || failed(declareAll(scores)) ||
      failed(declareAll(masks)) || failed(declareAll(sinks)))
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
  // For the tables of schedules: a mask leaves few tiles an item, a score adds to each step.
  if (!scores.empty() || !masks.empty()) {
    StringRef kind = !masks.empty()                           ? "mask"
                     : llvm::any_of(scores, readsEachElement) ? "elements"
                                                              : "score";
    kernel->setAttr(functionsAttrName, StringAttr::get(kernel.getContext(), kind));
  }
  for (SoftmaxStartOp op : starts)
    start(op, sinks.empty() ? SinkModOp() : sinks.front());
  return success();
}

std::pair<std::string, std::string> trident::functionsApplied(KernelOp kernel) {
  auto kind = kernel->getAttrOfType<StringAttr>(functionsAttrName);
  return {"functions", kind ? kind.str() : "none"};
}

namespace {
struct ApplyMods : trident::impl::ApplyModsBase<ApplyMods> {
  void runOnOperation() override {
    auto scores = llvm::to_vector(getOperation().getOps<ScoreModOp>());
    auto masks = llvm::to_vector(getOperation().getOps<MaskModOp>());
    auto sinks = llvm::to_vector(getOperation().getOps<SinkModOp>());
    auto kernels = llvm::to_vector(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      if (failed(ModApplication(kernel).run(scores, masks, sinks)))
        return signalPassFailure();
    if (kernels.empty())
      return;
    auto erase = [](auto mods) { llvm::for_each(mods, [](auto mod) { mod.erase(); }); };
    erase(scores);
    erase(masks);
    erase(sinks);
  }
};
} // namespace
