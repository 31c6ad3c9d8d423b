//===- Handover.cpp - work items from the producer to the consumers -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The caller's workspace is one 64-bit word: a ticket, which is another one for each launch, above
// a counter. All is 0 between launches. Each block with an item claims the word for the launch, and
// after its first item, whose number is the block's, takes the counter's numbers until there are no
// items. As many numbers are taken as there are items, since each block takes one too many and its
// first from nowhere; so the block that takes the last one clears the word. A ticket that is not
// the launch's says that another one uses the workspace at the same time, or that it was not
// cleared: both would lose items, so the kernel traps.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// In place of a tile, where there is no item.
static constexpr int64_t noTile = -1;

/// Tiles that the producer has to copy yet where it calls the scout. The counter's answer, an
/// element and two rounds of a search are four reads that wait for one another, about a tile's dots
/// each; called much sooner, a block takes an item that another one would begin before it does.
static constexpr int64_t tilesAhead = 4;

/// What \p op is computed from in its block, and \p op itself.
static void addSlice(Operation *op, llvm::SetVector<Operation *> &slice) {
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp();
        definition && definition->getBlock() == op->getBlock())
      addSlice(definition, slice);
  slice.insert(op);
}

void Emitter::claimWorkspace() {
  assembly("{\n.reg .pred given;\n.reg .b64 claimed, was;\nsetp.ne.s64 given, $0, 0;\n"
           "setp.eq.and.u32 given, $2, 0, given;\nmov.b64 claimed, {0, $1};\n"
           "@given atom.relaxed.gpu.global.cas.b64 was, [$0], 0, claimed;\n}",
           "l,r,r",
           {function.getArgument(workspaceParameter), function.getArgument(ticketParameter),
            producerLane()});
}

// When the copies of an item's loops are on their way: consumers still have the tiles of a ring to
// go, while the answer comes, and asked before that a heavy item would hold up the one after it.
Value Emitter::askForItem() {
  return assembly("{\n.reg .pred given;\nsetp.ne.s64 given, $1, 0;\n"
                  "setp.eq.and.u32 given, $2, 0, given;\nmov.b64 $0, 0;\n"
                  "@given atom.relaxed.gpu.global.add.u64 $0, [$1], 1;\n}",
                  "=&l,l,r", b.getI64Type(),
                  {function.getArgument(workspaceParameter), producerLane()})
      .front();
}

// Lane 0 does what is done once. The producer has no register to keep that in.
Value Emitter::producerLane() {
  if (producerThreads == 1)
    return i32(0);
  FreshPlace fresh(*this);
  return lane;
}

/// The item of the counter's answer. All items of a group, and all groups, follow one another.
Emitter::Item Emitter::itemFromCounter(const ItemOrder &order, Value answer) {
  Type i32Type = b.getI32Type();
  Value taken = arith::TruncIOp::create(b, i32Type, answer),
        upper =
            arith::ShRUIOp::create(b, answer, arith::ConstantIntOp::create(b, b.getI64Type(), 32)),
        ticket = arith::TruncIOp::create(b, i32Type, upper), items = countItems(order);
  taken = sameForWarp(taken); // lane 0's: the others have 0
  ticket = sameForWarp(ticket);
  assembly("{\n.reg .pred other;\nsetp.ne.u32 other, $0, $1;\n@other trap;\n}", "r,r",
           {ticket, function.getArgument(ticketParameter)});
  assembly("{\n.reg .pred last;\nsetp.eq.u32 last, $1, $2;\n"
           "setp.eq.and.u32 last, $3, 0, last;\n@last st.relaxed.gpu.global.u64 [$0], 0;\n}",
           "l,r,r,r",
           {function.getArgument(workspaceParameter), taken, sub(items, i32(1)), producerLane()});
  Item item;
  item.number = add(taken, order.blocks);
  item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, item.number, items);
  if (!order.balanced) {
    placeByNumber(order, item);
    return item;
  }
  item.group = arith::MinUIOp::create(b, divide(item.number, order.inGroup), order.lastGroup);
  place(order, item, sub(item.number, mul(item.group, order.inGroup)), sizeOf(order, item.group));
  return item;
}

Value Emitter::isWorkspaceGiven() {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                               function.getArgument(workspaceParameter),
                               arith::ConstantIntOp::create(b, b.getI64Type(), 0));
}

