//===- SparseTensor.h - Huge strides in little memory ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_SPARSETENSOR_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_SPARSETENSOR_H

#include "AttentionCall.h"
#include "GuardedBuffers.h"

#include <set>

namespace trident::test {

/// Addresses with memory behind a few pages of them only; what touches another page fails.
class SparseMemory {
public:
  static constexpr std::size_t pageBytes = std::size_t{2} << 20;

  explicit SparseMemory(std::size_t bytes);
  ~SparseMemory();
  SparseMemory(const SparseMemory &) = delete;
  SparseMemory &operator=(const SparseMemory &) = delete;

  /// Puts memory, every byte 0xff, behind [offset, offset + bytes).
  void map(std::size_t offset, std::size_t bytes);
  DevicePtr get() const { return base; }

private:
  DevicePtr base = 0;
  std::size_t bytes;
  std::set<std::size_t> pages;
};

/// A 16-bit tensor that spans far more addresses than it has elements: there is memory behind its
/// rows only.
class SparseTensor {
public:
  explicit SparseTensor(Placement where);

  void write(const std::vector<uint16_t> &from) const;
  /// Reads the rows; throws when an element after one of them was written.
  std::vector<uint16_t> read() const;
  TensorArgument argument(Element element) const;

private:
  static constexpr int64_t guard = 256; ///< elements before and after a row

  DevicePtr row(int64_t index) const {
    return memory.get() + static_cast<DevicePtr>(2 * place.rowOffset(index));
  }
  std::size_t rowBytes() const { return static_cast<std::size_t>(2 * place.extents[3]); }

  Placement place;
  SparseMemory memory;
};

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_SPARSETENSOR_H
