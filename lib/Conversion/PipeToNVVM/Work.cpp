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
//
// Where items are handed over, the producer alone finds out the next one: in the same order, or
// from a counter (Handover.cpp).
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
    int64_t bytes = cast<pipe::RingType>(produce.getRing().getType()).getSlotBytes();
    Value read = mul(tileCount(loop.getDim()), llvm::divideCeil(bytes, 1024));
    kilobytes = kilobytes ? add(kilobytes, read) : read;
  });
  int64_t cache = kernel.getTarget() ? kernel.getTarget()->getL2Bytes() : 0;
  if (!kilobytes)
    return i32(0);
  // The number of tiles of an empty dimension wraps around, and its product may be 0.
  kilobytes = arith::MaxUIOp::create(b, kilobytes, i32(1));
  return divide(i32(cache / 8 * 5 / 1024), kilobytes);
}

Emitter::ItemOrder Emitter::orderItems(Block &block, bool balanced,
                                       std::optional<int64_t> handover) {
  ItemOrder order;
  if (handover) {
    bool gives = handed.empty() ? inProducer : inScout;
    order.handover = gives ? Handover::gives : Handover::takes;
    order.handoverOffset = *handover;
  }
  order.outer = llvm::to_vector(block.getOps<ProgramOp>());
  order.tiles = order.coordinates = i32(1);
  if (!order.outer.empty() && isa<TileIndexType>(order.outer.back().getType())) {
    order.inner = order.outer.pop_back_val();
    order.tiles = programCount(order.inner);
  }
  order.slots = findSlots(block);
  if (order.slots.find) {
    llvm::erase(order.outer, order.slots.number);
    order.tiles = countSlots(order.slots);
  }
  order.balanced = balanced && order.inner;
  findSkip(order, block);
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
  Value inGroup = order.inGroup = mul(order.group, order.tiles);
  // Not below zero: a group has more than two rounds less the tiles of one coordinate.
  Value leastLeft = add(order.blocks, shiftRight(order.blocks, 1));
  Value groups = divide(sub(add(countItems(order), sub(inGroup, i32(1))), leastLeft), inGroup);
  order.lastGroup = sub(arith::MaxUIOp::create(b, groups, i32(1)), i32(1));
}

Value Emitter::countItems(const ItemOrder &order) { return mul(order.tiles, order.coordinates); }

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

/// The same where items weigh the same, by `item.number`.
void Emitter::placeByNumber(const ItemOrder &order, Item &item) {
  item.coordinate = divide(item.number, order.tiles);
  item.tile = sub(item.number, mul(item.coordinate, order.tiles));
}

Emitter::Item Emitter::firstItem(const ItemOrder &order) {
  Item item;
  item.exists = below(b, linearBlock, countItems(order));
  item.number = item.place = linearBlock;
  item.round = item.group = item.count = i32(0);
  if (order.balanced)
    place(order, item, linearBlock, sizeOf(order, item.group));
  else if (order.handover != Handover::none)
    placeByNumber(order, item);
  if (order.handover == Handover::none)
    return passEmpty(order, item);
  if (inScout) {
    emitIf(item.exists, [&] { claimWorkspace(); });
    return passEmpty(order, item, [&](const Item &candidate) {
      return nextItem(order, candidate, askForItem());
    });
  }
  // Where items are handed over, this one is what both roles know without that. Without a row it is
  // run all the same, for the sake of those that the block is given after it.
  if (order.skip) {
    Value isFollowed =
        arith::OrIOp::create(b, isWorkspaceGiven(), below(b, order.blocks, countItems(order)));
    Value exists = arith::ExtUIOp::create(b, b.getI32Type(), item.exists);
    exists = emitBranch(arith::AndIOp::create(b, item.exists, isNot(isFollowed)), {exists}, [&] {
               Value has = hasRows(order, item);
               return FailureOr<Registers>(
                   Registers{arith::ExtUIOp::create(b, b.getI32Type(), has).getResult()});
             })->front();
    item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, exists, i32(0));
  }
  if (order.handover == Handover::gives)
    emitIf(item.exists, [&] { claimWorkspace(); });
  return item;
}

Emitter::Item Emitter::itemAfter(const ItemOrder &order, const Item &item) {
  Item next;
  if (!order.balanced) {
    Value after = add(item.place, 1),
          isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, after, order.blocks);
    next.place = select(isLast, i32(0), after);
    next.number = add(add(sub(item.number, item.place), order.blocks), next.place);
    next.exists = below(b, next.number, countItems(order));
    if (order.handover != Handover::none)
      placeByNumber(order, next);
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

/// The fields of \p item that cross a branch, `exists` apart.
static SmallVector<Value *> carriedFields(Emitter::Item &item, bool balanced, Handover handover) {
  SmallVector<Value *> fields;
  if (handover != Handover::takes)
    fields = balanced ? SmallVector<Value *>{&item.round, &item.group}
                      : SmallVector<Value *>{&item.number, &item.place};
  if (balanced || handover != Handover::none)
    fields.append({&item.tile, &item.coordinate});
  if (handover != Handover::none)
    fields.push_back(&item.count);
  for (Value &read : item.reads)
    fields.push_back(&read);
  return fields;
}

Registers Emitter::fieldsOf(const ItemOrder &order, Item item) {
  Registers fields{arith::ExtUIOp::create(b, b.getI32Type(), item.exists)};
  for (Value *field : carriedFields(item, order.balanced, order.handover))
    fields.push_back(*field);
  return fields;
}

Emitter::Item Emitter::takeItem(const ItemOrder &order, ArrayRef<Value> &fields) {
  Item item;
  if (order.handover == Handover::takes)
    item.reads.resize(handed.reads.size());
  item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, fields.front(), i32(0));
  fields = fields.drop_front();
  for (Value *field : carriedFields(item, order.balanced, order.handover)) {
    *field = fields.front();
    fields = fields.drop_front();
  }
  return item;
}

