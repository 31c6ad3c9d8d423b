//===- Fragments.cpp - arithmetic on the registers of tiles ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "trident/Analysis/MaskPredicate.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace trident;

/// How many independent chains a row reduction runs in.
constexpr unsigned reductionChains = 4;

/// Math ops at the hardware's speed; null for the others.
Value Emitter::emitMath(Operation *op, ArrayRef<Value> operands) {
  Type type = b.getF32Type();
  const float log2e = 1.44269504088896340736f, ln2 = 0.693147180559945309417f;
  auto times = [&](Value value, float factor) {
    return arith::MulFOp::create(b, value, f32(factor)).getResult();
  };
  return TypeSwitch<Operation *, Value>(op)
      .Case<math::Exp2Op>(
          [&](auto) { return intrinsic("llvm.nvvm.ex2.approx.ftz.f32", type, operands); })
      .Case<math::ExpOp>([&](auto) {
        return intrinsic("llvm.nvvm.ex2.approx.ftz.f32", type, times(operands[0], log2e));
      })
      .Case<math::Log2Op>(
          [&](auto) { return intrinsic("llvm.nvvm.lg2.approx.ftz.f", type, operands); })
      .Case<math::LogOp>(
          [&](auto) { return times(intrinsic("llvm.nvvm.lg2.approx.ftz.f", type, operands), ln2); })
      .Case<math::TanhOp>(
          [&](auto) { return pureAssembly("tanh.approx.f32 $0, $1;", "=f,f", type, operands); })
      .Case<math::FmaOp>([&](auto) { return intrinsic("llvm.fma.f32", type, operands); })
      .Case<math::AbsFOp>([&](auto) { return intrinsic("llvm.fabs.f32", type, operands); })
      .Case<math::SqrtOp>([&](auto) { return intrinsic("llvm.sqrt.f32", type, operands); })
      .Case<math::RsqrtOp>(
          [&](auto) { return intrinsic("llvm.nvvm.rsqrt.approx.ftz.f", type, operands); })
      .Default([](Operation *) { return Value(); });
}

static LogicalResult rejectMath(Operation *op) {
  return op->emitOpError() << "has no instruction: expected math.exp, exp2, log, log2, tanh, fma, "
                              "absf, sqrt or rsqrt on f32, of which the others can be made";
}

/// An op on scalars, or on tiles one register at a time.
LogicalResult Emitter::emitElementwise(Operation *op) {
  bool isArithmetic = isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!isArithmetic || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return op->emitOpError() << "has no lowering to a thread's code: expected an op of trident or "
                                "pipe, or arithmetic";
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!type)
      return success(); // written at its uses
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return op->emitOpError() << "is a tile of different values: expected a splat";
    Value value = arith::ConstantOp::create(b, splat.getSplatValue<TypedAttr>());
    tiles[constant.getResult()] = Registers(countOf(type), value);
    return success();
  }
  auto emitOne = [&](ArrayRef<Value> operands, Type resultType) -> Value {
    if (isa<math::MathDialect>(op->getDialect()))
      return emitMath(op, operands);
    if (isa<arith::DivFOp>(op) && matchPattern(operands[0], m_OneFloat()))
      return intrinsic("llvm.nvvm.rcp.approx.ftz.f", b.getF32Type(), operands[1]);
    OperationState state(b.getLoc(), op->getName().getStringRef(), operands, resultType,
                         op->getAttrs());
    return b.create(state)->getResult(0);
  };
  if (!type) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return get(operand); });
    Value result = emitOne(operands, op->getResult(0).getType());
    if (!result)
      return rejectMath(op);
    scalars.map(op->getResult(0), result);
    return success();
  }
  if (type.getElementTypeBitWidth() == 16)
    return op->emitOpError() << "computes on " << type
                             << ": expected arithmetic on f32, i32 or i1 tiles";
  Registers results;
  for (unsigned i = 0, n = countOf(type); i < n; ++i) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isa<RankedTensorType>(operand.getType()) ? registersOf(operand)[i]
                                                                  : get(operand));
    results.push_back(emitOne(operands, type.getElementType()));
    if (!results.back())
      return rejectMath(op);
  }
  tiles[op->getResult(0)] = std::move(results);
  return success();
}

