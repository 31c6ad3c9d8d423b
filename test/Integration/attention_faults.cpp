//===- attention_faults.cpp - Faults of public kernels, one test each -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Where attention kernels have been wrong in public, with the right values. A test is named after
// the project and the number of the report; it tries the reported shape and others of its kind. On
// the stand-in, which runs PTX on the CPU, the large shapes are left out, and a test that has no
// small one is skipped by name.
//===----------------------------------------------------------------------===//
#include "support/Checks.h"
#include "support/DeviceCase.h"

using namespace trident::test;

namespace {
/// Whether this machine runs a case in a few seconds.
bool affordable(const AttentionCase &shape) {
  constexpr int64_t standInWork = 100'000'000;
  return !driverIsStandIn() || shape.work() <= standInWork;
}

std::vector<AttentionCase> affordableOf(const std::vector<std::string> &texts) {
  std::vector<AttentionCase> cases;
  for (const std::string &text : texts)
    if (AttentionCase shape = AttentionCase::parse(text); affordable(shape))
      cases.push_back(shape);
  if (cases.empty())
    throw Skip("every shape is too large for the stand-in");
  return cases;
}

void checkAll(const std::vector<std::string> &texts) {
  Context context;
  for (const AttentionCase &shape : affordableOf(texts))
    checkCase(shape);
}

/// Checks cases whose inputs the test changes first: change(shape, inputs).
template <typename Change> void checkChanged(const std::vector<std::string> &texts, Change change) {
  Context context;
  for (const AttentionCase &shape : affordableOf(texts)) {
    AttentionInputs inputs = makeInputs(shape);
    change(shape, inputs);
    checkCase(shape, inputs);
  }
}

auto equalLogits(float size, float sign, float noise = 0.0f) {
  return [=](const AttentionCase &shape, AttentionInputs &inputs) {
    makeLogitsEqual(shape, inputs, size, sign, noise);
  };
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// The call must be refused with a message that has all the parts.
void expectRefused(const AttentionCall &call, const std::vector<std::string> &parts) {
  CallResult result = callAttention(call, nullptr);
  expect(!result.ok) << "the call was accepted; expected a refusal with '" << parts.front() << "'";
  for (const std::string &part : parts)
    expect(contains(result.message, part))
        << "the refusal '" << result.message << "' does not say '" << part << "'";
}

/// Runs a case with its tensors elsewhere. It must be right, or refused with all the parts in the
/// message.
void checkRightOrRefused(const AttentionCase &shape, const AttentionPlacement &placement,
                         const std::vector<std::string> &parts) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs, placement);
  if (callAttention(device.call(), nullptr).ok)
    checkCase(shape, inputs, placement);
  else
    expectRefused(device.call(), parts);
}

/// One text for each value of `name`.
std::vector<std::string> each(const std::string &base, const std::string &name,
                              const std::vector<std::string> &values) {
  std::vector<std::string> texts;
  for (const std::string &value : values)
    texts.push_back(base + " " + name + "=" + value);
  return texts;
}
} // namespace

//===----------------------------------------------------------------------===//
// Rows with no visible key, extreme logits
//===----------------------------------------------------------------------===//

TRIDENT_TEST(pytorch_103963_rows_without_a_visible_key_are_zero) {
  checkAll({"seq_q=8 seq_k=4 causal=bottom_right head_dim=64",
            "seq_q=129 seq_k=65 causal=bottom_right dtype=f16 head_dim=64",
            "seq_q=200 seq_k=1 causal=bottom_right", "seq_q=192 seq_k=63 causal=bottom_right",
            "seq_q=333 seq_k=64 causal=bottom_right head_dim=256 batch=2 heads=6 kv_heads=2",
            "seq_q=1000 seq_k=200 causal=bottom_right layout=sbhd batch=2"});
}

TRIDENT_TEST(rows_without_a_visible_key_are_zero_where_v_is_nan) {
  checkAll({"seq_q=200 seq_k=126 causal=bottom_right heads=2 data=nan_in_v",
            "seq_q=129 seq_k=65 causal=bottom_right dtype=f16 head_dim=64 data=nan_in_v",
            "seq_q=333 seq_k=64 causal=bottom_right head_dim=256 data=nan_in_v"});
}

