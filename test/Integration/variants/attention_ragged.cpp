//===- attention_ragged.cpp - Sequences of different lengths, against float64 ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Whatever lies beside a sequence is NaN in the inputs and a canary in the outputs, in every test.
//===----------------------------------------------------------------------===//
#include "ragged_any.h"
#include "ragged_blocks.h"
#include "ragged_brief.h"
#include "ragged_handed.h"
#include "ragged_mixed.h"
#include "ragged_mods.h"
#include "ragged_packed.h"
#include "ragged_simple.h"
#include "ragged_used.h"
#include "support/Checks.h"
#include "support/GeneratedCall.h"
#include "support/RaggedCase.h"

#include <cmath>
#include <random>

using namespace trident::test;
using trident::Type;

namespace {
template <typename Arguments> void fillPackedQ(Arguments &arguments, const RaggedCall &call) {
  arguments.cu_seqlens_q = call.sequencesQ;
  arguments.max_seqlen_q = call.maxQ;
}
template <typename Arguments> void fillPacked(Arguments &arguments, const RaggedCall &call) {
  fillPackedQ(arguments, call);
  arguments.cu_seqlens_k = call.sequencesK;
  arguments.max_seqlen_k = call.maxK;
}

#define RAGGED_FUNCTION(name, fill)                                                                \
  CallResult name(const RaggedCall &call, cu::Handle stream) {                                     \
    namespace kernel = trident::ragged_##name;                                                     \
    return callGenerated<kernel::Arguments, kernel::Causal>(                                       \
        call.tensors, stream,                                                                      \
        [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); },             \
        [&](kernel::Arguments &arguments) { fill; });                                              \
  }
RAGGED_FUNCTION(packed, fillPacked(arguments, call))
RAGGED_FUNCTION(brief, fillPacked(arguments, call))
RAGGED_FUNCTION(blocks, fillPacked(arguments, call))
RAGGED_FUNCTION(simple, fillPacked(arguments, call))
RAGGED_FUNCTION(any, fillPacked(arguments, call))
RAGGED_FUNCTION(handed, fillPacked(arguments, call))
RAGGED_FUNCTION(used,
                (arguments.seqused_q = call.sequencesQ, arguments.seqused_k = call.sequencesK))
RAGGED_FUNCTION(mixed, (fillPackedQ(arguments, call), arguments.seqused_k = call.sequencesK))
#undef RAGGED_FUNCTION

CallResult withMods(const RaggedCall &call, cu::Handle stream,
                    const std::function<void(trident::ragged_mods::Arguments &)> &fill) {
  namespace kernel = trident::ragged_mods;
  return callGenerated<kernel::Arguments, kernel::Causal>(
      call.tensors, stream,
      [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); },
      [&](kernel::Arguments &arguments) {
        fillPacked(arguments, call);
        arguments.alibi = kernel::Alibi::bottom_right;
        arguments.window = kernel::Window::bottom_right;
        fill(arguments);
      });
}

/// A function, how its sequences lie, and the head sizes and types that it was compiled for.
struct Function {
  RaggedFunction call;
  Form formQ, formK;
  int64_t headDim;
  Element element;
};
const std::vector<Function> functions = {
    {brief, Form::packed, Form::packed, 64, usualElement},
    {packed, Form::packed, Form::packed, 128, usualElement},
    {packed, Form::packed, Form::packed, 64, usualElement},
    {used, Form::padded, Form::padded, 64, usualElement},
    {mixed, Form::packed, Form::padded, 64, otherElement},
    {blocks, Form::packed, Form::packed, 72, usualElement},
    {simple, Form::packed, Form::packed, 64, usualElement},
    {handed, Form::packed, Form::packed, 128, usualElement},
    {any, Form::packed, Form::packed, 72, usualElement},
};

RaggedCase makeCase(const Function &function, std::vector<int64_t> lengthsQ,
                    std::vector<int64_t> lengthsK, Causal causal) {
  RaggedCase ragged;
  ragged.shape.element = function.element;
  ragged.shape.headDim = function.headDim;
  ragged.shape.heads = 2;
  ragged.shape.kvHeads = 1;
  ragged.shape.scale = 0.125f;
  ragged.shape.causal = causal;
  ragged.shape.batch = static_cast<int64_t>(lengthsQ.size());
  ragged.maxQ = *std::max_element(lengthsQ.begin(), lengthsQ.end());
  ragged.maxK = *std::max_element(lengthsK.begin(), lengthsK.end());
  ragged.lengthsQ = std::move(lengthsQ);
  ragged.lengthsK = std::move(lengthsK);
  ragged.formQ = function.formQ;
  ragged.formK = function.formK;
  return ragged;
}

