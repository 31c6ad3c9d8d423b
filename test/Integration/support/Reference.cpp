//===- Reference.cpp - Attention in float64, and the error budget ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A task is a block of rows of one head: its scores are kept whole, so the softmax has nothing
// online about it. The two matrix products run on vectors of four doubles (or eight floats), four
// rows at a time.
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace trident::test {

namespace {
using Doubles = double __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(32)));
constexpr int64_t rowBlock = 16, rowGroup = 4, keyTile = 32, fewKeys = 32;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Vector, typename Scalar> Vector load(const Scalar *from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

template <typename Vector, typename Scalar> void store(Scalar *to, const Vector &v) {
  __builtin_memcpy(to, &v, sizeof v);
}

/// out[r][0..columns) += left[r][0..depth) * right[0..depth)[0..columns), for four rows; columns in
/// multiples of two vectors.
template <typename Vector, typename Scalar>
void multiplyAdd(const Scalar *left, int64_t leftStride, const Scalar *right, int64_t rightStride,
                 Scalar *out, int64_t outStride, int64_t depth, int64_t columns) {
  constexpr int64_t lanes = sizeof(Vector) / sizeof(Scalar);
  for (int64_t column = 0; column < columns; column += 2 * lanes) {
    Vector sums[rowGroup][2];
    for (int r = 0; r < rowGroup; ++r)
      for (int part = 0; part < 2; ++part)
        sums[r][part] = load<Vector>(out + r * outStride + column + part * lanes);
    for (int64_t i = 0; i < depth; ++i) {
      Vector a = load<Vector>(right + i * rightStride + column);
      Vector b = load<Vector>(right + i * rightStride + column + lanes);
      for (int r = 0; r < rowGroup; ++r) {
        Scalar factor = left[r * leftStride + i];
        sums[r][0] += factor * a;
        sums[r][1] += factor * b;
      }
    }
    for (int r = 0; r < rowGroup; ++r)
      for (int part = 0; part < 2; ++part)
        store(out + r * outStride + column + part * lanes, sums[r][part]);
  }
}

float roundTo(Element type, float value) {
  return static_cast<float>(roundResult(type, static_cast<double>(value)));
}

/// Which number stands for an element in a product: itself, the sum of its parts, or the second.
enum class Part { whole, sum, low };

double partOf(Element type, double value, Part part) {
  if (part == Part::whole)
    return value;
  OperandParts parts = splitOperand(type, value);
  return part == Part::sum ? parts.sum() : parts.low;
}

/// The working memory of a task and the rows it is about.
struct Block {
  const AttentionCase &shape;
  const AttentionInputs &inputs;
  const Mods &mods;
  int64_t batch, head, width, valueWidth; ///< head_dim and head_dim_v rounded up to whole vectors
  std::vector<int64_t> rows;              ///< at most rowBlock
  int64_t keys = 0, keyStride = 0;        ///< keys that any of the rows sees
  std::vector<double> q, scores, o;
  std::vector<double> unfusedScores; ///< of f32: of what operands are rounded to
  std::vector<float> unfusedP, unfusedO;
  std::vector<double> lse, unfusedLse;
  std::vector<int64_t> rowKeys; ///< how many each row sees
  std::vector<bool> keySeen;    ///< by any row

  const Stored *inputRow(const std::vector<Stored> &tensor, int64_t seqExtent, int64_t headExtent,
                         int64_t seq, int64_t headIndex, int64_t columns) const {
    return tensor.data() + ((batch * seqExtent + seq) * headExtent + headIndex) * columns;
  }
  int64_t kvHead() const { return head / (shape.heads / shape.kvHeads); }

  double roundingOfFewKeys(std::size_t r, int64_t d, double want) const;
  void computeScores();
  std::vector<double> multiplyByKeys(Part part);
  void applyMods(double *scores, const double *products, float *unfused, int64_t row,
                 int64_t visible) const;
  void softmax();
  void multiplyByValues();
  void multiplyByValues(Part part);
};

void Block::computeScores() {
  for (int64_t row : rows)
    keys = std::max(keys, shape.visibleKeys(row));
  keyStride = (keys + keyTile - 1) / keyTile * keyTile;
  scores = multiplyByKeys(Part::whole);
  if (shape.element != Element::f32)
    return;
  unfusedScores = multiplyByKeys(Part::sum);
  std::vector<double> left = multiplyByKeys(Part::low);
  for (std::size_t i = 0; i < left.size(); ++i)
    unfusedScores[i] -= left[i];
}

std::vector<double> Block::multiplyByKeys(Part part) {
  q.assign(static_cast<std::size_t>(rowBlock * width), 0.0);
  std::vector<double> products(static_cast<std::size_t>(rowBlock * keyStride), 0.0);
  auto read = [&](const Stored *from, int64_t d) {
    return partOf(shape.element, static_cast<double>(fromStored(shape.element, from[d])), part);
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Stored *from = inputRow(inputs.q, shape.seqQ, shape.heads, rows[r], head, shape.headDim);
    for (int64_t d = 0; d < shape.headDim; ++d)
      q[r * static_cast<std::size_t>(width) + static_cast<std::size_t>(d)] = read(from, d);
  }
  std::vector<double> transposed(static_cast<std::size_t>(width * keyTile));
  for (int64_t first = 0; first < keys; first += keyTile) {
    for (int64_t j = 0; j < std::min(keyTile, keys - first); ++j) {
      const Stored *from =
          inputRow(inputs.k, shape.seqK, shape.kvHeads, first + j, kvHead(), shape.headDim);
      for (int64_t d = 0; d < shape.headDim; ++d)
        transposed[static_cast<std::size_t>(d * keyTile + j)] = read(from, d);
    }
    for (int64_t r = 0; r < static_cast<int64_t>(rows.size()); r += rowGroup)
      multiplyAdd<Doubles>(q.data() + r * width, width, transposed.data(), keyTile,
                           products.data() + r * keyStride + first, keyStride, shape.headDim,
                           keyTile);
  }
  return products;
}

/// Scales a row of scores, in float64 and rounded as the unfused way does, and applies the
/// functions; a key that is not visible gets -inf. `products`: what the unfused way scales.
void Block::applyMods(double *scores, const double *products, float *unfused, int64_t row,
                      int64_t visible) const {
  for (int64_t j = 0; j < visible; ++j) {
    auto scale = static_cast<double>(shape.scale);
    float rounded = roundTo(shape.element, static_cast<float>(products[j] * scale));
    double scaled = scores[j] * scale;
    ScorePlace at{batch, head, row, j};
    if (mods.mask && !mods.mask(at)) {
      scaled = -infinity;
      rounded = -std::numeric_limits<float>::infinity();
    } else if (mods.score) {
      scaled = mods.score(scaled, at);
      double bent = mods.score(static_cast<double>(rounded), at);
      rounded = roundTo(shape.element, static_cast<float>(bent));
    }
    scores[j] = scaled;
    unfused[j] = rounded;
  }
}

/// Turns scores into probabilities, in float64 and in the unfused way: s rounded, the softmax in
/// fp32.
void Block::softmax() {
  unfusedP.assign(scores.size(), 0.0f);
  lse.assign(rows.size(), -infinity);
  unfusedLse = lse;
  rowKeys.assign(rows.size(), 0);
  keySeen.assign(static_cast<std::size_t>(keys), false);
  double sink = mods.sink ? mods.sink(head) : -infinity;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    double *p = scores.data() + r * static_cast<std::size_t>(keyStride);
    float *unfused = unfusedP.data() + r * static_cast<std::size_t>(keyStride);
    int64_t visible = shape.visibleKeys(rows[r]);
    const double *products =
        unfusedScores.empty() ? p : unfusedScores.data() + r * static_cast<std::size_t>(keyStride);
    applyMods(p, products, unfused, rows[r], visible);
    double maximum = sink, sum = 0, unfusedSum = 0;
    auto unfusedMaximum = static_cast<float>(sink);
    for (int64_t j = 0; j < visible; ++j) {
      maximum = std::max(maximum, p[j]);
      unfusedMaximum = std::max(unfusedMaximum, unfused[j]);
      if (p[j] != -infinity) {
        ++rowKeys[r];
        keySeen[static_cast<std::size_t>(j)] = true;
      }
    }
    if (maximum == -infinity)
      visible = 0;
    else
      sum = std::exp(sink - maximum);
    if (sink != -infinity)
      unfusedSum = std::exp(sink - static_cast<double>(unfusedMaximum));
    for (int64_t j = 0; j < visible; ++j) {
      sum += p[j] = std::exp(p[j] - maximum);
      unfused[j] = std::exp(unfused[j] - unfusedMaximum);
      unfusedSum += static_cast<double>(unfused[j]);
    }
    if (maximum != -infinity) {
      lse[r] = maximum + std::log(sum);
      unfusedLse[r] = static_cast<double>(unfusedMaximum) + std::log(unfusedSum);
    }
    for (int64_t j = 0; j < visible; ++j) {
      p[j] /= sum;
      unfused[j] /= static_cast<float>(unfusedSum);
    }
    std::fill(p + visible, p + keyStride, 0.0);
    std::fill(unfused + visible, unfused + keyStride, 0.0f);
  }
}

