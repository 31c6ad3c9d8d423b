//===- TileExtents.h - how large a tile is under a schedule ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_TILEEXTENTS_H
#define TRIDENT_ANALYSIS_TILEEXTENTS_H

#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

/// The extents that the tiles of a specialized kernel have when its tiled dimensions have the
/// extents given, also before `trident-tile` has written them into the types.
class TileExtents {
public:
  /// `tiles`: dimension to extent, as in a schedule.
  TileExtents(KernelOp kernel, const DimensionNames &names, mlir::DictionaryAttr tiles)
      : kernel(kernel), names(names), tiles(tiles) {}

  /// The extent of a tile along `dim`; 0 when it is neither tiled nor an integer parameter.
  int64_t of(mlir::StringAttr dim) const;

  /// The extents of `tile`, outermost first.
  llvm::SmallVector<int64_t> of(mlir::Value tile) const;

  const DimensionNames &getNames() const { return names; }

private:
  mutable KernelOp kernel;
  const DimensionNames &names;
  mlir::DictionaryAttr tiles;
};

/// True when `value` is a tile that is loaded for a dot: it lives in shared memory.
bool isLoadedForDot(mlir::Value value);

/// True for a tile of which dots multiply what two bf16 tiles stand for.
bool isSplitForDot(mlir::Value value);

/// True when `view` is read, and by `element` ops only: then its strides may be any.
bool isReadByElements(mlir::Value view);

/// True when operand `a` of `dot` is loaded in front of the loop that the dot is in, so that
/// registers can hold it through the loop.
bool canHoldOperand(DotOp dot);

/// True when `operand` is computed and is an operand of a dot that the registers of an accumulator
/// cannot feed: the second operand, or a transposed first one. It goes through shared memory.
bool isComputedForShared(mlir::OpOperand &operand);

} // namespace trident

#endif // TRIDENT_ANALYSIS_TILEEXTENTS_H
