//===- Searches.cpp - where elements that do not fall reach a value -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace trident;

/// Elements that a search reads at a time: all are on their way together, which is what takes long.
/// The producer has few registers, and one search after another.
constexpr int64_t consumerProbes = 8, producerProbes = 2;

/// True unless \p value only tells where segments of loops meet, which a role without masks does
/// not ask.
static bool isNeeded(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<ForTilesOp>(user)) {
      OperandRange bounds = loop.getBounds();
      unsigned first = bounds.getBeginOperandIndex(), number = use.getOperandNumber();
      return number <= first || number + 1 >= first + bounds.size();
    }
    return !isa<arith::ArithDialect>(user->getDialect()) ||
           llvm::any_of(user->getResults(), isNeeded);
  });
}

/// The ops of the block of \p op that \p value is computed from and that come after \p op; false
/// where a search is among them.
static bool collectSince(Value value, Operation *op, llvm::SetVector<Operation *> &slice) {
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op->getBlock() || definition->isBeforeInBlock(op))
    return true;
  if (isa<SearchOp>(definition) || definition->getNumRegions() != 0)
    return false;
  for (Value operand : definition->getOperands())
    if (!collectSince(operand, op, slice))
      return false;
  slice.insert(definition); // After its operands.
  return true;
}

/// The first element along the last dimension, and the bytes from one to the next. Each is one
/// register from here on: the producer has none for what LLVM would make them of in each round.
Emitter::ElementPlace Emitter::firstPlace(SearchOp op) {
  auto view = cast<BlockArgument>(op.getView());
  ElementPlace row = placeOf(view, op.getIndices(), op.getIndices().size());
  unsigned parameter = pointerParameter.lookup(view.getArgNumber());
  Type i64 = b.getI64Type();
  row.step = arith::MulIOp::create(b, function.getArgument(parameter + 1 + op.getIndices().size()),
                                   arith::ConstantIntOp::create(b, i64, 4));
  row.address = pureAssembly("mov.b64 $0, $1;", "=l,l", i64, row.address);
  return row;
}

/// \p first and what can be searched together with it. What those need is emitted.
SmallVector<SearchOp> Emitter::findSearches(SearchOp first) {
  SmallVector<SearchOp> together{first};
  if (inProducer)
    return together;
  for (Operation *op = first->getNextNode(); op; op = op->getNextNode()) {
    auto search = dyn_cast<SearchOp>(op);
    llvm::SetVector<Operation *> slice;
    if (!search || search.getView() != first.getView() ||
        !llvm::all_of(search->getOperands(),
                      [&](Value operand) { return collectSince(operand, first, slice); }))
      continue;
    for (Operation *needed : slice)
      (void)emitOp(needed);
    together.push_back(search);
    searched.insert(search);
  }
  return together;
}

// Of `count` groups the last of each ninth, or third, is looked at. Those that belong come first:
// less than that part is left.
std::pair<Value, Value> Emitter::narrowSearch(SearchOp op, const ElementPlace &row, Value most,
                                              Value low, Value count) {
  Type type = op.getView().getType().getElementType(), i64 = b.getI64Type();
  int64_t probes = inProducer ? producerProbes : consumerProbes;
  Value among = get(op.getAmong()), end = add(low, count);
  Value stride = add(divide(count, i32(probes + 1)), 1);
  Value passed = i32(0), group = sub(low, i32(1));
  for (int64_t i = 0; i < probes; ++i) {
    group = add(group, stride);
    Value exists = less(group, end), place = mul(group, op.getStep());
    if (op.getWhole())
      place = arith::MinSIOp::create(b, add(place, op.getStep() - 1), sub(among, i32(1)));
    Value offset = arith::MulIOp::create(b, arith::ExtUIOp::create(b, i64, place), row.step);
    Value inside = row.inside ? arith::AndIOp::create(b, exists, row.inside).getResult() : exists;
    Value element = readElement(type, arith::AddIOp::create(b, row.address, offset), inside);
    Value belongs = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, element, most);
    belongs = arith::AndIOp::create(b, belongs, exists);
    passed = add(passed, arith::ExtUIOp::create(b, b.getI32Type(), belongs));
  }
  Value past = mul(passed, stride), left = sub(count, past);
  return {add(low, past), arith::MinSIOp::create(b, sub(stride, i32(1)), left)};
}

LogicalResult Emitter::emitSearches(SearchOp first) {
  if (searched.erase(first))
    return success();
  if (inProducer && !isNeeded(first.getResult())) {
    scalars.map(first.getResult(), i32(0));
    return success();
  }
  SmallVector<SearchOp> together = findSearches(first);
  Registers entry, most;
  SmallVector<ElementPlace> rows;
  for (SearchOp op : together) {
    // The value in 32 bits, and no group where it is less than any number.
    auto wide = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, b.getI64Type(), value);
    };
    rows.push_back(firstPlace(op));
    Value last = get(op.getValue());
    if (!op.getThrough())
      last = arith::AddIOp::create(b, last, wide(-1));
    Value least = wide(std::numeric_limits<int32_t>::min());
    Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, last, least);
    last = arith::MaxSIOp::create(
        b, arith::MinSIOp::create(b, last, wide(std::numeric_limits<int32_t>::max())), least);
    most.push_back(pureAssembly("mov.b32 $0, $1;", "=r,r", b.getI32Type(),
                                arith::TruncIOp::create(b, b.getI32Type(), last).getResult()));
    Value groups = divide(add(get(op.getAmong()), op.getStep() - 1), i32(op.getStep()));
    llvm::append_range(entry, ArrayRef<Value>{i32(0), select(none, i32(0), groups)});
  }
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, entry, header);
  for (Value value : entry)
    header->addArgument(value.getType(), b.getLoc());
  b.setInsertionPointToEnd(header);
  Value left = i32(0);
  for (unsigned i = 0; i < together.size(); ++i)
    left = arith::OrIOp::create(b, left, header->getArgument(2 * i + 1));
  LLVM::CondBrOp::create(b, equal(left, 0), after, body);
  b.setInsertionPointToEnd(body);
  Registers next;
  for (auto [i, op] : llvm::enumerate(together)) {
    auto [low, count] = narrowSearch(op, rows[i], most[i], header->getArgument(2 * i),
                                     header->getArgument(2 * i + 1));
    llvm::append_range(next, ArrayRef<Value>{low, count});
  }
  LLVM::BrOp::create(b, next, header);
  b.setInsertionPointToEnd(after);
  for (auto [i, op] : llvm::enumerate(together)) {
    Value elements = mul(header->getArgument(2 * i), op.getStep());
    scalars.map(op.getResult(),
                sameForWarp(arith::MinSIOp::create(b, elements, get(op.getAmong()))));
  }
  return success();
}