TRIDENT_TEST(pytorch_110213_equal_logits_near_the_lowest_float_give_the_mean) {
  checkChanged({"seq_q=3 seq_k=3 head_dim=64", "seq_q=65 seq_k=200 head_dim=64",
                "seq_q=128 seq_k=333", "seq_q=63 seq_k=129 causal=bottom_right head_dim=256"},
               equalLogits(1e15f, -1.0f));
}

TRIDENT_TEST(pytorch_109517_first_key_blocks_at_the_lowest_score_weigh_nothing) {
  checkChanged({"seq_q=65 seq_k=200 head_dim=64 heads=2 kv_heads=2", "seq_q=64 seq_k=192",
                "batch=4 heads=12 kv_heads=12 seq_q=441 seq_k=441 head_dim=64"},
               [](const AttentionCase &shape, AttentionInputs &inputs) {
                 for (std::size_t i = 0; i < inputs.q.size();
                      i += static_cast<std::size_t>(shape.headDim))
                   inputs.q[i] = toElement(shape.element, 8.0f);
                 int64_t rows = shape.batch * shape.seqK * shape.kvHeads;
                 for (int64_t row = 0; row < rows; ++row) {
                   bool lowest = row / shape.kvHeads % shape.seqK < 128;
                   inputs.k[static_cast<std::size_t>(row * shape.headDim)] =
                       toElement(shape.element, lowest ? -1e30f : 0.0f);
                 }
               });
}

TRIDENT_TEST(flash_attention_2082_scores_far_below_zero_with_a_masked_first_block) {
  checkChanged({"seq_q=88 seq_k=448 heads=14 kv_heads=2 causal=bottom_right",
                "seq_q=88 seq_k=192 heads=2 kv_heads=1 causal=bottom_right head_dim=64",
                "seq_q=200 seq_k=333 causal=bottom_right dtype=f16",
                "seq_q=129 seq_k=127 causal=bottom_right", "seq_q=65 seq_k=129 causal=top_left"},
               equalLogits(4.2f, -1.0f, 0.25f));
}

// Where an item renews a large reference, its exact differences have a factor of their own.
TRIDENT_TEST(large_references_with_small_differences) {
  for (float sign : {-1.0f, 1.0f})
    for (float size : {4.2f, 8.0f, 20.0f})
      checkChanged({"seq_q=200 seq_k=333", "seq_q=200 seq_k=333 head_dim=64",
                    "seq_q=200 seq_k=333 head_dim=256", "seq_q=130 seq_k=70 heads=2 kv_heads=1",
                    "seq_q=200 seq_k=333 causal=bottom_right"},
                   equalLogits(size, sign, 0.25f));
}

TRIDENT_TEST(flashinfer_4267_every_logit_below_minus_50000_gives_the_mean) {
  std::vector<std::string> texts;
  for (const char *type : {"bf16", "f16"})
    for (const char *sizes : {"seq_q=1 seq_k=1", "seq_q=65 seq_k=129", "seq_q=128 seq_k=333"})
      texts.push_back(std::string(sizes) + " dtype=" + type);
  checkChanged(texts, equalLogits(21.65f, -1.0f));
  checkChanged({"seq_q=64 seq_k=200 head_dim=64", "seq_q=200 seq_k=128 head_dim=256"},
               equalLogits(61.0f, -1.0f));
}

TRIDENT_TEST(large_positive_logits_do_not_overflow) {
  checkChanged({"seq_q=65 seq_k=200", "seq_q=64 seq_k=64 dtype=f16 head_dim=64"},
               equalLogits(21.65f, 1.0f));
}

TRIDENT_TEST(flashinfer_4452_log_sum_exp_is_minus_infinity_where_nothing_is_visible) {
  checkAll({"seq_q=8 seq_k=4 causal=bottom_right", "seq_q=448 seq_k=128 causal=bottom_right",
            "seq_q=129 seq_k=128 causal=bottom_right head_dim=64 dtype=f16",
            "seq_q=256 seq_k=1 causal=bottom_right head_dim=256"});
}

TRIDENT_TEST(flash_attention_978_log_sum_exp_of_no_keys_is_minus_infinity) {
  checkAll(each("seq_q=65 seq_k=0 batch=2 heads=2 kv_heads=1", "causal",
                {"none", "top_left", "bottom_right"}));
}

