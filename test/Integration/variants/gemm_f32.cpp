//===- gemm_f32.cpp - A product of f32 matrices that is not attention -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The columns of both operands are tiled and end anywhere, so their last pieces are read element by
// element; what lies behind a row is NaN.
//===----------------------------------------------------------------------===//
#include "gemm_f32.h"
#include "support/Checks.h"
#include "support/MatrixCase.h"

using namespace trident;
using namespace trident::test;

namespace {
std::vector<float> normal(uint64_t seed, int64_t rows, int64_t columns) {
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = normalNumber(seed, i);
  return out;
}

/// Compares with float64: each product may be off by 2^-15 of itself.
void check(int64_t m, int64_t n, int64_t k) {
  std::vector<float> a = normal(1, m, k), b = normal(2, k, n);
  Placement placeA = placeMatrix(m, k), placeB = placeMatrix(k, n), placeC = placeMatrix(m, n);
  DeviceMemory bufferA = inputBuffer(placeA, a), bufferB = inputBuffer(placeB, b);
  OutputBuffer<float> output("c", placeC);
  gemm_f32::Arguments arguments;
  arguments.a = matrixTensor(tensorAddress(bufferA, placeA, 4), Type::f32, placeA);
  arguments.b = matrixTensor(tensorAddress(bufferB, placeB, 4), Type::f32, placeB);
  arguments.c = matrixTensor(output.address(), Type::f32, placeC);
  output.poison();
  mustSucceed(gemm_f32::launch(arguments, nullptr));
  cu::synchronize();
  std::vector<float> c = output.read();
  parallelFor(m, [&](int64_t row) {
    for (int64_t column = 0; column < n; ++column) {
      double want = 0, absolute = 0;
      for (int64_t i = 0; i < k; ++i) {
        double product = static_cast<double>(a[static_cast<std::size_t>(row * k + i)]) *
                         static_cast<double>(b[static_cast<std::size_t>(i * n + column)]);
        want += product;
        absolute += std::abs(product);
      }
      double got = static_cast<double>(c[static_cast<std::size_t>(row * n + column)]);
      expect(std::abs(got - want) <= 0x1p-15 * absolute)
          << m << " x " << n << " x " << k << ": c[" << row << ", " << column << "] is " << got
          << ", expected " << want;
    }
  });
}
} // namespace

TRIDENT_TEST(lengths_around_every_tile) {
  Context context;
  for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                         {127, 65, 63},
                         {129, 64, 64},
                         {200, 133, 201},
                         {64, 3, 330},
                         {128, 130, 66}})
    check(m, n, k);
}

TRIDENT_TEST(nothing) {
  Context context;
  check(0, 64, 64);
  check(64, 64, 0);
}

int main(int argc, char **argv) { return runNamedTests("gemm_f32", parseRunOptions(argc, argv)); }
