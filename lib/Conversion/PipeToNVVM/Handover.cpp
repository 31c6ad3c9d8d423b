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

  Value full = add(shared, order.handoverOffset);
  waitBarrier(add(full, 8), mask(next.count, 1));
  assembly("{\n.reg .pred first;\nsetp.eq.u32 first, $3, 0;\n"
           "@first st.shared.v2.b32 [$0], {$1, $2};\n}",
           "r,r,r,r",
           {add(full, 16), select(next.exists, next.tile, i32(noTile)), next.coordinate,
            producerLane()});
  FreshPlace fresh(*this);
  arrive(full);
  return next;
}

// One lane reads, and gives the place back for its warp; the broadcast tells ptxas that the item is
// the same for all lanes.
Emitter::Item Emitter::takeHandedItem(const ItemOrder &order, Value count) {
  Type i32Type = b.getI32Type();
  Value full = add(shared, order.handoverOffset), place = add(full, 16);
  waitBarrier(full, mask(count, 1));
  Registers words = assembly("{\n.reg .pred first;\nsetp.eq.u32 first, $3, 0;\nmov.b32 $0, 0;\n"
                             "mov.b32 $1, 0;\n@first ld.shared.v2.b32 {$0, $1}, [$2];\n}",
                             "=&r,=&r,r,r", {i32Type, i32Type}, {place, lane});
  Slot slot;
  slot.empty = add(full, 8);
  release(slot);
  for (Value &word : words)
    word = sameForWarp(word);
  Item item;
  item.tile = words[0];
  item.coordinate = words[1];
  item.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, item.tile, i32(noTile));
  item.count = add(count, 1);
  return item;
}