/// The unfused way rounds P as an operand, and does not multiply second parts with each other.
void Block::multiplyByValues() {
  o.assign(static_cast<std::size_t>(rowBlock * valueWidth), 0.0);
  unfusedO.assign(o.size(), 0.0f);
  for (Part part : {Part::whole, Part::sum, Part::low})
    if (part != Part::low || shape.element == Element::f32)
      multiplyByValues(part);
}

void Block::multiplyByValues(Part part) {
  auto cells = static_cast<std::size_t>(keyTile * valueWidth);
  std::vector<float> values(cells, 0.0f);
  std::vector<double> wideValues(cells, 0.0);
  std::vector<float> weights(unfusedP.size());
  for (std::size_t i = 0; i < weights.size() && part != Part::whole; ++i)
    weights[i] = static_cast<float>(partOf(shape.element, static_cast<double>(unfusedP[i]), part)) *
                 (part == Part::low ? -1.0f : 1.0f);
  for (int64_t first = 0; first < keys; first += keyTile) {
    int64_t count = std::min(keyTile, keys - first);
    for (int64_t j = 0; j < count; ++j) {
      // What nobody sees may be anything.
      bool seen = keySeen[static_cast<std::size_t>(first + j)];
      const Stored *from =
          inputRow(inputs.v, shape.seqK, shape.kvHeads, first + j, kvHead(), shape.valueDim());
      for (int64_t d = 0; d < shape.valueDim(); ++d) {
        auto at = static_cast<std::size_t>(j * valueWidth + d);
        double value = seen ? static_cast<double>(fromStored(shape.element, from[d])) : 0;
        wideValues[at] = partOf(shape.element, value, part);
        values[at] = static_cast<float>(wideValues[at]);
      }
    }
    for (int64_t r = 0; r < static_cast<int64_t>(rows.size()); r += rowGroup) {
      if (part == Part::whole)
        multiplyAdd<Doubles>(scores.data() + r * keyStride + first, keyStride, wideValues.data(),
                             valueWidth, o.data() + r * valueWidth, valueWidth, count, valueWidth);
      else
        multiplyAdd<Floats>(weights.data() + r * keyStride + first, keyStride, values.data(),
                            valueWidth, unfusedO.data() + r * valueWidth, valueWidth, count,
                            valueWidth);
    }
  }
}

