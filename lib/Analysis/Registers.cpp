//===- Registers.cpp - how many registers a kernel's tiles need ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Analysis/Registers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace trident;

int64_t trident::countRegisters(Value tile, const TileExtents &extents, int64_t warpgroups,
                                int64_t blockRows, bool holdOperands) {
  Type element = getElementTypeOrSelf(tile.getType());
  SmallVector<int64_t> shape = extents.of(tile);
  if (shape.empty() || shape.size() > 2 || element.isInteger(1) || tile.getDefiningOp<FullOp>() ||
      tile.getDefiningOp<BroadcastOp>())
    return 0;
  bool feedsOnlyDots = llvm::all_of(tile.getUsers(), [&](Operation *user) {
    auto dot = dyn_cast<DotOp>(user);
    return dot && !(holdOperands && dot.getA() == tile && canHoldOperand(dot));
  });
  if (isLoadedForDot(tile) && feedsOnlyDots)
    return 0;
  constexpr int64_t threads = 128, bits = 32;
  int64_t blocks = llvm::divideCeil(shape[0], blockRows * warpgroups);
  if (shape.size() == 1) // The four lanes of a quad hold the same value.
    return llvm::divideCeil(blocks * blockRows * 4, threads);
  return llvm::divideCeil(blocks * blockRows * shape[1] * element.getIntOrFloatBitWidth(),
                          threads * bits);
}

namespace {

using LiveSet = llvm::SmallSetVector<Value, 16>;

class PeakFinder {
public:
  PeakFinder(const TileExtents &extents, int64_t warpgroups, int64_t blockRows, bool holdOperands)
      : extents(extents), warpgroups(warpgroups), blockRows(blockRows), holdOperands(holdOperands) {
  }

  /// Walks `block` backwards from what is live at its end.
  void visit(Block &block, LiveSet live) {
    for (Operation &op : llvm::reverse(block)) {
      LiveSet after = live;
      for (Value result : op.getResults())
        live.remove(result);
      if (auto loop = dyn_cast<ForTilesOp>(op)) {
        LiveSet inside = live;
        loop->walk([&](Operation *nested) {
          for (Value operand : nested->getOperands())
            if (!loop.getBody().isAncestor(operand.getParentRegion()))
              inside.insert(operand);
        });
        visit(loop.getBlock(), inside);
        for (Value value : inside)
          live.insert(value);
      }
      live.insert(op.operand_begin(), op.operand_end());
      if (!writesOverOperand(op)) // Operands and results at once.
        after.insert(op.operand_begin(), op.operand_end());
      record(after);
      // The pair of a computed tile is as large as the tile, and both are there at once.
      if (auto dot = dyn_cast<DotOp>(op);
          dot && dot.isSplit() && !dot.getA().getDefiningOp<LoadOp>())
        record(live, dot.getA());
      record(live);
    }
  }

  RegisterPeak peak;

private:
  static bool writesOverOperand(Operation &op) {
    if (auto dot = dyn_cast<DotOp>(op))
      return bool(dot.getAccumulator());
    return !isa<ConvertOp>(op);
  }

  void record(const LiveSet &live, Value twice = {}) {
    RegisterPeak here;
    SmallVector<Value> values(live.begin(), live.end());
    if (twice)
      values.push_back(twice);
    for (Value value : values)
      if (int64_t registers = countRegisters(value, extents, warpgroups, blockRows, holdOperands)) {
        here.registers += registers;
        here.tiles.emplace_back(value, registers);
      }
    if (here.registers <= peak.registers)
      return;
    llvm::sort(here.tiles, [](auto &a, auto &b) { return a.second > b.second; });
    peak = here;
  }

  const TileExtents &extents;
  int64_t warpgroups, blockRows;
  bool holdOperands;
};

} // namespace

RegisterPeak trident::findRegisterPeak(KernelOp kernel, const TileExtents &extents,
                                       int64_t warpgroups, int64_t blockRows, bool holdOperands) {
  PeakFinder finder(extents, warpgroups, blockRows, holdOperands);
  finder.visit(kernel.getBlock(), {});
  return finder.peak;
}