constexpr Causal allCausal[] = {Causal::none, Causal::topLeft, Causal::bottomRight};

void checkAll(const std::vector<int64_t> &lengthsQ, const std::vector<int64_t> &lengthsK,
              const std::function<void(RaggedCase &)> &edit = {}) {
  for (const Function &function : functions)
    for (Causal causal : allCausal) {
      RaggedCase ragged = makeCase(function, lengthsQ, lengthsK, causal);
      if (edit)
        edit(ragged);
      checkRagged(ragged, function.call);
    }
}
} // namespace

TRIDENT_TEST(lengths_that_share_no_factor_with_a_tile) {
  Context context;
  checkAll({130, 1, 67, 200}, {97, 300, 1, 131});
}

TRIDENT_TEST(columns_apart_where_threads_copy) {
  Context context;
  for (Causal causal : allCausal) {
    RaggedCase ragged = makeCase(functions.back(), {130, 0, 67}, {97, 140, 1}, causal);
    ragged.step = 3;
    checkRagged(ragged, any);
  }
}

TRIDENT_TEST(lengths_of_whole_tiles_and_one_more_or_less) {
  Context context;
  checkAll({128, 127, 129, 64, 192}, {128, 129, 127, 256, 63});
}

TRIDENT_TEST(empty_sequences_first_in_the_middle_and_last) {
  Context context;
  checkAll({0, 70, 0, 0, 33, 0}, {0, 70, 65, 0, 0, 9});
}

TRIDENT_TEST(all_sequences_are_empty) {
  Context context;
  checkAll({0, 0, 0}, {0, 0, 0}, [](RaggedCase &ragged) {
    ragged.maxQ = ragged.maxK = 70;
    ragged.restQ = ragged.restK = 3;
  });
}

TRIDENT_TEST(flash_attention_2470_no_sequence_has_a_key) {
  Context context;
  // Stated as such, and not; with a tensor of no rows and one of some.
  for (int64_t maxK : {0, 1, 65})
    for (int64_t restK : {0, 2})
      checkAll({1, 64, 130}, {0, 0, 0}, [=](RaggedCase &ragged) {
        ragged.maxK = maxK;
        ragged.restK = restK;
      });
}

TRIDENT_TEST(flash_attention_2503_no_sequence_and_no_query) {
  Context context;
  for (const Function &function : functions) {
    RaggedCase ragged = makeCase(function, {0, 0}, {5, 7}, Causal::none);
    ragged.maxQ = 64;
    checkRagged(ragged, function.call);
    RaggedCase none = makeCase(function, {0}, {0}, Causal::none);
    none.lengthsQ.clear();
    none.lengthsK.clear();
    none.shape.batch = 0;
    none.maxQ = none.maxK = 64;
    none.restQ = none.restK = 3;
    checkRagged(none, function.call);
  }
}

TRIDENT_TEST(flash_attention_1537_the_longest_of_the_queries_is_one) {
  Context context;
  checkAll({1, 0, 1}, {3, 0, 5}, [](RaggedCase &ragged) {
    ragged.shape.heads = 9;
    ragged.shape.kvHeads = 3;
    ragged.shape.scale = 1;
  });
}

TRIDENT_TEST(flashinfer_4452_more_queries_than_keys_in_a_sequence) {
  Context context;
  checkAll({8, 130, 65}, {4, 66, 1});
}

TRIDENT_TEST(sequences_of_one_token) {
  Context context;
  checkAll({1, 1, 1, 1}, {1, 1, 1, 1});
}

TRIDENT_TEST(maxima_beyond_all_lengths_and_rows_of_no_sequence) {
  Context context;
  checkAll({70, 5, 129}, {33, 140, 64}, [](RaggedCase &ragged) {
    ragged.maxQ = 600;
    ragged.maxK = 500;
    ragged.restQ = 150;
    ragged.restK = 200;
  });
}

TRIDENT_TEST(heads_outside_rows_and_groups_of_heads) {
  Context context;
  checkAll({100, 0, 41}, {150, 30, 77}, [](RaggedCase &ragged) {
    ragged.headsMajor = true;
    ragged.shape.heads = 6;
    ragged.shape.kvHeads = 2;
  });
}

