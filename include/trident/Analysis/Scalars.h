//===- Scalars.h - integer arithmetic that folds as it is written ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_SCALARS_H
#define TRIDENT_ANALYSIS_SCALARS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace trident {

/// An integer that is a constant now or a value in the IR.
struct Scalar {
  mlir::Value value; ///< Null: the constant.
  int64_t constant = 0;

  Scalar() = default;
  Scalar(mlir::Value value) : value(value) {}
  Scalar(int64_t constant) : constant(constant) {}
  bool is(int64_t number) const { return !value && constant == number; }
};

/// Writes `arith` ops of one integer type, at one place; what is known is computed, not written.
/// The numbers must not leave the type.
class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  Scalar add(Scalar a, Scalar b);
  Scalar mul(Scalar a, int64_t factor);
  Scalar min(Scalar a, Scalar b);
  Scalar max(Scalar a, Scalar b);
  /// a / divisor for a >= 0, rounded down.
  Scalar floorDiv(Scalar a, int64_t divisor);
  /// a / divisor for a >= 0, rounded up.
  Scalar ceilDiv(Scalar a, int64_t divisor);
  /// a / divisor, rounded towards zero, or, for a power of two, down.
  Scalar divideTowardsZero(Scalar a, int64_t divisor);
  Scalar shiftRight(Scalar a, int64_t bits);
  /// `yes` where a >= b, else `no`.
  Scalar selectAtLeast(Scalar a, Scalar b, Scalar yes, Scalar no);
  Scalar select(mlir::Value condition, Scalar yes, Scalar no);

  /// `a`, of another integer type, in this one: extended with its sign, or cut.
  Scalar convert(Scalar a);
  /// `a` in the IR.
  mlir::Value get(Scalar a);
  /// The same place, for numbers of another type and other ops.
  ScalarBuilder of(mlir::Type other) { return ScalarBuilder(builder, loc, other); }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }

private:
  template <typename Op> Scalar emit(Scalar a, Scalar b) {
    return Op::create(builder, loc, get(a), get(b)).getResult();
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Value, mlir::Value> converted;
};

} // namespace trident

#endif // TRIDENT_ANALYSIS_SCALARS_H