Emitter::Item Emitter::nextItem(const ItemOrder &order, const Item &item, Value answer) {
  Item next = itemAfter(order, item);
  Value exists = arith::ExtUIOp::create(b, b.getI32Type(), next.exists);
  auto found = *emitBranch(isWorkspaceGiven(), {exists, next.tile, next.coordinate}, [&] {
    Item counted = itemFromCounter(order, answer);
    Value exists = arith::ExtUIOp::create(b, b.getI32Type(), counted.exists);
    return FailureOr<Registers>(Registers{exists, counted.tile, counted.coordinate});
  });
  next.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found[0], i32(0));
  next.tile = found[1];
  next.coordinate = found[2];
  next.count = item.count;
  return next;
}

Emitter::Item Emitter::giveItem(const ItemOrder &order, const Item &item, Value answer) {
  Item next = passEmpty(order, nextItem(order, item, answer), [&](const Item &candidate) {
    return nextItem(order, candidate, askForItem());
  });
  next.count = add(item.count, 1);
  waitBarrier(takenBarrier(), mask(next.count, 1));
  hand(order, next);
  return next;
}

Value Emitter::takenBarrier() { return add(shared, *findHandover() + 8); }

/// Writes an item where the last one was taken.
void Emitter::hand(const ItemOrder &order, const Item &item) {
  Value full = add(shared, order.handoverOffset);
  Registers reads = readFor(order, item);
  FreshPlace fresh(*this);
  std::string text = "{\n.reg .pred first;\nsetp.eq.u32 first, $3, 0;\n"
                     "@first st.shared.v2.b32 [$0], {$1, $2};\n",
              constraints = "r,r,r,r";
  SmallVector<Value> operands{add(full, 16), select(item.exists, item.tile, i32(noTile)),
                              item.coordinate, producerLane()};
  for (auto [i, read] : llvm::enumerate(reads)) {
    text += "@first st.shared.b32 [$0+" + std::to_string(8 + 4 * i) + "], $" +
            std::to_string(operands.size()) + ";\n";
    constraints += ",r";
    operands.push_back(read);
  }
  assembly(text + "}", constraints, operands);
  arrive(full);
}

//===----------------------------------------------------------------------===//
// The scout
//===----------------------------------------------------------------------===//
// Where the tiles of an item follow from memory, that is read before the item begins, by a warp
// that has nothing else to do: the producer has a ring's tiles to go then, which is less than a few
// reads that depend on each other take. It finds out all items, the first one too.

/// What is read for \p item and handed over with it; whatever, where there is no item.
Registers Emitter::readFor(const ItemOrder &order, const Item &item) {
  if (handed.empty())
    return {};
  Registers none(handed.reads.size(), i32(0));
  return *emitBranch(item.exists, none, [&]() -> FailureOr<Registers> {
    // Only for this, programs are those of the item.
    auto itsPrograms = programs;
    IRMapping itsScalars = scalars;
    programs.clear();
    decodeItem(order, item);
    llvm::SetVector<Operation *> slice;
    for (const pipe::HandedReads::Read &read : handed.reads)
      addSlice(read.front(), slice);
    llvm::SetVector<Block *> blocks;
    for (Operation *op : slice)
      blocks.insert(op->getBlock());
    for (Block *block : blocks)
      for (Operation &op : *block)
        if (slice.contains(&op))
          (void)emitOp(&op); // scalars, which all have a lowering
    Registers reads;
    for (const pipe::HandedReads::Read &read : handed.reads)
      reads.push_back(get(read.front()->getResult(0)));
    programs = itsPrograms;
    scalars = itsScalars;
    searched.clear();
    return reads;
  });
}

/// The reads of \p item take the place of the ops that begin it.
void Emitter::useHanded(const Item &item, Block &block) {
  for (auto [value, read] : llvm::zip(item.reads, handed.reads))
    for (Operation *op : read)
      if (op->getBlock() == &block)
        scalars.map(op->getResult(0), value);
}

