//===- Bench.cpp - Measures calls of the generated attention function -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bench.h"
#include "Driver.h"
#include "attention_fwd.h"

#include <array>
#include <chrono>
#include <stdexcept>

namespace trident::bench {

using namespace host;

namespace {
const char *layoutName(Layout layout) {
  const char *names[] = {"bshd", "bhsd", "sbhd"};
  return names[static_cast<int>(layout)];
}

attention_fwd::Causal causalOf(const std::string &name) {
  if (name == "top_left")
    return attention_fwd::Causal::top_left;
  return name == "none" ? attention_fwd::Causal::none : attention_fwd::Causal::bottom_right;
}

/// A [batch, seq, heads, dim] tensor of the layout, in memory of its own.
struct DeviceTensor {
  DeviceMemory memory;
  Tensor tensor;

  DeviceTensor(const Cell &cell, int64_t seq, int64_t heads, int64_t d)
      : memory(static_cast<std::size_t>(2 * cell.batch * seq * heads * d)) {
    const int64_t b = cell.batch;
    const Type type = cell.element == Element::bf16 ? Type::bf16 : Type::f16;
    const void *address = reinterpret_cast<void *>(memory.get());
    if (cell.layout == Layout::bshd)
      tensor = Tensor(address, type, {b, seq, heads, d}, {seq * heads * d, heads * d, d, 1});
    else if (cell.layout == Layout::bhsd)
      tensor = Tensor(address, type, {b, seq, heads, d}, {seq * heads * d, d, seq * d, 1});
    else
      tensor = Tensor(address, type, {b, seq, heads, d}, {heads * d, b * heads * d, d, 1});
  }

  /// Standard normal numbers: power, and with it the clock, depends on the data.
  void fillNormal(Element element, uint64_t seed) {
    constexpr int64_t part = 1 << 16;
    std::vector<uint16_t> values(memory.size() / 2);
    auto count = static_cast<int64_t>(values.size());
    parallelFor((count + part - 1) / part, [&](int64_t block) {
      for (int64_t i = block * part; i < std::min(count, (block + 1) * part); ++i)
        values[static_cast<std::size_t>(i)] =
            toElement(element, normalNumber(seed, static_cast<uint64_t>(i)));
    });
    cu::copyToDevice(memory.get(), values.data(), memory.size());
  }
};

/// The tensors of a cell and the call on them.
struct Call {
  DeviceTensor q, k, v, o;
  DeviceMemory lse;
  attention_fwd::Arguments arguments;

  explicit Call(const Cell &cell)
      : q(cell, cell.seqQ, cell.heads, cell.headDims.keys),
        k(cell, cell.seqK, cell.kvHeads, cell.headDims.keys),
        v(cell, cell.seqK, cell.kvHeads, cell.headDims.values),
        o(cell, cell.seqQ, cell.heads, cell.headDims.values),
        lse(cell.lse ? static_cast<std::size_t>(4 * cell.batch * cell.heads * cell.seqQ) : 0) {
    q.fillNormal(cell.element, 1);
    k.fillNormal(cell.element, 2);
    v.fillNormal(cell.element, 3);
    arguments.q = q.tensor;
    arguments.k = k.tensor;
    arguments.v = v.tensor;
    arguments.o = o.tensor;
    if (cell.lse)
      arguments.lse = Tensor(reinterpret_cast<void *>(lse.get()), Type::f32,
                             {cell.batch, cell.heads, cell.seqQ});
    arguments.scale = 1.0f / std::sqrt(static_cast<float>(cell.headDims.keys));
    arguments.causal = causalOf(cell.causal);
  }

  void enqueue(const host::Stream &stream) const {
    Status status = attention_fwd::launch(arguments, static_cast<CUstream_st *>(stream.get()));
    if (!status)
      throw std::runtime_error(status.message());
  }
};

/// An empty kernel that takes as many parameters as attention: three tensor maps and sixteen words.
const char emptyKernel[] = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry empty(.param .align 64 .b8 a[128], .param .align 64 .b8 b[128],
                      .param .align 64 .b8 c[128], .param .align 8 .b8 d[128]) {
  ret;
}
)";

/// CUlaunchConfig of cuda.h.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  cu::Handle stream;
  void *attributes;
  unsigned attributeCount;
};

constexpr DriverCall<const LaunchConfig *, cu::Handle, void **, void **> launchKernel{
    "cuLaunchKernelEx"};

double microsecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Host time of one enqueue, from bursts that the launch queue holds without blocking.
template <typename Enqueue> Median hostTime(const host::Stream &stream, Enqueue enqueue) {
  std::vector<double> times;
  const auto begin = std::chrono::steady_clock::now();
  for (int burst = 0; burst < 20 && microsecondsSince(begin) < 5e5; ++burst) {
    for (int i = 0; i < 100; ++i) {
      auto start = std::chrono::steady_clock::now();
      enqueue();
      times.push_back(microsecondsSince(start));
    }
    stream.synchronize();
  }
  return medianOf(times);
}

