//===- row_softmax.cpp - The row softmax, which is not attention -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// kernels/row_softmax.mlir goes the same road as attention: x [rows, columns] to y of the same
// shape, both bf16.
//===----------------------------------------------------------------------===//
#include "row_softmax.h"
#include "support/MatrixCase.h"

#include <limits>

using namespace trident;
using namespace trident::test;

namespace {
/// Runs x twice and compares each element with float64: half a rounding step of bf16, and as much
/// for fp32.
void check(int64_t rows, int64_t columns, const std::vector<uint16_t> &x) {
  Placement place = placeMatrix(rows, columns);
  DeviceMemory input = inputBuffer(place, x);
  OutputBuffer<uint16_t> output("y", place);
  row_softmax::Arguments arguments;
  arguments.x = matrixTensor(tensorAddress(input, place, 2), Type::bf16, place);
  arguments.y = matrixTensor(output.address(), Type::bf16, place);
  std::vector<uint16_t> y, first;
  for (int run = 0; run < 2; ++run) {
    output.poison();
    mustSucceed(row_softmax::launch(arguments, nullptr));
    cu::synchronize();
    first = std::move(y);
    y = output.read();
  }
  expect(first == y) << rows << " x " << columns << ": two runs differ";

  parallelFor(rows, [&](int64_t row) {
    const uint16_t *from = x.data() + row * columns, *got = y.data() + row * columns;
    double maximum = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < columns; ++j)
      maximum = std::max(maximum, static_cast<double>(fromBf16(from[j])));
    for (int64_t j = 0; j < columns; ++j)
      sum += std::exp(static_cast<double>(fromBf16(from[j])) - maximum);
    for (int64_t j = 0; j < columns; ++j) {
      double want = std::exp(static_cast<double>(fromBf16(from[j])) - maximum) / sum;
      double error = std::abs(static_cast<double>(fromBf16(got[j])) - want);
      expect(error <= want * 0x1p-8 + 1e-7)
          << rows << " x " << columns << ": y[" << row << ", " << j << "] is " << fromBf16(got[j])
          << ", expected " << want;
    }
  });
}

std::vector<uint16_t> normal(int64_t rows, int64_t columns, float size) {
  return fillMatrix(rows, columns, [=](int64_t row, int64_t column) {
    return size * normalNumber(7, static_cast<uint64_t>(row * columns + column));
  });
}

std::vector<uint16_t> constant(int64_t rows, int64_t columns, float value) {
  return fillMatrix(rows, columns, [=](int64_t, int64_t) { return value; });
}
} // namespace

TRIDENT_TEST(row_softmax_of_lengths_around_every_tile) {
  Context context;
  for (int64_t rows : tileLengths)
    for (int64_t columns : tileLengths)
      if (!driverIsStandIn() || rows * columns <= 40000)
        check(rows, columns, normal(rows, columns, 3.0f));
}

TRIDENT_TEST(row_softmax_of_equal_and_of_extreme_values) {
  Context context;
  for (float value : {0.0f, -6e4f, 1e30f, -1e30f})
    check(65, 200, constant(65, 200, value));
  std::vector<uint16_t> x = constant(64, 333, -1e30f);
  for (std::size_t row = 0; row < 64; ++row)
    x[row * 333 + row * 5] = toBf16(1.0f); // one column takes all the weight
  check(64, 333, x);
}

TRIDENT_TEST(row_softmax_of_nothing) {
  Context context;
  check(0, 64, {});
  check(64, 0, {});
}

TRIDENT_TEST(row_softmax_of_many_rows) {
  Context context;
  if (driverIsStandIn())
    throw Skip("70000 rows are too many for the stand-in");
  check(70000, 129, normal(70000, 129, 1.0f));
}

int main(int argc, char **argv) {
  return runNamedTests("row_softmax", parseRunOptions(argc, argv));
}
