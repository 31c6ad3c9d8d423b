//===- attention_searches.cpp - Documents found by searches, in float64 ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ids where a search could go wrong: at the ends of their type, all equal, none that fits, of one
// key, of so many tiles that it takes rounds; of strides 0 and 2. Ids end where their memory ends.
//===----------------------------------------------------------------------===//
#include "range_items.h"
#include "search_apart.h"
#include "search_blocks.h"
#include "search_items.h"
#include "search_order.h"
#include "support/Checks.h"
#include "support/GeneratedCall.h"
#include "support/ModReference.h"

#include <limits>

using namespace trident::test;
using trident::Type;

namespace {
#define SEARCH_FUNCTION(name) TRIDENT_FILLED_FUNCTION(name, trident::name)
SEARCH_FUNCTION(range_items)
SEARCH_FUNCTION(search_apart)
SEARCH_FUNCTION(search_blocks)
SEARCH_FUNCTION(search_items)
SEARCH_FUNCTION(search_order)
#undef SEARCH_FUNCTION

constexpr int64_t lowest = std::numeric_limits<int32_t>::min(),
                  highest = std::numeric_limits<int32_t>::max();

using Id = std::function<int64_t(int64_t batch, int64_t token)>;

/// Ids of these strides in elements (none: contiguous); a stride of 0 says the same for all.
void checkIds(AttentionCase shape, const Id &ofQuery, const Id &ofKey,
              const std::vector<int64_t> &strides = {}) {
  auto tensor = [&](int64_t tokens, const Id &id) {
    return ModTensor(Type::i32, {shape.batch, tokens}, strides,
                     [&](auto &at) { return static_cast<double>(id(at[0], at[1])); });
  };
  ModTensor queries = tensor(shape.seqQ, ofQuery), keys = tensor(shape.seqK, ofKey);
  auto fill = [&](auto &arguments) {
    arguments.document_q = queries.get();
    arguments.document_k = keys.get();
  };
  Mods mods;
  mods.mask = [&](const ScorePlace &at) {
    return ofQuery(at.batch, at.row) == ofKey(at.batch, at.col);
  };
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    shape.causal = causal;
    checkMods(shape, mods, search_items(fill));
    checkMods(shape, mods, search_apart(fill));
    checkMods(shape, mods, search_order(fill));
    checkMods(shape, mods, search_blocks(fill));
  }
}
} // namespace

TRIDENT_TEST(documents_of_lengths_that_no_tile_has) {
  Context context;
  auto id = [](int64_t batch, int64_t token) { return (token + 13 * batch) / 37 - 3; };
  checkIds(smallCase(300, 333), id, id);
}

TRIDENT_TEST(ids_at_the_ends_of_their_type) {
  Context context;
  auto ofQuery = [](int64_t, int64_t row) {
    return row < 70 ? lowest : row < 140 ? lowest + 1 : row < 200 ? highest - 1 : highest;
  };
  auto ofKey = [](int64_t batch, int64_t col) {
    return col < 50 + 20 * batch ? lowest
           : col < 111           ? int64_t{0}
           : col < 190           ? highest - 1
                                 : highest;
  };
  checkIds(smallCase(260, 250), ofQuery, ofKey);
}

TRIDENT_TEST(ids_that_are_all_equal) {
  Context context;
  auto same = [](int64_t, int64_t) { return int64_t{-5}; };
  checkIds(smallCase(130, 100), same, same);
}

TRIDENT_TEST(ids_of_no_key) {
  Context context;
  auto ofKey = [](int64_t batch, int64_t col) { return batch == 0 ? 2 * col : 2 * col - 200; };
  checkIds(smallCase(130, 90), [](int64_t, int64_t) { return int64_t{-201}; }, ofKey); // before all
  checkIds(smallCase(130, 90), [](int64_t, int64_t) { return int64_t{501}; }, ofKey);  // behind all
  checkIds(smallCase(130, 90), [](int64_t, int64_t row) { return 2 * row + 1; }, ofKey); // between
}

TRIDENT_TEST(one_key) {
  Context context;
  checkIds(
      smallCase(80, 1), [](int64_t, int64_t row) { return row < 40 ? 0 : 1; },
      [](int64_t batch, int64_t) { return batch; });
}

// 1,250 tiles of keys: more than the eight lanes of one of four searches tell apart in three
// rounds.
TRIDENT_TEST(searches_of_many_rounds) {
  Context context;
  auto ofQuery = [](int64_t, int64_t row) { return row / 16 * 2000; };
  auto ofKey = [](int64_t, int64_t col) { return col / 41 * 41; };
  AttentionCase shape = smallCase(100, 20000);
  shape.batch = 1;
  checkIds(shape, ofQuery, [&](int64_t batch, int64_t col) {
    int64_t id = ofKey(batch, col);
    return id % 2000 < 41 ? id / 2000 * 2000 : id;
  });
}

TRIDENT_TEST(ids_with_strides) {
  Context context;
  auto id = [](int64_t, int64_t token) { return token / 50; };
  checkIds(smallCase(150, 140), id, id, {0, 2});
  auto same = [](int64_t, int64_t) { return int64_t{7}; };
  checkIds(smallCase(150, 140), same, same, {0, 0});
  checkIds(
      smallCase(150, 140), [](int64_t batch, int64_t) { return batch; },
      [](int64_t batch, int64_t) { return batch; }, {1, 0});
}

TRIDENT_TEST(ranges_of_keys_that_items_are_handed) {
  Context context;
  AttentionCase shape = smallCase(300, 280);
  auto first = [](int64_t batch, int64_t row) { return (row + 9 * batch) / 60 * 60 - 20; };
  auto end = [=](int64_t batch, int64_t row) { return first(batch, row) + (row < 120 ? 0 : 75); };
  auto tensor = [&](auto &of) {
    return ModTensor(Type::i32, {shape.batch, shape.seqQ}, {},
                     [&](auto &at) { return static_cast<double>(of(at[0], at[1])); });
  };
  ModTensor firsts = tensor(first), ends = tensor(end);
  Mods mods;
  mods.mask = [&](const ScorePlace &at) {
    return first(at.batch, at.row) <= at.col && at.col < end(at.batch, at.row);
  };
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    shape.causal = causal;
    checkMods(shape, mods, range_items([&](auto &arguments) {
                arguments.first_key = firsts.get();
                arguments.end_key = ends.get();
              }));
  }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_searches", parseRunOptions(argc, argv));
}
