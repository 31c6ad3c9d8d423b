//===- attention_f32.cpp - f32 tensors as pairs of bf16 -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Besides what holds for every element type: numbers that one bf16 cannot hold, the accuracy of
// two, and the ends of the range of f32. All that is no element is NaN, or a canary.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/GeneratedCall.h"

#include <limits>

using namespace trident::test;

namespace {
AttentionCase makeShape(int64_t headDim, Causal causal = Causal::none) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.scale = 1.0f / std::sqrt(static_cast<float>(headDim));
  shape.causal = causal;
  shape.dataSeed = static_cast<uint64_t>(headDim) + 7;
  return shape;
}

void check(int64_t headDim, int64_t headDimV = 0) {
  Context context;
  for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight}) {
    // Three query heads on each key head, tails on all sides, NaN behind every row.
    AttentionCase grouped = makeShape(headDim, causal);
    grouped.headDimV = headDimV;
    grouped.heads = 6;
    grouped.kvHeads = 2;
    grouped.seqQ = 70;
    grouped.seqK = 201;
    grouped.layout = grouped.outLayout = Layout::bhsd;
    checkCase(grouped);
    // Rows back to back; under a mask the first queries see no key.
    AttentionCase dense = makeShape(headDim, causal);
    dense.headDimV = headDimV;
    dense.batch = 2;
    dense.seqQ = 200;
    dense.seqK = 129;
    dense.padded = false;
    checkCase(dense);
  }
  AttentionCase packed = makeShape(headDim);
  packed.headDimV = headDimV;
  packed.seqQ = packed.seqK = 65;
  packed.heads = packed.kvHeads = 2;
  packed.layout = Layout::packed;
  packed.outLayout = Layout::sbhd;
  packed.scale = -0.2f;
  checkCase(packed);
}

/// One call of one row and what it gives.
std::vector<float> rowOf(const AttentionCase &shape, const AttentionInputs &inputs) {
  DeviceCase device(shape, inputs);
  return runTwice(shape, device).o;
}
} // namespace

TRIDENT_TEST(head_dim_64) { check(64); }
TRIDENT_TEST(head_dim_72) { check(72); }
TRIDENT_TEST(head_dim_128) { check(128); }
TRIDENT_TEST(head_dim_256) { check(256); }
TRIDENT_TEST(head_dim_192_and_128) { check(192, 128); }
TRIDENT_TEST(head_dim_64_and_256) { check(64, 256); }

TRIDENT_TEST(no_keys_no_queries_no_batch) {
  Context context;
  for (int64_t headDim : {64, 128, 256})
    for (Causal causal : {Causal::none, Causal::bottomRight}) {
      AttentionCase none = makeShape(headDim, causal), noQueries = none, noBatch = none;
      none.seqK = 0;
      noQueries.seqQ = 0;
      noBatch.batch = 0;
      for (const AttentionCase &shape : {none, noQueries, noBatch})
        checkCase(shape);
    }
}

TRIDENT_TEST(many_tiles_and_items) {
  Context context;
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    AttentionCase shape = makeShape(64, causal);
    shape.heads = 3;
    shape.seqQ = 300;
    shape.seqK = 1100;
    checkCase(shape);
  }
}

// As the unfused computation on pairs has it; one bf16 alone is 2^-8 off, tf32 2^-11.
TRIDENT_TEST(standard_normal_inputs_are_exact_to_a_few_parts_in_a_million) {
  Context context;
  for (int64_t headDim : {64, 128, 256}) {
    AttentionCase shape = makeShape(headDim, Causal::bottomRight);
    shape.seqQ = shape.seqK = 200;
    Comparison comparison = checkCase(shape);
    expect(comparison.maxError < 2.5e-5 && comparison.rms() < 1.5e-6)
        << "max " << comparison.maxError << ", RMS " << comparison.rms() << " [" << shape.text()
        << "]";
  }
}

TRIDENT_TEST(ones_in_v) {
  Context context;
  for (int64_t headDim : {64, 128, 256}) {
    AttentionCase shape = makeShape(headDim, Causal::topLeft);
    shape.seqQ = shape.seqK = 150;
    shape.data = Data::onesInV;
    checkCase(shape);
  }
}

TRIDENT_TEST(equal_logits) {
  Context context;
  for (Data data : {Data::largeLogits, Data::hugeLogits})
    for (int64_t headDim : {64, 128, 256}) {
      AttentionCase shape = makeShape(headDim);
      shape.seqK = 150;
      shape.data = data;
      checkCase(shape);
    }
}

TRIDENT_TEST(nan_in_v) {
  Context context;
  AttentionCase shape = makeShape(64, Causal::bottomRight);
  shape.seqQ = 150;
  shape.data = Data::nanInV;
  checkCase(shape);
}

