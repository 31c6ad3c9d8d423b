//===- attention_mods.cpp - Functions of scores and masks, against float64 ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Small calls with cut tiles of queries and keys. Arguments of the functions end where their memory
// ends, so that reading past them is a fault.
//===----------------------------------------------------------------------===//
#include "mods_alibi.h"
#include "mods_bias.h"
#include "mods_boolean.h"
#include "mods_chunked.h"
#include "mods_combined.h"
#include "mods_dilated.h"
#include "mods_document.h"
#include "mods_everything.h"
#include "mods_key_range.h"
#include "mods_ordered_document.h"
#include "mods_prefix_lm.h"
#include "mods_sink.h"
#include "mods_soft_cap.h"
#include "mods_temperature.h"
#include "mods_window.h"
#include "support/Checks.h"
#include "support/GeneratedCall.h"
#include "support/ModReference.h"
#include "support/SparseTensor.h"

#include <cmath>
#include <random>

using namespace trident::test;
using trident::Type;

namespace {
#define MODS_FUNCTION(name) TRIDENT_FILLED_FUNCTION(name, trident::mods_##name)
MODS_FUNCTION(alibi)
MODS_FUNCTION(bias)
MODS_FUNCTION(boolean)
MODS_FUNCTION(chunked)
MODS_FUNCTION(combined)
MODS_FUNCTION(dilated)
MODS_FUNCTION(document)
MODS_FUNCTION(everything)
MODS_FUNCTION(key_range)
MODS_FUNCTION(ordered_document)
MODS_FUNCTION(prefix_lm)
MODS_FUNCTION(sink)
MODS_FUNCTION(soft_cap)
MODS_FUNCTION(temperature)
MODS_FUNCTION(window)
#undef MODS_FUNCTION

void checkWindow(const AttentionCase &shape, int left, int right, bool topLeft = false) {
  using trident::mods_window::Window;
  Mods mods;
  mods.mask = [&](const ScorePlace &at) {
    int64_t own = at.row + (topLeft ? 0 : shape.seqK - shape.seqQ);
    return (left < 0 || own - at.col <= left) && (right < 0 || at.col - own <= right);
  };
  checkMods(shape, mods, window([&](auto &arguments) {
              arguments.window_left = left;
              arguments.window_right = right;
              arguments.window = topLeft ? Window::top_left : Window::bottom_right;
            }));
}

/// Multiples of 1/8 between -2 and 2: exact in all types.
double biasAt(const std::vector<int64_t> &at) {
  int64_t mixed = 0;
  for (int64_t index : at)
    mixed = mixed * 131 + index * 7 + 3;
  return static_cast<double>(mixed % 33 - 16) / 8;
}

/// Bias of `type` with extents [batch, heads, seq_q, seq_k], 1 where `isOne` has a bit for an axis.
void checkBias(const AttentionCase &shape, Type type, unsigned isOne = 0,
               const std::vector<int64_t> &strides = {}) {
  std::vector<int64_t> extents = {shape.batch, shape.heads, shape.seqQ, shape.seqK};
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (isOne >> axis & 1)
      extents[axis] = 1;
  auto value = [=](std::vector<int64_t> at) {
    for (std::size_t axis = 0; axis < at.size(); ++axis) // A stride of 0 says the same.
      if (isOne >> axis & 1 || (!strides.empty() && strides[axis] == 0))
        at[axis] = 0;
    return biasAt(at);
  };
  ModTensor tensor(type, extents, strides, value);
  Mods mods;
  mods.score = [=](double score, const ScorePlace &at) {
    return score + value({at.batch, at.head, at.row, at.col});
  };
  checkMods(shape, mods, bias([&](auto &arguments) { arguments.bias = tensor.get(); }));
}

/// Documents of different lengths; in the second batch rows of the last one see no key.
int64_t documentOf(int64_t batch, int64_t token) { return (token + 40 * batch) / 90; }

void checkCombined(int64_t headDim, int64_t headDimV) {
  Context context;
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    AttentionCase shape = smallCase(200, 260, headDim);
    shape.headDimV = headDimV;
    shape.causal = causal;
    auto ids = [](auto &at) { return documentOf(at[0], at[1]); };
    ModTensor ofQueries(Type::i32, {shape.batch, shape.seqQ}, {}, ids),
        ofKeys(Type::i32, {shape.batch, shape.seqK}, {}, ids);
    ModTensor slopes(Type::f32, {1}, {}, [](auto &) { return 0.125; });
    Mods mods;
    allowApproximateTanh(mods);
    mods.score = [&](double score, const ScorePlace &at) {
      int64_t own = at.row + shape.seqK - shape.seqQ;
      return 30 * std::tanh(score / 30) + 0.125 * static_cast<double>(at.col - own);
    };
    mods.mask = [&](const ScorePlace &at) {
      int64_t own = at.row + shape.seqK - shape.seqQ;
      return own - at.col <= 120 && at.col - own <= 30 &&
             documentOf(at.batch, at.row) == documentOf(at.batch, at.col);
    };
    namespace kernel = trident::mods_combined;
    checkMods(shape, mods, combined([&](auto &arguments) {
                arguments.soft_cap = 30.0f;
                arguments.tanh = kernel::Tanh::approx;
                arguments.slopes = slopes.get();
                arguments.alibi = kernel::Alibi::bottom_right;
                arguments.window_left = 120;
                arguments.window_right = 30;
                arguments.window = kernel::Window::bottom_right;
                arguments.document_q = ofQueries.get();
                arguments.document_k = ofKeys.get();
              }));
  }
}
} // namespace

