//===- ComboCall.cpp - A drawn call of a drawn kernel ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ComboCall.h"

#include <functional>
#include <numeric>
#include <sstream>
#include <tuple>

namespace trident::test {

std::vector<ComboKernel> &comboKernels() {
  static std::vector<ComboKernel> kernels;
  return kernels;
}

ComboSpec::ComboSpec(const std::string &arguments) {
  std::string caseText;
  auto set = [&](const std::string &assignment) {
    std::string name = assignment.substr(0, assignment.find('='));
    // An AttentionCase spells these in the same way.
    if (name == "dtype" || name == "head_dim" || name == "head_dim_v" || name == "causal")
      caseText += assignment + " ";
    else
      mods.parameters[name] = assignment.substr(name.size() + 1);
  };
  auto sequence = [&](const std::string &name) {
    packedQ |= name == "packed" || name == "packed_q";
    packedK |= name == "packed";
    usedQ |= name == "used";
    usedK |= name == "used" || name == "used_k";
  };
  const std::map<std::string, std::function<void(const std::string &)>> readers = {
      {"--set", set},
      {"--score", [&](const std::string &name) { mods.scores.push_back(name); }},
      {"--mask", [&](const std::string &name) { mods.masks.push_back(name); }},
      {"--sink", [&](const std::string &) { mods.sink = true; }},
      {"--sequence", sequence},
      {"--schedule", [](const std::string &) {}},
      {"--sizes", [](const std::string &) {}},
  };
  std::istringstream in(arguments);
  for (std::string option, value; in >> option >> value;)
    readers.at(option)(value);
  shape = AttentionCase::parse(caseText);
}

namespace {
struct Lists {
  std::vector<std::pair<int64_t, int64_t>> heads;
  std::vector<int64_t> lengths, batches, sequences;
  /// Multiply-adds on the stand-in; else scores and elements, for the time that the host takes.
  int64_t mostWork;
};

const Lists &listsOf(ComboSize size) {
  static const Lists small = {{{1, 1}, {2, 2}, {2, 1}, {3, 1}, {4, 2}, {6, 2}},
                              {1, 2, 7, 63, 64, 65, 100, 127, 128, 129, 150, 192, 200, 257, 333},
                              {1, 1, 1, 2, 3},
                              {1, 2, 3, 4, 5},
                              24'000'000};
  static const Lists large = {{{1, 1}, {8, 8}, {6, 2}, {14, 2}, {10, 2}, {32, 4}, {7, 1}, {5, 5}},
                              {1,   2,   17,  63,  64,   65,   127,  128,  129,  192,
                               200, 333, 448, 511, 1000, 1024, 1537, 2048, 3000, 4096},
                              {1, 1, 2, 3},
                              {1, 2, 3, 8, 16},
                              20'000'000};
  return size == ComboSize::small ? small : large;
}

int64_t workOf(const AttentionCase &shape, ComboSize size) {
  if (size == ComboSize::small)
    return shape.work();
  int64_t rows = shape.heads * shape.seqQ + shape.kvHeads * shape.seqK;
  return shape.batch *
         (shape.heads * shape.seqQ * shape.seqK + rows * (shape.headDim + shape.valueDim()));
}

/// All of a case but its lengths.
void drawShape(Draw &draw, const Lists &lists, bool hasSink, AttentionCase &shape) {
  std::tie(shape.heads, shape.kvHeads) = draw.pick(lists.heads);
  float usual = 1.0f / std::sqrt(static_cast<float>(shape.headDim));
  shape.scale =
      draw.pick(std::vector<float>{usual, usual, usual, usual, 0.3f, 0.0f, -usual, -0.2f});
  shape.lse = draw.below(4) != 0;
  shape.layout = static_cast<Layout>(draw.below(4));
  shape.outLayout = draw.below(2) == 0 ? shape.layout : static_cast<Layout>(draw.below(3));
  shape.padded = draw.below(2) == 0;
  shape.data = !hasSink && draw.below(8) == 0 ? Data::onesInV : Data::normal;
  shape.dataSeed = draw.next() >> 32;
}

AttentionCase drawDense(Draw &draw, const ComboSpec &spec, ComboSize size) {
  const Lists &lists = listsOf(size);
  AttentionCase shape = spec.shape;
  do {
    drawShape(draw, lists, spec.mods.sink, shape);
    shape.batch = draw.pick(lists.batches);
    shape.seqQ = draw.pick(lists.lengths);
    shape.seqK = draw.below(4) == 0 ? shape.seqQ : draw.pick(lists.lengths);
  } while (workOf(shape, size) > lists.mostWork);
  if (draw.below(16) == 0)
    *draw.pick(std::vector<int64_t *>{&shape.seqQ, &shape.seqK, &shape.batch}) = 0;
  return shape;
}

int64_t longest(const std::vector<int64_t> &lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

/// Sequences of which those of queries or keys all have one length where the kernel has no word for
/// others.
RaggedCase drawRagged(Draw &draw, const ComboSpec &spec, ComboSize size) {
  const Lists &lists = listsOf(size);
  RaggedCase ragged;
  int64_t work = 0, most = 0; // keys of a sequence that has queries
  bool mayBeEmpty = draw.below(8) == 0;
  do {
    ragged = {};
    ragged.shape = spec.shape;
    drawShape(draw, lists, spec.mods.sink, ragged.shape);
    ragged.formQ = spec.packedQ ? Form::packed : Form::padded;
    ragged.formK = spec.packedK ? Form::packed : Form::padded;
    ragged.headsMajor = draw.below(3) == 0;
    int64_t count = ragged.shape.batch = draw.pick(lists.sequences);
    bool same = draw.below(4) == 0; // as many keys as queries
    auto drawLength = [&] { return draw.below(6) == 0 ? 0 : draw.pick(lists.lengths); };
    for (int64_t i = 0; i < count; ++i) {
      ragged.lengthsQ.push_back(drawLength());
      ragged.lengthsK.push_back(same ? ragged.lengthsQ.back() : drawLength());
    }
    // Beyond the longest sequence, or cutting it.
    auto drawMaximum = [&](const std::vector<int64_t> &lengths) {
      const std::vector<int64_t> others = {0, 0, 0, 1, 70, -5};
      return std::max<int64_t>(longest(lengths) + draw.pick(others), 1);
    };
    ragged.maxQ = drawMaximum(ragged.lengthsQ);
    ragged.maxK = drawMaximum(ragged.lengthsK);
    if (!spec.packedQ && !spec.usedQ)
      std::fill(ragged.lengthsQ.begin(), ragged.lengthsQ.end(), ragged.maxQ);
    if (!spec.packedK && !spec.usedK)
      std::fill(ragged.lengthsK.begin(), ragged.lengthsK.end(), ragged.maxK);
    ragged.restQ = draw.below(3) == 0 ? static_cast<int64_t>(draw.below(150)) : 0;
    ragged.restK = draw.below(3) == 0 ? static_cast<int64_t>(draw.below(150)) : 0;
    work = most = 0;
    for (int64_t i = 0; i < count; ++i) {
      AttentionCase one = ragged.sequence(i);
      work += workOf(one, size);
      most = std::max(most, one.seqQ ? one.seqK : 0);
    }
  } while (work > lists.mostWork || (most < 2 && !mayBeEmpty));
  return ragged;
}

Comparison checkDense(const ComboKernel &kernel, const AttentionCase &shape,
                      const DrawnMods &drawn) {
  AttentionInputs inputs = makeInputs(shape);
  DeviceCase device(shape, inputs);
  AttentionOutputs outputs =
      runTwice(shape, device, [&](const AttentionCall &tensors, cu::Handle stream) {
        RaggedCall call;
        call.tensors = tensors;
        return kernel.call(call, drawn, stream);
      });
  Comparison comparison =
      compareAttention(shape, inputs, outputs, /*rowStep=*/1, drawn.of({shape.seqQ, shape.seqK}));
  std::optional<std::string> problem = comparison.problem(shape);
  expect(!problem) << problem.value_or("") << " [" << shape.text() << "]";
  return comparison;
}
} // namespace

ComboResult checkCombo(const ComboKernel &kernel, uint64_t seed, uint64_t index, ComboSize size) {
  ComboSpec spec(kernel.arguments);
  uint64_t name =
      std::accumulate(kernel.name.begin(), kernel.name.end(), seed, [](uint64_t hash, char letter) {
        return hashNumber(hash, static_cast<uint64_t>(letter));
      });
  Draw draw(hashNumber(name, index));
  if (!spec.hasSequences()) {
    AttentionCase shape = drawDense(draw, spec, size);
    DrawnMods drawn(spec.mods, {shape.batch, shape.heads, shape.seqQ, shape.seqK}, draw);
    return {shape.text() + drawn.text(), checkDense(kernel, shape, drawn)};
  }
  RaggedCase ragged = drawRagged(draw, spec, size);
  DrawnMods drawn(spec.mods, {ragged.count(), ragged.shape.heads, ragged.maxQ, ragged.maxK}, draw);
  Comparison comparison = checkRagged(
      ragged,
      [&](const RaggedCall &call, cu::Handle stream) { return kernel.call(call, drawn, stream); },
      [&](int64_t sequence) {
        AttentionCase one = ragged.sequence(sequence);
        return drawn.of({one.seqQ, one.seqK}, sequence);
      });
  return {ragged.text() + drawn.text(), comparison};
}

} // namespace trident::test
