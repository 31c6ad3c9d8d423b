//===- matrix_layouts.cpp - Matrices of any strides and addresses ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Kernels that are not attention, whose columns are tiled and end anywhere: f32 tiles that become
// pairs, f32 tiles that stay f32, and 16-bit ones that no dot takes. What lies between elements is
// NaN, or a canary.
//===----------------------------------------------------------------------===//
#include "GemmCase.h"
#include "row_softmax.h"
#include "twice_f32.h"

using namespace trident;
using namespace trident::test;

namespace {
/// Rows and columns so many elements apart, from an element of an aligned buffer on.
struct Steps {
  int64_t offset, columns, rest;
  bool transposed;
};
const std::vector<Steps> allSteps = {{0, 1, 0, false}, {1, 1, 3, false}, {0, 1, 1, false},
                                     {2, 2, 5, false}, {3, 1, 1, true},  {0, 3, 0, true}};

Placement placeBy(const Steps &steps, int64_t rows, int64_t columns) {
  Placement place;
  place.extents = {1, 1, rows, columns};
  int64_t inner = std::max<int64_t>(steps.transposed ? rows : columns, 1);
  int64_t outer = inner * steps.columns + steps.rest;
  place.strides = {0, 0, outer, steps.columns};
  if (steps.transposed)
    std::swap(place.strides[2], place.strides[3]);
  place.offset = steps.offset;
  return place;
}

const std::vector<std::array<int64_t, 3>> allSizes = {{1, 1, 1}, {129, 65, 63}, {64, 130, 70}};

std::string describe(const Steps &steps) {
  return ", columns " + std::to_string(steps.columns) + " apart";
}

/// Doubles the matrix at \p address by the kernel, and compares with \p x, its elements.
void checkTwice(DevicePtr address, const Placement &place, const std::vector<float> &x,
                const std::string &layout) {
  OutputBuffer<float> output("y", place);
  twice_f32::Arguments arguments;
  arguments.x = matrixTensor(address, Type::f32, place);
  arguments.y = matrixTensor(output.address(), Type::f32, place);
  output.poison();
  mustSucceed(twice_f32::launch(arguments, nullptr));
  cu::synchronize();
  std::vector<float> y = output.read();
  for (std::size_t i = 0; i < x.size(); ++i)
    expect(y[i] == 2 * x[i]) << place.extents[2] << " x " << place.extents[3] << layout
                             << ": element " << i << " is " << y[i] << ", expected " << 2 * x[i];
}
} // namespace

TRIDENT_TEST(tiles_that_become_pairs) {
  Context context;
  for (auto [m, n, k] : allSizes)
    for (const Steps &steps : allSteps)
      checkGemm(placeBy(steps, m, k), placeBy(steps, k, n), placeBy(steps, m, n), describe(steps));
}

TRIDENT_TEST(tiles_that_stay_f32) {
  Context context;
  for (const auto &size : allSizes)
    for (const Steps &steps : allSteps) {
      std::vector<float> x = normalMatrix(3, size[0], size[1]);
      Placement place = placeBy(steps, size[0], size[1]);
      DeviceMemory buffer = inputBuffer(place, x);
      checkTwice(tensorAddress(buffer, place, 4), place, x, describe(steps));
    }
}

// The stand-in reports a read outside an allocation.
TRIDENT_TEST(memory_that_ends_with_the_last_element) {
  Context context;
  for (const auto &size : allSizes)
    for (const Steps &steps : allSteps) {
      std::vector<float> x = normalMatrix(3, size[0], size[1]);
      Placement place = placeBy(steps, size[0], size[1]);
      std::vector<uint8_t> image(bufferBytes(place, 4), 0xff);
      scatter(image, place, x);
      DeviceMemory memory(static_cast<std::size_t>(place.end()) * 4);
      cu::copyToDevice(memory.get(), image.data() + guardBytes, memory.size());
      checkTwice(memory.get() + static_cast<DevicePtr>(place.offset) * 4, place, x,
                 describe(steps));
    }
}

TRIDENT_TEST(halves_that_no_dot_takes) {
  Context context;
  for (const auto &size : allSizes)
    for (const Steps &steps : allSteps) {
      const int64_t rows = size[0], columns = size[1];
      std::vector<uint16_t> x = fillMatrix(rows, columns, [&](int64_t row, int64_t column) {
        return 3 * normalNumber(7, static_cast<uint64_t>(row * columns + column));
      });
      Placement place = placeBy(steps, rows, columns);
      DeviceMemory input = inputBuffer(place, x);
      OutputBuffer<uint16_t> output("y", place);
      row_softmax::Arguments arguments;
      arguments.x = matrixTensor(tensorAddress(input, place, 2), Type::bf16, place);
      arguments.y = matrixTensor(output.address(), Type::bf16, place);
      output.poison();
      mustSucceed(row_softmax::launch(arguments, nullptr));
      cu::synchronize();
      std::vector<uint16_t> y = output.read();
      for (int64_t row = 0; row < rows; ++row) {
        double sum = 0;
        auto at = [&](const std::vector<uint16_t> &values, int64_t column) {
          return static_cast<double>(
              fromBf16(values[static_cast<std::size_t>(row * columns + column)]));
        };
        for (int64_t column = 0; column < columns; ++column)
          sum += std::exp(at(x, column));
        for (int64_t column = 0; column < columns; ++column) {
          double want = std::exp(at(x, column)) / sum;
          expect(std::abs(at(y, column) - want) <= want * 0x1p-8 + 1e-7)
              << rows << " x " << columns << describe(steps) << ": y[" << row << ", " << column
              << "] is " << at(y, column) << ", expected " << want;
        }
      }
    }
}

int main(int argc, char **argv) {
  return runNamedTests("matrix_layouts", parseRunOptions(argc, argv));
}
