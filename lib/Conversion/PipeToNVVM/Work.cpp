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
// the L2 cache.
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
  order.rounds = mul(times, 2);
  order.group = divide(mul(two, times), order.tiles);
  return order;
}

Emitter::Item Emitter::itemAt(const ItemOrder &order, Value turn) {
  if (!order.balanced) {
    Value number = add(mul(turn, order.blocks), linearBlock);
    return {turn, number, i32(0), Value(), below(b, number, mul(order.tiles, order.coordinates))};
  }
  auto inGroup = [&](Value group, Value round) -> Item {
    Value back = equal(mask(add(group, round), 1), 1);
    Value place = select(back, sub(sub(order.blocks, i32(1)), linearBlock), linearBlock);
    Value first = mul(group, order.group);
    Value size = arith::MinUIOp::create(b, order.group, sub(order.coordinates, first));
    Value number = add(mul(round, order.blocks), place);
    Value exists = arith::AndIOp::create(b, below(b, first, order.coordinates),
                                         below(b, number, mul(size, order.tiles)));
    return {add(mul(group, order.rounds), round), number, first, size, exists};
  };
  Value group = divide(turn, order.rounds);
  Item item = inGroup(group, sub(turn, mul(group, order.rounds)));
  Item other = inGroup(add(group, 1), i32(0));
  return {select(item.exists, item.turn, other.turn),
          select(item.exists, item.number, other.number),
          select(item.exists, item.first, other.first), select(item.exists, item.size, other.size),
          arith::OrIOp::create(b, item.exists, other.exists)};
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
  Registers entry{i32(0)};
  for (Value init : work.getInits())
    append(entry, init);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, entry, header);
  Registers arguments = argumentsOf(header, entry);
  b.setInsertionPointToEnd(header);
  Item item = itemAt(order, arguments.front());
  LLVM::CondBrOp::create(b, item.exists, body, after);

  b.setInsertionPointToEnd(body);
  decodeLater = [&] { decodeItem(order, item); };
  auto yielded = emitRegion(work.getBlock(), Registers(ArrayRef(arguments).drop_front()));
  if (failed(yielded))
    return failure();
  Registers again{add(item.turn, 1)};
  llvm::append_range(again, *yielded);
  LLVM::BrOp::create(b, again, header);
  decodeLater = nullptr;
  b.setInsertionPointToEnd(after);
  return success();
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
  Item item = itemAt(order, i32(0));
  LLVM::CondBrOp::create(b, item.exists, first, after);

  b.setInsertionPointToEnd(first);
  decodeLater = [&] { decodeItem(order, item); };
  auto begun = emitRegion(work.getFirst().front(), inits);
  if (failed(begun))
    return failure();
  Registers entry{item.turn};
  llvm::append_range(entry, *begun);
  LLVM::BrOp::create(b, entry, steps);
  Registers carried = argumentsOf(steps, entry);

  b.setInsertionPointToEnd(steps);
  auto done = emitRegion(work.getSteps().front(), Registers(ArrayRef(carried).drop_front()));
  if (failed(done))
    return failure();
  Item following = itemAt(order, add(carried.front(), 1));
  LLVM::CondBrOp::create(b, following.exists, next, last);

  b.setInsertionPointToEnd(next);
  decodeLater = [&] { decodeItem(order, following); };
  begun = emitRegion(work.getNext().front(), *done);
  if (failed(begun))
    return failure();
  Registers again{following.turn};
  llvm::append_range(again, *begun);
  LLVM::BrOp::create(b, again, steps);

  b.setInsertionPointToEnd(last);
  if (failed(emitRegion(work.getLast().front(), *done)))
    return failure();
  LLVM::BrOp::create(b, after);
  decodeLater = nullptr;
  b.setInsertionPointToEnd(after);
  return success();
}
