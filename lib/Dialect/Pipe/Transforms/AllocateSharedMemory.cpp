//===- AllocateSharedMemory.cpp - give every ring its place ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/IR/HandedReads.h"
#include "trident/Dialect/Pipe/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace trident::pipe {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "trident/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace trident::pipe

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

namespace {
struct AllocateSharedMemory : trident::pipe::impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  void runOnOperation() override;
};
} // namespace

/// A swizzled tile begins where its pattern begins: eight rows of 128 bytes.
constexpr int64_t tileAlignment = 1024;
/// An mbarrier is one 64-bit word.
constexpr int64_t barrierBytes = 8;
/// Two barriers, and an item: its tile and its coordinate. What was read for it follows.
constexpr int64_t handoverBytes = 2 * barrierBytes + 8;

void AllocateSharedMemory::runOnOperation() {
  KernelOp kernel = getOperation();
  Builder b(&getContext());
  SmallVector<RingOp> rings;
  kernel.walk([&](RingOp ring) { rings.push_back(ring); });
  int64_t bytes = 0;
  std::string sum;
  for (RingOp ring : rings) {
    RingType type = ring.getType();
    int64_t slot = type.getSlotBytes();
    if (type.getStages() > 1 && slot % tileAlignment != 0) {
      ring.emitOpError() << "has slots of " << slot << " bytes: expected a multiple of "
                         << tileAlignment;
      return signalPassFailure();
    }
    ring.setOffsetAttr(b.getI64IntegerAttr(bytes));
    bytes = llvm::alignTo(bytes + type.getStages() * slot, tileAlignment);
    sum += (sum.empty() ? "" : " + ") + std::to_string(type.getStages()) + " x " +
           std::to_string(slot);
  }
  int64_t barriers = 0;
  for (RingOp ring : rings) {
    ring.setBarriersAttr(b.getI64IntegerAttr(bytes));
    bytes += 2 * ring.getType().getStages() * barrierBytes;
    barriers += 2 * ring.getType().getStages() * barrierBytes;
  }
  // Both roles' loops over items share one.
  IntegerAttr handover = b.getI64IntegerAttr(bytes);
  bool isDynamic = false;
  kernel.walk([&](Operation *op) {
    TypeSwitch<Operation *>(op).Case<ForWorkOp, SkewedWorkOp>([&](auto work) {
      if (!work.getDynamic())
        return;
      isDynamic = true;
      work.setHandoverAttr(handover);
    });
  });
  if (isDynamic) {
    int64_t item = handoverBytes + findHandedReads(kernel).bytes();
    bytes += item;
    barriers += item;
  }
  if (kernel.getTarget() && bytes > kernel.getTarget()->getSharedBytes()) {
    kernel.emitOpError() << "needs " << bytes << " bytes of shared memory (" << sum
                         << " + barriers " << barriers << "): expected at most "
                         << kernel.getTarget()->getSharedBytes() << " on "
                         << kernel.getTarget()->getName().getValue()
                         << "; use fewer stages or smaller tiles";
    return signalPassFailure();
  }
  kernel.setSharedBytesAttr(b.getI64IntegerAttr(bytes));
}
