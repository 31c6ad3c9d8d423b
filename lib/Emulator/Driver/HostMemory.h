//===- HostMemory.h - The bytes behind device memory ----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_HOSTMEMORY_H
#define TRIDENT_LIB_EMULATOR_DRIVER_HOSTMEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace trident::emu {

/// `size` bytes aligned to at least 4096, reading as `freshMemoryPattern`. Pages of a large range
/// are shared until they are written, so an 8 GiB tensor of which a few rows are used costs a few
/// rows. Null when the host refuses.
std::shared_ptr<std::byte> allocateHostBytes(uint64_t size);

/// A file in memory of `size` bytes, or -1. It reads as `freshMemoryPattern` up to 256 MiB; a
/// larger one as zeros, since its pages cannot be shared.
int createMemoryFile(uint64_t size);

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_HOSTMEMORY_H