void Emitter::decodeItem(const ItemOrder &order, Item item) {
  if (!item.tile)
    placeByNumber(order, item);
  if (order.slots.find)
    decodeSlot(order.slots, item.tile);
  else if (ProgramOp inner = order.inner)
    programs[inner.getDim()] = item.tile;
  decodePrograms(order.outer, item.coordinate);
}

FailureOr<Registers> Emitter::emitRegion(Block &block, const Registers &arguments,
                                         function_ref<void(Operation *)> after) {
  ArrayRef<Value> rest = arguments;
  for (BlockArgument argument : block.getArguments())
    bind(argument, rest);
  for (Operation &op : block) {
    if (!handed.needless.contains(&op) && failed(emitOp(&op)))
      return failure();
    after(&op);
  }
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
  ItemOrder order = orderItems(work.getBlock(), work.getBalanced(), work.getHandover());
  bool isFirstTaken = !handed.empty() && order.handover == Handover::takes;
  Item beginning = isFirstTaken ? takeHandedItem(order, i32(0)) : firstItem(order);
  Registers entry = fieldsOf(order, beginning);
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
  std::optional<Item> following;
  auto yielded = emitBeginning(order, item, work.getBlock(), Registers(carried), following);
  if (failed(yielded))
    return failure();
  if (!following)
    following = takeHandedItem(order, item.count);
  Registers again = fieldsOf(order, *following);
  llvm::append_range(again, *yielded);
  LLVM::BrOp::create(b, again, header);
  b.setInsertionPointToEnd(after);
  return success();
}

// Where an item begins, beside its first dots, it is found out which comes after it: where it ends
// that is known. Consumers who are given it have it no sooner than at the end.
FailureOr<Registers> Emitter::emitBeginning(const ItemOrder &order, const Item &item, Block &block,
                                            const Registers &arguments,
                                            std::optional<Item> &following) {
  programs.clear();
  if (item.tile && order.inner && !order.slots.find)
    programs[ProgramOp(order.inner).getDim()] = item.tile;
  useHanded(item, block);
  decodeLater = [&] {
    decodeItem(order, item);
    if (order.handover == Handover::none)
      following = passEmpty(order, itemAfter(order, item));
  };
  ForTilesOp lastLoop;
  for (auto loop : block.getOps<ForTilesOp>())
    lastLoop = loop;
  Value answer;
  beginCalls(lastLoop);
  auto afterOp = [&](Operation *op) {
    callIfShort(op);
    if (lastLoop && op == lastLoop && order.handover == Handover::gives)
      answer = askForItem();
  };
  auto begun = emitRegion(block, arguments, afterOp);
  decodeLater = nullptr;
  if (failed(begun))
    return failure();
  callingLoop = nullptr;
  if (order.handover == Handover::gives)
    following = giveItem(order, item, answer ? answer : askForItem());
  else if (order.handover == Handover::none && !following)
    following = passEmpty(order, itemAfter(order, item));
  return begun;
}

LogicalResult Emitter::emitSkewedWork(pipe::SkewedWorkOp work) {
  ItemOrder order = orderItems(work.getFirst().front(), work.getBalanced(), work.getHandover());
  bool isHanded = order.handover == Handover::takes;
  Registers inits;
  for (Value init : work.getInits())
    append(inits, init);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *first = newBlock(), *steps = newBlock(), *next = newBlock(), *last = newBlock(),
        *after = newBlock();
  b.restoreInsertionPoint(here);
  Item item = handed.empty() || !isHanded ? firstItem(order) : takeHandedItem(order, i32(0));
  LLVM::CondBrOp::create(b, item.exists, first, after);

  auto begin = [&](const Item &begun, Region &region, const Registers &given) {
    std::optional<Item> following;
    auto yielded = emitBeginning(order, begun, region.front(), given, following);
    if (failed(yielded))
      return yielded;
    Registers entry = following ? fieldsOf(order, *following) : Registers{begun.count};
    llvm::append_range(entry, *yielded);
    return FailureOr<Registers>(entry);
  };
  b.setInsertionPointToEnd(first);
  auto entry = begin(item, work.getFirst(), inits);
  if (failed(entry))
    return failure();
  LLVM::BrOp::create(b, *entry, steps);
  Registers arguments = argumentsOf(steps, *entry);

  b.setInsertionPointToEnd(steps);
  ArrayRef<Value> carried = arguments;
  Item following = isHanded ? Item() : takeItem(order, carried);
  auto done = emitRegion(work.getSteps().front(), Registers(carried.drop_front(isHanded)));
  if (failed(done))
    return failure();
  if (isHanded)
    following = takeHandedItem(order, carried.front());
  LLVM::CondBrOp::create(b, following.exists, next, last);

  b.setInsertionPointToEnd(next);
  auto again = begin(following, work.getNext(), *done);
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
