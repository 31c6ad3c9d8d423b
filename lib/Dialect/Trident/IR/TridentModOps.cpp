//===- TridentModOps.cpp - rules of score and mask functions --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

using namespace mlir;
using namespace trident;

//===----------------------------------------------------------------------===//
// ScoreModOp, MaskModOp, SinkModOp, SequenceModOp
//===----------------------------------------------------------------------===//

template <typename ModOp>
static void nameArguments(ModOp mod, Region &region, OpAsmSetValueNameFn setName) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), mod.getArgNames()))
    setName(argument, cast<StringAttr>(name).getValue());
}

void ScoreModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}
void SinkModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}
void MaskModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}

void SequenceModOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(*this, region, setName);
}

/// True when an argument of its own may have this type.
static bool isArgumentType(Type type) {
  auto view = dyn_cast<ViewType>(type);
  return view ? view.getAccess() == Access::In : type.isF32() || type.isInteger(32);
}

/// What all functions have in common; \p isArgument judges the types of its own arguments, which
/// are \p expected.
template <typename ModOp>
static LogicalResult verifySignature(ModOp mod, ArrayRef<Type> coordinates, ArrayRef<Type> results,
                                     function_ref<bool(Type)> isArgument, StringRef expected) {
  Block &block = mod.getBlock();
  if (mod.getArgNames().size() != block.getNumArguments())
    return mod.emitOpError() << "has " << mod.getArgNames().size() << " argument names: expected "
                             << block.getNumArguments();
  auto types = llvm::to_vector(block.getArgumentTypes());
  if (types.size() < coordinates.size() ||
      ArrayRef(types).take_front(coordinates.size()) != coordinates)
    return mod.emitOpError() << "takes (" << types << "): expected (" << coordinates
                             << ") and then arguments of its own";
  for (auto [i, argument] : llvm::enumerate(mod.getOwnArguments()))
    if (!isArgument(argument.getType()))
      return mod.emitOpError() << "argument '" << mod.getOwnArgumentName(i) << "' is "
                               << argument.getType() << ": expected " << expected;
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield || yield.getOperandTypes() != TypeRange(results))
    return mod.emitOpError() << "ends in "
                             << (yield ? "a yield of other types" : "something else than a yield")
                             << ": expected a yield of " << (results.size() == 1 ? "one " : "")
                             << results;
  return success();
}

template <typename ModOp>
static LogicalResult verifyMod(ModOp mod, ArrayRef<Type> coordinates, Type result) {
  if (failed(verifySignature(mod, coordinates, result, isArgumentType,
                             "an 'in' view, f32 or i32"))) // score_mod.1 mask_mod.1 sink_mod.1
    return failure();
  if (mod.getParameters())
    for (Attribute parameter : mod.getParametersAttr())
      if (!isa<ParameterAttr>(parameter))
        return mod.emitOpError() << "has parameter " << parameter
                                 << ": expected #trident.parameter";
  for (Operation &op : mod.getBlock().without_terminator())
    if (op.getNumRegions() != 0 || op.getNumResults() != 1 ||
        !(isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
          isa<ElementOp, DimOp, ParamOp>(op))) // score_mod.2 mask_mod.2 sink_mod.2
      return op.emitOpError() << "is in '" << mod.getSymName()
                              << "', a function of scores or masks: expected arith, math, "
                                 "trident.element, trident.dim or trident.param";
  return success();
}

LogicalResult ScoreModOp::verify() {
  Builder b(getContext());
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  return verifyMod(*this, {f32, i32, i32, i32, i32}, f32);
}

LogicalResult MaskModOp::verify() {
  Builder b(getContext());
  Type i32 = b.getI32Type();
  return verifyMod(*this, {i32, i32, i32, i32}, b.getI1Type());
}

LogicalResult SinkModOp::verify() {
  Builder b(getContext());
  Type i32 = b.getI32Type();
  return verifyMod(*this, {i32, i32}, b.getF32Type());
}

/// True for what the launcher can write in C++.
static bool isOfSequences(Operation &op) {
  if (auto element = dyn_cast<ElementOp>(op))
    return element.getIndices().size() == 1;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getLhs().getType().isInteger(32) &&
           compare.getPredicate() < arith::CmpIPredicate::ult;
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
             arith::MaxSIOp, arith::SelectOp>(op) &&
         op.getResult(0).getType().isInteger(32);
}