//===----------------------------------------------------------------------===//
// Lengths that differ, causal alignment
//===----------------------------------------------------------------------===//

TRIDENT_TEST(flash_attention_581_both_causal_alignments_are_what_they_say) {
  std::vector<std::string> texts;
  for (const char *causal : {"top_left", "bottom_right"})
    for (const char *sizes :
         {"seq_q=64 seq_k=200", "seq_q=200 seq_k=64", "seq_q=127 seq_k=129", "seq_q=2 seq_k=333",
          "seq_q=129 seq_k=127", "seq_q=1000 seq_k=2048 heads=6 kv_heads=2"})
      texts.push_back(std::string(sizes) + " head_dim=64 causal=" + causal);
  checkAll(texts);
}

TRIDENT_TEST(flash_attention_1778_more_queries_than_keys) {
  Context context;
  for (AttentionCase shape : affordableOf(
           {"seq_q=256 seq_k=128 head_dim=64", "seq_q=2048 seq_k=1024 heads=2 kv_heads=2"})) {
    shape.causal = Causal::bottomRight;
    AttentionInputs inputs = makeInputs(shape);
    DeviceCase device(shape, inputs);
    AttentionOutputs outputs = runTwice(shape, device);
    auto blind = static_cast<std::size_t>((shape.seqQ - shape.seqK) * shape.heads * shape.headDim);
    for (std::size_t i = 0; i < blind; ++i)
      expect((outputs.o[i] & 0x7fff) == 0) << "element " << i << " of a row without keys is not 0";
    checkCase(shape, inputs);
    shape.causal = Causal::topLeft;
    checkCase(shape, inputs);
  }
}

TRIDENT_TEST(triton_2025_more_keys_than_queries_are_all_read) {
  checkAll({"seq_q=128 seq_k=256 head_dim=64", "seq_q=64 seq_k=333 dtype=f16",
            "seq_q=128 seq_k=2048 head_dim=256"});
}

TRIDENT_TEST(triton_kernels_6_one_query) {
  checkAll({"batch=4 heads=32 kv_heads=32 seq_q=1 seq_k=20",
            "batch=2 heads=2 kv_heads=2 seq_q=1 seq_k=20", "seq_q=1 seq_k=2048 dtype=f16"});
}

//===----------------------------------------------------------------------===//
// Tails, tiny and odd sizes
//===----------------------------------------------------------------------===//

TRIDENT_TEST(cutlass_2428_lengths_off_every_multiple) {
  std::vector<std::string> texts;
  for (const char *q : {"1", "63", "64", "65", "127", "129"})
    for (const char *k : {"1", "63", "64", "65", "127", "129"})
      texts.push_back(std::string("heads=4 kv_heads=4 seq_q=") + q + " seq_k=" + k +
                      (driverIsStandIn() ? " head_dim=64" : ""));
  checkAll(texts);
}

TRIDENT_TEST(triton_2626_a_tail_is_as_exact_as_none) {
  checkAll({"seq_q=4095 seq_k=4096", "seq_q=4096 seq_k=4096", "seq_q=4096 seq_k=4095",
            "seq_q=127 seq_k=128 head_dim=64", "seq_q=128 seq_k=127 head_dim=64"});
}

TRIDENT_TEST(flash_attention_334_one_key_gives_its_value_exactly) {
  Context context;
  for (const AttentionCase &shape :
       affordableOf({"seq_q=1 seq_k=1 dtype=f16 head_dim=64", "seq_q=65 seq_k=1 head_dim=128",
                     "seq_q=129 seq_k=1 heads=2 kv_heads=1 dtype=f16 head_dim=256"})) {
    AttentionInputs inputs = makeInputs(shape);
    for (std::vector<uint16_t> *tensor : {&inputs.q, &inputs.k, &inputs.v})
      for (uint16_t &x : *tensor)
        x = toElement(shape.element, 3 * fromElement(shape.element, x));
    DeviceCase device(shape, inputs);
    AttentionOutputs outputs = runTwice(shape, device);
    for (std::size_t i = 0; i < outputs.o.size(); ++i) {
      uint16_t value = inputs.v[i % static_cast<std::size_t>(shape.headDim)];
      expect(outputs.o[i] == value)
          << "element " << i << " is not the only value [" << shape.text() << "]";
    }
  }
}

