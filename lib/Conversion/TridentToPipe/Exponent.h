//===- Exponent.h - the scores of a softmax as exponents -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_EXPONENT_H
#define TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_EXPONENT_H

#include "trident/Dialect/Trident/IR/TridentDialect.h"
#include <optional>

namespace trident {

/// How the scores of a softmax step are made of a tile: products with scalars and functions, and
/// then masks.
class ScoreChain {
public:
  /// The chain in front of `step`, where its functions end in a sum that can be regrouped: of a
  /// score, and of what is added for its row or column.
  static std::optional<ScoreChain> find(SoftmaxStepOp step);

  mlir::Value getTile() const { return tile; }
  /// The op that takes the scores: the first mask, or the step.
  mlir::OpOperand &getUse() const { return *use; }

  /// The scores, in natural units, of `from` in place of the tile.
  mlir::Value emitScores(mlir::ImplicitLocOpBuilder &b, mlir::Value from) const;

  /// scores * slope + offset, the slope a scalar and the offset one for each row. The sum begins
  /// with what a row has, then come columns, elements and the score, so that each of these costs
  /// one multiply-add: it is rounded in other places than the scores are.
  mlir::Value emitExponents(mlir::ImplicitLocOpBuilder &b, mlir::Value slope,
                            mlir::Value offset) const;

  void erase();

private:
  mlir::Value tile;
  mlir::OpOperand *use = nullptr;
  llvm::SmallVector<mlir::Operation *> ops; ///< From the tile on.
};

} // namespace trident

#endif // TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_EXPONENT_H