void Emitter::emitFull(FullOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  tiles[op.getResult()] = Registers(countOf(type), get(op.getValue()));
}

/// Which of a thread's row values register `i` of a tile belongs to.
static unsigned rowOf(unsigned i, unsigned perBlock) { return i / perBlock * 2 + (i >> 1 & 1); }

void Emitter::emitBroadcast(BroadcastOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  Registers rows = registersOf(op.getOperand()), result;
  unsigned count = countOf(type), perBlock = count / rowBlocks(type);
  for (unsigned i = 0; i < count; ++i)
    result.push_back(rows[rowOf(i, perBlock)]);
  tiles[op.getResult()] = std::move(result);
}

Value Emitter::combine(Reduction kind, Value x, Value y) {
  if (kind == Reduction::Max)
    return arith::MaxNumFOp::create(b, x, y);
  return arith::AddFOp::create(b, x, y);
}

Value Emitter::reduceOverQuad(Value value, Reduction kind) {
  for (int64_t distance : {1, 2}) {
    Value other = intrinsic("llvm.nvvm.shfl.sync.bfly.f32", b.getF32Type(),
                            {i32(-1), value, i32(distance), i32(31)});
    value = combine(kind, value, other);
  }
  return value;
}

Registers Emitter::reduceRows(Value tile, Reduction kind) {
  auto type = cast<RankedTensorType>(tile.getType());
  Registers operand = registersOf(tile), result;
  unsigned perBlock = operand.size() / rowBlocks(type);
  for (unsigned row = 0; row < 2 * rowBlocks(type); ++row) {
    SmallVector<Value> chains;
    unsigned seen = 0;
    for (auto [i, value] : llvm::enumerate(operand)) {
      if (rowOf(i, perBlock) != row)
        continue;
      if (chains.size() < reductionChains)
        chains.push_back(value);
      else
        chains[seen % reductionChains] = combine(kind, chains[seen % reductionChains], value);
      ++seen;
    }
    while (chains.size() > 1) {
      SmallVector<Value> half;
      for (size_t i = 0; i + 1 < chains.size(); i += 2)
        half.push_back(combine(kind, chains[i], chains[i + 1]));
      if (chains.size() % 2)
        half.push_back(chains.back());
      chains = std::move(half);
    }
    result.push_back(chains[0]);
  }
  return result;
}

void Emitter::emitReduce(ReduceOp op) {
  Registers rows = reduceRows(op.getOperand(), op.getKind());
  if (!cast<RowAttr>(op.getType().getEncoding()).getPartial())
    for (Value &row : rows)
      row = reduceOverQuad(row, op.getKind());
  tiles[op.getResult()] = std::move(rows);
}

void Emitter::emitRescaleAdd(RescaleAddOp op) {
  Registers result;
  for (auto [sum, factor, addend] : llvm::zip(registersOf(op.getSum()), registersOf(op.getFactor()),
                                              registersOf(op.getAddend())))
    result.push_back(intrinsic("llvm.fma.f32", b.getF32Type(), {sum, factor, addend}));
  tiles[op.getResult()] = std::move(result);
}

Registers Emitter::packPairs(ArrayRef<Value> numbers, Type element) {
  // As assembly, since LLVM would sink the instructions past a later branch, where nothing hides
  // them.
  std::string text =
      "cvt.rn." + std::string(element.isBF16() ? "bf16x2" : "f16x2") + ".f32 $0, $1, $2;";
  Registers result;
  for (unsigned i = 0; i < numbers.size(); i += 2)
    result.push_back(pureAssembly(text, "=r,f,f", b.getI32Type(), {numbers[i + 1], numbers[i]}));
  return result;
}