TRIDENT_TEST(sliding_window) {
  Context context;
  checkWindow(smallCase(200, 333), 100, 0);
  checkWindow(smallCase(200, 333), 60, 45, /*topLeft=*/true);
}

TRIDENT_TEST(sliding_window_without_a_limit_on_a_side) {
  Context context;
  checkWindow(smallCase(130, 257), -1, 10);
  checkWindow(smallCase(130, 257), 2147483647, -1);
}

TRIDENT_TEST(sliding_window_from_the_start_with_more_queries_than_keys) {
  Context context;
  checkWindow(smallCase(300, 1), 100, 0, /*topLeft=*/true);
  checkWindow(smallCase(333, 70), 200, 3, /*topLeft=*/true);
}

TRIDENT_TEST(sliding_window_with_rows_that_see_nothing) {
  Context context;
  checkWindow(smallCase(300, 70), 20, 5);
}

TRIDENT_TEST(tiles_on_either_side_of_a_sliding_window_are_not_visited) {
  Context context;
  AttentionCase shape = smallCase(64, 1024);
  for (bool topLeft : {true, false}) {
    // Rows see keys 0 to 163, or 860 to 1023; V is NaN from a tile's width further on.
    AttentionInputs inputs = makeInputs(shape);
    for (std::size_t i = 0; i < inputs.v.size(); ++i) {
      int64_t key = static_cast<int64_t>(i) / shape.headDim / shape.kvHeads % shape.seqK;
      if (topLeft ? key >= 384 : key < 640)
        inputs.v[i] = 0x7fc0;
    }
    Mods mods;
    mods.mask = [&](const ScorePlace &at) {
      int64_t own = at.row + (topLeft ? 0 : shape.seqK - shape.seqQ);
      return std::abs(own - at.col) <= 100;
    };
    DeviceCase device(shape, inputs);
    auto call = window([&](auto &arguments) {
      using trident::mods_window::Window;
      arguments.window_left = arguments.window_right = 100;
      arguments.window = topLeft ? Window::top_left : Window::bottom_right;
    });
    compareMods(shape, inputs, runTwice(shape, device, call), mods);
  }
}

TRIDENT_TEST(soft_cap) {
  Context context;
  using trident::mods_soft_cap::Tanh;
  for (Tanh form : {Tanh::approx, Tanh::accurate}) {
    AttentionCase shape = smallCase(130, 200);
    shape.scale = 2.0f; // Scores of +-16 and more: the cap is felt.
    Mods mods;
    mods.score = [](double score, auto &) { return 30 * std::tanh(score / 30); };
    if (form == Tanh::approx)
      allowApproximateTanh(mods);
    checkMods(shape, mods, soft_cap([&](auto &arguments) {
                arguments.soft_cap = 30.0f;
                arguments.tanh = form;
              }));
  }
}

