//===- ApplySequences.cpp - a dimension is that of one sequence after another ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What a caller's memory says is made safe here: whatever it holds, a sequence lies in its tensor
// and is no longer than the dimension's extent. A view of a sequence stands just before the load or
// store that uses it, so that passes which move either take it along.
//===----------------------------------------------------------------------===//

#include "DeclareArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "trident/Dialect/Trident/Transforms/Passes.h"

namespace trident {
#define GEN_PASS_DEF_APPLYSEQUENCES
#include "trident/Dialect/Trident/Transforms/Passes.h.inc"
} // namespace trident

using namespace mlir;
using namespace trident;

/// What \p value is in a function of sequences, as C++: rule sequence_mod.2 lists what there is.
static std::string spell(SequenceModOp mod, Value value, bool inParentheses = false) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned number = argument.getArgNumber();
    return number == 0 ? "sequence" : mod.getOwnArgumentName(number - 1).str();
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return std::to_string(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i) { return spell(mod, op->getOperand(i), /*inParentheses=*/true); };
  if (isa<ElementOp>(op))
    return operand(0) + "[" + spell(mod, op->getOperand(1)) + "]";
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return (isa<arith::MinSIOp>(op) ? "least(" : "most(") + spell(mod, op->getOperand(0)) + ", " +
           spell(mod, op->getOperand(1)) + ")";
  std::string text;
  if (isa<arith::SelectOp>(op)) {
    text = operand(0) + " ? " + operand(1) + " : " + operand(2);
  } else {
    StringRef sign = isa<arith::AddIOp>(op) ? " + " : isa<arith::SubIOp>(op) ? " - " : " * ";
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      static constexpr StringLiteral signs[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
      sign = signs[static_cast<size_t>(compare.getPredicate())];
    }
    text = operand(0) + sign.str() + operand(1);
  }
  return inParentheses ? "(" + text + ")" : text;
}

namespace {
class SequenceApplication {
public:
  SequenceApplication(KernelOp kernel, SequenceModOp mod)
      : kernel(kernel), mod(mod), dim(mod.getDimAttr()), by(mod.getByAttr()) {}

  LogicalResult run();

private:
  LogicalResult findProgram();
  LogicalResult collectAccesses();
  LogicalResult checkAccess(Operation *op, Value view, ValueRange indices);
  LogicalResult computePlace();
  void describe();
  unsigned retype(BlockArgument view);
  template <typename AccessOp> void redirect(AccessOp op);

  KernelOp kernel;
  SequenceModOp mod;
  StringAttr dim, by;
  ProgramOp program;
  SmallVector<Operation *> accesses;
  /// Of each view that is retyped, the axis that it has lost.
  llvm::DenseMap<BlockArgument, unsigned> lost;
  /// Where this program's sequence lies; without `begin` at the beginning.
  Value begin, length;
};
} // namespace

LogicalResult SequenceApplication::findProgram() {
  for (auto op : kernel.getBlock().getOps<ProgramOp>())
    if (op.getDim() == by.getValue() && op.getType().isInteger(32))
      program = op;
  if (!program)
    return mod.emitOpError() << "numbers sequences by '" << by.getValue() << "', and kernel '"
                             << kernel.getSymName()
                             << "' has no programs for its coordinates: expected a "
                                "'trident.program' of it as i32";
  return success();
}

LogicalResult SequenceApplication::checkAccess(Operation *op, Value view, ValueRange indices) {
  auto argument = dyn_cast<BlockArgument>(view);
  if (!argument)
    return op->emitOpError() << "is of sequences of '" << view.getDefiningOp<SequenceOp>().getDim()
                             << "' and of '" << dim.getValue()
                             << "': expected one of them in a view";
  auto type = cast<ViewType>(view.getType());
  unsigned axis = *type.findAxis(dim);
  std::optional<unsigned> number = type.findAxis(by);
  if (axis >= indices.size() || !isa<TileIndexType>(indices[axis].getType()))
    return op->emitOpError() << "takes no tile of '" << dim.getValue() << "' of " << type
                             << ", a dimension of sequences: expected a tile index";
  if (!number || *number >= indices.size() || indices[*number] != program)
    return op->emitOpError() << "is of " << type << ", which has sequences along '"
                             << dim.getValue() << "': expected the program's coordinate of '"
                             << by.getValue() << "' as an index";
  bool hasColumns = isa<LoadOp>(op) && cast<ShapedType>(op->getResult(0).getType()).getRank() == 2;
  if (hasColumns && axis + 1 == indices.size() && static_cast<int64_t>(axis) + 1 == type.getRank())
    return op->emitOpError() << "reads columns along '" << dim.getValue() << "' of " << type
                             << ", a dimension of sequences: expected another innermost dimension";
  for (Operation *user : view.getUsers())
    if (mod.getRows() && !isa<LoadOp, StoreOp>(user))
      return user->emitOpError() << "reads " << type << ", whose sequences are packed in '"
                                 << *mod.getRows() << "': expected loads and stores of tiles only";
  return success();
}

