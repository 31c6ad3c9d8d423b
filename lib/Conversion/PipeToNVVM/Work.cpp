//===- Work.cpp - the work items of a persistent block --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The order of items is static. Where items weigh the same, a block takes one of each round of as
// many items as there are blocks, and moves on by one place each time: else, where the tiles divide
// the number of blocks, it would always get the same tile, and the last one may have less to do.
// Where the tile decides how many tiles a loop visits (`balanced`),
// the coordinates of the other dimensions are cut into groups, and the items of a group go from
// heavy to light, in an even number of rounds that blocks run through to and fro: the block that
// came first in one round comes last in the next, so each gets as much as any. A group is as large
// as fills its rounds; what is missing of the last one is skipped. Few coordinates at a time share
// the L2 cache. Coordinates that are left and do not fill two rounds belong to the group before:
// there is little to even out in a few rounds.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

static Value below(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
}

/// How many coordinates of the outer dimensions run at a time: the schedule's number, else as many
/// as three quarters of the L2 cache hold what loops read of them.
Value Emitter::coordinatesAtOnce() {
  if (int64_t group = kernel.getSchedule() ? kernel.getSchedule()->getGroup() : 0)
    return i32(group);
  Value kilobytes = i32(0);
  kernel.walk([&](pipe::ProduceOp produce) {
    auto loop = dyn_cast<ForTilesOp>(produce->getParentOp());
    if (!loop)
      return;
    int64_t tile = *kernel.getTileExtent(loop.getDim()),
            bytes = cast<pipe::RingType>(produce.getRing().getType()).getSlotBytes();
    Value tiles = add(divide(sub(extent(loop.getDim()), i32(1)), i32(tile)), 1);
    kilobytes = add(kilobytes, mul(tiles, llvm::divideCeil(bytes, 1024)));
  });
  int64_t cache = kernel.getTarget() ? kernel.getTarget()->getL2Bytes() : 0;
  Value fit = divide(i32(cache / 4 * 3 / 1024), arith::MaxUIOp::create(b, kilobytes, i32(1)));
  return arith::MaxUIOp::create(b, fit, i32(1));
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
  Value wanted = coordinatesAtOnce(), two = mul(order.blocks, 2);
  Value times = divide(add(mul(order.tiles, wanted), order.blocks), two);
  times = arith::MaxUIOp::create(b, times, divide(add(order.tiles, sub(two, i32(1))), two));
  order.rounds = mul(times, 2);
  order.group = divide(mul(two, times), order.tiles);
  Value inGroup = mul(order.group, order.tiles), items = mul(order.coordinates, order.tiles);
  Value begun = arith::MaxUIOp::create(b, add(items, sub(inGroup, i32(1))), two);
  Value groups = divide(sub(begun, two), inGroup);
  order.lastGroup = sub(arith::MaxUIOp::create(b, groups, i32(1)), i32(1));
  return order;
}

Emitter::Item Emitter::firstItem(const ItemOrder &order) {
  if (order.balanced)
    return balancedItem(order, i32(0), i32(0));
  Item item;
  item.number = item.place = linearBlock;
  item.exists = below(b, item.number, mul(order.tiles, order.coordinates));
  return item;
}

Emitter::Item Emitter::balancedItem(const ItemOrder &order, Value group, Value round) {
  struct Place {
    Value exists, round, group, number, first, size;
  };
  auto placeIn = [&](Value group, Value round) -> Place {
    Value back = equal(mask(add(group, round), 1), 1);
    Value place = select(back, sub(sub(order.blocks, i32(1)), linearBlock), linearBlock);
    Value first = mul(group, order.group);
    Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group, order.lastGroup);
    Value size = select(isLast, sub(order.coordinates, first), order.group);
    Value number = add(mul(round, order.blocks), place);
    Value exists = arith::AndIOp::create(b, below(b, group, add(order.lastGroup, 1)),
                                         below(b, number, mul(size, order.tiles)));
    return {exists, round, group, number, first, size};
  };
  Place place = placeIn(group, round), other = placeIn(add(group, 1), i32(0));
  auto choose = [&](Value a, Value c) { return select(place.exists, a, c); };
  Value number = choose(place.number, other.number), size = choose(place.size, other.size);
  Value level = divide(number, size);
  Item item;
  item.exists = arith::OrIOp::create(b, place.exists, other.exists);
  item.round = choose(place.round, other.round);
  item.group = choose(place.group, other.group);
  item.tile = sub(sub(order.tiles, i32(1)), level);
  item.coordinate = add(choose(place.first, other.first), sub(number, mul(level, size)));
  return item;
}

Emitter::Item Emitter::itemAfter(const ItemOrder &order, const Item &item) {
  if (!order.balanced) {
    Value place = add(item.place, 1), isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, place, order.blocks);
    Item next;
    next.place = select(isLast, i32(0), place);
    next.number = add(add(sub(item.number, item.place), order.blocks), next.place);
    next.exists = below(b, next.number, mul(order.tiles, order.coordinates));
    return next;
  }
  Value round = add(item.round, 1);
  Value isLast = arith::AndIOp::create(
      b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, round, order.rounds),
      below(b, item.group, order.lastGroup));
  return balancedItem(order, select(isLast, add(item.group, 1), item.group),
                select(isLast, i32(0), round));
}

Registers Emitter::fieldsOf(const ItemOrder &order, const Item &item) {
  Value exists = arith::ExtUIOp::create(b, b.getI32Type(), item.exists);
  if (order.balanced)
    return {exists, item.round, item.group, item.tile, item.coordinate};
  return {exists, item.number, item.place};
}

Emitter::Item Emitter::takeItem(const ItemOrder &order, ArrayRef<Value> &fields) {
  unsigned count = order.balanced ? 5 : 3;
  ArrayRef<Value> own = fields.take_front(count);
  fields = fields.drop_front(count);
  Item item;
  item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, own[0], i32(0));
  if (order.balanced)
    std::tie(item.round, item.group, item.tile, item.coordinate) =
        std::make_tuple(own[1], own[2], own[3], own[4]);
  else
    std::tie(item.number, item.place) = std::make_tuple(own[1], own[2]);
  return item;
}

void Emitter::decodeItem(const ItemOrder &order, const Item &item) {
  Value coordinate = item.coordinate;
  if (!order.balanced) {
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
  programs.clear();
  if (order.balanced)
    programs[ProgramOp(order.inner).getDim()] = item.tile;
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