TRIDENT_TEST(soft_cap_of_zero_is_none_and_of_less_its_magnitude) {
  Context context;
  for (float cap : {0.0f, -5.0f}) {
    Mods mods;
    mods.score = [&](double score, auto &) { return cap == 0 ? score : 5 * std::tanh(score / 5); };
    if (cap != 0)
      allowApproximateTanh(mods);
    checkMods(smallCase(70, 100), mods, soft_cap([&](auto &arguments) {
                arguments.soft_cap = cap;
                arguments.tanh = trident::mods_soft_cap::Tanh::approx;
              }));
  }
}

TRIDENT_TEST(alibi) {
  Context context;
  AttentionCase shape = smallCase(200, 333);
  shape.causal = Causal::bottomRight;
  ModTensor slopes(Type::f32, {shape.heads}, {}, [](auto &at) { return 0.25 / (1 + at[0]); });
  Mods mods;
  mods.score = [&](double score, const ScorePlace &at) {
    int64_t own = at.row + shape.seqK - shape.seqQ;
    return score + 0.25 / static_cast<double>(1 + at.head) * static_cast<double>(at.col - own);
  };
  checkMods(shape, mods, alibi([&](auto &arguments) {
              arguments.slopes = slopes.get();
              arguments.alibi = trident::mods_alibi::Alibi::bottom_right;
            }));
}

TRIDENT_TEST(bias_of_f32) {
  Context context;
  AttentionCase shape = smallCase(130, 129);
  checkBias(shape, Type::f32);
  // [batch, seq_k, heads, seq_q] in memory, with a gap after each row.
  checkBias(shape, Type::f32, 0, {129 * 270, 133, 1, 270});
}

TRIDENT_TEST(bias_of_the_inputs_type_with_extents_of_one_and_strides_of_zero) {
  Context context;
  AttentionCase shape = smallCase(65, 200);
  checkBias(shape, Type::bf16);
  checkBias(shape, Type::bf16, /*batch and seq_q*/ 0b0101);
  checkBias(shape, Type::bf16, /*seq_k*/ 0b1000);
  checkBias(shape, Type::bf16, 0, {0, 65 * 203, 203, 1});
}

TRIDENT_TEST(pytorch_109517_110213_bias_near_the_lowest_float) {
  Context context;
  // The first 128 keys weigh nothing, and where all are so low the result is the mean of V.
  AttentionCase shape = smallCase(3, 300);
  auto value = [](int64_t row, int64_t col) { return row == 0 || col < 128 ? -3e38 : 0.0; };
  ModTensor tensor(Type::f32, {1, 1, shape.seqQ, shape.seqK}, {},
                   [&](auto &at) { return value(at[2], at[3]); });
  Mods mods;
  mods.score = [&](double score, const ScorePlace &at) {
    return static_cast<double>(static_cast<float>(score + value(at.row, at.col)));
  };
  checkMods(shape, mods, bias([&](auto &arguments) { arguments.bias = tensor.get(); }));
}

TRIDENT_TEST(bias_of_many_tiles_whose_maximum_grows) {
  Context context;
  // From the last key on references grow in each step, some out of what sums are exact for.
  AttentionCase shape = smallCase(140, 520);
  auto value = [](const std::vector<int64_t> &at) {
    return biasAt(at) - (at[0] * at[2] % 2 == 1 ? 8.0 : 0.125) * static_cast<double>(at[3]);
  };
  ModTensor tensor(Type::f32, {shape.batch, shape.heads, shape.seqQ, shape.seqK}, {}, value);
  Mods mods;
  mods.score = [&](double score, const ScorePlace &at) {
    return score + value({at.batch, at.head, at.row, at.col});
  };
  checkMods(shape, mods, bias([&](auto &arguments) { arguments.bias = tensor.get(); }));
  checkBias(shape, Type::bf16, 0, {0, 0, 522, 1}); // pairs
}

