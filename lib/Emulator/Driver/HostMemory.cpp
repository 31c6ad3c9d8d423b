//===- HostMemory.cpp - The bytes behind device memory --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostMemory.h"

#include "AddressSpace.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace trident::emu {
namespace {

constexpr uint64_t tileBytes = 64ull << 20; ///< the file that large ranges show again and again
constexpr uint64_t mapFrom = 1ull << 20;    ///< smaller ranges come from the heap
constexpr uint64_t largestFilled = 256ull << 20; ///< of a file

void fill(std::byte *bytes, uint64_t size) {
  auto *halfwords = reinterpret_cast<uint16_t *>(bytes);
  std::fill(halfwords, halfwords + size / 2, freshMemoryPattern);
  if (size % 2)
    bytes[size - 1] = std::byte(freshMemoryPattern & 0xff);
}

int filledFile(uint64_t size) {
  int file = memfd_create("trident-emu", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0)
    return file < 0 ? file : (close(file), -1);
  void *bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED)
    return close(file), -1;
  fill(static_cast<std::byte *>(bytes), size);
  munmap(bytes, size);
  return file;
}

int tileFile() {
  static const int file = filledFile(tileBytes);
  return file;
}

} // namespace

std::shared_ptr<std::byte> allocateHostBytes(uint64_t size) {
  if (size < mapFrom) {
    auto *bytes = static_cast<std::byte *>(std::aligned_alloc(4096, (size + 4095) / 4096 * 4096));
    if (bytes)
      fill(bytes, size);
    return bytes ? std::shared_ptr<std::byte>(bytes, std::free) : nullptr;
  }
  void *range = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    return nullptr;
  std::shared_ptr<std::byte> bytes(static_cast<std::byte *>(range),
                                   [size](std::byte *b) { munmap(b, size); });
  if (size >= tileBytes && tileFile() < 0)
    return nullptr;
  if (size < tileBytes) {
    fill(bytes.get(), size);
    return bytes;
  }
  for (uint64_t at = 0; at < size; at += tileBytes)
    if (mmap(bytes.get() + at, std::min(tileBytes, size - at), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, tileFile(), 0) == MAP_FAILED)
      return nullptr;
  return bytes;
}

int createMemoryFile(uint64_t size) {
  if (size <= largestFilled)
    return filledFile(size);
  int file = memfd_create("trident-emu", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(size)) != 0)
    return close(file), -1;
  return file;
}

} // namespace trident::emu
