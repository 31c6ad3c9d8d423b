//===- attention_ragged_speed.cpp - What different lengths cost -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Times one causal kernel on sequences of equal lengths, in a tensor of their own and packed, and
// of different ones, in turns, without a workspace and with one. The rate is that of the scores
// that are visible.
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include "Numbers.h"
#include "speed_dense.h"
#include "speed_packed.h"
#include "support/Checks.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>

using namespace trident::test;
using namespace trident::host;
using trident::Tensor;
using trident::Type;

namespace {
struct Options {
  int64_t tokens = 32768, sequences = 16, heads = 16, rounds = 20, maxLength = 0;
  std::string standIn;
};

struct Entry {
  std::string name;
  std::vector<int64_t> lengths;
  bool packed = true, hasWorkspace = false;
  DeviceMemory ends = {};
  std::vector<double> times = {};
};

int64_t sum(const std::vector<int64_t> &lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}

/// Lengths that are equally likely from 1 to a quarter of all tokens, scaled to that many together.
std::vector<int64_t> randomLengths(const Options &options) {
  std::mt19937 random(2026);
  std::vector<int64_t> lengths(static_cast<std::size_t>(options.sequences));
  for (int64_t &length : lengths)
    length = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(options.tokens / 4));
  const int64_t drawn = sum(lengths);
  for (int64_t &length : lengths)
    length = std::max<int64_t>(1, length * options.tokens / drawn);
  *std::max_element(lengths.begin(), lengths.end()) += options.tokens - sum(lengths);
  return lengths;
}

std::vector<Entry> listEntries(const Options &options) {
  const std::vector<int64_t> equal(static_cast<std::size_t>(options.sequences),
                                   options.tokens / options.sequences);
  std::vector<int64_t> oneLong(65, std::max<int64_t>(1, options.tokens / 256));
  oneLong[20] = options.tokens / 2;
  std::vector<Entry> entries;
  entries.push_back({"dense", equal, false});
  for (bool hasWorkspace : {false, true}) {
    const std::string suffix = hasWorkspace ? ", workspace" : "";
    entries.push_back({"equal" + suffix, equal, true, hasWorkspace});
    entries.push_back({"random" + suffix, randomLengths(options), true, hasWorkspace});
    entries.push_back({"one long" + suffix, oneLong, true, hasWorkspace});
  }
  for (Entry &entry : entries) {
    std::vector<int32_t> ends = {0};
    for (int64_t length : entry.lengths)
      ends.push_back(ends.back() + static_cast<int32_t>(length));
    entry.ends = DeviceMemory(ends.size() * sizeof(int32_t));
    cu::copyToDevice(entry.ends.get(), ends.data(), entry.ends.size());
  }
  return entries;
}

/// Device memory of q, k, v and o, filled with numbers around 0, and a workspace.
struct Inputs {
  explicit Inputs(const Options &options) {
    auto bytes = static_cast<std::size_t>(options.tokens * options.heads * 128 * 2);
    std::vector<uint16_t> values(bytes / 2);
    parallelFor(static_cast<int64_t>(values.size()), [&](int64_t i) {
      uint64_t bits = static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15;
      values[static_cast<std::size_t>(i)] = toElement(
          Element::bf16, static_cast<float>(static_cast<int64_t>(bits >> 40) - (1 << 23)) / 5e6f);
    });
    for (DeviceMemory &memory : memories) {
      memory = DeviceMemory(bytes);
      cu::copyToDevice(memory.get(), values.data(), bytes);
    }
    cu::fill(workspace.get(), static_cast<unsigned char>(0), workspace.size());
  }
  DeviceMemory memories[4], workspace{trident::speed_packed::workspaceBytes};
};

template <typename Arguments>
Arguments commonArguments(const Inputs &inputs, std::initializer_list<int64_t> extents) {
  Arguments arguments;
  Tensor *tensors[] = {&arguments.q, &arguments.k, &arguments.v, &arguments.o};
  for (int i = 0; i < 4; ++i)
    *tensors[i] =
        Tensor(reinterpret_cast<const void *>(inputs.memories[i].get()), Type::bf16, extents);
  arguments.scale = 0.08838835f;
  return arguments;
}

