//===- attention_mods_speed.cpp - What functions of scores and masks cost -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Times the plain causal kernel and the same with one thing applied, in turns, and says how fast
// each is by the tiles of 128 x 128 in which anything is visible.
//===----------------------------------------------------------------------===//
#include "Driver.h"
#include "Numbers.h"
#include "speed_alibi.h"
#include "speed_bias.h"
#include "speed_document.h"
#include "speed_key_range.h"
#include "speed_ordered_document.h"
#include "speed_plain.h"
#include "speed_sink.h"
#include "speed_soft_cap.h"
#include "speed_window.h"
#include "support/Checks.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>

using namespace trident::test;
using namespace trident::host;
using trident::Tensor;
using trident::Type;

namespace {
struct Options {
  int64_t batch = 2, heads = 16, seq = 8192, rounds = 20, window = 1024, documents = 8;
  std::string standIn;
};

/// Device memory of all arguments.
struct Inputs {
  explicit Inputs(const Options &options)
      : q(bytesOf(options)), k(bytesOf(options)), v(bytesOf(options)), o(bytesOf(options)),
        perHead(4 * static_cast<std::size_t>(options.heads)),
        bias(2 * static_cast<std::size_t>(options.heads * options.seq * options.seq)) {
    auto elements = static_cast<int64_t>(bytesOf(options) / 2);
    for (DeviceMemory *memory : {&q, &k, &v}) {
      std::vector<uint16_t> values(static_cast<std::size_t>(elements));
      parallelFor(elements, [&](int64_t i) {
        uint64_t bits = static_cast<uint64_t>(i + elements * (memory - &q)) * 0x9e3779b97f4a7c15;
        values[static_cast<std::size_t>(i)] = toElement(
            Element::bf16, static_cast<float>(static_cast<int64_t>(bits >> 40) - (1 << 23)) / 5e6f);
      });
      cu::copyToDevice(memory->get(), values.data(), memory->size());
    }
    cu::fill(perHead.get(), static_cast<unsigned char>(0x3c), perHead.size()); // f32 of about 0.01
    cu::fill(bias.get(), static_cast<unsigned char>(0x3c), bias.size());
    for (int64_t row = 0; row < options.seq; ++row) {
      int64_t length = options.seq / options.documents;
      numbers.push_back(static_cast<int32_t>(row / length));
      first.push_back(static_cast<int32_t>(row / length * length));
      end.push_back(static_cast<int32_t>(row / length * length + length));
    }
    for (auto [values, memory] :
         {std::pair(&numbers, &numbersThere), {&first, &firstThere}, {&end, &endThere}}) {
      *memory = DeviceMemory(4 * values->size());
      cu::copyToDevice(memory->get(), values->data(), memory->size());
    }
  }

  static std::size_t bytesOf(const Options &options) {
    return static_cast<std::size_t>(options.batch * options.seq * options.heads * 128 * 2);
  }

