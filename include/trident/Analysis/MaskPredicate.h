//===- MaskPredicate.h - the predicate of a mask, as inequalities ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_MASKPREDICATE_H
#define TRIDENT_ANALYSIS_MASKPREDICATE_H

#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include <optional>
#include <vector>

namespace trident {

/// An integer: constant + sum of coefficient * value. No value occurs twice, no coefficient is 0.
/// The arithmetic of a predicate is taken not to overflow.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;

  /// Adds factor * other.
  void add(const LinearForm &other, int64_t factor);
  int64_t coefficientOf(mlir::Value value) const;
  LinearForm without(mlir::Value value) const;
  LinearForm negated() const;
  /// True when sums of these terms cannot leave 64 bits, whatever 32-bit numbers the values are.
  bool isSmall() const;
};

/// A predicate without negations: its leaves are inequalities and flags.
struct Predicate {
  enum class Kind { True, False, NonNegative, Flag, And, Or, Unknown };
  Kind kind = Kind::Unknown;
  LinearForm form;                 ///< NonNegative: form >= 0.
  mlir::Value flag;                ///< Flag: an i1 from outside the loop,
  bool negatedFlag = false;        ///< or its negation.
  std::vector<Predicate> children; ///< And, Or.
};

/// Reads predicates that are computed in `loop`, the body of a loop: a tree of andi, ori, xori with
/// true, select and cmpi. What is defined outside the loop is a leaf.
class PredicateReader {
public:
  explicit PredicateReader(mlir::Region &loop) : loop(loop) {}

  /// The predicate that `condition`, an i1, is; or its negation.
  Predicate read(mlir::Value condition, bool negate = false) const;

  /// `value` as a linear form; an operation that is not linear is a value of its own.
  LinearForm readLinear(mlir::Value value) const;

  /// True when `value` is defined outside the loop.
  bool isInvariant(mlir::Value value) const { return !loop.isAncestor(value.getParentRegion()); }

  /// True when `value` is certainly not negative: coordinates and extents are not.
  bool isNonNegative(mlir::Value value) const;

private:
  Predicate readComparison(mlir::Operation *compare, bool negate) const;
  Predicate readInequality(const LinearForm &form) const;
  Predicate atLeast(LinearForm a, const LinearForm &b, int64_t slack) const;
  mlir::Region &loop;
};

} // namespace trident

#endif // TRIDENT_ANALYSIS_MASKPREDICATE_H