LogicalResult SequenceApplication::collectAccesses() {
  WalkResult walk = kernel.walk([&](Operation *op) -> WalkResult {
    Value view;
    ValueRange indices;
    if (auto load = dyn_cast<LoadOp>(op))
      std::tie(view, indices) = std::tuple(load.getView(), load.getIndices());
    else if (auto store = dyn_cast<StoreOp>(op))
      std::tie(view, indices) = std::tuple(store.getView(), store.getIndices());
    if (!view || !cast<ViewType>(view.getType()).findAxis(dim))
      return WalkResult::advance();
    accesses.push_back(op);
    return checkAccess(op, view, indices);
  });
  if (walk.wasInterrupted())
    return failure();
  if (accesses.empty())
    return mod.emitOpError() << "is of '" << dim.getValue() << "', and kernel '"
                             << kernel.getSymName()
                             << "' loads and stores no tile of a view that has it: expected a "
                                "dimension of such a view";
  return success();
}

/// At the beginning of the kernel, where what is said of the dimension must be known.
LogicalResult SequenceApplication::computePlace() {
  SmallVector<DimOp> dims;
  kernel.walk([&](DimOp op) {
    if (op.getDim() == dim.getValue())
      dims.push_back(op);
  });
  IRMapping mapping;
  if (failed(declareArguments(kernel, mod, mapping)))
    return failure();
  program->moveBefore(&kernel.getBlock(), kernel.getBlock().begin());
  OpBuilder b(kernel.getContext());
  b.setInsertionPointAfter(program);
  Location loc = mod.getLoc();
  mapping.map(mod.getBlock().getArgument(0), program.getResult());
  for (Operation &op : mod.getBlock().without_terminator())
    b.clone(op, mapping);
  auto yielded = mod.getBlock().getTerminator()->getOperands();
  Value number = mapping.lookup(yielded.back());
  if (StringAttr rows = mod.getRowsAttr()) {
    Value zero = arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0);
    Value total = DimOp::create(b, loc, b.getI32Type(), rows);
    begin = arith::MaxSIOp::create(b, loc, mapping.lookup(yielded.front()), zero);
    begin = arith::MinSIOp::create(b, loc, begin, total);
    Value left = arith::SubIOp::create(b, loc, total, begin);
    number = arith::MinSIOp::create(b, loc, number, left);
  }
  length = LengthOp::create(b, loc, b.getI32Type(), dim, number);
  for (DimOp op : dims) {
    op.replaceAllUsesWith(length);
    op.erase();
  }
  return success();
}

void SequenceApplication::describe() {
  SmallVector<Attribute> all;
  if (kernel.getSequences())
    llvm::append_range(all, kernel.getSequencesAttr());
  auto yielded = mod.getBlock().getTerminator()->getOperands();
  auto text = [&](Value value) { return StringAttr::get(mod.getContext(), spell(mod, value)); };
  all.push_back(SequencesAttr::get(mod.getContext(), dim, by, mod.getRowsAttr(),
                                   mod.getRows() ? text(yielded.front()) : StringAttr(),
                                   text(yielded.back()), mod.getOrdered()));
  kernel.setSequencesAttr(ArrayAttr::get(mod.getContext(), all));
}

/// Gives a view whose sequences are packed its dimensions, once; the axis that it has lost.
unsigned SequenceApplication::retype(BlockArgument view) {
  auto type = cast<ViewType>(view.getType());
  auto [place, isNew] = lost.try_emplace(view, type.findAxis(by).value_or(0));
  if (!isNew)
    return place->second;
  SmallVector<StringAttr> dims;
  for (auto [axis, name] : llvm::enumerate(type.getDims()))
    if (axis != place->second)
      dims.push_back(name == dim ? mod.getRowsAttr() : name);
  view.setType(ViewType::get(type.getContext(), type.getAccess(), dims, type.getElementType(), {}));
  return place->second;
}

template <typename AccessOp> void SequenceApplication::redirect(AccessOp op) {
  auto view = cast<BlockArgument>(op.getView());
  Type own = view.getType();
  if (mod.getRows()) {
    SmallVector<Value> indices(op.getIndices());
    indices.erase(indices.begin() + retype(view));
    op.getIndicesMutable().assign(indices);
    auto type = cast<ViewType>(view.getType());
    SmallVector<StringAttr> dims(type.getDims());
    dims[*type.findAxis(*mod.getRows())] = dim;
    own = ViewType::get(type.getContext(), type.getAccess(), dims, type.getElementType(), {});
  }
  OpBuilder b(op);
  op.getViewMutable().assign(
      SequenceOp::create(b, op.getLoc(), own, view, dim, begin, length).getResult());
}

LogicalResult SequenceApplication::run() {
  if (kernel.getVariant())
    return kernel.emitOpError() << "is specialized already: expected sequences to be given before";
  if (failed(findProgram()) || failed(collectAccesses()) || failed(computePlace()))
    return failure();
  describe();
  for (Operation *op : accesses) {
    if (auto load = dyn_cast<LoadOp>(op))
      redirect(load);
    else
      redirect(cast<StoreOp>(op));
  }
  return success();
}

namespace {
struct ApplySequences : trident::impl::ApplySequencesBase<ApplySequences> {
  void runOnOperation() override {
    auto mods = llvm::to_vector(getOperation().getOps<SequenceModOp>());
    auto kernels = llvm::to_vector(getOperation().getOps<KernelOp>());
    for (KernelOp kernel : kernels)
      for (SequenceModOp mod : mods)
        if (failed(SequenceApplication(kernel, mod).run()))
          return signalPassFailure();
    if (!kernels.empty())
      llvm::for_each(mods, [](SequenceModOp mod) { mod.erase(); });
  }
};
} // namespace
