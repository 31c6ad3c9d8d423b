//===- authoring.cpp - The examples of docs/Authoring.md, run -------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// test/Authoring/*.mlir against float64.
//===----------------------------------------------------------------------===//
#include "authored_attention.h"
#include "score_lse.h"
#include "support/Checks.h"
#include "support/DeviceCase.h"
#include "support/GeneratedCall.h"
#include "support/ModReference.h"

#include <cmath>
#include <limits>

using namespace trident::test;
using trident::Type;

namespace {
/// The score of a query and a key.
double scoreOf(const AttentionCase &shape, const AttentionInputs &inputs, int64_t batch,
               int64_t head, int64_t row, int64_t col) {
  const int64_t kvHead = head / (shape.heads / shape.kvHeads);
  double sum = 0;
  for (int64_t d = 0; d < shape.headDim; ++d) {
    auto element = [&](const std::vector<uint16_t> &tensor, int64_t at) {
      return static_cast<double>(
          fromElement(shape.element, tensor[static_cast<std::size_t>(at * shape.headDim + d)]));
    };
    sum += element(inputs.q, (batch * shape.seqQ + row) * shape.heads + head) *
           element(inputs.k, (batch * shape.seqK + col) * shape.kvHeads + kvHead);
  }
  return sum * static_cast<double>(shape.scale);
}

void checkScores(const AttentionCase &shape) {
  const AttentionInputs inputs = makeInputs(shape);
  DeviceCase sums(shape, inputs), tops(shape, inputs); // each has a guarded tensor of that shape
  const AttentionCall call = sums.call();
  trident::score_lse::Arguments arguments;
  arguments.q = generatedTensor(call.q);
  arguments.k = generatedTensor(call.k);
  arguments.lse = generatedTensor(*call.lse);
  arguments.top = generatedTensor(*tops.call().lse);
  arguments.scale = shape.scale;
  sums.poison();
  tops.poison();
  const trident::Status status = trident::score_lse::launch(arguments, nullptr);
  expect(status.ok()) << status.message();
  cu::synchronize();
  const std::vector<float> lse = sums.read().lse, top = tops.read().lse;
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t h = 0; h < shape.heads; ++h)
      for (int64_t row = 0; row < shape.seqQ; ++row) {
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int64_t col = 0; col < shape.seqK; ++col)
          largest = std::max(largest, scoreOf(shape, inputs, b, h, row, col));
        for (int64_t col = 0; col < shape.seqK; ++col)
          sum += std::exp(scoreOf(shape, inputs, b, h, row, col) - largest);
        const auto at = static_cast<std::size_t>((b * shape.heads + h) * shape.seqQ + row);
        const double wanted = largest + std::log(sum);
        auto isNear = [](float got, double want) {
          return std::isinf(want) ? static_cast<double>(got) == want
                                  : std::abs(static_cast<double>(got) - want) <= 5e-5;
        };
        expect(isNear(lse[at], wanted))
            << "lse of row " << row << " is " << lse[at] << ", expected " << wanted;
        expect(isNear(top[at], largest))
            << "top of row " << row << " is " << top[at] << ", expected " << largest;
      }
}
} // namespace

TRIDENT_TEST(the_kernel_of_its_own) {
  Context context;
  checkScores(smallCase(130, 200));
  checkScores(smallCase(64, 1));
  checkScores(smallCase(1, 257));
}

TRIDENT_TEST(the_kernel_of_its_own_without_keys) {
  Context context;
  checkScores(smallCase(70, 0));
}

TRIDENT_TEST(the_score_and_the_mask) {
  Context context;
  for (auto [seqQ, seqK] : {std::pair<int64_t, int64_t>{200, 333}, {300, 70}}) {
    const AttentionCase shape = smallCase(seqQ, seqK);
    const float decay = 0.25f;
    const int reach = 60, globals = 10;
    ModTensor gains(Type::f32, {shape.heads}, {}, [](auto &at) { return at[0] == 0 ? 1.0 : 0.5; });
    Mods mods;
    auto ownOf = [&](const ScorePlace &at) { return at.row + shape.seqK - shape.seqQ; };
    mods.score = [&](double score, const ScorePlace &at) {
      const double far = std::abs(static_cast<double>(ownOf(at) - at.col));
      return score * (at.head == 0 ? 1.0 : 0.5) - decay * std::log2(far + 1);
    };
    mods.mask = [&](const ScorePlace &at) {
      const int64_t own = ownOf(at);
      return at.col <= own && (at.col > own - reach || at.col < globals);
    };
    checkMods(shape, mods, [&](const AttentionCall &call, cu::Handle stream) {
      namespace kernel = trident::authored_attention;
      return callGenerated<kernel::Arguments, kernel::Causal>(
          call, stream,
          [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); },
          [&](auto &arguments) {
            arguments.decay = decay;
            arguments.gains = gains.get();
            arguments.reach = reach;
            arguments.globals = globals;
          });
    });
  }
}

int main(int argc, char **argv) { return runNamedTests("authoring", parseRunOptions(argc, argv)); }
