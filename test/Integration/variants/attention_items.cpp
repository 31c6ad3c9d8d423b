//===- attention_items.cpp - The order of a block's work items ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The generated function is compiled with persistent blocks and tiles of 64 rows, so that small
// tensors have many items. Outputs are NaN before each run: an item that no block takes, or that is
// decoded as another, leaves them so. Each case runs in the static order, and with a workspace.
//===----------------------------------------------------------------------===//
#include "support/Checks.h"
#include "support/DeviceCase.h"

using namespace trident::test;

namespace {
constexpr int64_t tileRows = 64;

/// Batches and heads, with `tiles` tiles of queries each, the last of which may be cut.
struct Grid {
  int64_t batch, heads, kvHeads, tiles;

  int64_t items() const { return batch * heads * tiles; }
  AttentionCase shape(Causal causal) const {
    AttentionCase shape;
    shape.headDim = 64;
    shape.scale = 0.125f;
    shape.batch = batch;
    shape.heads = heads;
    shape.kvHeads = kvHeads;
    shape.seqQ = tiles * tileRows - 63 + (items() * 29) % 64;
    // As many keys as rows where the mask should have most to say; few where items are many.
    shape.seqK = items() < 150 ? shape.seqQ : 70;
    shape.causal = causal;
    shape.dataSeed = static_cast<uint64_t>(items());
    return shape;
  }
};

void check(const std::vector<Grid> &grids) {
  Context context;
  for (const Grid &grid : grids)
    for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight})
      checkCase(grid.shape(causal));
}
} // namespace

// The H200 has 132 multiprocessors, and so has the stand-in.

TRIDENT_TEST(one_item) { check({{1, 1, 1, 1}}); }

TRIDENT_TEST(fewer_items_than_multiprocessors) {
  check({{1, 7, 7, 2}, {1, 7, 1, 3}, {3, 7, 7, 4}, {2, 1, 1, 11}, {1, 1, 1, 10}});
}

TRIDENT_TEST(as_many_items_as_multiprocessors_one_less_one_more) {
  check({{2, 6, 2, 11}, {11, 6, 6, 2}, {1, 131, 1, 1}, {1, 19, 1, 7}, {1, 133, 133, 1}});
}

TRIDENT_TEST(groups_of_two_rounds_and_more) {
  check({{3, 7, 1, 7}, {3, 7, 7, 8}, {3, 7, 7, 11}, {2, 11, 1, 12}, {19, 7, 7, 3}});
}

TRIDENT_TEST(groups_that_do_not_fill_their_rounds) {
  check({{3, 9, 9, 10}, {5, 7, 7, 9}, {5, 53, 1, 1}, {1, 53, 53, 5}, {38, 7, 7, 2}});
}

TRIDENT_TEST(many_rounds) { check({{40, 9, 9, 3}, {60, 9, 1, 2}, {1, 1100, 1, 1}}); }

int main(int argc, char **argv) {
  return runNamedTests("attention_items", parseRunOptions(argc, argv));
}
