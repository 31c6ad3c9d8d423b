//===- InsertTurns.cpp - let the consumer warpgroups take turns -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_INSERTTURNS
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct InsertTurns : trident::pipe::impl::InsertTurnsBase<InsertTurns> {
  void runOnOperation() override;
};
} // namespace

/// Several dots in a row pass the turn when the last has started; a single one when it is done.
static void insertTurn(Block &block) {
  DotAsyncOp first, last;
  AwaitOp await;
  for (Operation &op : block) {
    if (auto dot = dyn_cast<DotAsyncOp>(op)) {
      first = first ? first : dot;
      last = dot;
    } else if (auto wait = dyn_cast<AwaitOp>(op); wait && first) {
      await = wait;
      break;
    }
  }
  if (!first) {
    OpBuilder b(&block, block.begin());
    TurnWaitOp::create(b, block.getParentOp()->getLoc());
    TurnPassOp::create(b, block.getParentOp()->getLoc());
    return;
  }
  OpBuilder b(first);
  TurnWaitOp::create(b, first.getLoc());
  b.setInsertionPointAfter(first != last || !await ? last.getOperation() : await.getOperation());
  TurnPassOp::create(b, first.getLoc());
}

/// A loop that starts dots, or one before it that passes over the slots of its first steps.
static bool takesTurns(ForTilesOp loop) {
  if (!loop.getBlock().getOps<DotAsyncOp>().empty())
    return true;
  auto next = dyn_cast_or_null<ForTilesOp>(loop->getNextNode());
  return next && loop->getNumResults() == 0 && takesTurns(next);
}

void InsertTurns::runOnOperation() {
  auto schedule = getOperation().getSchedule();
  if (!schedule || !schedule->getTurns() || schedule->getWarpgroups() < 2)
    return;
  getOperation().walk([](RolesOp roles) {
    roles.getConsumer().walk([](ForTilesOp loop) {
      if (takesTurns(loop))
        insertTurn(loop.getBlock());
    });
    roles.getConsumer().walk([](SkewedWorkOp work) { insertTurn(work.getNext().front()); });
  });
}