TRIDENT_TEST(triton_621_every_column_of_the_head_is_used) {
  checkAll({"batch=3 heads=2 kv_heads=2 seq_q=2048 seq_k=2048 head_dim=128 dtype=f16",
            "heads=2 kv_heads=2 seq_q=128 seq_k=128 head_dim=128 dtype=f16",
            "seq_q=128 seq_k=128 head_dim=256 dtype=f16"});
}

TRIDENT_TEST(flash_attention_1290_other_head_dims_are_refused_with_those_compiled) {
  Context context;
  for (int64_t headDim : {8, 56, 72, 120, 200, 264, 512}) {
    AttentionCase shape;
    shape.headDim = headDim;
    AttentionInputs inputs = makeInputs(shape);
    DeviceCase device(shape, inputs);
    expectRefused(device.call(), {"head_dim", std::to_string(headDim), "64"});
  }
}

TRIDENT_TEST(flash_attention_1537_one_query_and_few_or_no_keys) {
  checkAll(each("batch=3 heads=9 kv_heads=3 seq_q=1 head_dim=64 scale=1 causal=bottom_right",
                "seq_k", {"3", "0", "5"}));
}

TRIDENT_TEST(xformers_813_key_lengths_of_no_vector_width) {
  checkAll({"seq_q=43 seq_k=43 head_dim=64 heads=2 kv_heads=2",
            "seq_q=80 seq_k=77 dtype=f16 causal=top_left", "batch=2 seq_q=77 seq_k=43 head_dim=256",
            "batch=133 heads=8 kv_heads=8 seq_q=77 seq_k=77 head_dim=64"});
}

TRIDENT_TEST(pytorch_138529_one_query_and_very_many_keys) {
  checkAll({"heads=16 kv_heads=16 seq_q=1 seq_k=65536 head_dim=64",
            "seq_q=1 seq_k=1000 head_dim=64 causal=bottom_right"});
}

//===----------------------------------------------------------------------===//
// Empty inputs
//===----------------------------------------------------------------------===//

TRIDENT_TEST(flash_attention_2470_no_keys) {
  std::vector<std::string> texts;
  for (const char *seq : {"1", "64", "128", "256"})
    for (const char *causal : {"none", "bottom_right", "top_left"})
      texts.push_back(std::string("seq_k=0 seq_q=") + seq + " causal=" + causal);
  checkAll(texts);
}

TRIDENT_TEST(flash_attention_2503_no_queries_or_no_batch) {
  Context context;
  for (const char *text : {"batch=0", "seq_q=0", "batch=0 seq_k=0", "seq_q=0 seq_k=0 batch=2"}) {
    AttentionCase shape = AttentionCase::parse(text);
    AttentionInputs inputs = makeInputs(shape);
    DeviceCase device(shape, inputs);
    runTwice(shape, device); // accepted, and no canary touched
  }
}

//===----------------------------------------------------------------------===//
// Strides, layouts, alignment
//===----------------------------------------------------------------------===//

TRIDENT_TEST(flash_attention_2665_strides_are_the_callers) {
  checkAll({"head_dim=256 layout=bhsd out_layout=bshd seq_q=65 seq_k=129",
            "head_dim=256 layout=bhsd out_layout=sbhd batch=2 heads=8 kv_heads=2 seq_q=200 "
            "seq_k=333"});
}

TRIDENT_TEST(transformer_engine_3216_all_layouts_of_two_batches) {
  std::vector<std::string> texts;
  for (const char *layout : {"bshd", "bhsd", "sbhd", "packed"})
    for (const char *rest : {" heads=16 kv_heads=2 head_dim=256 seq_q=333 seq_k=333",
                             " heads=2 kv_heads=1 head_dim=64"})
      texts.push_back(std::string("batch=2 causal=bottom_right layout=") + layout + rest);
  checkAll(texts);
}

