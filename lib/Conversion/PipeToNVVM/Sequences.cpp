//===- Sequences.cpp - programs of sequences: which there are, and which run ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every role finds out for itself which items are passed over, and which sequence one is of, from
// the same memory, so that all run the same ones.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// What the operands of \p op are computed from in its block, in order.
static SmallVector<Operation *> sliceOf(Operation *op) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *other) { return other->getBlock() == op->getBlock(); };
  (void)getBackwardSlice(op, &slice, options);
  SmallVector<Operation *> ordered;
  for (Operation &other : *op->getBlock())
    if (slice.contains(&other))
      ordered.push_back(&other);
  return ordered;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

Emitter::Slots Emitter::findSlots(Block &block) {
  Slots slots;
  auto programs = llvm::to_vector(block.getOps<ProgramOp>());
  for (auto find : block.getOps<pipe::FindSequenceOp>())
    for (ProgramOp program : programs)
      if (program.getDim() == find.getBy() && program != programs.back() &&
          programs.back().getDim() == find.getDim()) {
        slots.find = find;
        slots.tile = programs.back();
        slots.number = program;
        slots.slice = sliceOf(find);
      }
  return slots;
}

Value Emitter::countSlots(const Slots &slots) {
  auto find = pipe::FindSequenceOp(slots.find);
  int64_t tile = *kernel.getTileExtent(find.getDim());
  return add(divide(extent(find.getRows()), i32(tile)), extent(find.getBy()));
}

/// The first slot of a sequence.
Value Emitter::beginOf(const Slots &slots, Value number) {
  auto find = pipe::FindSequenceOp(slots.find);
  programs[find.getBy()] = number;
  for (Operation *op : slots.slice)
    (void)emitOp(op); // scalars, which all have a lowering
  Value begin = sameForWarp(get(find.getBegin()));
  return add(divide(begin, i32(*kernel.getTileExtent(find.getDim()))), number);
}

// The last sequence whose first slot is not behind this one. A slot before the first sequence, or
// any where memory does not hold what was promised, is past all tiles, where nothing runs.
void Emitter::decodeSlot(const Slots &slots, Value slot) {
  auto find = pipe::FindSequenceOp(slots.find);
  auto itsPrograms = programs;
  IRMapping itsScalars = scalars;
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *halves = newBlock(), *after = newBlock();
  for (int i = 0; i < 2; ++i)
    header->addArgument(b.getI32Type(), b.getLoc());
  Value low = header->getArgument(0), high = header->getArgument(1);
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, ValueRange{i32(0), extent(find.getBy())}, header);

  b.setInsertionPointToEnd(header);
  LLVM::CondBrOp::create(b, less(add(low, 1), high), halves, after);
  b.setInsertionPointToEnd(halves);
  Value middle = shiftRight(add(low, high), 1);
  Value isBehind = less(slot, beginOf(slots, middle));
  LLVM::BrOp::create(b, ValueRange{select(isBehind, low, middle), select(isBehind, middle, high)},
                     header);

  b.setInsertionPointToEnd(after);
  Value tile = sub(slot, beginOf(slots, low));
  programs = itsPrograms;
  scalars = itsScalars;
  programs[find.getBy()] = low;
  programs[find.getDim()] = arith::MinUIOp::create(b, tile, programCount(slots.tile));
}

//===----------------------------------------------------------------------===//
// Items that are passed over
//===----------------------------------------------------------------------===//

void Emitter::findSkip(ItemOrder &order, Block &block) {
  auto skips = block.getOps<pipe::SkipUnlessOp>();
  if (skips.empty())
    return;
  order.skip = *skips.begin();
  order.skipSlice = sliceOf(order.skip);
}

Value Emitter::hasRows(const ItemOrder &order, const Item &item) {
  // Only while it is asked whether there is something to do, programs are those of the item.
  auto itsPrograms = programs;
  IRMapping itsScalars = scalars;
  programs.clear();
  decodeItem(order, item);
  for (Operation *op : order.skipSlice)
    (void)emitOp(op); // scalars, which all have a lowering
  Value has = get(pipe::SkipUnlessOp(order.skip).getCondition());
  programs = itsPrograms;
  scalars = itsScalars;
  return has;
}

Emitter::Item Emitter::passEmpty(const ItemOrder &order, const Item &item) {
  return passEmpty(order, item, [&](const Item &candidate) { return itemAfter(order, candidate); });
}

Emitter::Item Emitter::passEmpty(const ItemOrder &order, const Item &item,
                                 function_ref<Item(const Item &)> following) {
  if (!order.skip)
    return item;
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *asks = newBlock(), *passes = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  Registers entry = fieldsOf(order, item);
  for (Value field : entry)
    for (Block *block : {header, after})
      block->addArgument(field.getType(), b.getLoc());
  LLVM::BrOp::create(b, entry, header);

  b.setInsertionPointToEnd(header);
  Registers candidateFields(header->getArguments().begin(), header->getArguments().end());
  ArrayRef<Value> fields = candidateFields;
  Item candidate = takeItem(order, fields);
  LLVM::CondBrOp::create(b, candidate.exists, asks, ValueRange(), after, candidateFields);

  b.setInsertionPointToEnd(asks);
  LLVM::CondBrOp::create(b, hasRows(order, candidate), after, candidateFields, passes,
                         ValueRange());
  b.setInsertionPointToEnd(passes);
  LLVM::BrOp::create(b, fieldsOf(order, following(candidate)), header);

  b.setInsertionPointToEnd(after);
  Registers found(after->getArguments().begin(), after->getArguments().end());
  ArrayRef<Value> rest = found;
  return takeItem(order, rest);
}

// Of several items a block does not get to those; the only one ends it, before the roles part.
void Emitter::emitSkip(pipe::SkipUnlessOp skip) {
  if (!isa<KernelOp>(skip->getParentOp()))
    return;
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *runs = newBlock(), *ends = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, get(skip.getCondition()), runs, ends);
  b.setInsertionPointToEnd(ends);
  LLVM::ReturnOp::create(b, ValueRange());
  b.setInsertionPointToEnd(runs);
}