LogicalResult SequenceModOp::verify() {
  Builder b(getContext());
  SmallVector<Type> results(getRows() ? 2 : 1, b.getI32Type());
  auto isArgument = [](Type type) {
    auto view = dyn_cast<ViewType>(type);
    return view ? view.getAccess() == Access::In && view.getElementType().isInteger(32)
                : type.isInteger(32) || isa<ExtentType>(type);
  };
  if (failed(verifySignature(*this, {b.getI32Type()}, results, isArgument,
                             "an 'in' view of i32, i32 or an extent"))) // sequence_mod.1
    return failure();
  for (Operation &op : getBlock().without_terminator())
    if (!isOfSequences(op)) // sequence_mod.2
      return op.emitOpError() << "is in '" << getSymName()
                              << "', a function of sequences: expected constants, addi, subi, "
                                 "muli, minsi, maxsi, signed cmpi, select of i32, or "
                                 "trident.element of a view of one dimension";
  return success();
}

//===----------------------------------------------------------------------===//
// ApplyModsOp, SoftmaxStartOp, ElementOp, SearchOp, ElementTileOp
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxStartOp::verify() {
  return verifyDimension(*this, getDim()); // softmax_start.1
}

LogicalResult ApplyModsOp::verify() {
  if (getRowTile() && getRowTile() == getColTile()) // apply_mods.1
    return emitOpError() << "has one tile index for rows and columns: expected different ones";
  return success();
}

LogicalResult ElementOp::verify() {
  ViewType view = getView().getType();
  Type element = view.getElementType();
  bool isFloat = element.isF32() || element.isF16() || element.isBF16() || isa<ParamType>(element);
  if (view.getAccess() != Access::In ||
      !(isFloat || element.isInteger(32) || element.isInteger(1))) // element.1
    return emitOpError()
           << "view is " << view
           << ": expected an 'in' view of f32, f16, bf16, a type parameter, i32 or i1";
  if (static_cast<int64_t>(getIndices().size()) != view.getRank()) // element.2
    return emitOpError() << "has " << getIndices().size() << " indices: expected " << view.getRank()
                         << " for " << view;
  Type expected = isFloat ? Float32Type::get(getContext()) : element;
  if (getType() != expected) // element.3
    return emitOpError() << "result is " << getType() << ": expected " << expected << " for "
                         << view;
  return success();
}

LogicalResult SearchOp::verify() {
  ViewType view = getView().getType();
  if (view.getAccess() != Access::In || !view.getElementType().isInteger(32) ||
      view.getRank() == 0 || view.getExtra(view.getRank() - 1) != 0) // search.1
    return emitOpError() << "view is " << view
                         << ": expected an 'in' view of i32 with the elements of its dimensions";
  if (static_cast<int64_t>(getIndices().size()) + 1 != view.getRank()) // search.2
    return emitOpError() << "has " << getIndices().size() << " indices: expected "
                         << view.getRank() - 1 << " for " << view;
  return success();
}

/// True when \p value is computed from \p from in the block of \p from.
static bool dependsOn(Value value, BlockArgument from) {
  Operation *op = value.getDefiningOp();
  return value == from ||
         (op && op->getBlock() == from.getOwner() &&
          llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, from); }));
}

std::optional<int64_t> ElementTileOp::countAdded(Value value, BlockArgument argument) {
  if (value == argument)
    return 1;
  if (!dependsOn(value, argument))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<int64_t> a = countAdded(op->getOperand(0), argument),
                         b = countAdded(op->getOperand(1), argument);
  if (!a || !b)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *a + *b : *a - *b;
}

bool ElementTileOp::isAlongColumns(ValueRange indices, BlockArgument column) {
  return !indices.empty() && countAdded(indices.back(), column) == 1 &&
         llvm::none_of(indices.drop_back(), [&](Value index) { return dependsOn(index, column); });
}

LogicalResult ElementTileOp::verify() {
  ViewType view = getView().getType();
  Type element = view.getElementType();
  if (view.getAccess() != Access::In || !(element.isF32() || element.isF16() || element.isBF16()) ||
      getType().getElementType() != element) // element_tile.1
    return emitOpError() << "reads " << getType() << " of " << view
                         << ": expected an 'in' view of f32, f16 or bf16, and its type of elements";
  Block &body = getBody().front();
  ValueRange indices = body.getTerminator()->getOperands();
  Type i32 = IntegerType::get(getContext(), 32);
  auto isI32 = [&](Type type) { return type == i32; };
  if (body.getArgumentTypes() != TypeRange({i32, i32}) ||
      static_cast<int64_t>(indices.size()) != view.getRank() ||
      !llvm::all_of(indices.getTypes(), isI32)) // element_tile.2
    return emitOpError() << "region is (" << body.getArgumentTypes() << ") -> ("
                         << indices.getTypes() << "): expected (i32, i32) -> " << view.getRank()
                         << " times i32 for " << view;
  if (!isAlongColumns(indices, body.getArgument(1))) // element_tile.3
    return emitOpError() << "region yields other coordinates than such that the last one is the "
                            "column plus what does not depend on it: expected neighbours along "
                            "the columns";
  return success();
}
