//===- AddressSpace.h - Device memory and who owns which address ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One table holds every range that a kernel may touch. Device addresses lie in an arena that is
// reserved and never readable: the bytes live elsewhere, so a host program that dereferences a
// device pointer faults as on hardware. Around each allocation is a gap, and an address is not
// given out again until the whole arena has been used, so that accesses past the end and after the
// free are told apart and named. Fresh memory reads as NaN in every float type of two bytes or
// more.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_ADDRESSSPACE_H
#define TRIDENT_LIB_EMULATOR_DRIVER_ADDRESSSPACE_H

#include "CudaTypes.h"
#include "trident/Emulator/Executor.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace trident::emu {

/// Fresh memory is this halfword repeated: a NaN as f16, bf16, f32, f64, e4m3 and e5m2.
inline constexpr uint16_t freshMemoryPattern = 0x7fff;

enum class MemoryKind { device, managed, pinned, registered, mapped };

/// One live range: the bytes of [range.base, range.base + range.size) are at range.host.
struct MemoryRecord {
  Allocation range;
  MemoryKind kind = MemoryKind::device;
  int device = 0;              ///< ordinal of the owner
  CUcontext context = nullptr; ///< null for cuMemMap'ed memory
  uint64_t id = 0;             ///< unique for the life of the process
  unsigned flags = 0;          ///< of cuMemHostAlloc, cuMemHostRegister
  bool accessible = true;      ///< false between cuMemMap and cuMemSetAccess
  std::shared_ptr<void> storage;
};

/// Physical memory of cuMemCreate: a file in memory that can be mapped at several addresses.
struct PhysicalMemory {
  int file = -1;
  uint64_t size = 0;
  int device = 0;
  ~PhysicalMemory();
};

class AddressSpace {
public:
  static AddressSpace &get();
  AddressSpace();

  /// Allocates `size` bytes on `device`; null when the device or the host has no room.
  std::optional<uint64_t> allocate(uint64_t size, int device, CUcontext context);
  /// Pinned or managed memory, at the same address for host and device.
  std::optional<uint64_t> allocateShared(uint64_t size, MemoryKind kind, int device,
                                         CUcontext context, unsigned flags);
  /// Makes host memory of the program's own reachable. False when it overlaps a known range.
  bool registerHost(void *pointer, uint64_t size, int device, CUcontext context, unsigned flags);
  /// Ends the range that begins exactly at `address` and is of one of `kinds`.
  bool release(uint64_t address, const std::set<MemoryKind> &kinds);
  /// Ends all ranges that `context` owns.
  void releaseAllOf(CUcontext context);

  std::optional<uint64_t> reserve(uint64_t size, uint64_t alignment);
  bool unreserve(uint64_t address, uint64_t size);
  /// Shows [offset, offset + size) of `memory` at `address`, inside one reservation and free.
  bool map(uint64_t address, uint64_t size, std::shared_ptr<PhysicalMemory> memory,
           uint64_t offset);
  bool unmap(uint64_t address, uint64_t size);
  bool setAccess(uint64_t address, uint64_t size, bool accessible, bool writable);
  std::shared_ptr<PhysicalMemory> create(uint64_t size, int device);

  /// The live range that contains `address`.
  std::optional<MemoryRecord> find(uint64_t address) const;
  /// Whether `address` is in the arena, so that it cannot be a pointer of the host.
  bool isDeviceAddress(uint64_t address) const { return address >= begin && address < end; }
  /// Host bytes of [address, address + size), for copies; null when a part is not allocated.
  /// Addresses outside the arena are the host's own.
  std::byte *translate(uint64_t address, uint64_t size) const;
  std::string describe(uint64_t address) const;
  uint64_t bytesUsed(int device) const;

  /// What kernels on `device` may touch, frozen: its own memory, that of `peers`, and all shared
  /// memory.
  std::shared_ptr<const Memory> view(int device, const std::set<int> &peers) const;

private:
  struct Reservation {
    uint64_t size = 0;
    std::byte *host = nullptr;
  };
  struct Ended {
    uint64_t size;
    uint64_t id;
    const char *how;
  };
  std::optional<uint64_t> place(uint64_t size, uint64_t alignment);
  void add(MemoryRecord record);
  std::map<uint64_t, MemoryRecord>::const_iterator containing(uint64_t address) const;
  bool overlaps(uint64_t address, uint64_t size) const;

  mutable std::mutex mutex;
  uint64_t begin = 0, end = 0, next = 0;
  uint64_t lastId = 0;
  std::map<uint64_t, MemoryRecord> live;
  std::map<uint64_t, Reservation> reservations;
  std::map<uint64_t, Ended> ended;
  std::map<int, uint64_t> used;
  uint64_t generation = 0;
  struct CachedView {
    uint64_t generation;
    std::set<int> peers;
    std::shared_ptr<const Memory> view;
  };
  mutable std::map<int, CachedView> views;
};

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_ADDRESSSPACE_H
