//===- MatrixCase.h - Matrices of the kernels that are not attention ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_MATRIXCASE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_MATRIXCASE_H

#include "GuardedBuffers.h"
#include "trident/launch.h"

namespace trident::test {

/// The lengths that find most faults of tiles: one off every multiple, 1, and long ones.
inline const std::vector<int64_t> tileLengths{1,   2,   63,  64,  65,   127, 128,
                                              129, 192, 200, 333, 1000, 2048};

/// [rows, columns], rows a multiple of 16 bytes apart, with unused elements between them.
inline Placement placeMatrix(int64_t rows, int64_t columns) {
  Placement place;
  place.extents = {1, 1, rows, columns};
  int64_t stride = (columns + 7) / 8 * 8 + 8;
  place.strides = {stride * std::max<int64_t>(rows, 1), stride * std::max<int64_t>(rows, 1), stride,
                   1};
  place.offset = 8;
  return place;
}

/// A vector of `length` elements.
inline Placement placeVector(int64_t length) {
  Placement place;
  place.extents = {1, 1, 1, length};
  place.strides = {length, length, length, 1};
  return place;
}

inline Tensor matrixTensor(DevicePtr address, Type type, const Placement &place) {
  return Tensor(reinterpret_cast<void *>(address), type, {place.extents[2], place.extents[3]},
                {place.strides[2], place.strides[3]});
}

inline Tensor vectorTensor(DevicePtr address, Type type, const Placement &place) {
  return Tensor(reinterpret_cast<void *>(address), type, {place.extents[3]}, {1});
}

/// bf16 numbers, value(row, column) each.
template <typename Value>
std::vector<uint16_t> fillMatrix(int64_t rows, int64_t columns, Value value) {
  std::vector<uint16_t> out(static_cast<std::size_t>(rows * columns));
  parallelFor(rows, [&](int64_t row) {
    for (int64_t column = 0; column < columns; ++column)
      out[static_cast<std::size_t>(row * columns + column)] = toBf16(value(row, column));
  });
  return out;
}

/// f32 numbers, normally distributed.
inline std::vector<float> normalMatrix(uint64_t seed, int64_t rows, int64_t columns) {
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = normalNumber(seed, i);
  return out;
}

inline void mustSucceed(const Status &status) {
  expect(status.ok()) << "the call was refused: " << status.message();
}

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_MATRIXCASE_H