// Two branches that unpack the same pairs would have it done once in front of both, with all
// numbers in registers at the same time: the text of each copy is its own.
Registers Emitter::ownCopy(ArrayRef<Value> pairs) {
  std::string text = "mov.b32 $0, $1; // " + std::to_string(copies++);
  return llvm::map_to_vector(
      pairs, [&](Value pair) { return pureAssembly(text, "=r,r", b.getI32Type(), pair); });
}

Registers Emitter::unpackPairs(ArrayRef<Value> pairs, Type element) {
  Registers result;
  Type f32Type = b.getF32Type();
  for (Value pair : pairs) {
    if (element.isBF16()) { // the upper half of an f32
      result.push_back(
          LLVM::BitcastOp::create(b, f32Type, arith::ShLIOp::create(b, pair, i32(16))));
      result.push_back(LLVM::BitcastOp::create(b, f32Type, mask(pair, 0xffff0000)));
      continue;
    }
    Value halves = LLVM::BitcastOp::create(b, VectorType::get(2, element), pair);
    for (int64_t i : {0, 1})
      result.push_back(
          LLVM::FPExtOp::create(b, f32Type, LLVM::ExtractElementOp::create(b, halves, i32(i))));
  }
  return result;
}

void Emitter::emitConvert(ConvertOp op) {
  Type from = cast<RankedTensorType>(op.getOperand().getType()).getElementType(),
       to = cast<RankedTensorType>(op.getType()).getElementType();
  Registers operand = registersOf(op.getOperand());
  tiles[op.getResult()] = from.isF32() ? packPairs(operand, to) : unpackPairs(operand, from);
}

LogicalResult Emitter::emitConvertLayout(ConvertLayoutOp op) {
  auto from = cast<RankedTensorType>(op.getOperand().getType()),
       to = cast<RankedTensorType>(op.getType());
  Registers operand = registersOf(op.getOperand());
  auto shared = dyn_cast<SharedAttr>(from.getEncoding());
  if (shared && !shared.getPair() && isa<AccumulatorAttr, OperandAttr>(to.getEncoding())) {
    emitSharedRead(op);
    return success();
  }
  auto packed = dyn_cast<OperandAttr>(to.getEncoding());
  if (isa<AccumulatorAttr>(from.getEncoding()) && packed && packed.getPair()) {
    tiles[op.getResult()] = splitFragment(operand, to);
    return success();
  }
  if (isa<AccumulatorAttr>(from.getEncoding()) && packed) {
    // The same pairs, in the same order, and zeros up to the depth of an instruction.
    Registers result;
    unsigned perBlock = operand.size() / rowBlocks(to), blockCount = countOf(to) / rowBlocks(to);
    for (unsigned block = 0; block < rowBlocks(to); ++block) {
      llvm::append_range(result, ArrayRef<Value>(operand).slice(block * perBlock, perBlock));
      if (blockCount > perBlock)
        result.append(blockCount - perBlock, i32(0));
    }
    tiles[op.getResult()] = std::move(result);
    return success();
  }
  auto fromRow = dyn_cast<RowAttr>(from.getEncoding()), toRow = dyn_cast<RowAttr>(to.getEncoding());
  if (!fromRow || !toRow)
    return op.emitOpError()
           << "has no lowering from " << from << " to " << to
           << ": expected shared memory to registers, accumulator to operand, or row to row";
  Registers result;
  for (Value value : operand) {
    if (fromRow.getPartial() && !toRow.getPartial())
      value = reduceOverQuad(value, Reduction::Sum);
    else if (!fromRow.getPartial() && toRow.getPartial())
      value = select(equal(quadLane, 0), value, f32(0.0f));
    result.push_back(value);
  }
  tiles[op.getResult()] = std::move(result);
  return success();
}

/// Of a bound that is computed in i32.
constexpr int64_t largestConstant = 1 << 30;

namespace {
/// Holds where the column is below all of some bounds, or above all of them.
struct ColumnBounds {
  bool below;
  SmallVector<LinearForm, 2> bounds;
};
} // namespace

