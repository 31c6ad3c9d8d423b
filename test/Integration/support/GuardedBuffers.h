//===- GuardedBuffers.h - Tensors in device memory, guarded on all sides --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_GUARDEDBUFFERS_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_GUARDEDBUFFERS_H

#include "Checks.h"
#include "Driver.h"
#include "Numbers.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace trident::test {

using namespace host;

/// Where a [batch, seq, heads, head_dim] tensor lies: offset into a buffer and strides, in
/// elements.
struct Placement {
  int64_t offset = 0;
  std::array<int64_t, 4> extents{};
  std::array<int64_t, 4> strides{};

  int64_t rows() const { return extents[0] * extents[1] * extents[2]; }
  /// The element offset of the `row`-th row in [batch, seq, heads] order.
  int64_t rowOffset(int64_t row) const {
    int64_t head = row % extents[2], seq = row / extents[2] % extents[1];
    return offset + row / extents[2] / extents[1] * strides[0] + seq * strides[1] +
           head * strides[2];
  }
  /// Calls visit(offset, number) for each element of the `row`-th row and its number among all.
  template <typename Visit> void visitRow(int64_t row, Visit visit) const {
    for (int64_t column = 0; column < extents[3]; ++column)
      visit(static_cast<std::size_t>(rowOffset(row) + column * strides[3]),
            static_cast<std::size_t>(row * extents[3] + column));
  }
  /// One past the last element.
  int64_t end() const;
};

inline int64_t Placement::end() const {
  int64_t last = offset;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    if (extents[axis] == 0)
      return offset;
    last += (extents[axis] - 1) * strides[axis];
  }
  return last + 1;
}

/// Bytes before and after every tensor; a multiple of what any alignment rule asks.
inline constexpr int64_t guardBytes = 1024;

/// Bytes of a buffer that holds a tensor and its guards.
inline std::size_t bufferBytes(const Placement &place, std::size_t elementBytes) {
  return static_cast<std::size_t>(2 * guardBytes) +
         static_cast<std::size_t>(place.end()) * elementBytes;
}

/// Writes rows, given one after the other, to where they belong in the bytes of a buffer.
template <typename Value>
void scatter(std::vector<uint8_t> &image, const Placement &place, const std::vector<Value> &from) {
  parallelFor(place.rows(), [&](int64_t row) {
    place.visitRow(row, [&](std::size_t offset, std::size_t number) {
      std::memcpy(image.data() + guardBytes + offset * sizeof(Value), from.data() + number,
                  sizeof(Value));
    });
  });
}

/// The address of element [0, 0, ...] of a tensor in a buffer.
inline DevicePtr tensorAddress(const DeviceMemory &memory, const Placement &place,
                               std::size_t elementBytes) {
  return memory.get() + static_cast<DevicePtr>(guardBytes) +
         static_cast<DevicePtr>(place.offset) * elementBytes;
}

/// An input in a buffer of its own: every byte that is no element is NaN.
template <typename Value>
DeviceMemory inputBuffer(const Placement &place, const std::vector<Value> &values) {
  std::vector<uint8_t> image(bufferBytes(place, sizeof(Value)), 0xff);
  scatter(image, place, values);
  DeviceMemory memory(image.size());
  cu::copyToDevice(memory.get(), image.data(), image.size());
  return memory;
}

/// An output: every byte of its buffer that is no element is a canary, and the elements are NaN
/// before each run.
template <typename Value> class OutputBuffer {
public:
  OutputBuffer() = default;
  OutputBuffer(const char *name, const Placement &place)
      : name(name), place(place), poisoned(bufferBytes(place, sizeof(Value))),
        memory(poisoned.size()) {
    for (std::size_t i = 0; i < poisoned.size(); ++i)
      poisoned[i] = static_cast<uint8_t>(0x5d + i * 167 + (i >> 8) * 59);
    std::vector<Value> rows(static_cast<std::size_t>(place.rows() * place.extents[3]));
    if (!rows.empty())
      std::memset(static_cast<void *>(rows.data()), 0xff, rows.size() * sizeof(Value));
    scatter(poisoned, place, rows);
  }

  /// Fills the elements with NaN and all around them with canaries.
  void poison() { cu::copyToDevice(memory.get(), poisoned.data(), poisoned.size()); }

  /// The elements, row after row; throws when a canary changed.
  std::vector<Value> read() {
    bytes.resize(poisoned.size());
    cu::copyToHost(bytes.data(), memory.get(), bytes.size());
    std::vector<Value> out(static_cast<std::size_t>(place.rows() * place.extents[3]));
    std::vector<uint8_t> rest = bytes;
    for (int64_t row = 0; row < place.rows(); ++row)
      place.visitRow(row, [&](std::size_t offset, std::size_t number) {
        uint8_t *at = rest.data() + guardBytes + offset * sizeof(Value);
        std::memcpy(out.data() + number, at, sizeof(Value));
        std::memset(at, 0xff, sizeof(Value));
      });
    auto changed = std::mismatch(rest.begin(), rest.end(), poisoned.begin()).first;
    expect(changed == rest.end()) << "byte " << changed - rest.begin() - guardBytes
                                  << " of the buffer of " << name
                                  << ", outside the tensor, was overwritten";
    return out;
  }

  /// The bytes as they were last read, canaries included.
  const std::vector<uint8_t> &lastBytes() const { return bytes; }
  /// The address of element [0, 0, ...].
  DevicePtr address() const { return tensorAddress(memory, place, sizeof(Value)); }

private:
  const char *name = "";
  Placement place;
  std::vector<uint8_t> poisoned, bytes;
  DeviceMemory memory;
};

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_GUARDEDBUFFERS_H
