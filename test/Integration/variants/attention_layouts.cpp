//===- attention_layouts.cpp - Tensors of any strides and addresses -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What the copy engine refuses, each tensor in turn and all together: elements apart, rows of odd
// lengths, addresses between multiples of 16 bytes, axes in another order, one element that stands
// for many. What lies between elements is NaN, or a canary.
//===----------------------------------------------------------------------===//
#include "support/Checks.h"
#include "support/DeviceCase.h"

using namespace trident::test;

namespace {
/// How a tensor lies: as the copy engine wants it, or not.
enum class Odd {
  none,
  everySecond, ///< the last stride is 2
  nextElement, ///< one element behind an aligned address
  oddRows,     ///< rows that are a multiple of nothing
  transposed,  ///< the last two axes swapped: a head's column is contiguous
  sameColumn,  ///< the last stride is 0: inputs only
  sameRow,     ///< the stride of the sequence is 0: inputs only
  sameHead,    ///< the strides of heads and batch are 0, rows odd: inputs only
  farColumns   ///< the last stride is the largest
};

const Odd oddOutputs[] = {Odd::everySecond, Odd::nextElement, Odd::oddRows, Odd::transposed,
                          Odd::farColumns};
const Odd oddInputs[] = {Odd::everySecond, Odd::nextElement, Odd::oddRows, Odd::transposed,
                         Odd::farColumns,  Odd::sameColumn,  Odd::sameRow, Odd::sameHead};

/// Strides of axes that lie in `order`, the innermost first, with `step` elements from one to the
/// next and `rest` elements behind each axis but the innermost.
Placement nest(const std::array<int64_t, 4> &extents, const std::array<std::size_t, 4> &order,
               int64_t step, int64_t rest) {
  Placement place;
  place.extents = extents;
  int64_t stride = step;
  for (std::size_t axis : order) {
    place.strides[axis] = stride;
    stride = stride * std::max<int64_t>(extents[axis], 1) + rest;
  }
  return place;
}

Placement placeOdd(const std::array<int64_t, 4> &extents, Odd odd) {
  // [batch, seq, heads, head_dim]; multiples of 8 elements are multiples of 16 bytes.
  Placement aligned = nest(extents, {3, 2, 1, 0}, 1, 8);
  switch (odd) {
  case Odd::none:
    return aligned;
  case Odd::everySecond:
    return nest(extents, {3, 2, 1, 0}, 2, 8);
  case Odd::nextElement:
    aligned.offset = 1;
    return aligned;
  case Odd::oddRows:
    return nest(extents, {3, 1, 2, 0}, 1, 5);
  case Odd::transposed:
    return nest(extents, {1, 3, 2, 0}, 1, 1);
  case Odd::farColumns:
    return nest(extents, {2, 1, 0, 3}, 1, 3);
  case Odd::sameColumn:
    aligned.strides = {extents[1] * extents[2], 1, extents[1], 0};
    return aligned;
  case Odd::sameRow:
    aligned.strides = {extents[2] * extents[3], 0, extents[3], 1};
    return aligned;
  case Odd::sameHead:
    aligned.strides = {0, extents[3] + 1, 0, 1};
    return aligned;
  }
  throw std::logic_error("a layout without a case");
}

/// Elements of one address have one value.
void makeConsistent(const Placement &place, std::vector<Stored> &values) {
  std::vector<Stored> memory(static_cast<std::size_t>(place.end()));
  for (int64_t row = 0; row < place.rows(); ++row)
    place.visitRow(row, [&](std::size_t at, std::size_t i) { memory[at] = values[i]; });
  for (int64_t row = 0; row < place.rows(); ++row)
    place.visitRow(row, [&](std::size_t at, std::size_t i) { values[i] = memory[at]; });
}

struct Odds {
  Odd q = Odd::none, k = Odd::none, v = Odd::none, o = Odd::none;
};

void check(const AttentionCase &shape, const Odds &odds, int64_t lseStep = 1) {
  AttentionPlacement place;
  place.q = placeOdd({shape.batch, shape.seqQ, shape.heads, shape.headDim}, odds.q);
  place.k = placeOdd({shape.batch, shape.seqK, shape.kvHeads, shape.headDim}, odds.k);
  place.v = placeOdd({shape.batch, shape.seqK, shape.kvHeads, shape.valueDim()}, odds.v);
  place.o = placeOdd({shape.batch, shape.seqQ, shape.heads, shape.valueDim()}, odds.o);
  place.lseStep = lseStep;
  AttentionInputs inputs = makeInputs(shape);
  makeConsistent(place.q, inputs.q);
  makeConsistent(place.k, inputs.k);
  makeConsistent(place.v, inputs.v);
  checkCase(shape, inputs, place);
}

/// Tails on all sides, three query heads on each key head.
AttentionCase makeShape(int64_t headDim, Causal causal = Causal::none) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.scale = 1.0f / std::sqrt(static_cast<float>(headDim));
  shape.causal = causal;
  shape.heads = 3;
  shape.kvHeads = 1;
  shape.seqQ = 70;
  shape.seqK = 141;
  shape.dataSeed = static_cast<uint64_t>(headDim) + 3;
  return shape;
}

