//===- Work.cpp - the work items of a persistent block --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The order of items is static. Where the tile decides how many tiles a loop visits, it goes
// heaviest, lightest, next heaviest, and so on, so that two neighbours together weigh as much as
// any two; with an odd number of tiles every second coordinate begins with the middle tile, beside
// the middle of the one before. A block takes two neighbours, then those at the same place of the
// next round, unless that would leave many blocks without any: then single ones, from a place that
// moves on with the round. Where items weigh the same, a block takes one of each round.
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
  order.balanced = balanced;
  order.outer = llvm::to_vector(block.getOps<ProgramOp>());
  order.count = i32(1);
  if (!order.outer.empty() && isa<TileIndexType>(order.outer.back().getType())) {
    order.inner = order.outer.pop_back_val();
    order.count = programCount(order.inner);
  }
  order.items = order.count;
  for (ProgramOp program : order.outer)
    order.items = mul(order.items, programCount(program));
  order.blocks = intrinsic("llvm.nvvm.read.ptx.sreg.nctaid.x", b.getI32Type(), {});
  if (!balanced)
    return order;
  order.odd = equal(mask(order.count, 1), 1);
  Value most = sub(order.blocks, i32(1)), rounds = divide(add(order.items, most), order.blocks);
  Value inPairs = mul(divide(add(shiftRight(add(order.items, 1), 1), most), order.blocks), 2);
  Value single = below(b, add(rounds, shiftRight(rounds, 3)), inPairs);
  // An even number of blocks needs an odd step, and the other way round, to alternate.
  constexpr int64_t placeStep = 37;
  order.step = select(single, add(i32(placeStep), mask(order.blocks, 1)), i32(0));
  order.chunkBits = select(single, i32(0), i32(1));
  return order;
}

std::pair<Value, Value> Emitter::itemAt(const ItemOrder &order, Value turn) {
  Value item;
  if (order.balanced) {
    Value round = arith::ShRUIOp::create(b, turn, order.chunkBits);
    Value inChunk = sub(turn, arith::ShLIOp::create(b, round, order.chunkBits));
    Value place = arith::RemUIOp::create(b, add(linearBlock, mul(round, order.step)), order.blocks);
    Value chunk = add(mul(round, order.blocks), place);
    item = add(arith::ShLIOp::create(b, chunk, order.chunkBits), inChunk);
  } else {
    item = add(mul(turn, order.blocks), linearBlock);
  }
  return {item, below(b, item, order.items)};
}

void Emitter::decodeItem(const ItemOrder &order, Value item) {
  Value coordinate = divide(item, order.count);
  if (ProgramOp inner = order.inner) {
    Value number = sub(item, mul(coordinate, order.count)), last = sub(order.count, i32(1));
    programs[inner.getDim()] = number;
    if (order.balanced) {
      Value middleFirst = arith::AndIOp::create(b, order.odd, equal(mask(coordinate, 1), 1));
      Value isMiddle = arith::AndIOp::create(b, middleFirst, equal(number, 0));
      number = select(middleFirst, sub(number, i32(1)), number);
      Value half = shiftRight(number, 1);
      Value tile = select(equal(mask(number, 1), 1), half, sub(last, half));
      programs[inner.getDim()] = select(isMiddle, shiftRight(last, 1), tile);
    }
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
  Value item, exists;
  std::tie(item, exists) = itemAt(order, arguments.front());
  LLVM::CondBrOp::create(b, exists, body, after);

  b.setInsertionPointToEnd(body);
  decodeLater = [&] { decodeItem(order, item); };
  auto yielded = emitRegion(work.getBlock(), Registers(ArrayRef(arguments).drop_front()));
  if (failed(yielded))
    return failure();
  Registers again{add(arguments.front(), 1)};
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
  Value item, exists;
  std::tie(item, exists) = itemAt(order, i32(0));
  LLVM::CondBrOp::create(b, exists, first, after);

  b.setInsertionPointToEnd(first);
  decodeLater = [&] { decodeItem(order, item); };
  auto begun = emitRegion(work.getFirst().front(), inits);
  if (failed(begun))
    return failure();
  Registers entry{i32(0)};
  llvm::append_range(entry, *begun);
  LLVM::BrOp::create(b, entry, steps);
  Registers carried = argumentsOf(steps, entry);

  b.setInsertionPointToEnd(steps);
  auto done = emitRegion(work.getSteps().front(), Registers(ArrayRef(carried).drop_front()));
  if (failed(done))
    return failure();
  Value turn = add(carried.front(), 1);
  Value nextItem, another;
  std::tie(nextItem, another) = itemAt(order, turn);
  LLVM::CondBrOp::create(b, another, next, last);

  b.setInsertionPointToEnd(next);
  decodeLater = [&] { decodeItem(order, nextItem); };
  begun = emitRegion(work.getNext().front(), *done);
  if (failed(begun))
    return failure();
  Registers again{turn};
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