TRIDENT_TEST(without_lse) {
  Context context;
  checkAll({67, 3}, {10, 90}, [](RaggedCase &ragged) { ragged.shape.lse = false; });
}

TRIDENT_TEST(one_long_and_many_short_sequences) {
  Context context;
  std::vector<int64_t> lengths(12, 9);
  lengths[5] = 700;
  checkAll(lengths, lengths);
}

TRIDENT_TEST(flash_attention_1164_a_captured_graph_replays_with_other_lengths) {
  Context context;
  for (const Function &function : functions) {
    std::vector<std::vector<int64_t>> lengths = {{100, 30, 0}, {0, 0, 0}, {1, 64, 65}, {33, 0, 97}};
    RaggedCase ragged = makeCase(function, lengths[0], lengths[3], Causal::bottomRight);
    ragged.maxQ = ragged.maxK = 100;
    RaggedDevice device(ragged);
    // Loads the kernel.
    expect(function.call(device.call(), nullptr).ok) << "the call was refused";
    Stream stream;
    Graph graph(stream.get(), [&] {
      CallResult result = function.call(device.callWithWorkspace(), stream.get());
      expect(result.ok) << result.message;
    });
    for (std::size_t replay = 0; replay < lengths.size(); ++replay) {
      ragged.lengthsQ = lengths[replay];
      ragged.lengthsK = lengths[lengths.size() - 1 - replay];
      ragged.shape.dataSeed = 40 + replay;
      device.upload(ragged);
      device.poison();
      cu::synchronize();
      graph.launch(stream.get());
      stream.synchronize();
      device.check();
    }
  }
}

TRIDENT_TEST(flash_attention_1773_a_sequence_longer_than_the_maximum_is_cut) {
  Context context;
  for (const Function &function : functions)
    for (Causal causal : allCausal) {
      RaggedCase ragged = makeCase(function, {90, 200, 20}, {150, 260, 300}, causal);
      if (ragged.formQ == Form::packed)
        ragged.maxQ = 130;
      if (ragged.formK == Form::packed)
        ragged.maxK = 200;
      checkRagged(ragged, function.call);
    }
}

TRIDENT_TEST(lengths_beyond_what_is_padded_are_cut) {
  Context context;
  for (Causal causal : allCausal) {
    RaggedCase ragged = makeCase(functions[3], {90, 200, 20}, {150, 260, 300}, causal);
    ragged.maxQ = 130;
    ragged.maxK = 200;
    checkRagged(ragged, used);
  }
}

TRIDENT_TEST(whatever_the_numbers_are_nothing_outside_the_tensors_is_touched) {
  Context context;
  constexpr int32_t lowest = std::numeric_limits<int32_t>::min(),
                    largest = std::numeric_limits<int32_t>::max();
  const std::vector<std::vector<int32_t>> lists = {{-5, 7, 3, 900},
                                                   {lowest, largest, lowest, largest},
                                                   {largest, lowest, 0, largest},
                                                   {100, 90, 80, -1}};
  for (const Function &function : functions) {
    RaggedCase ragged = makeCase(function, {70, 5, 40}, {33, 140, 10}, Causal::bottomRight);
    RaggedDevice device(ragged);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      RaggedCall call = i % 2 ? device.call() : device.callWithWorkspace();
      device.poison();
      device.writeNumbers(lists[i], lists[(i + 1) % lists.size()]);
      CallResult result = function.call(call, nullptr);
      expect(result.ok) << result.message;
      cu::synchronize(); // The stand-in reports an access outside its allocation.
      device.readGuarded();
    }
  }
}

