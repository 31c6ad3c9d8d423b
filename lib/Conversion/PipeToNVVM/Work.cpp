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
// the L2 cache. Coordinates that are left and do not fill one and a half rounds belong to the group
// before: there is little to even out in so few.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// Where the cache sets a group's size: more rounds even out no better.
static constexpr int64_t mostRoundsByCache = 4;

static Value below(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
}

/// Of how many coordinates of the outer dimensions the L2 cache holds what loops read: five eighths
/// of it, since the coordinates that are left may join a group. 0: not even one.
Value Emitter::coordinatesInCache() {
  Value kilobytes;
  kernel.walk([&](pipe::ProduceOp produce) {
    auto loop = dyn_cast<ForTilesOp>(produce->getParentOp());
    if (!loop)
      return;
    int64_t tile = *kernel.getTileExtent(loop.getDim()),
            bytes = cast<pipe::RingType>(produce.getRing().getType()).getSlotBytes();
    Value tiles = add(divide(sub(extent(loop.getDim()), i32(1)), i32(tile)), 1);
    Value read = mul(tiles, llvm::divideCeil(bytes, 1024));
    kilobytes = kilobytes ? add(kilobytes, read) : read;
  });
  int64_t cache = kernel.getTarget() ? kernel.getTarget()->getL2Bytes() : 0;
  return kilobytes ? divide(i32(cache / 8 * 5 / 1024), kilobytes) : i32(0);
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
  if (order.balanced)
    orderGroups(order);
  return order;
}

void Emitter::orderGroups(ItemOrder &order) {
  int64_t group = kernel.getSchedule() ? kernel.getSchedule()->getGroup() : 0;
  // Two rounds at a time, the number of times that comes nearest to the group wanted, and at least
  // one coordinate's tiles.
  Value two = mul(order.blocks, 2), wanted = group ? i32(group) : coordinatesInCache();
  Value times = divide(add(mul(order.tiles, wanted), order.blocks), two);
  if (!group)
    times = arith::MinUIOp::create(b, times, i32(mostRoundsByCache / 2));
  times = arith::MaxUIOp::create(b, times, divide(add(order.tiles, sub(two, i32(1))), two));
  order.group = divide(mul(two, times), order.tiles);
  Value inGroup = mul(order.group, order.tiles), items = mul(order.coordinates, order.tiles);
  // Not below zero: a group has more than two rounds less the tiles of one coordinate.
  Value leastLeft = add(order.blocks, shiftRight(order.blocks, 1));
  Value groups = divide(sub(add(items, sub(inGroup, i32(1))), leastLeft), inGroup);
  order.lastGroup = sub(arith::MaxUIOp::create(b, groups, i32(1)), i32(1));
}

Value Emitter::numberAt(const ItemOrder &order, Value group, Value round) {
  Value back = equal(mask(add(group, round), 1), 1);
  Value place = select(back, sub(sub(order.blocks, i32(1)), linearBlock), linearBlock);
  return add(mul(round, order.blocks), place);
}

Value Emitter::sizeOf(const ItemOrder &order, Value group) {
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group, order.lastGroup);
  return select(isLast, sub(order.coordinates, mul(group, order.group)), order.group);
}

/// Tile and coordinate of the item with this number in a group of `size` coordinates.
void Emitter::place(const ItemOrder &order, Item &item, Value number, Value size) {
  Value level = divide(number, size);
  item.tile = sub(sub(order.tiles, i32(1)), level);
  item.coordinate = add(mul(item.group, order.group), sub(number, mul(level, size)));
}

Emitter::Item Emitter::firstItem(const ItemOrder &order) {
  Item item;
  item.exists = below(b, linearBlock, mul(order.tiles, order.coordinates));
  item.number = item.place = linearBlock;
  item.round = item.group = i32(0);
  if (order.balanced)
    place(order, item, linearBlock, sizeOf(order, item.group));
  return item;
}

Emitter::Item Emitter::itemAfter(const ItemOrder &order, const Item &item) {
  Item next;
  if (!order.balanced) {
    Value after = add(item.place, 1),
          isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, after, order.blocks);
    next.place = select(isLast, i32(0), after);
    next.number = add(add(sub(item.number, item.place), order.blocks), next.place);
    next.exists = below(b, next.number, mul(order.tiles, order.coordinates));
    return next;
  }
  // What the group lacks is skipped. A group's first round is full.
  Value round = add(item.round, 1), group = add(item.group, 1);
  Value number = numberAt(order, item.group, round), size = sizeOf(order, item.group);
  Value stays = below(b, number, mul(size, order.tiles));
  next.exists = arith::OrIOp::create(b, stays, below(b, item.group, order.lastGroup));
  next.round = select(stays, round, i32(0));
  next.group = select(stays, item.group, group);
  place(order, next, select(stays, number, numberAt(order, group, i32(0))),
        select(stays, size, sizeOf(order, group)));
  return next;
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