/// True when \p value is a coordinate or an extent, or a sum or difference of such: those are far
/// from the ends of i32, where a number that a caller gives may be.
static bool isNearCoordinates(const PredicateReader &reader, Value value) {
  Operation *op = value.getDefiningOp();
  return value.getType().isInteger(32) &&
         (reader.isNonNegative(value) || (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) &&
                                          llvm::all_of(op->getOperands(), [&](Value operand) {
                                            return isNearCoordinates(reader, operand);
                                          })));
}

/// Reads x <= y and the like, linear in \p column, as a bound of it.
static std::optional<ColumnBounds> readColumnBound(arith::CmpIOp compare, Value column,
                                                   function_ref<bool(Value)> dependsOnCol) {
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  bool isBelow = predicate == Predicate::slt || predicate == Predicate::sle,
       orEqual = predicate == Predicate::sle || predicate == Predicate::sge;
  if (!isBelow && predicate != Predicate::sgt && predicate != Predicate::sge)
    return std::nullopt;
  PredicateReader reader(*compare->getParentRegion());
  LinearForm form = reader.readLinear(compare.getLhs());
  form.add(reader.readLinear(compare.getRhs()), -1);
  int64_t factor = form.coefficientOf(column);
  LinearForm rest = form.without(column);
  if (std::abs(factor) != 1 || !form.isSmall() || std::abs(rest.constant) > largestConstant ||
      llvm::any_of(rest.terms, [&](auto &term) {
        return dependsOnCol(term.first) || !isNearCoordinates(reader, term.first);
      }))
    return std::nullopt;
  // column + rest < 0, or rest - column < 0
  ColumnBounds result{isBelow == (factor == 1), {factor == 1 ? rest.negated() : rest}};
  if (orEqual)
    result.bounds.front().constant += result.below ? 1 : -1;
  return result;
}

/// The bounds of the column that comparisons of a region, and conjunctions of them, are.
static llvm::DenseMap<Operation *, ColumnBounds>
readColumnBounds(Block &body, Value column, function_ref<bool(Value)> dependsOnCol) {
  llvm::DenseMap<Operation *, ColumnBounds> known;
  for (Operation &op : body) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      if (auto bound = readColumnBound(compare, column, dependsOnCol))
        known.try_emplace(&op, *bound);
    } else if (isa<arith::AndIOp>(op)) {
      auto a = known.find(op.getOperand(0).getDefiningOp()),
           c = known.find(op.getOperand(1).getDefiningOp());
      if (a == known.end() || c == known.end() || a->second.below != c->second.below)
        continue;
      ColumnBounds both = a->second;
      llvm::append_range(both.bounds, c->second.bounds);
      known.try_emplace(&op, std::move(both));
    }
  }
  return known;
}

Value Emitter::emitLinear(const LinearForm &form) {
  Value sum;
  for (auto [value, factor] : form.terms) {
    Value term = factor == -1 && sum ? get(value) : mul(get(value), factor);
    sum = !sum ? term : factor == -1 ? sub(sum, term) : add(sum, term);
  }
  return sum ? add(sum, form.constant) : i32(form.constant);
}

/// What a float that is converted from column + rest, or rest - column, is in the first column, and
/// by how much it grows with each.
static std::optional<std::pair<LinearForm, int64_t>>
readColumnFloat(Operation &op, Value column, function_ref<bool(Value)> dependsOnCol) {
  auto convert = dyn_cast<arith::SIToFPOp>(op);
  if (!convert || !convert.getType().isF32() || !convert.getIn().getType().isInteger(32))
    return std::nullopt;
  LinearForm form = PredicateReader(*op.getParentRegion()).readLinear(convert.getIn());
  int64_t factor = form.coefficientOf(column);
  if (std::abs(factor) != 1 || llvm::any_of(form.without(column).terms,
                                            [&](auto &term) { return dependsOnCol(term.first); }))
    return std::nullopt;
  return std::pair(form, factor);
}