  DeviceMemory q, k, v, o, perHead, bias, numbersThere, firstThere, endThere;
  std::vector<int32_t> numbers, first, end;
};

Tensor tensor(const DeviceMemory &memory, Type type, std::initializer_list<int64_t> extents) {
  return {reinterpret_cast<const void *>(memory.get()), type, extents};
}

/// A kernel, and whether it sees anything of a tile: of 128 rows from `row` and keys from `col`.
struct Entry {
  const char *name;
  std::function<trident::Status(trident::Stream)> launch;
  std::function<bool(int64_t row, int64_t col)> sees;
  std::vector<double> times = {};
};

template <typename Arguments>
Arguments commonArguments(const Options &options, const Inputs &inputs) {
  Arguments arguments;
  auto of = [&](const DeviceMemory &memory) {
    return tensor(memory, Type::bf16, {options.batch, options.seq, options.heads, 128});
  };
  arguments.q = of(inputs.q);
  arguments.k = of(inputs.k);
  arguments.v = of(inputs.v);
  arguments.o = of(inputs.o);
  arguments.scale = 0.08838835f;
  return arguments;
}

#define SPEED_ENTRY(kernel, mode, sees, ...)                                                       \
  entries.push_back({#kernel,                                                                      \
                     [=, &options, &inputs](trident::Stream stream) {                              \
                       using namespace trident::speed_##kernel;                                    \
                       auto arguments = commonArguments<Arguments>(options, inputs);               \
                       arguments.causal = Causal::mode;                                            \
                       __VA_ARGS__;                                                                \
                       return launch(arguments, stream);                                           \
                     },                                                                            \
                     sees})

std::vector<Entry> listEntries(const Options &options, const Inputs &inputs) {
  std::vector<Entry> entries;
  Tensor perHead = tensor(inputs.perHead, Type::f32, {options.heads}),
         numbers = tensor(inputs.numbersThere, Type::i32, {1, options.seq}),
         first = tensor(inputs.firstThere, Type::i32, {1, options.seq}),
         end = tensor(inputs.endThere, Type::i32, {1, options.seq}),
         bias = tensor(inputs.bias, Type::bf16, {1, options.heads, options.seq, options.seq});
  auto causal = [](int64_t row, int64_t col) { return col <= row; };
  auto window = [&options](int64_t row, int64_t col) {
    return col <= row && col + 127 >= row - options.window;
  };
  auto documents = [&inputs](int64_t row, int64_t col) {
    return col <= row && inputs.numbers[static_cast<std::size_t>(row)] <=
                             inputs.numbers[static_cast<std::size_t>(col + 127)];
  };
  SPEED_ENTRY(plain, bottom_right, causal);
  SPEED_ENTRY(soft_cap, bottom_right, causal, arguments.soft_cap = 30.0f,
              arguments.tanh = Tanh::approx);
  SPEED_ENTRY(alibi, bottom_right, causal, arguments.slopes = perHead,
              arguments.alibi = Alibi::bottom_right);
  SPEED_ENTRY(sink, bottom_right, causal, arguments.sinks = perHead);
  SPEED_ENTRY(bias, bottom_right, causal, arguments.bias = bias);
  SPEED_ENTRY(window, none, window, arguments.window_left = static_cast<int32_t>(options.window),
              arguments.window_right = 0, arguments.window = Window::bottom_right);
  SPEED_ENTRY(document, bottom_right, causal, arguments.document_q = numbers,
              arguments.document_k = numbers);
  SPEED_ENTRY(ordered_document, bottom_right, documents, arguments.document_q = numbers,
              arguments.document_k = numbers);
  SPEED_ENTRY(key_range, bottom_right, documents, arguments.first_key = first,
              arguments.end_key = end);
  return entries;
}
#undef SPEED_ENTRY

double teraflops(const Options &options, const Entry &entry, double microseconds) {
  double tiles = 0;
  for (int64_t row = 0; row < options.seq; row += 128)
    for (int64_t col = 0; col < options.seq; col += 128)
      tiles += entry.sees(row, col);
  return static_cast<double>(options.batch * options.heads) * tiles * 4 * 128 * 128 * 128 /
         microseconds / 1e6;
}

int run(const Options &options) {
  RunOptions library;
  library.standIn = options.standIn;
  if (!openDriverOrSkip(library, "attention_mods_speed", 1))
    return skippedStatus;
  Context context;
  Inputs inputs(options);
  std::vector<Entry> entries = listEntries(options, inputs);
  Stream stream;
  Event before, after;
  auto *handle = static_cast<CUstream_st *>(stream.get());
  for (int64_t round = -1; round < options.rounds; ++round) // The first only warms up.
    for (Entry &entry : entries) {
      before.record(stream.get());
      trident::Status status = entry.launch(handle);
      expect(status.ok()) << status.message();
      after.record(stream.get());
      after.synchronize();
      if (round >= 0)
        entry.times.push_back(after.microsecondsSince(before));
    }
  std::printf(
      "[%lld, %lld, %lld, 128] bf16, causal, by visible tiles of 128 x 128; median of %lld\n",
      static_cast<long long>(options.batch), static_cast<long long>(options.seq),
      static_cast<long long>(options.heads), static_cast<long long>(options.rounds));
  double plain = 0;
  for (Entry &entry : entries) {
    std::nth_element(entry.times.begin(), entry.times.begin() + options.rounds / 2,
                     entry.times.end());
    double middle = entry.times[static_cast<std::size_t>(options.rounds / 2)],
           rate = teraflops(options, entry, middle);
    plain = plain == 0 ? rate : plain;
    std::printf("%-12s %10.1f us %8.1f TFLOP/s %6.3f of plain\n", entry.name, middle, rate,
                rate / plain);
  }
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("What functions of scores and masks cost");
  app.add_option("--batch", options.batch)->capture_default_str();
  app.add_option("--heads", options.heads)->capture_default_str();
  app.add_option("--seq", options.seq, "A multiple of 128 and of the documents")
      ->capture_default_str();
  app.add_option("--window", options.window)->capture_default_str();
  app.add_option("--documents", options.documents)->capture_default_str();
  app.add_option("--rounds", options.rounds)->capture_default_str();
  app.add_option("--stand-in", options.standIn, "The driver library to use without a GPU");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "attention_mods_speed: %s\n", failure.what());
    return 1;
  }
}
