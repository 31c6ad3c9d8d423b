//===- mutating_driver.cpp - The stand-in, with one thing of a kernel changed ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Named by TRIDENT_LIBCUDA in place of the stand-in, which it links: every name is the stand-in's
// but three.
// - What loads images replaces line TRIDENT_MUTANT_LINE of the PTX by TRIDENT_MUTANT_TEXT; with
//   TRIDENT_MUTANT_DUMP it writes the PTX to that file instead. TRIDENT_MUTANT_WAS: only where the
//   line was this, for programs that load several kernels.
// - What encodes tensor maps changes one: TRIDENT_MUTANT_MAP="index of maps field value" means the
//   maps number index, index + maps, ...; fields are swizzle, rows, stride and box.
// - The device claims TRIDENT_MUTANT_MULTIPROCESSORS, so that few blocks run many work items.
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
template <typename Function> Function *standIn(Function *, const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/// What tensor maps are made of, as far as it is changed.
struct MapNumbers {
  uint64_t extents[5], strides[5];
  uint32_t box[5];
  int swizzle;
};

/// The axis of a map's rows: {head_dim, heads, rows, batch}.
constexpr unsigned rowAxis = 2;

void change(MapNumbers &map, const std::string &field, long value) {
  if (field == "swizzle")
    map.swizzle = static_cast<int>(value);
  else if (field == "rows")
    map.extents[rowAxis] += static_cast<uint64_t>(value);
  else if (field == "stride")
    map.strides[rowAxis - 1] += static_cast<uint64_t>(value);
  else
    map.box[rowAxis] += static_cast<uint32_t>(value);
}
} // namespace

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  constexpr int multiprocessorCount = 16;
  int result = standIn(&cuDeviceGetAttribute, "cuDeviceGetAttribute")(value, attribute, device);
  const char *claimed = std::getenv("TRIDENT_MUTANT_MULTIPROCESSORS");
  if (result == 0 && claimed && attribute == multiprocessorCount)
    *value = static_cast<int>(std::strtol(claimed, nullptr, 10));
  return result;
}

EXPORT int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                                  const uint64_t *extents, const uint64_t *strides,
                                  const uint32_t *box, const uint32_t *elementStrides,
                                  int interleave, int swizzle, int l2, int fill) {
  MapNumbers numbers = {};
  std::copy_n(extents, rank, numbers.extents);
  std::copy_n(strides, rank - 1, numbers.strides);
  std::copy_n(box, rank, numbers.box);
  numbers.swizzle = swizzle;
  if (const char *wanted = std::getenv("TRIDENT_MUTANT_MAP")) {
    static unsigned encoded = 0;
    unsigned index = 0, maps = 1;
    std::string field;
    long value = 0;
    std::istringstream(wanted) >> index >> maps >> field >> value;
    if (encoded++ % maps == index && rank > rowAxis)
      change(numbers, field, value);
  }
  return standIn(&cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled")(
      map, type, rank, address, numbers.extents, numbers.strides, numbers.box, elementStrides,
      interleave, numbers.swizzle, l2, fill);
}

EXPORT int cuLibraryLoadData(void **library, const void *code, int *options, void **values,
                             unsigned count, int *libraryOptions, void **libraryValues,
                             unsigned libraryCount) {
  std::string text;
  const char *start = static_cast<const char *>(code);
  start += std::strspn(start, " \t\r\n");
  if (*start == '/' || *start == '.') {
    text = static_cast<const char *>(code);
    if (const char *dump = std::getenv("TRIDENT_MUTANT_DUMP"))
      std::ofstream(dump) << text;
    const char *line = std::getenv("TRIDENT_MUTANT_LINE");
    const char *replacement = std::getenv("TRIDENT_MUTANT_TEXT");
    if (line && replacement) {
      size_t begin = 0;
      for (long i = std::strtol(line, nullptr, 10); i > 1; --i)
        begin = text.find('\n', begin) + 1;
      size_t length = text.find('\n', begin) - begin;
      const char *was = std::getenv("TRIDENT_MUTANT_WAS");
      if (!was || text.compare(begin, length, was) == 0)
        text.replace(begin, length, replacement);
    }
    code = text.c_str();
  }
  return standIn(&cuLibraryLoadData, "cuLibraryLoadData")(
      library, code, options, values, count, libraryOptions, libraryValues, libraryCount);
}