namespace {
/// With documents of each sequence, or one row of them that stands for all.
void checkWithDocuments(bool oneForAll) {
  Function function = functions[0];
  for (Causal causal : {Causal::none, Causal::bottomRight}) {
    RaggedCase ragged = makeCase(function, {130, 0, 67, 150}, {200, 9, 0, 90}, causal);
    auto slope = [](int64_t head) { return 0.25 / static_cast<double>(1 + head); };
    auto sink = [](int64_t head) { return static_cast<double>(head) - 0.5; };
    auto document = [=](int64_t batch, int64_t token) {
      return (token + (oneForAll ? 0 : 40 * batch)) / 70;
    };
    int64_t rows = oneForAll ? 1 : ragged.count();
    auto ofBatchAndToken = [&](const std::vector<int64_t> &at) {
      return static_cast<double>(document(at[0], at[1]));
    };
    ModTensor slopes(Type::f32, {2}, {}, [&](auto &at) { return slope(at[0]); });
    ModTensor sinks(Type::f32, {2}, {}, [&](auto &at) { return sink(at[0]); });
    ModTensor documentsQ(Type::i32, {rows, ragged.maxQ}, {}, ofBatchAndToken);
    ModTensor documentsK(Type::i32, {rows, ragged.maxK}, {}, ofBatchAndToken);
    auto call = [&](const RaggedCall &call, cu::Handle stream) {
      return withMods(call, stream, [&](trident::ragged_mods::Arguments &arguments) {
        arguments.slopes = slopes.get();
        arguments.sinks = sinks.get();
        arguments.document_q = documentsQ.get();
        arguments.document_k = documentsK.get();
        arguments.window_left = 80;
        arguments.window_right = 30;
      });
    };
    checkRagged(ragged, call, [&](int64_t index) {
      AttentionCase one = ragged.sequence(index);
      int64_t shift = one.seqK - one.seqQ;
      Mods mods;
      mods.score = [=](double score, const ScorePlace &at) {
        return score + slope(at.head) * static_cast<double>(at.col - at.row - shift);
      };
      mods.mask = [=](const ScorePlace &at) {
        int64_t own = at.row + shift;
        return own - at.col <= 80 && at.col - own <= 30 &&
               document(index, at.row) == document(index, at.col);
      };
      mods.sink = sink;
      return mods;
    });
  }
}
} // namespace

TRIDENT_TEST(alibi_window_documents_and_a_sink_see_each_sequence) {
  Context context;
  checkWithDocuments(/*oneForAll=*/false);
}

TRIDENT_TEST(an_extent_of_one_does_not_say_how_many_sequences_there_are) {
  Context context;
  checkWithDocuments(/*oneForAll=*/true);
}

namespace {
/// A valid call, edited, is refused with a message that has these words.
template <typename Edit> void refuse(Edit edit, const std::string &words) {
  RaggedCase ragged = makeCase(functions[1], {40, 30}, {20, 50}, Causal::none);
  RaggedDevice device(ragged);
  auto fill = [&](trident::ragged_packed::Arguments &arguments) {
    fillPacked(arguments, device.call());
    edit(arguments);
  };
  namespace kernel = trident::ragged_packed;
  CallResult result = callGenerated<kernel::Arguments, kernel::Causal>(
      device.call().tensors, nullptr,
      [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); }, fill);
  expect(!result.ok && result.message == "ragged_packed: " + words)
      << "expected '" << words << "', not '" << result.message << "'";
}
} // namespace

TRIDENT_TEST(calls_that_break_the_contract_are_refused) {
  Context context;
  refuse([](auto &call) { call.max_seqlen_q = -1; },
         "max_seqlen_q = -1 must not be negative: it is the extent of seq_q");
  refuse(
      [](auto &call) {
        call = {};
        call.scale = 1;
        call.max_seqlen_k = 1;
      },
      "q.data is null: expected an address in device memory");
  refuse([](auto &call) { call.max_seqlen_k = 2147483647; },
         "max_seqlen_k = 2147483647 must be at most 2147418112: coordinates are int32");
  refuse([](auto &call) { call.cu_seqlens_q.shape[0] = 0; },
         "cu_seqlens_q.shape[0] (batch + 1) = 0 must be at least 1");
  refuse([](auto &call) { call.cu_seqlens_k.shape[0] = 4; },
         "cu_seqlens_k.shape[0] (batch + 1) = 4 must equal cu_seqlens_q.shape[0] (batch + 1) = 3");
  refuse([](auto &call) { call.cu_seqlens_k.shape[0] = 1; },
         "cu_seqlens_k.shape[0] (batch + 1) = 1 must equal cu_seqlens_q.shape[0] (batch + 1) = 3");
  refuse([](auto &call) { call.cu_seqlens_q.type = static_cast<int32_t>(Type::f32); },
         "cu_seqlens_q.type = f32 must be i32");
  refuse([](auto &call) { call.cu_seqlens_k.rank = 2; }, "cu_seqlens_k.rank = 2 must be 1");
  refuse([](auto &call) { call.v.shape[0] = 69; },
         "v.shape[0] (total_k) = 69 must equal k.shape[0] (total_k) = 70");
  refuse([](auto &call) { call.q.rank = 4; }, "q.rank = 4 must be 3");
}

