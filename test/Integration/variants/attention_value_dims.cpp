//===- attention_value_dims.cpp - V and O with rows of another length -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// All pairs are behind one function, so a call that is right has found its own variant. As in
// attention_head_dims, what lies behind a row must not matter: NaN, another row, or, where K and V
// are columns of one tensor, the other one's columns.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/GeneratedCall.h"

using namespace trident::test;

namespace {
AttentionCase makeShape(int64_t headDim, int64_t headDimV, Causal causal, Layout layout) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.headDimV = headDimV;
  shape.scale = 1.0f / std::sqrt(static_cast<float>(headDim));
  shape.causal = causal;
  shape.layout = shape.outLayout = layout;
  shape.heads = 2;
  shape.dataSeed = static_cast<uint64_t>(1000 * headDim + headDimV);
  return shape;
}

void check(int64_t headDim, int64_t headDimV, Element element = Element::bf16) {
  Context context;
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    // Two query heads on each key head, and NaN behind every row.
    AttentionCase grouped = makeShape(headDim, headDimV, causal, Layout::bhsd);
    grouped.element = element;
    grouped.heads = 4;
    grouped.kvHeads = 2;
    grouped.seqQ = 70;
    grouped.seqK = 201;
    checkCase(grouped);
    // Rows back to back; the first queries see no key under the mask.
    AttentionCase dense = makeShape(headDim, headDimV, causal, Layout::bshd);
    dense.element = element;
    dense.seqQ = 200;
    dense.seqK = 129;
    dense.padded = false;
    checkCase(dense);
    // K and V as one projection gives them: columns of [batch, seq, heads, head_dim + head_dim_v].
    AttentionCase joint = makeShape(headDim, headDimV, causal, Layout::packed);
    joint.element = element;
    joint.seqQ = joint.seqK = 65;
    joint.outLayout = Layout::sbhd;
    joint.padded = false;
    joint.data = Data::onesInV;
    checkCase(joint);
  }
}

/// A case on the device with the calls that are made of it.
struct Prepared {
  AttentionCase shape = makeShape(192, 128, Causal::none, Layout::bshd);
  DeviceCase device{shape, makeInputs(shape)};
  trident::attention_fwd::Arguments arguments;

  Prepared() {
    AttentionCall call = device.call();
    arguments.q = generatedTensor(call.q);
    arguments.k = generatedTensor(call.k);
    arguments.v = generatedTensor(call.v);
    arguments.o = generatedTensor(call.o);
    arguments.scale = shape.scale;
    arguments.causal = trident::attention_fwd::Causal::none;
  }
};

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

PackedTensor pack(trident::Tensor &tensor) {
  return {tensor.data, {2, 0}, 4, {4, 16, 1}, tensor.shape, tensor.strides, 0};
}

/// Expects the message from each of the three entry points.
void expectRefused(Prepared &prepared, const std::string &message) {
  trident::attention_fwd::Arguments &a = prepared.arguments;
  auto expectIs = [&](const char *entry, const std::string &got) {
    expect(got == "attention_fwd: " + message)
        << entry << " says '" << got << "'; expected 'attention_fwd: " << message << "'";
  };
  expectIs("launch", trident::attention_fwd::launch(a, nullptr).message());
  attention_fwd_arguments plain{a.q, a.k, a.v, a.o, a.lse, a.scale, 0};
  char text[512] = "";
  attention_fwd_launch(&plain, nullptr, text, sizeof text);
  expectIs("the C function", text);
  expectIs("launch of DLPack tensors",
           trident::attention_fwd::launch(pack(a.q), pack(a.k), pack(a.v), pack(a.o),
                                          static_cast<PackedTensor *>(nullptr), a.scale, a.causal,
                                          nullptr)
               .message());
}
} // namespace

