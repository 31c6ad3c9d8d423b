//===- ModReference.cpp - Attention with functions of scores and masks ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModReference.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

namespace trident::test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

double roundTo(Element type, double value) {
  return static_cast<double>(fromElement(type, toElement(type, static_cast<float>(value))));
}

/// One row in float64, and in the unfused way of docs/Numerics.md: scores, weights and results
/// rounded.
struct Row {
  std::vector<double> o, unfused;
  double lse = -infinity;
};

class RowReference {
public:
  RowReference(const AttentionCase &shape, const AttentionInputs &inputs, const Mods &mods)
      : shape(shape), inputs(inputs), mods(mods) {}

  Row compute(int64_t batch, int64_t head, int64_t row) const;

private:
  const uint16_t *at(const std::vector<uint16_t> &tensor, int64_t seq, int64_t heads, int64_t batch,
                     int64_t position, int64_t head, int64_t columns) const {
    return tensor.data() + ((batch * seq + position) * heads + head) * columns;
  }
  double read(const uint16_t *from, int64_t d) const {
    return static_cast<double>(fromElement(shape.element, from[d]));
  }

  const AttentionCase &shape;
  const AttentionInputs &inputs;
  const Mods &mods;
};

Row RowReference::compute(int64_t batch, int64_t head, int64_t row) const {
  struct Key {
    const uint16_t *value;
    double score, unfused;
  };
  int64_t kvHead = head / (shape.heads / shape.kvHeads);
  const uint16_t *q = at(inputs.q, shape.seqQ, shape.heads, batch, row, head, shape.headDim);
  std::vector<Key> keys;
  double sink = mods.sink ? mods.sink(head) : -infinity;
  double maximum = sink, unfusedMaximum = sink;
  for (int64_t col = 0; col < shape.visibleKeys(row); ++col) {
    ScorePlace place{batch, head, row, col};
    if (!mods.mask(place))
      continue;
    const uint16_t *k = at(inputs.k, shape.seqK, shape.kvHeads, batch, col, kvHead, shape.headDim);
    double dot = 0;
    for (int64_t d = 0; d < shape.headDim; ++d)
      dot += read(q, d) * read(k, d);
    double scaled = dot * static_cast<double>(shape.scale);
    Key key{at(inputs.v, shape.seqK, shape.kvHeads, batch, col, kvHead, shape.valueDim()),
            mods.score(scaled, place),
            roundTo(shape.element, mods.score(roundTo(shape.element, scaled), place))};
    maximum = std::max(maximum, key.score);
    unfusedMaximum = std::max(unfusedMaximum, key.unfused);
    keys.push_back(key);
  }
  Row result;
  result.o.assign(static_cast<std::size_t>(shape.valueDim()), 0.0);
  result.unfused = result.o;
  double sum = mods.sink ? std::exp(sink - maximum) : 0,
         unfusedSum = mods.sink ? std::exp(sink - unfusedMaximum) : 0;
  for (Key &key : keys) {
    sum += key.score = std::exp(key.score - maximum);
    unfusedSum += key.unfused = std::exp(key.unfused - unfusedMaximum);
  }
  for (const Key &key : keys)
    for (int64_t d = 0; d < shape.valueDim(); ++d) {
      result.o[static_cast<std::size_t>(d)] += key.score / sum * read(key.value, d);
      result.unfused[static_cast<std::size_t>(d)] +=
          roundTo(shape.element, key.unfused / unfusedSum) * read(key.value, d);
    }
  for (double &value : result.unfused)
    value = roundTo(shape.element, value);
  if (!keys.empty() || mods.sink)
    result.lse = maximum + std::log(sum);
  return result;
}
} // namespace

