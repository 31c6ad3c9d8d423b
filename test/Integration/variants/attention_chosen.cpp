//===- attention_chosen.cpp - A build that links one of the variants ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The pair has causal = none and bottom_right; VARIANTS of trident_add_kernel names the latter.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"

using namespace trident::test;

namespace {
AttentionCase caseOf(Causal causal) {
  AttentionCase shape;
  shape.headDim = 64;
  shape.scale = 0.125f;
  shape.heads = 4;
  shape.kvHeads = 2;
  shape.seqQ = 130;
  shape.seqK = 200;
  shape.causal = causal;
  return shape;
}
} // namespace

TRIDENT_TEST(the_header_lists_what_was_compiled) {
  expect(std::size(trident::attention_fwd::variants) == 2) << "expected two variants";
  expect(trident::attention_fwd::variants[1].name == std::string("bf16_64_64_bottom_right_sm_90a"))
      << "named " << trident::attention_fwd::variants[1].name;
}

TRIDENT_TEST(the_one_that_is_named_is_right) {
  Context context;
  checkCase(caseOf(Causal::bottomRight));
}

TRIDENT_TEST(the_other_is_refused_with_what_there_is) {
  Context context;
  const AttentionCase shape = caseOf(Causal::none);
  DeviceCase device(shape, makeInputs(shape));
  const CallResult result = callAttention(device.call(), nullptr);
  expect(!result.ok &&
         result.message ==
             "attention_fwd: no variant for dtype = bf16, head_dim = 64, head_dim_v = 64, causal = "
             "none; ATTENTION_FWD_VARIANTS has: bf16_64_64_bottom_right_sm_90a")
      << "answered '" << result.message << "'";
}

int main(int argc, char **argv) {
  return runNamedTests("attention_chosen", parseRunOptions(argc, argv));
}