TRIDENT_TEST(temperature_for_each_head) {
  Context context;
  AttentionCase shape = smallCase(100, 100);
  ModTensor temperatures(Type::f32, {shape.heads}, {}, [](auto &at) { return 1.0 + 1.5 * at[0]; });
  Mods mods;
  mods.score = [](double score, const ScorePlace &at) {
    return score / (1.0 + 1.5 * static_cast<double>(at.head));
  };
  checkMods(shape, mods,
            temperature([&](auto &arguments) { arguments.temperatures = temperatures.get(); }));
}

TRIDENT_TEST(sink_for_each_head) {
  Context context;
  // In the first rows nothing is visible but the sink; that of the second head is far above all
  // scores.
  AttentionCase shape = smallCase(150, 129);
  shape.causal = Causal::bottomRight;
  auto logit = [](int64_t head) { return head ? 20.0 : -1.5; };
  ModTensor sinks(Type::f32, {shape.heads}, {}, [&](auto &at) { return logit(at[0]); });
  Mods mods;
  mods.sink = logit;
  checkMods(shape, mods, sink([&](auto &arguments) { arguments.sinks = sinks.get(); }));
}

TRIDENT_TEST(sink_of_minus_infinity_is_none) {
  Context context;
  AttentionCase shape = smallCase(150, 129);
  shape.causal = Causal::bottomRight;
  ModTensor sinks(Type::f32, {1}, {}, [](auto &) { return -HUGE_VAL; });
  checkMods(shape, Mods(), sink([&](auto &arguments) { arguments.sinks = sinks.get(); }));
}

TRIDENT_TEST(prefix_lm) {
  Context context;
  AttentionCase shape = smallCase(200, 333);
  ModTensor prefix(Type::i32, {shape.batch}, {}, [](auto &at) { return at[0] ? 0 : 260; });
  Mods mods;
  mods.mask = [&](const ScorePlace &at) {
    return at.col < (at.batch ? 0 : 260) || at.col <= at.row + shape.seqK - shape.seqQ;
  };
  checkMods(shape, mods, prefix_lm([&](auto &arguments) { arguments.prefix = prefix.get(); }));
}

TRIDENT_TEST(chunked) {
  Context context;
  AttentionCase shape = smallCase(300, 300);
  Mods mods;
  mods.mask = [](const ScorePlace &at) { return at.row / 128 == at.col / 128; };
  checkMods(shape, mods, chunked([](auto &arguments) {
              arguments.chunk = trident::mods_chunked::Chunk::value_128;
            }));
}

TRIDENT_TEST(dilated) {
  Context context;
  AttentionCase shape = smallCase(130, 200);
  shape.causal = Causal::bottomRight;
  Mods mods;
  mods.mask = [&](const ScorePlace &at) {
    return (at.col - at.row - shape.seqK + shape.seqQ) % 3 == 0;
  };
  checkMods(shape, mods, dilated([](auto &arguments) { arguments.dilation = 3; }));
}

TRIDENT_TEST(boolean_mask_of_bytes) {
  Context context;
  AttentionCase shape = smallCase(100, 131);
  auto visible = [](int64_t head, int64_t row, int64_t col) {
    return row % 50 != 7 && (row * 5 + col * 3 + head) % 4 != 0;
  };
  // No batch, rows of 133 bytes, and bytes other than 1 that are true.
  ModTensor mask(Type::i1, {1, shape.heads, shape.seqQ, shape.seqK}, {0, 133 * 100, 133, 1},
                 [&](auto &at) { return visible(at[1], at[2], at[3]) ? 4 : 0; });
  Mods mods;
  mods.mask = [&](const ScorePlace &at) { return visible(at.head, at.row, at.col); };
  checkMods(shape, mods, boolean([&](auto &arguments) { arguments.mask = mask.get(); }));
}

