//===- Work.cpp - the work items of a persistent block --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The order of items is static. Where items weigh the same, a block takes one of each round of as
// many items as there are blocks. Where the tile decides how many tiles a loop visits (`balanced`),
// the coordinates of the other dimensions are cut into groups, and the items of a group go from
// heavy to light, in an even number of rounds that blocks run through to and fro: the block that
// came first in one round comes last in the next, so each gets as much as any. A group is as large
// as fills its rounds; what is missing of the last one is skipped. Few coordinates at a time share
// the L2 cache. Coordinates that are left and make no round of their own belong to the group
// before.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

static Value below(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
}

Emitter::ItemOrder Emitter::orderItems(Block &block, bool balanced) {
  ItemOrder order;
  order.outer = llvm::to_vector(block.getOps<ProgramOp>());
  order.tiles = order.coordinates = i32(1);
  if (!order.outer.empty() && isa<TileIndexType>(order.outer.back().getType())) {
    order.inner = order.outer.pop_back_val();
    order.tiles = programCount(order.inner);
  }
  order.balanced = balanced && order.inner;
  for (ProgramOp program : order.outer)
    order.coordinates = mul(order.coordinates, programCount(program));
  order.blocks = intrinsic("llvm.nvvm.read.ptx.sreg.nctaid.x", b.getI32Type(), {});
  if (!order.balanced)
    return order;
  // Two rounds at a time, the number of times that comes nearest to the schedule's group, and at
  // least one coordinate's tiles.
  int64_t wanted = kernel.getSchedule() ? kernel.getSchedule()->getGroup() : 0;
  Value two = mul(order.blocks, 2);
  Value times = divide(add(mul(order.tiles, wanted), order.blocks), two);
  times = arith::MaxUIOp::create(b, times, divide(add(order.tiles, sub(two, i32(1))), two));
  order.group = divide(mul(two, times), order.tiles);
  Value inGroup = mul(order.group, order.tiles), items = mul(order.coordinates, order.tiles);
  Value groups = divide(sub(add(items, sub(inGroup, i32(1))), order.blocks), inGroup);
  order.lastGroup = sub(arith::MaxUIOp::create(b, groups, i32(1)), i32(1));
  return order;
}

Value Emitter::numberAt(const ItemOrder &order, Value group, Value round) {
  Value back = equal(mask(add(group, round), 1), 1);
  Value place = select(back, sub(sub(order.blocks, i32(1)), linearBlock), linearBlock);
  return add(mul(round, order.blocks), place);
}

Value Emitter::sizeOf(const ItemOrder &order, Value group, Value first) {
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group, order.lastGroup);
  return select(isLast, sub(order.coordinates, first), order.group);
}

Emitter::Item Emitter::firstItem(const ItemOrder &order) {
  Value zero = i32(0), exists = below(b, linearBlock, mul(order.tiles, order.coordinates));
  Value size = order.balanced ? sizeOf(order, zero, zero) : zero;
  return {zero, exists, linearBlock, zero, zero, size};
}

Emitter::Item Emitter::itemAfter(const ItemOrder &order, const Item &item) {
  Value round = add(item.round, 1);
  if (!order.balanced) {
    Value number = add(mul(round, order.blocks), linearBlock);
    Value exists = below(b, number, mul(order.tiles, order.coordinates));
    return {round, exists, number, i32(0), i32(0), i32(0)};
  }
  // What the group lacks is skipped. A group's first round is full.
  Value number = numberAt(order, item.group, round);
  Value stays = below(b, number, mul(item.size, order.tiles));
  Value exists = arith::OrIOp::create(b, stays, below(b, item.group, order.lastGroup));
  Value group = add(item.group, 1), first = add(item.first, order.group);
  return {select(stays, round, i32(0)),
          exists,
          select(stays, number, numberAt(order, group, i32(0))),
          select(stays, item.group, group),
          select(stays, item.first, first),
          select(stays, item.size, sizeOf(order, group, first))};
}

Registers Emitter::fieldsOf(const ItemOrder &order, const Item &item) {
  Registers fields{item.round, arith::ExtUIOp::create(b, b.getI32Type(), item.exists)};
  if (order.balanced)
    llvm::append_range(fields, ArrayRef{item.number, item.group, item.first, item.size});
  return fields;
}