TRIDENT_TEST(flash_attention_2189_expanded_inputs_and_outputs) {
  Context context;
  AttentionCase shape = AttentionCase::parse("batch=2 heads=2 kv_heads=2 seq_q=65 seq_k=129 "
                                             "head_dim=64");
  // Axis by axis, the inputs repeat what stands at index 0 of the axis.
  for (std::size_t axis : {0u, 1u, 2u}) {
    AttentionPlacement placement = placeCase(shape);
    AttentionInputs inputs = makeInputs(shape);
    auto expand = [&](Placement &place, std::vector<uint16_t> &tensor) {
      place.strides[axis] = 0;
      auto columns = static_cast<std::size_t>(shape.headDim);
      std::array<int64_t, 3> inner{place.extents[1] * place.extents[2], place.extents[2], 1};
      for (int64_t row = 0; row < place.rows(); ++row) {
        int64_t index = row / inner[axis] % place.extents[axis];
        auto from = static_cast<std::size_t>(row - index * inner[axis]) * columns;
        std::copy_n(tensor.begin() + static_cast<long>(from), columns,
                    tensor.begin() + row * shape.headDim);
      }
    };
    expand(placement.q, inputs.q);
    expand(placement.k, inputs.k);
    expand(placement.v, inputs.v);
    checkCase(shape, inputs, placement);
    AttentionCall call = DeviceCase(shape, inputs).call();
    call.o.strides[axis] = 0;
    expectRefused(call, {"o.stride"});
  }
}

TRIDENT_TEST(triton_2208_all_strides_distinct) {
  Context context;
  AttentionCase shape =
      AttentionCase::parse("batch=2 heads=4 kv_heads=2 seq_q=65 seq_k=129 head_dim=64");
  AttentionPlacement placement = placeCase(shape);
  auto take = [&](Layout layout) {
    AttentionCase other = shape;
    other.layout = other.outLayout = layout;
    return placeCase(other);
  };
  placement.k = take(Layout::bhsd).k;
  placement.v = take(Layout::sbhd).v;
  placement.o = take(Layout::bhsd).o;
  checkCase(shape, makeInputs(shape), placement);
}

TRIDENT_TEST(flash_attention_1391_one_tensor_in_another_layout_is_refused) {
  Context context;
  AttentionCase shape = AttentionCase::parse("batch=2 heads=8 kv_heads=8 seq_q=200 seq_k=200");
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionCall call = device.call();
  std::swap(call.k.extents[1], call.k.extents[2]);
  std::swap(call.k.strides[1], call.k.strides[2]);
  expectRefused(call, {"attention_fwd"});
  call = device.call();
  std::swap(call.o.extents[1], call.o.extents[2]);
  std::swap(call.o.strides[1], call.o.strides[2]);
  expectRefused(call, {"o.shape"});
}

TRIDENT_TEST(triton_11583_stores_stay_inside_the_rows_of_a_slice) {
  std::vector<std::string> texts;
  for (const char *headDim : {"64", "128", "256"})
    for (const char *type : {"bf16", "f16"})
      texts.push_back(std::string("seq_q=77 seq_k=65 out_layout=packed heads=2 kv_heads=2 dtype=") +
                      type + " head_dim=" + headDim);
  checkAll(texts);
}

TRIDENT_TEST(pytorch_184563_the_address_passed_is_what_must_be_aligned) {
  Context context;
  AttentionCase shape = AttentionCase::parse("seq_q=65 seq_k=65 head_dim=64 padded=0");
  for (int64_t offset : {1, 4, 8}) {
    for (const char *name : {"q", "k", "v", "o"}) {
      AttentionPlacement placement = placeCase(shape);
      (*name == 'q'   ? placement.q
       : *name == 'k' ? placement.k
       : *name == 'v' ? placement.v
                      : placement.o)
          .offset += offset;
      if (offset == 8)
        checkCase(shape, makeInputs(shape), placement);
      else
        checkRightOrRefused(shape, placement, {name, "16"});
    }
  }
}

TRIDENT_TEST(pytorch_112577_strides_that_the_copy_engine_cannot_take) {
  Context context;
  AttentionCase shape =
      AttentionCase::parse("batch=2 heads=2 kv_heads=2 seq_q=65 seq_k=65 head_dim=64");
  for (std::size_t axis : {0u, 1u, 2u})
    for (const char *name : {"q", "k", "v", "o"}) {
      AttentionPlacement placement = placeCase(shape);
      Placement &place = *name == 'q'   ? placement.q
                         : *name == 'k' ? placement.k
                         : *name == 'v' ? placement.v
                                        : placement.o;
      place.strides[axis] += 4;
      checkRightOrRefused(shape, placement, {std::string(name) + ".stride"});
    }
}