// Rounded to bf16, the largest numbers would be infinite.
TRIDENT_TEST(largest_floats) {
  Context context;
  constexpr float largest = std::numeric_limits<float>::max();
  for (int64_t headDim : {64, 128, 256}) {
    // One key: O is V.
    AttentionCase shape = makeShape(headDim);
    shape.seqQ = 1;
    shape.seqK = 1;
    AttentionInputs inputs = makeInputs(shape);
    for (std::size_t i = 0; i < inputs.v.size(); ++i)
      inputs.v[i] = largest * (i % 2 ? 1 - 0x1p-16f : 0x1p-9f - 1);
    std::vector<float> o = rowOf(shape, inputs);
    for (std::size_t i = 0; i < o.size(); ++i)
      expect(std::abs(static_cast<double>(o[i]) / static_cast<double>(inputs.v[i]) - 1) < 0x1p-15)
          << "O is " << o[i] << " for " << inputs.v[i] << " at head_dim " << headDim;
    // Queries so large, keys so small that their products are ordinary.
    AttentionCase scores = makeShape(headDim, Causal::bottomRight);
    scores.seqQ = scores.seqK = 130;
    AttentionInputs wide = makeInputs(scores);
    for (float &x : wide.q)
      x = x < 0 ? -largest : largest * (1 - 0x1p-10f);
    for (float &x : wide.k)
      x *= 0x1p-112f;
    scores.scale *= 0x1p-16f;
    checkCase(scores, wide);
  }
}

// Denormal numbers are numbers in operands, if with fewer bits, which the bound of LSE does not
// allow for; a result that is one may be 0.
TRIDENT_TEST(denormal_floats) {
  Context context;
  for (int64_t headDim : {64, 128, 256}) {
    AttentionCase shape = makeShape(headDim);
    shape.seqQ = shape.seqK = 130;
    AttentionInputs inputs = makeInputs(shape);
    for (float &x : inputs.q)
      x *= 0x1p122f;
    for (float &x : inputs.k)
      x *= 0x1p-128f; // 2^-6 in all
    shape.scale = 8;
    shape.lse = false;
    checkCase(shape, inputs);
    for (float &x : inputs.v)
      x *= 0x1p-130f;
    checkCase(shape, inputs);
  }
}

TRIDENT_TEST(infinite_numbers_stay_infinite) {
  Context context;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  AttentionCase shape = makeShape(64);
  shape.seqQ = shape.seqK = 1;
  AttentionInputs inputs = makeInputs(shape);
  for (std::size_t i = 0; i < inputs.v.size(); ++i)
    inputs.v[i] = i % 2 ? -infinity : infinity;
  std::vector<float> o = rowOf(shape, inputs);
  for (std::size_t i = 0; i < o.size(); ++i)
    expect(o[i] == inputs.v[i]) << "O is " << o[i] << " for " << inputs.v[i];
}

namespace {
/// What a launcher reads of a DLTensor.
struct PackedTensor {
  void *data;
  struct {
    int32_t device_type, device_id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

PackedTensor pack(trident::Tensor &tensor, uint8_t bits) {
  return {tensor.data, {2, 0}, tensor.rank, {2, bits, 1}, tensor.shape, tensor.strides, 0};
}
} // namespace

TRIDENT_TEST(dlpack_tensors_of_f32) {
  Context context;
  AttentionCase shape = makeShape(72, Causal::bottomRight);
  shape.seqQ = 65;
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionCall call = device.call();
  trident::Tensor q = generatedTensor(call.q), k = generatedTensor(call.k),
                  v = generatedTensor(call.v), o = generatedTensor(call.o),
                  lse = generatedTensor(*call.lse);
  auto launch = [&](uint8_t bits) {
    const PackedTensor packed = pack(lse, 32);
    return trident::attention_fwd::launch(pack(q, bits), pack(k, bits), pack(v, bits),
                                          pack(o, bits), &packed, shape.scale,
                                          trident::attention_fwd::Causal::bottom_right, nullptr);
  };
  device.poison();
  trident::Status status = launch(32);
  expect(status.ok()) << status.message();
  cu::synchronize();
  auto problem = compareAttention(shape, inputs, device.read()).problem(shape);
  expect(!problem) << problem.value_or("");
  std::string refused = launch(64).message();
  expect(refused == "attention_fwd: q.type = f64 must be bf16, f16 or f32") << refused;
}

TRIDENT_TEST(other_types_are_refused_by_name) {
  Context context;
  AttentionCase shape = makeShape(64);
  DeviceCase device(shape, makeInputs(shape));
  AttentionCall call = device.call();
  call.k.type = TensorType::bf16;
  CallResult mixed = callAttention(call, nullptr);
  expect(!mixed.ok) << "a call with k of bf16 was taken";
  expect(mixed.message == "attention_fwd: k.type = bf16 must equal q.type = f32") << mixed.message;
  call.q.type = call.v.type = call.o.type = TensorType::bf16;
  CallResult all = callAttention(call, nullptr);
  expect(!all.ok) << "a call of bf16 was taken";
  expect(all.message.find("no variant for dtype = bf16, head_dim = 64") != std::string::npos &&
         all.message.find("compiled: dtype = f32;") != std::string::npos)
      << all.message;
}

int main(int argc, char **argv) {
  return runNamedTests("attention_f32", parseRunOptions(argc, argv));
}
