//===- attention_size_products.cpp - A variant for few rows and one for many //
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The generated function is compiled with Inputs/products.json: a call of fewer than 521 rows in
// all, over batches and heads, and of fewer than 256 keys has another variant than one of more.
// Which kernel a call is given to is tested in Target/Launcher.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"

#include <algorithm>

using namespace trident::test;

namespace {
AttentionCase makeShape(int64_t batch, Causal causal) {
  AttentionCase shape;
  shape.headDim = 64;
  shape.scale = 0.125f;
  shape.batch = batch;
  shape.heads = 4;
  shape.kvHeads = 2;
  shape.seqQ = 130;
  shape.seqK = 200;
  shape.causal = causal;
  shape.dataSeed = 7;
  return shape;
}

AttentionOutputs outputsOf(const AttentionCase &shape) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  return runTwice(shape, device);
}
} // namespace

TRIDENT_TEST(both_variants_are_right) {
  Context context;
  for (int64_t batch : {1, 2}) // 520 rows in all, and 1040
    for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight})
      checkCase(makeShape(batch, causal));
}

// A batch comes out as it does alone, bit for bit: the variants take the keys in the same tiles.
TRIDENT_TEST(both_variants_give_the_same_results) {
  Context context;
  for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight}) {
    AttentionOutputs few = outputsOf(makeShape(1, causal));
    AttentionOutputs many = outputsOf(makeShape(2, causal));
    expect(few.o.size() * 2 == many.o.size() && !few.o.empty())
        << "the outputs are not two batches";
    expect(std::equal(few.o.begin(), few.o.end(), many.o.begin())) << "O differs between variants";
    expect(std::equal(few.lse.begin(), few.lse.end(), many.lse.begin()))
        << "LSE differs between variants";
  }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_size_products", parseRunOptions(argc, argv));
}