Emitter::Item Emitter::takeItem(const ItemOrder &order, ArrayRef<Value> &fields) {
  unsigned count = order.balanced ? 6 : 2;
  ArrayRef<Value> own = fields.take_front(count);
  fields = fields.drop_front(count);
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, own[1], i32(0));
  if (!order.balanced)
    return {own[0], exists, add(mul(own[0], order.blocks), linearBlock), i32(0), i32(0), i32(0)};
  return {own[0], exists, own[2], own[3], own[4], own[5]};
}

void Emitter::decodeItem(const ItemOrder &order, const Item &item) {
  Value coordinate;
  if (order.balanced) {
    Value level = divide(item.number, item.size);
    coordinate = add(item.first, sub(item.number, mul(level, item.size)));
    programs[ProgramOp(order.inner).getDim()] = sub(sub(order.tiles, i32(1)), level);
  } else {
    coordinate = divide(item.number, order.tiles);
    if (ProgramOp inner = order.inner)
      programs[inner.getDim()] = sub(item.number, mul(coordinate, order.tiles));
  }
  decodePrograms(order.outer, coordinate);
}

FailureOr<Registers> Emitter::emitRegion(Block &block, const Registers &arguments) {
  ArrayRef<Value> rest = arguments;
  for (BlockArgument argument : block.getArguments())
    bind(argument, rest);
  if (failed(emitBlock(block)))
    return failure();
  Registers yielded;
  for (Value value : block.getTerminator()->getOperands())
    append(yielded, value);
  return yielded;
}

static Registers argumentsOf(Block *block, ValueRange like) {
  Registers arguments;
  for (Value value : like)
    arguments.push_back(block->addArgument(value.getType(), value.getLoc()));
  return arguments;
}

LogicalResult Emitter::emitWork(pipe::ForWorkOp work) {
  ItemOrder order = orderItems(work.getBlock(), work.getBalanced());
  Registers entry = fieldsOf(order, firstItem(order));
  for (Value init : work.getInits())
    append(entry, init);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, entry, header);
  Registers arguments = argumentsOf(header, entry);
  b.setInsertionPointToEnd(header);
  ArrayRef<Value> carried = arguments;
  Item item = takeItem(order, carried);
  LLVM::CondBrOp::create(b, item.exists, body, after);

  b.setInsertionPointToEnd(body);
  auto again = emitBeginning(order, item, work.getBlock(), Registers(carried));
  if (failed(again))
    return failure();
  LLVM::BrOp::create(b, *again, header);
  b.setInsertionPointToEnd(after);
  return success();
}

// Where an item begins, beside its first dots, it is found out which comes after it: where it ends
// that is known.
FailureOr<Registers> Emitter::emitBeginning(const ItemOrder &order, const Item &item, Block &block,
                                            const Registers &arguments) {
  std::optional<Item> following;
  decodeLater = [&] {
    decodeItem(order, item);
    following = itemAfter(order, item);
  };
  auto begun = emitRegion(block, arguments);
  decodeLater = nullptr;
  if (failed(begun))
    return failure();
  Registers entry = fieldsOf(order, following ? *following : itemAfter(order, item));
  llvm::append_range(entry, *begun);
  return entry;
}

LogicalResult Emitter::emitSkewedWork(pipe::SkewedWorkOp work) {
  ItemOrder order = orderItems(work.getFirst().front(), work.getBalanced());
  Registers inits;
  for (Value init : work.getInits())
    append(inits, init);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *first = newBlock(), *steps = newBlock(), *next = newBlock(), *last = newBlock(),
        *after = newBlock();
  b.restoreInsertionPoint(here);
  Item item = firstItem(order);
  LLVM::CondBrOp::create(b, item.exists, first, after);

  b.setInsertionPointToEnd(first);
  auto entry = emitBeginning(order, item, work.getFirst().front(), inits);
  if (failed(entry))
    return failure();
  LLVM::BrOp::create(b, *entry, steps);
  Registers arguments = argumentsOf(steps, *entry);

  b.setInsertionPointToEnd(steps);
  ArrayRef<Value> carried = arguments;
  Item following = takeItem(order, carried);
  auto done = emitRegion(work.getSteps().front(), Registers(carried));
  if (failed(done))
    return failure();
  LLVM::CondBrOp::create(b, following.exists, next, last);

  b.setInsertionPointToEnd(next);
  auto again = emitBeginning(order, following, work.getNext().front(), *done);
  if (failed(again))
    return failure();
  LLVM::BrOp::create(b, *again, steps);

  b.setInsertionPointToEnd(last);
  if (failed(emitRegion(work.getLast().front(), *done)))
    return failure();
  LLVM::BrOp::create(b, after);
  b.setInsertionPointToEnd(after);
  return success();
}