TRIDENT_TEST(head_dim_192_and_128) { check(192, 128); }
TRIDENT_TEST(head_dim_192_and_128_of_f16) { check(192, 128, Element::f16); }
TRIDENT_TEST(head_dim_64_and_128) { check(64, 128); }
TRIDENT_TEST(head_dim_128_and_64) { check(128, 64); }
TRIDENT_TEST(head_dim_64_and_256) { check(64, 256); }
TRIDENT_TEST(head_dim_72_and_40) { check(72, 40); }
TRIDENT_TEST(head_dim_40_and_80) { check(40, 80); }

TRIDENT_TEST(all_three_entry_points_compute) {
  Context context;
  Prepared prepared;
  trident::attention_fwd::Arguments &a = prepared.arguments;
  auto check = [&](auto launch) {
    prepared.device.poison();
    launch();
    cu::synchronize();
    AttentionOutputs outputs = prepared.device.read();
    outputs.lse.clear();
    auto problem = compareAttention(prepared.shape, makeInputs(prepared.shape), outputs)
                       .problem(prepared.shape);
    expect(!problem) << problem.value_or("");
  };
  check([&] {
    auto status = trident::attention_fwd::launch(a, nullptr);
    expect(status.ok()) << status.message();
  });
  check([&] {
    attention_fwd_arguments plain{a.q, a.k, a.v, a.o, a.lse, a.scale, 0};
    char text[512] = "";
    expect(attention_fwd_launch(&plain, nullptr, text, sizeof text) == 0) << text;
  });
  check([&] {
    auto status = trident::attention_fwd::launch(pack(a.q), pack(a.k), pack(a.v), pack(a.o),
                                                 static_cast<PackedTensor *>(nullptr), a.scale,
                                                 a.causal, nullptr);
    expect(status.ok()) << status.message();
  });
}

TRIDENT_TEST(head_dims_that_do_not_match_are_refused_by_name) {
  Context context;
  Prepared k, v, o, pair;
  k.arguments.k.shape[3] = 128;
  expectRefused(k, "k.shape[3] (head_dim) = 128 must equal q.shape[3] (head_dim) = 192");
  v.arguments.v.shape[3] = 192;
  expectRefused(v, "o.shape[3] (head_dim_v) = 128 must equal v.shape[3] (head_dim_v) = 192");
  o.arguments.o.shape[3] = 192;
  expectRefused(o, "o.shape[3] (head_dim_v) = 192 must equal v.shape[3] (head_dim_v) = 128");
  // Each size was compiled, but not the two together.
  pair.arguments.v.shape[3] = pair.arguments.o.shape[3] = 64;
  expectRefused(pair,
                "no variant for dtype = bf16, head_dim = 192, head_dim_v = 64, causal = none; "
                "compiled: (dtype, head_dim, head_dim_v) = (bf16, 192, 128), (f16, 192, 128), "
                "(bf16, 64, 128), (bf16, 128, 64), (bf16, 64, 256), (bf16, 72, 40) or "
                "(bf16, 40, 80); causal = none or bottom_right");
}

// As where the report was, but forward: 16 query heads on a key head, 192 and 128, not the first
// kernel that runs.
TRIDENT_TEST(tilelang_547_192_and_128_after_another_kernel) {
  Context context;
  checkCase(makeShape(64, 256, Causal::none, Layout::bshd));
  AttentionCase shape = makeShape(192, 128, Causal::bottomRight, Layout::bshd);
  shape.batch = 2;
  shape.heads = 16;
  shape.seqQ = 65;
  shape.seqK = 100;
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionOutputs first = runTwice(shape, device);
  checkCase(makeShape(64, 256, Causal::bottomRight, Layout::bshd));
  AttentionOutputs again = runTwice(shape, device);
  expect(first.o == again.o) << "a kernel in between changed the result";
  auto problem = compareAttention(shape, inputs, again).problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
}

TRIDENT_TEST(flash_attention_2470_no_keys_at_192_and_128) {
  Context context;
  for (int64_t seqQ : {1, 64, 128, 256}) {
    AttentionCase shape = makeShape(192, 128, Causal::bottomRight, Layout::bshd);
    shape.seqQ = seqQ;
    shape.seqK = 0;
    checkCase(shape);
  }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_value_dims", parseRunOptions(argc, argv));
}
