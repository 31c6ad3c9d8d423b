//===- matmul_rowmax.cpp - A matrix product with a row maximum ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// kernels/matmul_rowmax.mlir goes the same road as attention: a [m, k] and b [n, k] of bf16 give c
// = a b^T [m, n] and rowmax [m], the largest element of each row of c, both f32. k is 64, 128 or
// 256, or ends inside a panel: 40, 72, 200.
//===----------------------------------------------------------------------===//
#include "matmul_rowmax.h"
#include "support/MatrixCase.h"

#include <limits>

using namespace trident;
using namespace trident::test;

namespace {
struct Outputs {
  std::vector<float> c;
  std::vector<float> rowMax;
};

Outputs runTwice(int64_t m, int64_t n, int64_t k, const std::vector<uint16_t> &a,
                 const std::vector<uint16_t> &b) {
  Placement placeA = placeMatrix(m, k), placeB = placeMatrix(n, k), placeC = placeMatrix(m, n);
  Placement placeMax = placeVector(m);
  DeviceMemory bufferA = inputBuffer(placeA, a), bufferB = inputBuffer(placeB, b);
  OutputBuffer<float> c("c", placeC);
  OutputBuffer<float> rowMax("rowmax", placeMax);
  matmul_rowmax::Arguments arguments;
  arguments.a = matrixTensor(tensorAddress(bufferA, placeA, 2), Type::bf16, placeA);
  arguments.b = matrixTensor(tensorAddress(bufferB, placeB, 2), Type::bf16, placeB);
  arguments.c = matrixTensor(c.address(), Type::f32, placeC);
  arguments.rowmax = vectorTensor(rowMax.address(), Type::f32, placeMax);
  Outputs outputs;
  std::vector<uint8_t> firstC, firstMax;
  for (int run = 0; run < 2; ++run) {
    c.poison();
    rowMax.poison();
    mustSucceed(matmul_rowmax::launch(arguments, nullptr));
    cu::synchronize();
    firstC = c.lastBytes();
    firstMax = rowMax.lastBytes();
    outputs = {c.read(), rowMax.read()};
  }
  expect(firstC == c.lastBytes() && firstMax == rowMax.lastBytes())
      << m << " x " << n << " x " << k << ": two runs differ";
  return outputs;
}

/// Compares with float64. An fp32 accumulator may be off by a few parts in 2^22 of the sum of
/// absolute products.
void check(int64_t m, int64_t n, int64_t k, const std::vector<uint16_t> &a,
           const std::vector<uint16_t> &b) {
  Outputs outputs = runTwice(m, n, k, a, b);
  parallelFor(m, [&](int64_t row) {
    float maximum = -std::numeric_limits<float>::infinity();
    for (int64_t column = 0; column < n; ++column) {
      double want = 0, absolute = 0;
      for (int64_t i = 0; i < k; ++i) {
        double product = static_cast<double>(fromBf16(a[static_cast<std::size_t>(row * k + i)])) *
                         static_cast<double>(fromBf16(b[static_cast<std::size_t>(column * k + i)]));
        want += product;
        absolute += std::abs(product);
      }
      float got = outputs.c[static_cast<std::size_t>(row * n + column)];
      expect(std::abs(static_cast<double>(got) - want) <= 1e-6 * absolute)
          << m << " x " << n << " x " << k << ": c[" << row << ", " << column << "] is " << got
          << ", expected " << want;
      maximum = std::max(maximum, got);
    }
    float got = outputs.rowMax[static_cast<std::size_t>(row)];
    expect(got == maximum) << m << " x " << n << " x " << k << ": rowmax[" << row << "] is " << got
                           << ", but the largest of the row of c is " << maximum;
  });
}

std::vector<uint16_t> normal(uint64_t seed, int64_t rows, int64_t columns) {
  return fillMatrix(rows, columns, [=](int64_t row, int64_t column) {
    return normalNumber(seed, static_cast<uint64_t>(row * columns + column));
  });
}

void checkNormal(int64_t m, int64_t n, int64_t k) {
  check(m, n, k, normal(1, m, k), normal(2, n, k));
}
} // namespace

TRIDENT_TEST(matmul_rowmax_of_lengths_around_every_tile) {
  Context context;
  Draw draw(20261130);
  for (int i = 0; i < (driverIsStandIn() ? 12 : 120); ++i) {
    int64_t m = 0, n = 0, k = 0;
    do {
      m = draw.pick(tileLengths);
      n = draw.pick(tileLengths);
      k = draw.pick(std::vector<int64_t>{64, 128, 256});
    } while (driverIsStandIn() && (m + 128) * (n + 128) * k > 40'000'000);
    checkNormal(m, n, k);
  }
}

TRIDENT_TEST(matmul_rowmax_of_depths_that_fill_no_panel) {
  // What lies behind a row is NaN: products take in zeros in its place.
  Context context;
  for (int64_t k : {40, 72, 200})
    checkNormal(129, 65, k);
}

TRIDENT_TEST(matmul_rowmax_of_negative_products_is_negative) {
  // Rows and columns past the end read as zero; they must not become the maximum.
  Context context;
  for (auto [m, n, k] : {std::array<int64_t, 3>{65, 129, 64}, {64, 1, 128}, {129, 200, 256}}) {
    auto magnitude = [](uint64_t seed, float sign, int64_t columns) {
      return [=](int64_t row, int64_t column) {
        return sign *
               (0.5f + std::abs(normalNumber(seed, static_cast<uint64_t>(row * columns + column))));
      };
    };
    check(m, n, k, fillMatrix(m, k, magnitude(1, 1.0f, k)),
          fillMatrix(n, k, magnitude(2, -1.0f, k)));
  }
}

TRIDENT_TEST(matmul_rowmax_of_nothing) {
  Context context;
  checkNormal(0, 64, 64);
  checkNormal(64, 0, 64); // rowmax is -inf
}

int main(int argc, char **argv) {
  return runNamedTests("matmul_rowmax", parseRunOptions(argc, argv));
}
