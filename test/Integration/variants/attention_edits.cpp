//===- attention_edits.cpp - The forward, written in three other ways -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// No pass recognises a kernel, so kernels/attention_fwd.mlir may be edited: with the loop over keys
// going up, with V loaded beside K, and with K and V in each other's place.
//===----------------------------------------------------------------------===//
#include "attention_ascending.h"
#include "attention_early.h"
#include "attention_swapped.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/GeneratedCall.h"

using namespace trident::test;

namespace {
CallResult callAscending(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::attention_ascending;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callEarly(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::attention_early;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

/// Its argument k holds the values and v the keys.
CallResult callSwapped(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::attention_swapped;
  AttentionCall swapped = call;
  std::swap(swapped.k, swapped.v);
  return callGenerated<kernel::Arguments, kernel::Causal>(
      swapped, stream,
      [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

void check(AttentionFunction function) {
  Context context;
  for (int64_t headDim : {64, 128})
    for (Causal causal : {Causal::none, Causal::bottomRight})
      for (auto [seqQ, seqK] : {std::array<int64_t, 2>{1, 1}, {65, 129}, {200, 333}, {129, 64}}) {
        AttentionCase shape;
        shape.headDim = headDim;
        shape.scale = 0.125f;
        shape.batch = 2;
        shape.heads = 4;
        shape.kvHeads = 2;
        shape.seqQ = seqQ;
        shape.seqK = seqK;
        shape.causal = causal;
        shape.dataSeed = static_cast<uint64_t>(headDim + seqQ);
        checkCase(shape, function);
      }
}
} // namespace

TRIDENT_TEST(keys_in_ascending_order) { check(callAscending); }
TRIDENT_TEST(values_loaded_beside_keys) { check(callEarly); }
TRIDENT_TEST(keys_and_values_swapped) { check(callSwapped); }

int main(int argc, char **argv) {
  return runNamedTests("attention_edits", parseRunOptions(argc, argv));
}