/// What one rounding of each weight and one of O amount to at most, in a row of so few keys that
/// errors do not average out; -infinity in others.
double Block::roundingOfFewKeys(std::size_t r, int64_t d, double want) const {
  if (rowKeys[r] > fewKeys || !std::isfinite(want))
    return -infinity;
  const double *p = scores.data() + r * static_cast<std::size_t>(keyStride);
  double sum = 0, half = operandEpsilon(shape.element) / 2;
  for (int64_t j = 0; j < shape.visibleKeys(rows[r]); ++j)
    if (p[j] != 0) {
      const Stored *v =
          inputRow(inputs.v, shape.seqK, shape.kvHeads, j, kvHead(), shape.valueDim());
      sum += p[j] * std::abs(static_cast<double>(fromStored(shape.element, v[d])));
    }
  double before = std::abs(want) + half * sum; // O as it is rounded
  return half * sum + (before == 0 ? 0 : half * std::exp2(std::ilogb(before)));
}

std::string place(const Block &block, int64_t row) {
  std::ostringstream out;
  out << "batch " << block.batch << " head " << block.head << " row " << row;
  return out.str();
}

void compareRow(const Block &block, std::size_t r, const AttentionOutputs &outputs,
                Comparison &total) {
  const AttentionCase &shape = block.shape;
  int64_t row = block.rows[r];
  const Stored *o =
      outputs.o.data() +
      ((block.batch * shape.seqQ + row) * shape.heads + block.head) * shape.valueDim();
  bool visible = block.rowKeys[r] > 0;
  for (int64_t d = 0; d < shape.valueDim(); ++d) {
    double got = static_cast<double>(fromStored(shape.element, o[d]));
    std::size_t at = r * static_cast<std::size_t>(block.valueWidth) + static_cast<std::size_t>(d);
    double want = visible ? block.o[at] : 0;
    bool broken = std::isfinite(got) != std::isfinite(want) || (!visible && got != 0);
    if (broken && total.brokenRow.empty())
      total.brokenRow = place(block, row) + " column " + std::to_string(d) + " of O is " +
                        std::to_string(got) + " for " + std::to_string(want);
    if (!std::isfinite(want))
      continue;
    double unfused = visible ? static_cast<double>(roundTo(shape.element, block.unfusedO[at])) : 0;
    double error = std::abs(got - want);
    double rounding = error > total.maxError ? block.roundingOfFewKeys(r, d, want) : 0;
    if (error > total.maxError && error > rounding) {
      total.maxError = error;
      total.worst = place(block, row) + " column " + std::to_string(d) + ": " +
                    std::to_string(got) + " for " + std::to_string(want);
    }
    total.maxUnfusedError = std::max(total.maxUnfusedError, std::abs(unfused - want));
    total.squaredError += error * error;
    total.unfusedSquaredError += (unfused - want) * (unfused - want);
    if (visible)
      total.onesError = std::max(total.onesError, std::abs(got - 1));
  }
  total.elements += shape.valueDim();
  if (outputs.lse.empty())
    return;
  double want = block.lse[r];
  auto got = static_cast<double>(outputs.lse[static_cast<std::size_t>(
      (block.batch * shape.heads + block.head) * shape.seqQ + row)]);
  bool isFinite = want != -infinity; // A sink is no key, but part of LSE.
  bool broken = isFinite ? !std::isfinite(got) : got != -infinity;
  if (broken && total.brokenRow.empty())
    total.brokenRow =
        place(block, row) + " of LSE is " + std::to_string(got) + " for " + std::to_string(want);
  // Of 16-bit types the products are exact, and how scores are rounded has no part in it.
  double unfused = shape.element == Element::f32 ? std::abs(block.unfusedLse[r] - block.lse[r]) : 0;
  if (isFinite)
    total.lseExcess =
        std::max(total.lseExcess, std::abs(got - want) / (5e-5 + 1e-5 * std::abs(want) +
                                                          block.mods.lseSlack + 2 * unfused));
}

} // namespace

