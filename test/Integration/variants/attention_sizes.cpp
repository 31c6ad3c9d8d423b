//===- attention_sizes.cpp - A short and a long variant behind one function //
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The generated function is compiled with Inputs/sizes.json: below 256 keys one schedule runs, from
// 256 on another one. Which kernel a call is given to is tested in Target/Launcher.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"

#include <set>

using namespace trident::test;

TRIDENT_TEST(each_setting_has_a_variant_for_few_keys_and_one_for_many) {
  std::multiset<std::string> sizes;
  for (const trident::attention_fwd::Variant &variant : trident::attention_fwd::variants)
    sizes.insert(variant.sizes);
  expect(sizes.size() == 6 && sizes.count("seq_k < 256") == 3 && sizes.count("seq_k >= 256") == 3)
      << "the pair was not compiled with the table of two size classes";
}

TRIDENT_TEST(both_variants_are_right_on_either_side_of_the_bound) {
  Context context;
  for (int64_t keys : {1, 64, 200, 255, 256, 257, 400})
    for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight}) {
      AttentionCase shape;
      shape.headDim = 64;
      shape.scale = 0.125f;
      shape.heads = 4;
      shape.kvHeads = 2;
      shape.seqQ = 130;
      shape.seqK = keys;
      shape.causal = causal;
      shape.dataSeed = static_cast<uint64_t>(keys);
      checkCase(shape);
    }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_sizes", parseRunOptions(argc, argv));
}
