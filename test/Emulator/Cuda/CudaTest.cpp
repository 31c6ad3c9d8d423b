//===- CudaTest.cpp - The CUDA programs on the machine -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Machine/Machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

namespace trident::emu::test {
namespace {

const std::string &programs() {
  static const std::string text = [] {
    std::ifstream file(TRIDENT_EMU_CUDA_PROGRAMS);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
  }();
  return text;
}

void expectOk(Machine &machine) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    machine.request.seed = seed;
    LaunchResult result = machine.launch();
    ASSERT_TRUE(result.ok) << result.reports[0].str();
  }
}

template <typename T, typename F> std::vector<T> make(size_t size, F f) {
  std::vector<T> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = static_cast<T>(f(i));
  return values;
}

TEST(Cuda, Saxpy) {
  Machine machine(programs(), "saxpy");
  auto x = make<float>(1000, [](size_t i) { return i * 0.5; });
  auto y = make<float>(1000, [](size_t i) { return 1000.0 - double(i); });
  std::vector<float> out(1000);
  machine.pass(2.0f).pass(machine.memory.add(x)).pass(machine.memory.add(y));
  machine.pass(machine.memory.add(out)).pass(1000).threads(96).blocks(3);
  expectOk(machine);
  for (size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(out[i], 1000.0f) << i;
}

TEST(Cuda, Reduce) {
  Machine machine(programs(), "reduce");
  auto in = make<int>(5000, [](size_t i) { return int(i * 37 % 101) - 50; });
  std::vector<int> out(1);
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).pass(5000);
  machine.threads(256).blocks(4);
  expectOk(machine);
  EXPECT_EQ(out[0], 3 * std::accumulate(in.begin(), in.end(), 0)); // once a seed
}

TEST(Cuda, Matmul) {
  Machine machine(programs(), "matmul");
  auto a = make<float>(1024, [](size_t i) { return double(i % 7) - 3; });
  auto b = make<float>(1024, [](size_t i) { return double(i % 5) - 2; });
  std::vector<float> c(1024);
  machine.pass(machine.memory.add(a)).pass(machine.memory.add(b)).pass(machine.memory.add(c));
  machine.pass(32);
  machine.request.block = {16, 16, 1};
  machine.request.grid = {2, 2, 1};
  expectOk(machine);
  for (size_t row = 0; row < 32; ++row)
    for (size_t column = 0; column < 32; ++column) {
      float sum = 0;
      for (size_t k = 0; k < 32; ++k)
        sum += a[row * 32 + k] * b[k * 32 + column];
      ASSERT_EQ(c[row * 32 + column], sum);
    }
}

TEST(Cuda, Softmax) {
  Machine machine(programs(), "softmax");
  auto in = make<float>(7 * 50, [](size_t i) { return std::sin(double(i)) * 4; });
  std::vector<float> out(in.size());
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).pass(7).pass(50);
  machine.threads(64).blocks(4);
  expectOk(machine);
  for (size_t row = 0; row < 7; ++row) {
    double sum = 0;
    for (size_t i = 0; i < 50; ++i)
      sum += std::exp(double(in[row * 50 + i]));
    for (size_t i = 0; i < 50; ++i)
      ASSERT_NEAR(out[row * 50 + i], std::exp(double(in[row * 50 + i])) / sum, 1e-6);
  }
}

TEST(Cuda, Histogram) {
  Machine machine(programs(), "histogram");
  auto in = make<unsigned char>(3000, [](size_t i) { return i * i % 251; });
  std::vector<unsigned> counts(256), expected(256);
  for (unsigned char value : in)
    expected[value] += 3;
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(counts)).pass(3000);
  machine.threads(128).blocks(5);
  expectOk(machine);
  EXPECT_EQ(counts, expected);
}

TEST(Cuda, Scan) {
  Machine machine(programs(), "scan");
  auto in = make<int>(256, [](size_t i) { return i % 9; });
  std::vector<int> out(256), expected(256);
  std::partial_sum(in.begin(), in.end(), expected.begin());
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).threads(256);
  expectOk(machine);
  EXPECT_EQ(out, expected);
}

TEST(Cuda, Collatz) {
  Machine machine(programs(), "collatz");
  std::vector<unsigned> out(128);
  machine.pass(machine.memory.add(out)).threads(64).blocks(2);
  expectOk(machine);
  EXPECT_EQ(out[26], 111u); // the famous 27
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[96], 118u); // 97
}

TEST(Cuda, Functions) {
  Machine machine(programs(), "functions");
  auto in = make<double>(40, [](size_t i) { return 0.37 * double(i) + 0.01; });
  std::vector<double> out(40);
  std::vector<float> outFloat(40);
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out));
  machine.pass(machine.memory.add(outFloat)).pass(40).threads(64);
  expectOk(machine);
  for (size_t i = 0; i < 40; ++i) {
    double x = in[i];
    float y = static_cast<float>(x);
    ASSERT_NEAR(out[i],
                std::sqrt(x) + std::exp(-x) / (1 + std::log(x + 1)) + std::sin(x) * std::cos(x) +
                    std::floor(x) + std::fmod(x, 0.75),
                1e-12 * (1 + std::fabs(out[i])));
    double expected = std::pow(y, 1.25) + std::atan2(y, 2.0f) + 1 / std::sqrt(y + 1) +
                      std::trunc(y) + std::erf(y) + std::sin(y) * std::cos(y * 1e6f);
    ASSERT_NEAR(outFloat[i], expected, 1e-5 * (1 + std::fabs(expected)));
  }
}

TEST(Cuda, Mixed) {
  Machine machine(programs(), "mixed");
  auto in = make<unsigned>(64, [](size_t i) { return i * 2654435761u; });
  std::vector<uint64_t> out(64);
  machine.pass(machine.memory.add(in)).pass(machine.memory.add(out)).pass(64).threads(64);
  expectOk(machine);
  for (size_t i = 0; i < 64; ++i) {
    uint64_t values[8], x = in[i], expected = 0;
    for (size_t j = 0; j < 8; ++j)
      values[j] = in[(i + j) % 64] * 0x9e3779b97f4a7c15ull;
    auto reversed = [](uint64_t value) {
      uint64_t result = 0;
      for (unsigned bit = 0; bit < 64; ++bit)
        result |= (value >> bit & 1) << (63 - bit);
      return result;
    };
    uint64_t shifted = values[6] >> (x % 64);
    const uint64_t results[] = {
        values[x % 5],
        static_cast<uint64_t>((unsigned __int128)values[1] * values[2] >> 64),
        static_cast<uint64_t>(__builtin_popcountll(values[x % 3])),
        values[3] / (values[x % 7] | 1),
        values[4] % 1000003,
        reversed(values[5]),
        shifted ? static_cast<uint64_t>(__builtin_clzll(shifted)) : 64,
        values[7] << (x % 64)};
    expected = results[x % 8];
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Cuda, Halves) {
  Machine machine(programs(), "halves");
  // 1 and 2 in f16; 1 and 3 in bf16.
  std::vector<uint32_t> a(32, 0x40003c00), b(32, 0x40403f80), outA(32), outB(32);
  machine.pass(machine.memory.add(a)).pass(machine.memory.add(b));
  machine.pass(machine.memory.add(outA)).pass(machine.memory.add(outB)).threads(32);
  expectOk(machine);
  EXPECT_EQ(outA[7], 0x44803e00u); // 4.5, 1.5
  EXPECT_EQ(outB[7], 0x41103fc0u); // 9, 1.5
}

} // namespace
} // namespace trident::emu::test