void compareMods(const AttentionCase &shape, const AttentionInputs &inputs,
                 const AttentionOutputs &outputs, const Mods &mods) {
  RowReference reference(shape, inputs, mods);
  Comparison total;
  double excess = 0; // of LSE over its bound
  std::mutex mutex;
  parallelFor(shape.batch * shape.heads * shape.seqQ, [&](int64_t index) {
    int64_t batch = index / shape.seqQ / shape.heads, head = index / shape.seqQ % shape.heads,
            row = index % shape.seqQ;
    Row want = reference.compute(batch, head, row);
    const uint16_t *o =
        outputs.o.data() + ((batch * shape.seqQ + row) * shape.heads + head) * shape.valueDim();
    std::string where = "batch " + std::to_string(batch) + " head " + std::to_string(head) +
                        " row " + std::to_string(row);
    std::lock_guard<std::mutex> lock(mutex);
    bool visible = want.lse != -infinity;
    // Without a visible key O is 0 exactly; a sink is none.
    bool isZero =
        !visible || std::all_of(want.o.begin(), want.o.end(), [](double x) { return x == 0; });
    for (int64_t d = 0; d < shape.valueDim(); ++d) {
      auto got = static_cast<double>(fromElement(shape.element, o[d]));
      double exact = want.o[static_cast<std::size_t>(d)], error = std::abs(got - exact);
      if (total.brokenRow.empty() && (!std::isfinite(got) || (isZero && got != 0)))
        total.brokenRow = where + " of O is " + std::to_string(got);
      if (error > total.maxError) {
        total.maxError = error;
        total.worst = where + ": " + std::to_string(got) + " for " + std::to_string(exact);
      }
      total.maxUnfusedError = std::max(total.maxUnfusedError,
                                       std::abs(want.unfused[static_cast<std::size_t>(d)] - exact));
    }
    if (!shape.lse)
      return;
    auto got = static_cast<double>(
        outputs.lse[static_cast<std::size_t>((batch * shape.heads + head) * shape.seqQ + row)]);
    if (total.brokenRow.empty() && (visible ? !std::isfinite(got) : got != -infinity))
      total.brokenRow =
          where + " of LSE is " + std::to_string(got) + " for " + std::to_string(want.lse);
    if (visible)
      excess = std::max(excess, std::abs(got - want.lse) /
                                    (5e-5 + 1e-5 * std::abs(want.lse) + mods.lseSlack));
  });
  expect(total.brokenRow.empty()) << total.brokenRow << " [" << shape.text() << "]";
  expect(total.maxError <= total.budget() + mods.oSlack)
      << "max |O - O64| = " << total.maxError << " at " << total.worst << " exceeds the budget "
      << total.budget() + mods.oSlack << " [" << shape.text() << "]";
  expect(excess <= 1) << "|LSE - LSE64| is " << excess << " times its bound [" << shape.text()
                      << "]";
}

void checkMods(const AttentionCase &shape, const Mods &mods, const AttentionFunction &function) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  compareMods(shape, inputs, runTwice(shape, device, function), mods);
}

ModTensor::ModTensor(Type type, const std::vector<int64_t> &extents,
                     const std::vector<int64_t> &strides, const Element &element) {
  tensor.type = static_cast<int32_t>(type);
  tensor.rank = static_cast<int32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), tensor.shape);
  tensor.setContiguous();
  std::copy(strides.begin(), strides.end(), tensor.strides);
  std::size_t bytes = static_cast<std::size_t>(tensor.type & 0xff) / 8;
  int64_t last = 0, count = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    last += (extents[axis] - 1) * tensor.strides[axis];
    count *= extents[axis];
  }
  if (count == 0)
    return;
  std::vector<uint8_t> image((static_cast<std::size_t>(last) + 1) * bytes, 0xff);
  std::vector<int64_t> at(extents.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, offset = 0;
    for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
      at[axis] = rest % extents[axis];
      offset += at[axis] * tensor.strides[axis];
    }
    uint8_t *to = image.data() + static_cast<std::size_t>(offset) * bytes;
    double value = element(at);
    auto write = [&](auto number) { std::memcpy(to, &number, sizeof number); };
    if (type == Type::f32)
      write(static_cast<float>(value));
    else if (type == Type::i32)
      write(static_cast<int32_t>(value));
    else if (type == Type::i1)
      write(static_cast<uint8_t>(value));
    else
      write(
          toElement(type == Type::bf16 ? trident::test::Element::bf16 : trident::test::Element::f16,
                    static_cast<float>(value)));
  }
  memory = DeviceMemory(image.size());
  cu::copyToDevice(memory.get(), image.data(), image.size());
  tensor.data = reinterpret_cast<void *>(memory.get());
}

} // namespace trident::test