#ifndef TRIDENT_TEST_F32 // of which threads copy the rows, without a map
TRIDENT_TEST(a_map_that_would_begin_before_address_0_is_refused) {
  Context context;
  RaggedCase ragged = makeCase(functions[1], {40, 30}, {20, 50}, Causal::none);
  RaggedDevice device(ragged);
  RaggedCall call = device.call();
  call.tensors.q.strides[0] = int64_t{1} << 38;
  call.maxQ = 1 << 30;
  CallResult result = packed(call, nullptr);
  expect(!result.ok && result.message.find("q.strides[0] = 274877906944 (549755813888 bytes) times "
                                           "max_seqlen_q = 1073741824 must be at most the "
                                           "address") != std::string::npos)
      << result.message;
}
#endif

namespace {
/// What the check of a call's sequences says of host copies; "" when it accepts them.
std::string checkPacked(const std::vector<int32_t> &q, const std::vector<int32_t> &k) {
  RaggedCase ragged = makeCase(functions[1], {40, 30}, {20, 50}, Causal::none);
  RaggedDevice device(ragged);
  namespace kernel = trident::ragged_packed;
  std::string message;
  CallResult result = callGenerated<kernel::Arguments, kernel::Causal>(
      device.call().tensors, nullptr,
      [&](const auto &arguments, auto *) {
        kernel::Sequences sequences = {q.data(), k.data()};
        return kernel::checkSequences(arguments, sequences);
      },
      [&](kernel::Arguments &arguments) { fillPacked(arguments, device.call()); });
  return result.message;
}

std::string checkUsed(const std::vector<int32_t> &q, const std::vector<int32_t> &k) {
  RaggedCase ragged = makeCase(functions[3], {40, 30}, {20, 50}, Causal::none);
  RaggedDevice device(ragged);
  RaggedCall call = device.call();
  namespace kernel = trident::ragged_used;
  CallResult result = callGenerated<kernel::Arguments, kernel::Causal>(
      call.tensors, nullptr,
      [&](const auto &arguments, auto *) {
        kernel::Sequences sequences = {q.empty() ? nullptr : q.data(), k.data()};
        return kernel::checkSequences(arguments, sequences);
      },
      [&](kernel::Arguments &arguments) {
        arguments.seqused_q = call.sequencesQ;
        arguments.seqused_k = call.sequencesK;
      });
  return result.message;
}

void expectMessage(const std::string &message, const std::string &words) {
  expect(message == words) << "expected '" << words << "', not '" << message << "'";
}
} // namespace

// The rows of q are 70, of k too; the maxima are 40 and 50.
TRIDENT_TEST(flash_attention_1773_the_check_names_a_sequence_its_length_and_the_maximum) {
  Context context;
  const std::string name = "ragged_packed: ";
  expectMessage(checkPacked({0, 40, 70}, {0, 20, 70}), "");
  expectMessage(checkPacked({0, 0, 0}, {0, 50, 50}), "");
  expectMessage(checkPacked({0, 41, 70}, {0, 20, 70}),
                name + "sequence 0 has length 41 along seq_q: expected at most max_seqlen_q = 40");
  expectMessage(checkPacked({0, 40, 70}, {0, 10, 70}),
                name + "sequence 1 has length 60 along seq_k: expected at most max_seqlen_k = 50");
  expectMessage(checkPacked({0, 40, 30}, {0, 20, 70}),
                name + "sequence 1 has length -10 along seq_q: expected at least 0");
  expectMessage(checkPacked({-1, 30, 70}, {0, 20, 70}),
                name + "sequence 0 begins at -1 of total_q: expected at least 0");
  expectMessage(checkPacked({0, 40, 71}, {0, 20, 70}),
                name +
                    "sequence 1 ends at 71 of total_q: expected at most q.shape[0] (total_q) = 70");
}

TRIDENT_TEST(the_check_of_padded_sequences) {
  Context context;
  const std::string name = "ragged_used: ";
  expectMessage(checkUsed({40, 0}, {50, 50}), "");
  expectMessage(checkUsed({40, 41}, {50, 50}), name + "sequence 1 has length 41 along seq_q: "
                                                      "expected at most q.shape[1] (seq_q) = 40");
  expectMessage(checkUsed({40, 0}, {-1, 50}),
                name + "sequence 0 has length -1 along seq_k: expected at least 0");
  expectMessage(checkUsed({}, {50, 50}),
                name + "the copy of seqused_q is null: expected an address in host memory");
}

int main(int argc, char **argv) {
  return runNamedTests("attention_ragged", parseRunOptions(argc, argv));
}