void Comparison::merge(const Comparison &part) {
  if (part.maxError > maxError) {
    maxError = part.maxError;
    worst = part.worst;
  }
  maxUnfusedError = std::max(maxUnfusedError, part.maxUnfusedError);
  squaredError += part.squaredError;
  unfusedSquaredError += part.unfusedSquaredError;
  elements += part.elements;
  lseExcess = std::max(lseExcess, part.lseExcess);
  oSlack = std::max(oSlack, part.oSlack);
  onesError = std::max(onesError, part.onesError);
  if (brokenRow.empty())
    brokenRow = part.brokenRow;
}

double Comparison::rms() const {
  return elements == 0 ? 0 : std::sqrt(squaredError / static_cast<double>(elements));
}

double Comparison::unfusedRms() const {
  return elements == 0 ? 0 : std::sqrt(unfusedSquaredError / static_cast<double>(elements));
}

std::optional<std::string> Comparison::problem(const AttentionCase &shape) const {
  std::ostringstream out;
  if (!brokenRow.empty())
    out << brokenRow;
  else if (!(maxError <= budget()))
    out << "max |O - O64| = " << maxError << " at " << worst << " exceeds the budget " << budget()
        << " (the unfused error is " << maxUnfusedError << ")";
  else if (!(lseExcess <= 1))
    out << "|LSE - LSE64| is " << lseExcess << " times its bound";
  else if (shape.data == Data::onesInV && !(onesError <= operandEpsilon(shape.element)))
    out << "V = ones gives an O that is " << onesError << " from 1, more than one rounding step";
  else
    return std::nullopt;
  return out.str();
}

Comparison compareAttention(const AttentionCase &shape, const AttentionInputs &inputs,
                            const AttentionOutputs &outputs, int64_t rowStep, const Mods &mods) {
  int64_t rows = (shape.seqQ + rowStep - 1) / rowStep;
  int64_t blocks = (rows + rowBlock - 1) / rowBlock;
  Comparison total;
  total.oSlack = mods.oSlack;
  std::mutex mutex;
  parallelFor(shape.batch * shape.heads * blocks, [&](int64_t task) {
    Block block{shape,
                inputs,
                mods,
                task / blocks / shape.heads,
                task / blocks % shape.heads,
                (shape.headDim + 15) / 16 * 16,
                (shape.valueDim() + 15) / 16 * 16,
                {},
                0,
                0,
                {},
                {},
                {},
                {},
                {},
                {},
                {},
                {},
                {},
                {}};
    // Causal rows get longer; the long ones first keeps the cores busy to the end.
    int64_t first = (blocks - 1 - task % blocks) * rowBlock;
    for (int64_t i = first; i < std::min(rows, first + rowBlock); ++i)
      block.rows.push_back(i * rowStep);
    block.computeScores();
    block.softmax();
    block.multiplyByValues();
    Comparison part;
    for (std::size_t r = 0; r < block.rows.size(); ++r)
      compareRow(block, r, outputs, part);
    std::lock_guard<std::mutex> lock(mutex);
    total.merge(part);
  });
  // The unfused computation, which normalizes before it rounds, makes ones of ones; a kernel that
  // rounds the weights and their sum apart is a rounding step off at most (docs/Numerics.md).
  if (shape.data == Data::onesInV)
    total.maxUnfusedError = std::max(total.maxUnfusedError, operandEpsilon(shape.element) / 2);
  return total;
}

} // namespace trident::test
