//===- attention_example.cpp - Attention from a C++ program ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Makes random queries, keys and values, calls the function that trident-compile wrote, compares
// with attention in float64 and prints the error and the time. Usage: attention_example [LENGTH
// [HEADS]]
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <vector>

using namespace trident;

// The few driver calls of this program. One that has <cuda.h> would include that; Trident does not
// need it.
static void *library;
template <typename... Args> void cuda(const char *name, Args... args) {
  auto function = reinterpret_cast<int (*)(Args...)>(library ? dlsym(library, name) : nullptr);
  int code = function ? function(args...) : -1;
  if (code != 0) {
    std::fprintf(stderr, "%s failed with %d: is there a CUDA driver?\n", name, code);
    std::exit(1);
  }
}

static uint16_t toBf16(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static double fromBf16(uint16_t x) {
  const uint32_t bits = static_cast<uint32_t>(x) << 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return static_cast<double>(value);
}

int main(int argc, char **argv) {
  const char *standIn = std::getenv("TRIDENT_LIBCUDA"); // the launcher heeds it too
  library = dlopen(standIn ? standIn : "libcuda.so.1", RTLD_NOW);
  void *context = nullptr;
  char device[100];
  cuda("cuInit", 0u);
  cuda("cuDeviceGetName", static_cast<char *>(device), 100, 0);
  cuda("cuDevicePrimaryCtxRetain", &context, 0);
  cuda("cuCtxSetCurrent", context);

  // Q, K, V of shape [batch, length, heads, head_dim], contiguous; standard normal.
  const int length = argc > 1 ? std::atoi(argv[1]) : standIn ? 200 : 4096;
  const int heads = argc > 2 ? std::atoi(argv[2]) : standIn ? 2 : 16;
  constexpr int64_t headDim = 128;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<uint16_t> host[4]; // q, k, v, o
  unsigned long long memory[4];
  for (int i = 0; i < 4; ++i) {
    host[i].resize(static_cast<size_t>(headDim * heads * length));
    for (uint16_t &x : host[i])
      x = toBf16(normal(random));
    cuda("cuMemAlloc_v2", &memory[i], host[i].size() * 2);
    cuda("cuMemcpyHtoD_v2", memory[i], host[i].data(), host[i].size() * 2);
  }

  // The call. A shape that the kernel cannot take comes back as a sentence, before anything is
  // launched.
  attention_fwd::Arguments arguments;
  Tensor *tensors[] = {&arguments.q, &arguments.k, &arguments.v, &arguments.o};
  for (int i = 0; i < 4; ++i)
    *tensors[i] =
        Tensor(reinterpret_cast<void *>(memory[i]), Type::bf16, {1, length, heads, headDim});
  arguments.scale = 1.0f / std::sqrt(static_cast<float>(headDim));
  arguments.causal = attention_fwd::Causal::bottom_right;
  const int calls = standIn ? 1 : 20;
  std::chrono::duration<double> seconds;
  for (int round = standIn ? 1 : 0; round < 2; ++round) { // round 0 loads the kernel
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i)
      if (Status status = attention_fwd::launch(arguments, nullptr); !status) {
        std::fprintf(stderr, "%s\n", status.message().c_str());
        return 1;
      }
    cuda("cuCtxSynchronize");
    seconds = std::chrono::steady_clock::now() - start;
  }
  cuda("cuMemcpyDtoH_v2", host[3].data(), memory[3], host[3].size() * 2);

  // Attention in float64, for some of the rows of every head.
  const auto at = [&](int tensor, int64_t row, int64_t head, int64_t column) {
    return fromBf16(host[tensor][static_cast<size_t>((row * heads + head) * headDim + column)]);
  };
  double error = 0;
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t row = length - 1; row >= 0; row -= 1 + length / 32) {
      double weights = 0, sums[headDim] = {};
      for (int64_t key = 0; key <= row; ++key) {
        double score = 0;
        for (int64_t d = 0; d < headDim; ++d)
          score += at(0, row, head, d) * at(1, key, head, d);
        const double weight = std::exp(score * static_cast<double>(arguments.scale));
        weights += weight;
        for (int64_t d = 0; d < headDim; ++d)
          sums[d] += weight * at(2, key, head, d);
      }
      for (int64_t d = 0; d < headDim; ++d)
        error = std::fmax(error, std::fabs(at(3, row, head, d) - sums[d] / weights));
    }

  std::printf("causal attention in bf16, length %d, %d heads of 128, on %s%s\n"
              "error:  %.2g at most, against float64\ntime:   %.3f ms a call\n",
              length, heads, device, standIn ? " (the stand-in, which runs PTX on the CPU)" : "",
              error, 1e3 * seconds.count() / calls);
  return error < 0.02 ? 0 : 1;
}