void Emitter::emitScout(pipe::RolesOp roles) {
  pipe::ForWorkOp work = *roles.getProducer().getOps<pipe::ForWorkOp>().begin();
  inScout = true;
  producerThreads = 32;
  ItemOrder order = orderItems(work.getBlock(), work.getBalanced(), work.getHandover());
  Registers entry = fieldsOf(order, firstItem(order));
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *follows = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, entry, header);
  for (Value field : entry)
    header->addArgument(field.getType(), b.getLoc());
  b.setInsertionPointToEnd(header);
  Registers fields(header->getArguments().begin(), header->getArguments().end());
  ArrayRef<Value> rest = fields;
  Item item = takeItem(order, rest);
  hand(order, item);
  LLVM::CondBrOp::create(b, item.exists, follows, after);

  // When the producer calls.
  b.setInsertionPointToEnd(follows);
  waitBarrier(takenBarrier(), mask(item.count, 1));
  Item next = passEmpty(order, nextItem(order, item, askForItem()), [&](const Item &candidate) {
    return nextItem(order, candidate, askForItem());
  });
  next.count = add(item.count, 1);
  LLVM::BrOp::create(b, fieldsOf(order, next), header);
  b.setInsertionPointToEnd(after);
  inScout = false;
  producerThreads = 1;
}

/// What says last in \p loop's block how many tiles it visits; null: what is outside.
static Operation *findLastBound(ForTilesOp loop) {
  Operation *last = nullptr;
  for (Value bound : {loop.getBounds().front(), loop.getBounds().back()})
    if (Operation *definition = bound.getDefiningOp(); definition &&
                                                       definition->getBlock() == loop->getBlock() &&
                                                       (!last || last->isBeforeInBlock(definition)))
      last = definition;
  return last;
}

void Emitter::callScout() { arrive(takenBarrier()); }

void Emitter::beginCalls(ForTilesOp lastLoop) {
  if (!inProducer || handed.empty())
    return;
  if (!lastLoop)
    return callScout();
  callingLoop = lastLoop;
  if (!findLastBound(callingLoop))
    callIfShort(nullptr);
}

void Emitter::callIfShort(Operation *after) {
  if (!callingLoop || after != findLastBound(callingLoop))
    return;
  Value tiles = sub(get(callingLoop.getBounds().back()), get(callingLoop.getBounds().front()));
  emitIf(less(tiles, i32(tilesAhead)), [&] { callScout(); });
}

void Emitter::callAtTile(ForTilesOp loop, Value tile) {
  if (!callingLoop || loop != callingLoop)
    return;
  Value left = loop.getDescending() ? sub(tile, get(loop.getBounds().front()))
                                    : sub(get(loop.getBounds().back()), tile);
  emitIf(equal(left, loop.getDescending() ? tilesAhead - 1 : tilesAhead), [&] { callScout(); });
}

// One lane reads, and gives the place back for its warp; the broadcast tells ptxas that the item is
// the same for all lanes. The producer gives it back later, where it calls the scout.
Emitter::Item Emitter::takeHandedItem(const ItemOrder &order, Value count) {
  Type i32Type = b.getI32Type();
  Value full = add(shared, order.handoverOffset), place = add(full, 16);
  waitBarrier(full, mask(count, 1));
  unsigned read = handed.reads.size();
  std::string text = "{\n.reg .pred first;\nsetp.eq.u32 first, $" + std::to_string(read + 3) +
                     ", 0;\n",
              constraints, from = "[$" + std::to_string(read + 2);
  for (unsigned i = 0; i < read + 2; ++i) {
    text += "mov.b32 $" + std::to_string(i) + ", 0;\n";
    constraints += "=&r,";
  }
  text += "@first ld.shared.v2.b32 {$0, $1}, " + from + "];\n";
  for (unsigned i = 0; i < read; ++i)
    text += "@first ld.shared.b32 $" + std::to_string(i + 2) + ", " + from + "+" +
            std::to_string(8 + 4 * i) + "];\n";
  Registers words = assembly(text + "}", constraints + "r,r", SmallVector<Type>(read + 2, i32Type),
                             {place, lane});
  if (!inProducer)
    arrive(takenBarrier());
  for (Value &word : words)
    word = sameForWarp(word);
  Item item;
  item.tile = words[0];
  item.coordinate = words[1];
  item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, item.tile, i32(noTile));
  item.count = add(count, 1);
  item.reads.append(words.begin() + 2, words.end());
  return item;
}
