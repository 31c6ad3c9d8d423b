//===- MaskIntervals.h - where a mask accepts anything, and where everything ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_MASKINTERVALS_H
#define TRIDENT_ANALYSIS_MASKINTERVALS_H

#include "trident/Analysis/Scalars.h"
#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

/// The coordinates of the elements that one tile of the loop sees: all of the loop's dimension, and
/// a range of the other.
struct MaskCoordinates {
  mlir::Value loop;            ///< The argument of the mask's region that runs with the loop,
  Scalar extent;               ///< from 0 to this (i64, at most 2^31 - 1).
  mlir::StringAttr loopDim;    ///< It is a coordinate of this dimension, in tiles of
  int64_t loopTile = 1;        ///< this size (null: no elements along it are searched).
  mlir::Value other;           ///< The other argument,
  mlir::StringAttr otherDim;   ///< a coordinate of this dimension (null: of none that is tiled),
  Scalar otherBegin, otherEnd; ///< in [otherBegin, otherEnd), not empty (i64).
  std::optional<Scalar>
      otherTileEnd; ///< When given: the coordinates from otherEnd to this exist, and are rejected.
};

/// Coordinates [begin, end) of the loop, each from 0 to the extent (i64). Without `begin`: from 0;
/// without `end`: to the extent.
struct Interval {
  bool empty = false; ///< Known to be empty; one that is not may be empty too, with end <= begin.
  std::optional<Scalar> begin, end;
};

/// What a mask does along the loop.
struct MaskIntervals {
  Interval visited; ///< Holds every coordinate at which it accepts some element.
  Interval full;    ///< Holds only coordinates at which it accepts all.
};

/// Analyses `mask`, whose loop has the body `loop`. Emits the arithmetic with `scalars`, which
/// insert before the loop. A conjunction of inequalities in the coordinates with coefficients 1 and
/// -1 gives the smallest `visited` and the largest `full`; parts that are not understood make
/// `visited` everything and `full` nothing. Source: projections by Fourier-Motzkin elimination of
/// the other coordinate.
MaskIntervals analyzeMask(MaskOp mask, mlir::Region &loop, const MaskCoordinates &coordinates,
                          ScalarBuilder &scalars);

/// Both in `a` and in `b`.
Interval intersect(const Interval &a, const Interval &b, ScalarBuilder &scalars);
/// The smallest interval that holds `a` and `b`.
Interval hull(const Interval &a, const Interval &b, ScalarBuilder &scalars);

} // namespace trident

#endif // TRIDENT_ANALYSIS_MASKINTERVALS_H