TRIDENT_TEST(boolean_mask_with_rows_more_than_4_GiB_apart) {
  Context context;
  AttentionCase shape = smallCase(3, 131);
  constexpr int64_t stride = (int64_t{1} << 32) + 133;
  auto visible = [](int64_t row, int64_t col) { return (row * 7 + col * 3) % 5 != 0; };
  SparseMemory memory(static_cast<std::size_t>(2 * stride + shape.seqK));
  for (int64_t row = 0; row < shape.seqQ; ++row) {
    std::vector<uint8_t> bytes;
    for (int64_t col = 0; col < shape.seqK; ++col)
      bytes.push_back(visible(row, col));
    memory.map(static_cast<std::size_t>(row * stride), bytes.size());
    cu::copyToDevice(memory.get() + static_cast<DevicePtr>(row * stride), bytes.data(),
                     bytes.size());
  }
  trident::Tensor mask(reinterpret_cast<const void *>(memory.get()), Type::i1,
                       {1, 1, shape.seqQ, shape.seqK}, {0, 0, stride, 1});
  Mods mods;
  mods.mask = [&](const ScorePlace &at) { return visible(at.row, at.col); };
  checkMods(shape, mods, boolean([&](auto &arguments) { arguments.mask = mask; }));
}

TRIDENT_TEST(pytorch_103963_boolean_mask_with_rows_of_no_key) {
  Context context;
  AttentionCase shape = smallCase(8, 8);
  ModTensor mask(Type::i1, {1, 1, 8, 8}, {}, [](auto &at) { return at[2] < 4 && at[3] < 4; });
  Mods mods;
  mods.mask = [](const ScorePlace &at) { return at.row < 4 && at.col < 4; };
  checkMods(shape, mods, boolean([&](auto &arguments) { arguments.mask = mask.get(); }));
}

/// One tile of queries at most, whose keys are 500 to 559 of 1024: V is NaN a tile further on.
void checkMiddleOnly(const AttentionFunction &function) {
  AttentionCase shape = smallCase(64, 1024);
  shape.batch = 1;
  AttentionInputs inputs = makeInputs(shape);
  for (std::size_t i = 0; i < inputs.v.size(); ++i) {
    int64_t key = static_cast<int64_t>(i) / shape.headDim / shape.kvHeads;
    if (key < 256 || key >= 768)
      inputs.v[i] = 0x7fc0;
  }
  Mods mods;
  mods.mask = [](const ScorePlace &at) { return 500 <= at.col && at.col < 560; };
  DeviceCase device(shape, inputs);
  compareMods(shape, inputs, runTwice(shape, device, function), mods);
}

TRIDENT_TEST(document_mask) {
  Context context;
  AttentionCase shape = smallCase(200, 230);
  auto ids = [](auto &at) { return documentOf(at[0], at[1]); };
  ModTensor ofQueries(Type::i32, {shape.batch, shape.seqQ}, {}, ids),
      ofKeys(Type::i32, {shape.batch, shape.seqK}, {}, ids);
  Mods mods;
  mods.mask = [](const ScorePlace &at) {
    return documentOf(at.batch, at.row) == documentOf(at.batch, at.col);
  };
  auto fill = [&](auto &arguments) {
    arguments.document_q = ofQueries.get();
    arguments.document_k = ofKeys.get();
  };
  checkMods(shape, mods, document(fill));
  checkMods(shape, mods, ordered_document(fill));
}

TRIDENT_TEST(ordered_documents_visit_their_own_keys_only) {
  Context context;
  AttentionCase shape = smallCase(330, 1500);
  shape.batch = 1;
  auto ofKey = [](int64_t col) { return col < 3 ? -7 : col < 700 ? 2 : col < 1400 ? 5 : 90 + col; };
  auto ofQuery = [](int64_t row) { return row < 30 ? -7 : row < 128 ? 2 : row < 300 ? 5 : 1500; };
  ModTensor queries(Type::i32, {1, shape.seqQ}, {}, [&](auto &at) { return ofQuery(at[1]); }),
      keys(Type::i32, {1, shape.seqK}, {}, [&](auto &at) { return ofKey(at[1]); });
  auto of = [](const ModTensor &ofQueries, const ModTensor &ofKeys) {
    return ordered_document([&](auto &arguments) {
      arguments.document_q = ofQueries.get();
      arguments.document_k = ofKeys.get();
    });
  };
  Mods mods;
  mods.mask = [&](const ScorePlace &at) { return ofQuery(at.row) == ofKey(at.col); };
  checkMods(shape, mods, of(queries, keys));
  ModTensor three(Type::i32, {1, 1}, {}, [](auto &) { return 3; }),
      around(Type::i32, {1, 1024}, {}, [](auto &at) {
        return at[1] < 500 ? 1 : at[1] < 560 ? 3 : 4;
      });
  checkMiddleOnly(of(three, around));
}

