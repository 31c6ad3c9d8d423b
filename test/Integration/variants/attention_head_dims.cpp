//===- attention_head_dims.cpp - Head sizes that fill no panel ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A tile whose columns end inside a panel of shared memory is filled up with zeros there. What lies
// behind a row in memory must not matter: here it is NaN, or the next head's elements, and behind
// the output's rows are canaries.
//===----------------------------------------------------------------------===//
#include "support/Checks.h"
#include "support/DeviceCase.h"

using namespace trident::test;

namespace {
AttentionCase makeShape(int64_t headDim, Causal causal, Layout layout) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.scale = 1.0f / std::sqrt(static_cast<float>(headDim));
  shape.causal = causal;
  shape.layout = shape.outLayout = layout;
  shape.heads = 2;
  shape.dataSeed = static_cast<uint64_t>(headDim);
  return shape;
}

void check(int64_t headDim) {
  Context context;
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    // NaN behind every row: 16 bytes of it, so that all else of the zeros' place is a neighbour's.
    AttentionCase strided = makeShape(headDim, causal, Layout::bshd);
    strided.seqQ = 70;
    strided.seqK = 201;
    checkCase(strided);
    // Rows back to back: the columns behind one are the next key's, behind the last one NaN.
    AttentionCase dense = makeShape(headDim, causal, Layout::bhsd);
    dense.seqQ = 200;
    dense.seqK = 129;
    dense.padded = false;
    checkCase(dense);
    // The columns behind one head's are the next head's, or another tensor's.
    AttentionCase packed = makeShape(headDim, causal, Layout::packed);
    packed.seqQ = packed.seqK = 65;
    packed.outLayout = Layout::sbhd;
    packed.padded = false;
    packed.data = Data::onesInV;
    checkCase(packed);
  }
}
} // namespace

TRIDENT_TEST(head_dim_8) { check(8); }
TRIDENT_TEST(head_dim_24) { check(24); }
TRIDENT_TEST(head_dim_32) { check(32); }
TRIDENT_TEST(head_dim_40) { check(40); }
TRIDENT_TEST(head_dim_72) { check(72); }
TRIDENT_TEST(head_dim_80) { check(80); }
TRIDENT_TEST(head_dim_96) { check(96); }
TRIDENT_TEST(head_dim_160) { check(160); }
TRIDENT_TEST(head_dim_192) { check(192); }
TRIDENT_TEST(head_dim_248) { check(248); }

int main(int argc, char **argv) {
  return runNamedTests("attention_head_dims", parseRunOptions(argc, argv));
}