trident::Status launch(const Options &options, const Entry &entry, const Inputs &inputs,
                       trident::Stream stream) {
  const auto count = static_cast<int64_t>(entry.lengths.size());
  if (!entry.packed) {
    using namespace trident::speed_dense;
    auto arguments =
        commonArguments<Arguments>(inputs, {count, entry.lengths[0], options.heads, 128});
    arguments.causal = Causal::bottom_right;
    return launch(arguments, stream);
  }
  using namespace trident::speed_packed;
  auto arguments = commonArguments<Arguments>(inputs, {sum(entry.lengths), options.heads, 128});
  arguments.causal = Causal::bottom_right;
  arguments.cu_seqlens_q = arguments.cu_seqlens_k =
      Tensor(reinterpret_cast<const void *>(entry.ends.get()), Type::i32, {count + 1});
  arguments.max_seqlen_q = arguments.max_seqlen_k = static_cast<int32_t>(
      std::max(options.maxLength, *std::max_element(entry.lengths.begin(), entry.lengths.end())));
  if (entry.hasWorkspace)
    arguments.workspace = reinterpret_cast<void *>(inputs.workspace.get());
  return launch(arguments, stream);
}

double teraflops(const Options &options, const Entry &entry, double microseconds) {
  double scores = 0;
  for (int64_t length : entry.lengths)
    scores += static_cast<double>(length) * static_cast<double>(length + 1) / 2;
  return static_cast<double>(options.heads) * scores * 4 * 128 / microseconds / 1e6;
}

int run(const Options &options) {
  RunOptions library;
  library.standIn = options.standIn;
  if (!openDriverOrSkip(library, "attention_ragged_speed", 1))
    return skippedStatus;
  Context context;
  Inputs inputs(options);
  std::vector<Entry> entries = listEntries(options);
  Stream stream;
  Event before, after;
  for (int64_t round = -1; round < options.rounds; ++round) // The first only warms up.
    for (Entry &entry : entries) {
      before.record(stream.get());
      trident::Status status =
          launch(options, entry, inputs, static_cast<CUstream_st *>(stream.get()));
      expect(status.ok()) << status.message();
      after.record(stream.get());
      after.synchronize();
      if (round >= 0)
        entry.times.push_back(after.microsecondsSince(before));
    }
  std::printf("%lld heads of 128, bf16, causal, by visible scores; median of %lld\n",
              static_cast<long long>(options.heads), static_cast<long long>(options.rounds));
  double equal = 0;
  for (Entry &entry : entries) {
    std::nth_element(entry.times.begin(), entry.times.begin() + options.rounds / 2,
                     entry.times.end());
    double middle = entry.times[static_cast<std::size_t>(options.rounds / 2)],
           rate = teraflops(options, entry, middle);
    equal = equal == 0 ? rate : equal;
    std::printf(
        "%-19s %3zu sequences, %6lld tokens, at most %6lld %10.1f us %8.1f TFLOP/s %6.3f "
        "of dense\n",
        entry.name.c_str(), entry.lengths.size(), static_cast<long long>(sum(entry.lengths)),
        static_cast<long long>(*std::max_element(entry.lengths.begin(), entry.lengths.end())),
        middle, rate, rate / equal);
  }
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("What different lengths cost");
  app.add_option("--tokens", options.tokens)->capture_default_str();
  app.add_option("--sequences", options.sequences)->capture_default_str();
  app.add_option("--heads", options.heads)->capture_default_str();
  app.add_option("--max-length", options.maxLength, "Stated, where it is more than the longest");
  app.add_option("--rounds", options.rounds)->capture_default_str();
  app.add_option("--stand-in", options.standIn, "The driver library to use without a GPU");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "attention_ragged_speed: %s\n", failure.what());
    return 1;
  }
}