//===----------------------------------------------------------------------===//
// Grid limits
//===----------------------------------------------------------------------===//

TRIDENT_TEST(pytorch_142228_more_than_65535_heads_and_batches) {
  checkAll({"batch=700 heads=100 kv_heads=100 seq_q=10 seq_k=16 head_dim=64",
            "batch=1 heads=65536 kv_heads=1 seq_q=10 seq_k=16 head_dim=64",
            "batch=65537 heads=1 kv_heads=1 seq_q=3 seq_k=5 head_dim=64 layout=sbhd",
            "seq_q=4194241 seq_k=10 head_dim=64"});
}

//===----------------------------------------------------------------------===//
// Values that find many faults at once
//===----------------------------------------------------------------------===//

TRIDENT_TEST(flash_attention_2717_ones_in_v_give_ones) {
  std::vector<std::string> texts;
  for (const char *type : {"bf16", "f16"})
    for (const char *rest :
         {" seq_q=65 seq_k=129 head_dim=64", " seq_q=128 seq_k=128 head_dim=128 causal=top_left",
          " seq_q=63 seq_k=200 head_dim=256", " seq_q=1000 seq_k=2048 scale=-1",
          " seq_q=333 seq_k=2048 causal=bottom_right scale=1 head_dim=256"})
      texts.push_back(std::string("data=ones_in_v dtype=") + type + rest);
  // A step of rounding off, once in many.
  texts.push_back("data=ones_in_v seq_q=192 seq_k=192 head_dim=64 scale=0.3 layout=sbhd "
                  "data_seed=851019580339292734");
  checkAll(texts);
}

TRIDENT_TEST(equal_logits_give_the_mean_of_v) {
  for (float size : {0.0f, 1.0f, 5.0f})
    checkChanged({"seq_q=65 seq_k=200 head_dim=64", "seq_q=64 seq_k=129 dtype=f16",
                  "seq_q=333 seq_k=1000 head_dim=256"},
                 equalLogits(size, 1.0f));
}

TRIDENT_TEST(negative_and_zero_scales) {
  for (const char *scale : {"-0.0884", "-1", "0", "1e-30"})
    checkAll({std::string("seq_q=65 seq_k=200 head_dim=64 scale=") + scale,
              std::string("seq_q=129 seq_k=64 causal=bottom_right dtype=f16 scale=") + scale,
              std::string("seq_q=333 seq_k=448 causal=top_left head_dim=256 scale=") + scale});
}

TRIDENT_TEST(flashinfer_2113_log_sum_exp_is_a_natural_logarithm) {
  Context context;
  AttentionCase shape = AttentionCase::parse("seq_q=64 seq_k=200 head_dim=64 scale=0");
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  for (float lse : runTwice(shape, device).lse)
    expect(std::abs(lse - 5.2983174f) < 1e-4f)
        << "LSE of 200 equal logits is " << lse << ", expected ln 200 = 5.2983";
}

TRIDENT_TEST(flashinfer_996_any_whole_ratio_of_heads) {
  std::vector<std::string> texts;
  for (const char *heads :
       {"heads=24 kv_heads=4", "heads=28 kv_heads=4", "heads=40 kv_heads=8", "heads=64 kv_heads=4",
        "heads=7 kv_heads=1", "heads=6 kv_heads=2", "heads=5 kv_heads=1"})
    texts.push_back(std::string(heads) + " seq_q=63 seq_k=65 head_dim=64");
  checkAll(texts);
}

TRIDENT_TEST(flashinfer_996_other_ratios_of_heads_are_refused_with_both_numbers) {
  Context context;
  AttentionCase shape = AttentionCase::parse("heads=8 kv_heads=8 seq_q=64 seq_k=64");
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionCall call = device.call();
  call.k.extents[2] = call.v.extents[2] = 3;
  expectRefused(call, {"kv_heads", "3", "heads", "8"});
  call.k.extents[2] = call.v.extents[2] = 0;
  expectRefused(call, {"kv_heads", "0"});
}