TRIDENT_TEST(key_range_visits_its_own_documents_only) {
  Context context;
  AttentionCase shape = smallCase(600, 600);
  shape.batch = 1;
  auto first = [](int64_t row) { return row / 200 * 200; };
  auto end = [&](int64_t row) { return first(row) + 150; };
  ModTensor firstKey(Type::i32, {1, shape.seqQ}, {}, [&](auto &at) { return first(at[1]); }),
      endKey(Type::i32, {1, shape.seqQ}, {}, [&](auto &at) { return end(at[1]); });
  auto between = [](const ModTensor &begin, const ModTensor &last) {
    return key_range([&](auto &arguments) {
      arguments.first_key = begin.get();
      arguments.end_key = last.get();
    });
  };
  Mods mods;
  mods.mask = [&](const ScorePlace &at) { return first(at.row) <= at.col && at.col < end(at.row); };
  checkMods(shape, mods, between(firstKey, endKey));
  ModTensor middle(Type::i32, {1, 1}, {}, [](auto &) { return 500; }),
      afterMiddle(Type::i32, {1, 1}, {}, [](auto &) { return 560; });
  checkMiddleOnly(between(middle, afterMiddle));
}

TRIDENT_TEST(two_scores_and_two_masks) { checkCombined(128, 128); }
TRIDENT_TEST(two_scores_and_two_masks_at_72_and_40) { checkCombined(72, 40); }