void checkEach(int64_t headDim, int64_t headDimV = 0) {
  Context context;
  AttentionCase shape = makeShape(headDim, Causal::bottomRight);
  shape.headDimV = headDimV;
  for (Odd odd : oddInputs) {
    check(shape, {odd, Odd::none, Odd::none, Odd::none});
    check(shape, {Odd::none, odd, Odd::none, Odd::none});
    check(shape, {Odd::none, Odd::none, odd, Odd::none});
  }
  for (Odd odd : oddOutputs)
    check(shape, {Odd::none, Odd::none, Odd::none, odd});
}
} // namespace

TRIDENT_TEST(each_tensor_in_turn_head_dim_64) { checkEach(64); }
TRIDENT_TEST(each_tensor_in_turn_head_dim_72) { checkEach(72); }
TRIDENT_TEST(each_tensor_in_turn_head_dim_192_and_128) { checkEach(192, 128); }

TRIDENT_TEST(all_tensors_together) {
  Context context;
  for (int64_t headDim : {64, 72, 128})
    for (Causal causal : {Causal::none, Causal::bottomRight}) {
      AttentionCase shape = makeShape(headDim, causal);
      shape.batch = 2;
      shape.kvHeads = 3;
      for (Odd odd : oddOutputs)
        check(shape, {odd, odd, odd, odd}, /*lseStep=*/3);
      check(shape, {Odd::sameHead, Odd::transposed, Odd::everySecond, Odd::farColumns}, 2);
      check(shape, {Odd::transposed, Odd::sameColumn, Odd::nextElement, Odd::oddRows}, 2);
    }
}

TRIDENT_TEST(aligned_calls) {
  Context context;
  for (int64_t headDim : {64, 72, 128})
    check(makeShape(headDim, Causal::bottomRight), Odds());
}

TRIDENT_TEST(one_row_one_key_and_none) {
  Context context;
  for (Odd odd : oddOutputs)
    for (int64_t seqQ : {0, 1})
      for (int64_t seqK : {0, 1}) {
        AttentionCase shape = makeShape(72);
        shape.seqQ = seqQ;
        shape.seqK = seqK;
        check(shape, {odd, odd, odd, odd}, 2);
      }
}

TRIDENT_TEST(many_tiles_and_items) {
  Context context;
  AttentionCase shape = makeShape(64, Causal::bottomRight);
  shape.seqQ = 300;
  shape.seqK = 700;
  check(shape, {Odd::oddRows, Odd::transposed, Odd::nextElement, Odd::everySecond}, 2);
}

TRIDENT_TEST(illegal_calls_are_refused_still) {
  Context context;
  AttentionCase shape = makeShape(64);
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  auto expectRefused = [&](auto change, const std::string &part) {
    AttentionCall call = device.call();
    change(call);
    CallResult result = callAttention(call, nullptr);
    expect(!result.ok) << "the call was accepted; expected a refusal with '" << part << "'";
    expect(result.message.find(part) != std::string::npos)
        << "the refusal '" << result.message << "' does not say '" << part << "'";
  };
  expectRefused([](AttentionCall &call) { call.k.data += 1; }, "k.data = 0x");
  expectRefused([](AttentionCall &call) { call.v.strides[3] = -1; },
                "v.strides[3] = -1 must not be negative");
  expectRefused([](AttentionCall &call) { call.o.strides[3] = 0; },
                "o.strides[3] = 0 must be positive: an output must not overlap itself");
  expectRefused([](AttentionCall &call) { call.o = call.q; }, "must not overlap q");
}

int main(int argc, char **argv) {
  return runNamedTests("attention_layouts", parseRunOptions(argc, argv));
}