TRIDENT_TEST(triton_4541_the_causal_flag_is_honoured) {
  Context context;
  AttentionCase shape = AttentionCase::parse("seq_q=129 seq_k=129 head_dim=64");
  AttentionInputs inputs = makeInputs(shape);
  std::vector<AttentionOutputs> outputs;
  for (Causal causal : {Causal::none, Causal::topLeft, Causal::bottomRight}) {
    shape.causal = causal;
    checkCase(shape, inputs);
    DeviceCase device(shape, inputs);
    outputs.push_back(runTwice(shape, device));
  }
  expect(outputs[0].o != outputs[1].o) << "the causal output is the full one";
  expect(outputs[1].o == outputs[2].o) << "the alignments differ where the lengths are equal";
}

TRIDENT_TEST(vllm_51363_no_argument_is_accepted_and_dropped) {
  Context context;
  const AttentionCase shape = AttentionCase::parse("seq_q=65 seq_k=129 head_dim=64");
  const AttentionInputs inputs = makeInputs(shape);
  auto output = [](const AttentionCase &shape, const AttentionInputs &inputs) {
    DeviceCase device(shape, inputs);
    return runTwice(shape, device).o;
  };
  const std::vector<uint16_t> whole = output(shape, inputs);
  AttentionCase scaled = shape, causal = shape;
  scaled.scale *= 2;
  causal.causal = Causal::bottomRight;
  expect(output(scaled, inputs) != whole) << "the scale was dropped";
  expect(output(causal, inputs) != whole) << "the causal mask was dropped";
  for (auto tensor : {&AttentionInputs::q, &AttentionInputs::k, &AttentionInputs::v}) {
    AttentionInputs negated = inputs;
    for (uint16_t &x : negated.*tensor)
      x ^= 0x8000;
    expect(output(shape, negated) != whole) << "a tensor was dropped";
  }
}

TRIDENT_TEST(rms_error_of_normal_inputs) {
  Context context;
  AttentionCase shape = AttentionCase::parse("batch=2 heads=4 kv_heads=4 seq_q=2048 seq_k=2048 "
                                             "causal=bottom_right");
  if (!affordable(shape))
    throw Skip("[2, 2048, 4, 128] is too large for the stand-in");
  double rms = checkCase(shape).rms();
  expect(rms <= 1.95e-4) << "the RMS error is " << rms << ", expected at most 1.95e-4";
}

//===----------------------------------------------------------------------===//
// Races and leftovers
//===----------------------------------------------------------------------===//

TRIDENT_TEST(flash_attention_359_repeats_give_the_same_bits) {
  Context context;
  for (const AttentionCase &shape :
       affordableOf({"batch=40 seq_q=2048 seq_k=128 dtype=f16", "seq_q=129 seq_k=200 head_dim=64",
                     "batch=2 heads=8 kv_heads=2 seq_q=1000 seq_k=1000 causal=bottom_right",
                     "batch=3 heads=16 kv_heads=16 seq_q=1024 seq_k=2048 head_dim=256"})) {
    AttentionInputs inputs = makeInputs(shape);
    DeviceCase device(shape, inputs);
    AttentionOutputs first = runTwice(shape, device);
    for (int repeat = 0; repeat < (driverIsStandIn() ? 1 : 24); ++repeat) {
      AttentionOutputs again = runTwice(shape, device);
      expect(again.o == first.o && again.lse == first.lse)
          << "repeat " << repeat << " differs [" << shape.text() << "]";
    }
  }
}

TRIDENT_TEST(tilelang_547_a_kernel_before_this_one_leaves_nothing) {
  Context context;
  std::vector<AttentionCase> cases =
      affordableOf({"seq_q=65 seq_k=129 head_dim=256", "seq_q=65 seq_k=129 head_dim=64 dtype=f16",
                    "seq_q=129 seq_k=65 head_dim=128 causal=top_left"});
  std::vector<AttentionOutputs> first;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::size_t at = round == 0 ? i : cases.size() - 1 - i;
      AttentionInputs inputs = makeInputs(cases[at]);
      DeviceCase device(cases[at], inputs);
      AttentionOutputs outputs = runTwice(cases[at], device);
      if (round == 0)
        first.push_back(outputs);
      expect(first[at].o == outputs.o) << "the order of the kernels changed a result";
    }
}

int main(int argc, char **argv) {
  return runNamedTests("attention_faults", parseRunOptions(argc, argv));
}