// One kernel has four scores, four masks and a sink; a call leaves out what it does not draw, by
// tensors of one element and windows without limits.
TRIDENT_TEST(random_calls_of_four_scores_four_masks_and_a_sink) {
  Context context;
  std::mt19937_64 random(20261130);
  auto one = [&](std::initializer_list<int64_t> values) {
    return values.begin()[random() % values.size()];
  };
  auto coin = [&] { return random() % 2 == 0; };
  for (int i = 0; i < 40; ++i) {
    AttentionCase shape = smallCase(one({1, 64, 65, 130, 200}), one({1, 63, 129, 200, 300}));
    shape.dataSeed = static_cast<uint64_t>(i);
    shape.causal = coin() ? Causal::none : Causal::bottomRight;
    int64_t distance = shape.seqK - shape.seqQ;
    bool hasTemperature = coin(), hasBias = coin(), hasSlope = coin(), hasSink = coin(),
         hasDocuments = coin(), hasBytes = coin(), hasRange = coin();
    double cap = coin() ? 4 : 30;
    int64_t left = coin() ? -1 : one({0, 20, 100}), right = coin() ? -1 : one({0, 20, 100});
    auto temperatureOf = [=](int64_t head) { return hasTemperature ? 0.5 + 1.5 * head : 1.0; };
    auto slopeOf = [=](int64_t head) { return hasSlope ? 0.125 / (1 + head) : 0.0; };
    auto biasOf = [=](int64_t row, int64_t col) { return hasBias ? biasAt({row, col}) : 0.0; };
    auto numberOf = [=](int64_t batch, int64_t token) {
      return hasDocuments ? documentOf(batch, token) : 0;
    };
    auto byteOf = [=](int64_t row, int64_t col) { return !hasBytes || (row + 2 * col) % 3 != 0; };
    auto firstOf = [=](int64_t row) { return hasRange ? row / 70 * 60 : 0; };
    auto endOf = [=](int64_t row) { return hasRange ? firstOf(row) + 90 : shape.seqK; };
    auto sinkOf = [=](int64_t head) { return hasSink ? 1.5 - head : -HUGE_VAL; };
    ModTensor temperatures(Type::f32, {shape.heads}, {},
                           [&](auto &at) { return temperatureOf(at[0]); });
    ModTensor bias(Type::f32, {1, 1, hasBias ? shape.seqQ : 1, hasBias ? shape.seqK : 1}, {},
                   [&](auto &at) { return biasOf(at[2], at[3]); });
    ModTensor slopes(Type::f32, {hasSlope ? shape.heads : 1}, {},
                     [&](auto &at) { return slopeOf(at[0]); });
    ModTensor mask(Type::i1, {1, 1, hasBytes ? shape.seqQ : 1, hasBytes ? shape.seqK : 1}, {},
                   [&](auto &at) { return byteOf(at[2], at[3]); });
    auto numbers = [&](auto &at) { return numberOf(at[0], at[1]); };
    int64_t batches = hasDocuments ? shape.batch : 1;
    ModTensor ofQueries(Type::i32, {batches, hasDocuments ? shape.seqQ : 1}, {}, numbers),
        ofKeys(Type::i32, {batches, hasDocuments ? shape.seqK : 1}, {}, numbers);
    int64_t ranges = hasRange ? shape.seqQ : 1;
    ModTensor first(Type::i32, {1, ranges}, {}, [&](auto &at) { return firstOf(at[1]); }),
        end(Type::i32, {1, ranges}, {}, [&](auto &at) { return endOf(at[1]); });
    ModTensor sinks(Type::f32, {shape.heads}, {}, [&](auto &at) { return sinkOf(at[0]); });
    Mods mods;
    mods.score = [=](double score, const ScorePlace &at) {
      score = cap * std::tanh(score / temperatureOf(at.head) / cap);
      return score + biasOf(at.row, at.col) +
             slopeOf(at.head) * static_cast<double>(at.col - at.row - distance);
    };
    mods.mask = [=](const ScorePlace &at) {
      int64_t own = at.row + distance;
      return (left < 0 || own - at.col <= left) && (right < 0 || at.col - own <= right) &&
             numberOf(at.batch, at.row) == numberOf(at.batch, at.col) && byteOf(at.row, at.col) &&
             firstOf(at.row) <= at.col && at.col < endOf(at.row);
    };
    if (hasSink)
      mods.sink = sinkOf;
    namespace kernel = trident::mods_everything;
    checkMods(shape, mods, everything([&](auto &arguments) {
                arguments.temperatures = temperatures.get();
                arguments.soft_cap = static_cast<float>(cap);
                arguments.tanh = kernel::Tanh::accurate;
                arguments.bias = bias.get();
                arguments.slopes = slopes.get();
                arguments.alibi = kernel::Alibi::bottom_right;
                arguments.window_left = static_cast<int32_t>(left);
                arguments.window_right = static_cast<int32_t>(right);
                arguments.window = kernel::Window::bottom_right;
                arguments.document_q = ofQueries.get();
                arguments.document_k = ofKeys.get();
                arguments.mask = mask.get();
                arguments.first_key = first.get();
                arguments.end_key = end.get();
                arguments.sinks = sinks.get();
              }));
  }
}

TRIDENT_TEST(empty_keys_and_queries) {
  Context context;
  checkBias(smallCase(70, 0), Type::f32);
  checkBias(smallCase(0, 70), Type::f32);
  checkWindow(smallCase(70, 0), 5, 5);
}

TRIDENT_TEST(arguments_are_checked_as_all_others) {
  Context context;
  AttentionCase shape = smallCase(64, 64);
  DeviceCase device(shape, makeInputs(shape));
  auto refuse = [&](const ModTensor &tensor, const std::string &message) {
    CallResult result =
        bias([&](auto &arguments) { arguments.bias = tensor.get(); })(device.call(), nullptr);
    expect(!result.ok && result.message.find(message) != std::string::npos)
        << "expected '" << message << "', not '" << result.message << "'";
  };
  auto zero = [](auto &) { return 0.0; };
  refuse({Type::f32, {2, 2, 64, 63}, {}, zero}, "bias.shape[3] (seq_k) = 63 must equal");
  refuse({Type::i32, {2, 2, 64, 64}, {}, zero}, "bias.type = i32 must be");
  refuse({Type::f32, {2, 64, 64}, {}, zero}, "bias.rank = 3 must be 4");
}

int main(int argc, char **argv) {
  return runNamedTests("attention_mods", parseRunOptions(argc, argv));
}
