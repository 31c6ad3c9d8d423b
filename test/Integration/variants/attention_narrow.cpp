//===- attention_narrow.cpp - Warpgroups that pass over tiles -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each warpgroup runs only the tiles that its own rows see. The functions here are compiled with
// tiles of keys that are no wider than a warpgroup's rows, so that under a causal mask most
// warpgroups pass over some: with one to three slots a ring, with and without a step in front of
// the loop, turns, and blocks that persist. CMakeLists.txt runs them on three multiprocessors as
// well, where a block has many items.
//===----------------------------------------------------------------------===//
#include "narrow_apart.h"
#include "narrow_blocks.h"
#include "narrow_items.h"
#include "narrow_one_slot.h"
#include "narrow_wide_head.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/GeneratedCall.h"
#include "window_narrow.h"
#include "window_wide.h"

#include <cmath>
#include <cstring>

using namespace trident::test;

namespace {
CallResult callApart(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::narrow_apart;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callBlocks(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::narrow_blocks;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callItems(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::narrow_items;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callOneSlot(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::narrow_one_slot;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callWideHead(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::narrow_wide_head;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callWindowNarrow(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::window_narrow;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

CallResult callWindowWide(const AttentionCall &call, cu::Handle stream) {
  namespace kernel = trident::window_wide;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call, stream, [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); });
}

AttentionCase shapeOf(int64_t headDim, int64_t seqQ, int64_t seqK, Causal causal) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.scale = 0.125f;
  shape.heads = 3;
  shape.seqQ = seqQ;
  shape.seqK = seqK;
  shape.causal = causal;
  shape.dataSeed = static_cast<uint64_t>(seqQ + seqK);
  return shape;
}

/// Rows of the tile that some warpgroup has none of, that see no key, and that see all.
void check(AttentionFunction function, int64_t headDim = 64) {
  Context context;
  for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight})
    for (auto [seqQ, seqK] :
         {std::array<int64_t, 2>{1, 1}, {65, 200}, {129, 64}, {200, 333}, {384, 384}, {300, 90}})
      checkCase(shapeOf(headDim, seqQ, seqK, causal), function);
}

float floatOf(uint16_t bf16) {
  uint32_t bits = static_cast<uint32_t>(bf16) << 16;
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}
} // namespace

TRIDENT_TEST(no_step_in_front_of_the_loop) { check(callApart); }
TRIDENT_TEST(a_block_for_each_item) { check(callBlocks); }
TRIDENT_TEST(items_that_overlap_and_three_slots) { check(callItems); }
TRIDENT_TEST(one_slot) { check(callOneSlot); }
TRIDENT_TEST(items_that_follow_each_other) { check(callWideHead, 256); }

// Of a window a row's last keys move with it, and so do its first.
TRIDENT_TEST(a_window_is_the_same_for_warpgroups_that_pass_over_tiles) {
  Context context;
  for (auto [seqQ, seqK] : {std::array<int64_t, 2>{65, 200}, {200, 333}, {384, 384}, {300, 90}}) {
    AttentionCase shape = shapeOf(64, seqQ, seqK, Causal::bottomRight);
    DeviceCase device(shape, makeInputs(shape));
    AttentionOutputs narrow = runTwice(shape, device, callWindowNarrow);
    AttentionOutputs wide = runTwice(shape, device, callWindowWide);
    for (std::size_t i = 0; i < wide.o.size(); ++i)
      expect(std::abs(floatOf(narrow.o[i]) - floatOf(wide.o[i])) < 0.02f)
          << shape.text() << ": element " << i << " of o is " << floatOf(narrow.o[i]) << ", and "
          << floatOf(wide.o[i]) << " where each warpgroup runs all tiles";
    for (std::size_t i = 0; i < wide.lse.size(); ++i)
      expect(narrow.lse[i] == wide.lse[i] || std::abs(narrow.lse[i] - wide.lse[i]) < 1e-4f)
          << shape.text() << ": element " << i << " of lse is " << narrow.lse[i] << ", and "
          << wide.lse[i] << " where each warpgroup runs all tiles";
  }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_narrow", parseRunOptions(argc, argv));
}