/// \p op as a factor times a column's float, which is added to what does not depend on the column
/// either, where that may be rounded in other places: the float.
static Operation *readColumnMultiple(Operation &op, function_ref<bool(Value)> dependsOnCol) {
  auto fma = dyn_cast<math::FmaOp>(op);
  bool isAllowed = fma &&
                   arith::bitEnumContainsAll(fma.getFastmath(), arith::FastMathFlags::reassoc) &&
                   !dependsOnCol(fma.getA()) && !dependsOnCol(fma.getC());
  return isAllowed ? fma.getB().getDefiningOp() : nullptr;
}

// Comparisons with a bound of the column are written as those of a number with a bound less the
// lane's first column, and so is a multiple of a column's float that is added to what the row has;
// a column's conversion as that of the first column and a sum, of which both
// are exact up to 2^24. An op of the region that depends on the row only is written once a row, on
// the column only once a column.
LogicalResult Emitter::emitCoordinates(Operation *op, Value operand, Value rowTile, Value colTile,
                                       Block &body, bool isMask, ValueRange others) {
  if (isMask && inFullSegment) {
    Registers whole = registersOf(operand);
    Value from = std::exchange(maskFrom, Value());
    FailureOr<Registers> masked = whole;
    if (from) {
      inFullSegment = false;
      Value isMasked = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, get(colTile), from);
      masked = emitBranch(isMasked, whole, [&]() -> FailureOr<Registers> {
        if (failed(emitCoordinates(op, operand, rowTile, colTile, body, isMask)))
          return failure();
        return tiles[op->getResult(0)];
      });
      inFullSegment = true;
      maskFrom = from;
    }
    if (failed(masked))
      return failure();
    tiles[op->getResult(0)] = *masked;
    return success();
  }
  std::optional<FreshPlace> place; // Addresses are not kept through the loop either.
  if (isMask || !body.getOps<ElementOp>().empty())
    place.emplace(*this);
  auto type = cast<RankedTensorType>(operand.getType());
  Registers input = registersOf(operand), result;
  unsigned perBlock = input.size() / rowBlocks(type);
  SmallVector<Registers> given; // One a row, or an element.
  for (Value other : others) {
    auto otherType = cast<RankedTensorType>(other.getType());
    given.push_back(otherType.getElementTypeBitWidth() == 16
                        ? unpackPairs(ownCopy(registersOf(other)), otherType.getElementType())
                        : registersOf(other));
  }
  auto isOfRow = [&](unsigned k) {
    return cast<RankedTensorType>(others[k].getType()).getRank() == 1;
  };
  Value rowBase = rowTile ? mul(get(rowTile), type.getDimSize(0)) : i32(0);
  Value colBase = mul(quadLane, 2);
  if (colTile)
    colBase = add(colBase, mul(get(colTile), type.getDimSize(1)));
  unsigned first = isMask ? 0 : 1;
  Value minusInfinity = isMask ? f32(-std::numeric_limits<float>::infinity()) : Value();

  enum Dependence { onScore = 1, onRow = 2, onCol = 4 };
  llvm::DenseMap<Value, unsigned> dependence;
  if (!isMask)
    dependence[body.getArgument(0)] = onScore;
  dependence[body.getArgument(first)] = onRow;
  dependence[body.getArgument(first + 1)] = onCol;
  for (unsigned k = 0; k < others.size(); ++k)
    dependence[body.getArgument(first + 2 + k)] = isOfRow(k) ? onRow : onScore;
  for (Operation &inner : body.without_terminator())
    for (Value value : inner.getOperands())
      dependence[inner.getResult(0)] |= dependence.lookup(value);

  Value column = body.getArgument(first + 1);
  auto dependsOnCol = [&](Value value) { return (dependence.lookup(value) & ~onRow) != 0; };
  auto multipleOf = [&](Operation &op) {
    Operation *number = readColumnMultiple(op, dependsOnCol);
    return number ? readColumnFloat(*number, column, dependsOnCol)
                  : std::optional<std::pair<LinearForm, int64_t>>();
  };
  auto fma = [&](Value a, Value c, Value d) {
    return intrinsic("llvm.fma.f32", b.getF32Type(), {a, c, d});
  };
  auto columnBounds = readColumnBounds(body, column, dependsOnCol);
  llvm::DenseMap<std::pair<Operation *, unsigned>, Value> bounds, firstFloats;
  llvm::DenseMap<unsigned, Value> rows, cols;
  llvm::DenseMap<std::pair<Operation *, unsigned>, Value> onceARow, onceACol;
  llvm::DenseMap<Operation *, Value> once;
  for (unsigned i = 0; i < input.size(); ++i) {
    unsigned row = rowOf(i, perBlock), within = i % perBlock, col = within / 4 * 8 + within % 2;
    if (!rows.count(row))
      rows[row] = add(rowBase, rowInTile(type, row / 2, row % 2));
    if (!cols.count(col))
      cols[col] = add(colBase, col);
    if (!isMask)
      scalars.map(body.getArgument(0), input[i]);
    scalars.map(body.getArgument(first), rows[row]);
    scalars.map(column, cols[col]);
    for (unsigned k = 0; k < others.size(); ++k)
      scalars.map(body.getArgument(first + 2 + k), given[k][isOfRow(k) ? row : i]);
    for (Operation &inner : body.without_terminator()) {
      unsigned depends = dependence.lookup(inner.getResult(0));
      Value *known = depends == 0       ? &once[&inner]
                     : depends == onRow ? &onceARow[{&inner, row}]
                     : depends == onCol ? &onceACol[{&inner, col}]
                                        : nullptr;
      if (known && *known) {
        scalars.map(inner.getResult(0), *known);
        continue;
      }
      auto found = columnBounds.find(&inner);
      if (found != columnBounds.end()) {
        const ColumnBounds &known = found->second;
        Value &limit = bounds[{&inner, depends & onRow ? row : 0}];
        if (!limit)
          for (const LinearForm &form : known.bounds) {
            Value bound = sub(emitLinear(form), colBase);
            limit = !limit        ? bound
                    : known.below ? arith::MinSIOp::create(b, limit, bound).getResult()
                                  : arith::MaxSIOp::create(b, limit, bound).getResult();
          }
        auto predicate = known.below ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt;
        scalars.map(inner.getResult(0), arith::CmpIOp::create(b, predicate, i32(col), limit));
      } else if (auto number = readColumnFloat(inner, column, dependsOnCol)) {
        Value &first = firstFloats[{&inner, depends & onRow ? row : 0}];
        scalars.map(column, colBase);
        if (!first)
          first = arith::SIToFPOp::create(b, b.getF32Type(), emitLinear(number->first));
        scalars.map(column, cols[col]);
        float further = static_cast<float>(number->second * static_cast<int64_t>(col));
        scalars.map(inner.getResult(0),
                    further == 0 ? first : arith::AddFOp::create(b, first, f32(further)));
      } else if (auto multiple = multipleOf(inner)) {
        Value factor = get(inner.getOperand(0)), &first = firstFloats[{&inner, row}];
        scalars.map(column, colBase);
        if (!first)
          first =
              fma(factor, arith::SIToFPOp::create(b, b.getF32Type(), emitLinear(multiple->first)),
                  get(inner.getOperand(2)));
        scalars.map(column, cols[col]);
        float further = static_cast<float>(multiple->second * static_cast<int64_t>(col));
        scalars.map(inner.getResult(0), further == 0 ? first : fma(factor, f32(further), first));
      } else if (failed(emitOp(&inner))) {
        return failure();
      }
      if (known && !isa<arith::ConstantOp>(inner))
        *known = scalars.lookup(inner.getResult(0));
    }
    Value yielded = get(body.getTerminator()->getOperand(0));
    result.push_back(isMask ? select(yielded, input[i], minusInfinity) : yielded);
  }
  tiles[op->getResult(0)] = std::move(result);
  return success();
}
