//===- HandedReads.cpp - what is read of memory for a whole work item -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/IR/HandedReads.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
/// A block that begins an item.
class Beginning {
public:
  explicit Beginning(Block &block);

  /// The reads that something else than a read needs.
  SmallVector<Operation *> needed;
  void addNeedless(DenseSet<Operation *> &needless) const;

private:
  bool isKnown(Operation *op) const;
  void need(Value value);

  Block &block;
  DenseSet<Operation *> known; ///< scalars that follow from the item
  DenseSet<Operation *> live;
};
} // namespace

static bool isRead(Operation *op) {
  return isa<ElementOp, SearchOp>(op) && op->getResult(0).getType().isInteger(32);
}

bool Beginning::isKnown(Operation *op) const {
  auto isScalar = [](Type type) { return type.isIntOrFloat() || isa<TileIndexType>(type); };
  if (isa<SequenceOp>(op) || op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isMemoryEffectFree(op) || !llvm::all_of(op->getResultTypes(), isScalar))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    if (operand.getParentBlock() !=
        &block) // what all items share, not what goes from one to the next
      return definition ? !block.getParentOp()->isAncestor(definition)
                        : isa<KernelOp>(operand.getParentBlock()->getParentOp());
    return definition && known.contains(definition);
  });
}

void Beginning::need(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !known.contains(op) || !live.insert(op).second)
    return;
  if (isRead(op))
    needed.push_back(op);
  else
    for (Value operand : op->getOperands())
      need(operand);
}

Beginning::Beginning(Block &block) : block(block) {
  for (Operation &op : block)
    if (isKnown(&op))
      known.insert(&op);
  for (Operation &op : block)
    // What says which items there are is found out where they are.
    if (!known.contains(&op) && !isa<SkipUnlessOp, FindSequenceOp>(op))
      op.walk([&](Operation *inner) {
        llvm::for_each(inner->getOperands(), [&](Value v) { need(v); });
      });
}

void Beginning::addNeedless(DenseSet<Operation *> &needless) const {
  for (Operation *op : known)
    if (!isa<ProgramOp>(op) && (!live.contains(op) || isRead(op)))
      needless.insert(op);
}

/// Whether two values of different roles are the same for an item.
static bool isSame(Value a, Value c) {
  Operation *left = a.getDefiningOp(), *right = c.getDefiningOp();
  if (a == c)
    return true;
  return left && right && left->getName() == right->getName() &&
         left->getRawDictionaryAttrs() == right->getRawDictionaryAttrs() &&
         left->getPropertiesAsAttribute() == right->getPropertiesAsAttribute() &&
         a.getType() == c.getType() && left->getNumRegions() == 0 && isMemoryEffectFree(left) &&
         cast<OpResult>(a).getResultNumber() == cast<OpResult>(c).getResultNumber() &&
         left->getNumOperands() == right->getNumOperands() &&
         llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                      [](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
}

HandedReads trident::pipe::findHandedReads(KernelOp kernel) {
  SmallVector<Block *> blocks; // the producer's last: what is read is written as consumers have it
  bool isNeeded = false;
  auto collect = [&](Operation *op) {
    if (auto work = dyn_cast<ForWorkOp>(op); work && work.getDynamic())
      blocks.push_back(&work.getBlock());
    else if (auto skewed = dyn_cast<SkewedWorkOp>(op); skewed && skewed.getDynamic())
      blocks.append({&skewed.getFirst().front(), &skewed.getNext().front()});
  };
  kernel.walk([&](RolesOp roles) {
    roles.getConsumer().walk(collect);
    roles.getProducer().walk([&](Operation *op) {
      size_t before = blocks.size();
      collect(op);
      for (size_t i = before; i < blocks.size(); ++i)
        isNeeded |= !Beginning(*blocks[i]).needed.empty();
    });
  });
  HandedReads handed;
  if (!isNeeded)
    return handed;
  for (Block *block : blocks) {
    Beginning beginning(*block);
    beginning.addNeedless(handed.needless);
    for (Operation *op : beginning.needed) {
      auto *same = llvm::find_if(handed.reads, [&](HandedReads::Read &read) {
        return isSame(read.front()->getResult(0), op->getResult(0));
      });
      if (same == handed.reads.end())
        handed.reads.emplace_back(1, op);
      else
        same->push_back(op);
    }
  }
  return handed;
}