Median hostTimeOfBareLaunch(const host::Stream &stream) {
  cu::Handle module = nullptr, function = nullptr;
  cu::moduleLoad(&module, static_cast<const void *>(emptyKernel));
  cu::moduleFunction(&function, module, "empty");
  alignas(64) std::array<char, 512> words{};
  void *parameters[] = {&words[0], &words[128], &words[256], &words[384]};
  LaunchConfig config{1, 1, 1, 32, 1, 1, 0, stream.get(), nullptr, 0};
  return hostTime(stream, [&] { launchKernel(&config, function, parameters, nullptr); });
}

Median measureFlushed(const Call &call, const host::Stream &stream, const Settings &settings) {
  DeviceMemory cache(std::size_t{256} << 20);
  Event start, end;
  std::vector<double> times;
  for (int round = 0; round < settings.rounds; ++round) {
    cu::fillAsync(cache.get(), 0, cache.size(), stream.get());
    start.record(stream.get());
    call.enqueue(stream);
    end.record(stream.get());
    end.synchronize();
    times.push_back(end.microsecondsSince(start));
  }
  return medianOf(times);
}

/// Time of one of `count` repetitions that follow each other without a gap.
template <typename Enqueue> double burst(const host::Stream &stream, int count, Enqueue enqueue) {
  Event start, end;
  start.record(stream.get());
  for (int i = 0; i < count; ++i)
    enqueue();
  end.record(stream.get());
  end.synchronize();
  return end.microsecondsSince(start) / count;
}

Median measureBackToBack(const Call &call, const host::Stream &stream, const Settings &settings) {
  auto enqueue = [&] { call.enqueue(stream); };
  double once = burst(stream, 3, enqueue);
  int count = static_cast<int>(std::clamp(1e3 * settings.burstMs / once, 3.0, 2000.0));
  std::vector<double> times;
  for (int round = 0; round < std::max(3, settings.rounds / 5); ++round)
    times.push_back(burst(stream, count, enqueue));
  return medianOf(times);
}

Median measureGraph(const Call &call, const host::Stream &stream, const Settings &settings) {
  Graph graph(stream.get(), [&] {
    for (int i = 0; i < settings.callsInGraph; ++i)
      call.enqueue(stream);
  });
  burst(stream, 3, [&] { graph.launch(stream.get()); });
  std::vector<double> times;
  for (int round = 0; round < settings.rounds; ++round)
    times.push_back(burst(stream, 1, [&] { graph.launch(stream.get()); }) / settings.callsInGraph);
  return medianOf(times);
}
} // namespace

std::string HeadDims::text() const {
  return std::to_string(keys) + (values == keys ? "" : "/" + std::to_string(values));
}

HeadDims HeadDims::parse(const std::string &text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  auto number = [&](const std::string &part) {
    const bool isNumber =
        !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == part.npos;
    const int64_t value = isNumber ? std::stoll(part) : 0;
    if (value == 0)
      throw std::runtime_error("head_dim '" + text +
                               "': expected a positive size, or two, of Q and V, as in 192/128");
    return value;
  };
  HeadDims dims;
  dims.keys = number(text.substr(0, slash));
  dims.values = slash == text.size() ? dims.keys : number(text.substr(slash + 1));
  return dims;
}

std::string Cell::name() const {
  std::string heads = "h" + std::to_string(this->heads) +
                      (kvHeads != this->heads ? "kv" + std::to_string(kvHeads) : "");
  return std::string(element == Element::bf16 ? "bf16" : "f16") + "/d" + headDims.text() + "/b" +
         std::to_string(batch) + heads + "/s" + std::to_string(seqQ) +
         (seqK != seqQ ? "x" + std::to_string(seqK) : "") + "/" + causal + "/" +
         layoutName(layout) + (lse ? "/lse" : "");
}

double Cell::operations() const {
  double full = 2.0 * static_cast<double>(batch * heads) * static_cast<double>(seqQ) *
                static_cast<double>(seqK) * static_cast<double>(headDims.keys + headDims.values);
  return causal == "none" ? full : full / 2;
}

Measurement measure(const Cell &cell, const Modes &modes, const Settings &settings) {
  Measurement result;
  result.cell = cell;
  try {
    Call call(cell);
    host::Stream stream;
    for (int i = 0; i < settings.warmUp; ++i)
      call.enqueue(stream);
    stream.synchronize();
    if (modes.flushed)
      result.flushed = measureFlushed(call, stream, settings);
    if (modes.backToBack)
      result.backToBack = measureBackToBack(call, stream, settings);
    if (modes.graph)
      result.graph = measureGraph(call, stream, settings);
    if (modes.host) {
      result.hostBare = hostTimeOfBareLaunch(stream);
      result.hostCall = hostTime(stream, [&] { call.enqueue(stream); });
    }
  } catch (const std::runtime_error &failure) {
    result.problem = failure.what();
  }
  return result;
}

} // namespace trident::bench
