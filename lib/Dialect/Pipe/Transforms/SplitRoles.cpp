//===- SplitRoles.cpp - part the producer of copies from the consumers ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"

namespace trident::pipe {
#define GEN_PASS_DEF_SPLITROLES
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct SplitRoles : trident::pipe::impl::SplitRolesBase<SplitRoles> {
  void runOnOperation() override;

private:
  LogicalResult copyLoop(ForTilesOp loop, OpBuilder &producer, IRMapping &outer);
  LogicalResult copyWork(ForWorkOp work, OpBuilder &producer);
};
} // namespace

/// Work that every thread does before the roles part: no tile, no effect, and nothing that a role
/// computes. Operations are asked in order, so what an earlier one gave to a role has left the
/// block.
static bool isCommon(Operation *op) {
  for (Value operand : op->getOperands())
    if (operand.getParentBlock() != op->getBlock())
      return false;
  auto isTile = [](Type type) { return isa<RankedTensorType, AsyncType>(type); };
  return op->getNumRegions() == 0 &&
         (isMemoryEffectFree(op) || isa<SkipUnlessOp, FindSequenceOp>(op)) &&
         llvm::none_of(op->getOperandTypes(), isTile) &&
         llvm::none_of(op->getResultTypes(), isTile);
}

/// A loop that only makes the copies of `loop`, which loses them.
LogicalResult SplitRoles::copyLoop(ForTilesOp loop, OpBuilder &producer, IRMapping &outer) {
  SmallVector<Operation *> copies;
  llvm::SetVector<Operation *> needed;
  for (ProduceOp produce : loop.getBlock().getOps<ProduceOp>()) {
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) { return op->getBlock() == &loop.getBlock(); };
    options.inclusive = true;
    if (failed(getBackwardSlice(produce.getOperation(), &needed, options)))
      return failure();
    copies.push_back(produce);
  }
  if (copies.empty())
    return success();
  auto bounds = llvm::map_to_vector(loop.getBounds(),
                                    [&](Value bound) { return outer.lookupOrDefault(bound); });
  auto twin = ForTilesOp::create(producer, loop.getLoc(), TypeRange(), loop.getDimAttr(),
                                 ValueRange(), bounds, loop.getDescendingAttr(),
                                 loop.getClassesAttr(), loop.getAtMostAttr());
  Block *body =
      producer.createBlock(&twin.getBody(), {}, loop.getTileIndex().getType(), loop.getLoc());
  IRMapping mapping(outer);
  mapping.map(loop.getTileIndex(), body->getArgument(0));
  for (Operation &op : loop.getBlock()) {
    if (!needed.contains(&op))
      continue;
    for (Value operand : op.getOperands())
      if (llvm::is_contained(loop.getCarried(), operand))
        return op.emitOpError() << "makes where a copy reads depend on a carried value: expected "
                                   "the loop's tile index and "
                                   "values from outside the loop";
    producer.clone(op, mapping);
  }
  YieldOp::create(producer, loop.getLoc());
  producer.setInsertionPointAfter(twin);
  for (Operation *copy : copies)
    copy->erase();
  return success();
}

/// Work items that only make copies; scalars that both roles need are computed by both.
LogicalResult SplitRoles::copyWork(ForWorkOp work, OpBuilder &producer) {
  auto twin = ForWorkOp::create(producer, work.getLoc(), work.getInits(), work.getBalanced(),
                                work.getDynamic(), work.getHandoverAttr());
  OpBuilder::InsertionGuard guard(producer);
  Block *body = producer.createBlock(&twin.getBody());
  IRMapping mapping;
  for (BlockArgument argument : work.getBlock().getArguments())
    mapping.map(argument, body->addArgument(argument.getType(), argument.getLoc()));
  auto isKnown = [&](Value value) {
    return mapping.contains(value) || value.getParentBlock() != &work.getBlock();
  };
  auto isScalar = [](Operation *op) {
    return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType, AsyncType>);
  };
  // Where copies go is found out before the first of them: a copy waits for its slot, and what came
  // after that would hold up the next one.
  SmallVector<Operation *> ops, afterScalars;
  bool beforeLoop = true;
  for (Operation &op : work.getBlock()) {
    beforeLoop &= !isa<ForTilesOp>(op);
    (beforeLoop && isScalar(&op) ? ops : afterScalars).push_back(&op);
  }
  llvm::append_range(ops, afterScalars);
  for (Operation *op : ops) {
    auto loop = dyn_cast<ForTilesOp>(op);
    if (loop && failed(copyLoop(loop, producer, mapping)))
      return failure();
    if (isa<ProduceOp, SkipUnlessOp, FindSequenceOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        (isScalar(op) && llvm::all_of(op->getOperands(), isKnown)))
      producer.clone(*op, mapping);
    if (isa<ProduceOp>(op))
      op->erase();
  }
  return success();
}

void SplitRoles::runOnOperation() {
  KernelOp kernel = getOperation();
  auto schedule = kernel.getSchedule();
  if (!schedule) {
    kernel.emitOpError() << "has no schedule: expected trident-select-schedule to run first";
    return signalPassFailure();
  }
  SmallVector<Operation *> body = llvm::map_to_vector(kernel.getBlock().without_terminator(),
                                                      [](Operation &op) { return &op; });
  OpBuilder b(kernel.getBlock().getTerminator());
  auto roles = RolesOp::create(b, kernel.getLoc(), schedule->getWarpgroups(),
                               schedule->getProducerRegisters(), schedule->getConsumerRegisters());
  Block *consumer = &roles.getConsumer().emplaceBlock();
  OpBuilder producer = OpBuilder::atBlockEnd(&roles.getProducer().emplaceBlock());
  for (Operation *op : body) {
    if (isCommon(op))
      continue;
    IRMapping none;
    auto loop = dyn_cast<ForTilesOp>(op);
    auto work = dyn_cast<ForWorkOp>(op);
    if ((loop && failed(copyLoop(loop, producer, none))) ||
        (work && failed(copyWork(work, producer))))
      return signalPassFailure();
    if (isa<ProduceOp>(op))
      op->moveBefore(producer.getInsertionBlock(), producer.getInsertionPoint());
    else
      op->moveBefore(consumer, consumer->end());
  }
  // Of copies that were here.
  kernel.walk([](SequenceOp sequence) {
    if (sequence.use_empty())
      sequence.erase();
  });
}
