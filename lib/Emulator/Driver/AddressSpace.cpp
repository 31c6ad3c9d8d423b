//===- AddressSpace.cpp - Device memory and who owns which address --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSpace.h"

#include "Devices.h"
#include "HostMemory.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace trident::emu {
namespace {

constexpr uint64_t mebibyte = 1ull << 20;
constexpr uint64_t largeAlignment = 2 * mebibyte; ///< of ranges of more than a mebibyte
constexpr uint64_t smallAlignment = 512;          ///< of the others, as an H200's driver does
constexpr uint64_t smallestGap = 64 * 1024;
constexpr size_t endedRemembered = 4096;

uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

/// A frozen list of ranges; adjacent mappings of one reservation are one range.
class MemoryView : public Memory {
public:
  MemoryView(const AddressSpace &space, std::vector<Allocation> ranges)
      : space(space), ranges(std::move(ranges)) {}

  const Allocation *find(uint64_t address) const override {
    auto after = std::upper_bound(ranges.begin(), ranges.end(), address,
                                  [](uint64_t a, const Allocation &r) { return a < r.base; });
    if (after == ranges.begin())
      return nullptr;
    const Allocation &range = *(after - 1);
    return address - range.base < range.size ? &range : nullptr;
  }

  std::string describe(uint64_t address) const override { return space.describe(address); }

private:
  const AddressSpace &space;
  std::vector<Allocation> ranges;
};

std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string rangeText(uint64_t base, uint64_t size, uint64_t id) {
  return "the " + std::to_string(size) + "-byte allocation " + std::to_string(id) + " at " +
         hex(base);
}

} // namespace

PhysicalMemory::~PhysicalMemory() {
  if (file >= 0)
    close(file);
}

AddressSpace &AddressSpace::get() {
  static AddressSpace *space = new AddressSpace; // outlives the program's own destructors
  return *space;
}

AddressSpace::AddressSpace() {
  for (uint64_t size : {64ull << 40, 16ull << 40, 1ull << 40, 256ull << 30, 16ull << 30}) {
    void *arena =
        mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED)
      continue;
    begin = roundUp(reinterpret_cast<uint64_t>(arena), largeAlignment) + largeAlignment;
    end = reinterpret_cast<uint64_t>(arena) + size;
    next = begin;
    return;
  }
}

bool AddressSpace::overlaps(uint64_t address, uint64_t size) const {
  auto after = live.lower_bound(address + size);
  return after != live.begin() &&
         std::prev(after)->second.range.base + std::prev(after)->second.range.size > address;
}

/// Finds room behind the last range; from the start again, between what is live, when the arena is
/// used up.
std::optional<uint64_t> AddressSpace::place(uint64_t size, uint64_t alignment) {
  uint64_t gap = std::max(smallestGap, std::min(roundUp(size, smallestGap), largeAlignment));
  for (int lap = 0; lap < 2; ++lap) {
    uint64_t at = roundUp(next, alignment);
    while (at + size + gap <= end) {
      auto after = live.lower_bound(at + size + gap);
      uint64_t blockedTo = 0;
      if (after != live.begin()) {
        const Allocation &range = std::prev(after)->second.range;
        if (range.base + range.size + gap > at)
          blockedTo = range.base + range.size + gap;
      }
      auto reservation = reservations.lower_bound(at + size + gap);
      if (reservation != reservations.begin()) {
        auto &[base, held] = *std::prev(reservation);
        if (base + held.size + gap > at)
          blockedTo = std::max(blockedTo, base + held.size + gap);
      }
      if (!blockedTo) {
        ended.erase(ended.lower_bound(at), ended.lower_bound(at + size + gap));
        next = at + size + gap;
        return at;
      }
      at = roundUp(blockedTo, alignment);
    }
    next = begin;
  }
  return std::nullopt;
}

void AddressSpace::add(MemoryRecord record) {
  record.id = ++lastId;
  if (record.kind == MemoryKind::device)
    used[record.device] += record.range.size;
  ++generation;
  live.emplace(record.range.base, std::move(record));
}

std::optional<uint64_t> AddressSpace::allocate(uint64_t size, int device, CUcontext context) {
  std::lock_guard<std::mutex> guard(mutex);
  if (size > totalMemory() - std::min(totalMemory(), used[device]))
    return std::nullopt;
  std::shared_ptr<std::byte> storage = allocateHostBytes(size);
  auto address =
      storage ? place(size, size > mebibyte ? largeAlignment : smallAlignment) : std::nullopt;
  if (!address)
    return std::nullopt;
  MemoryRecord record;
  record.range = {*address, size, storage.get(), true};
  record.device = device;
  record.context = context;
  record.storage = std::move(storage);
  add(std::move(record));
  return address;
}

std::optional<uint64_t> AddressSpace::allocateShared(uint64_t size, MemoryKind kind, int device,
                                                     CUcontext context, unsigned flags) {
  std::shared_ptr<std::byte> storage = allocateHostBytes(size);
  if (!storage)
    return std::nullopt;
  std::lock_guard<std::mutex> guard(mutex);
  MemoryRecord record;
  record.range = {reinterpret_cast<uint64_t>(storage.get()), size, storage.get(), true};
  record.kind = kind;
  record.device = device;
  record.context = context;
  record.flags = flags;
  record.storage = std::move(storage);
  uint64_t address = record.range.base;
  add(std::move(record));
  return address;
}

bool AddressSpace::registerHost(void *pointer, uint64_t size, int device, CUcontext context,
                                unsigned flags) {
  std::lock_guard<std::mutex> guard(mutex);
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  if (overlaps(address, size))
    return false;
  MemoryRecord record;
  record.range = {address, size, static_cast<std::byte *>(pointer),
                  !(flags & CU_MEMHOSTREGISTER_READ_ONLY)};
  record.kind = MemoryKind::registered;
  record.device = device;
  record.context = context;
  record.flags = flags;
  add(std::move(record));
  return true;
}

bool AddressSpace::release(uint64_t address, const std::set<MemoryKind> &kinds) {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = live.find(address);
  if (it == live.end() || !kinds.count(it->second.kind))
    return false;
  if (it->second.kind == MemoryKind::device)
    used[it->second.device] -= it->second.range.size;
  if (ended.size() >= endedRemembered)
    ended.erase(std::min_element(ended.begin(), ended.end(), [](const auto &a, const auto &b) {
      return a.second.id < b.second.id;
    }));
  ended[address] = {it->second.range.size, it->second.id,
                    it->second.kind == MemoryKind::registered ? "unregistered" : "freed"};
  ++generation;
  live.erase(it);
  return true;
}

void AddressSpace::releaseAllOf(CUcontext context) {
  std::vector<uint64_t> addresses;
  {
    std::lock_guard<std::mutex> guard(mutex);
    for (auto &[base, record] : live)
      if (record.context == context)
        addresses.push_back(base);
  }
  for (uint64_t address : addresses)
    release(address,
            {MemoryKind::device, MemoryKind::managed, MemoryKind::pinned, MemoryKind::registered});
}

std::optional<uint64_t> AddressSpace::reserve(uint64_t size, uint64_t alignment) {
  std::lock_guard<std::mutex> guard(mutex);
  void *host = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (host == MAP_FAILED)
    return std::nullopt;
  auto address = place(size, std::max(alignment, largeAlignment));
  if (!address) {
    munmap(host, size);
    return std::nullopt;
  }
  reservations[*address] = {size, static_cast<std::byte *>(host)};
  return address;
}

bool AddressSpace::unreserve(uint64_t address, uint64_t size) {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = reservations.find(address);
  if (it == reservations.end() || it->second.size != size || overlaps(address, size))
    return false;
  munmap(it->second.host, size);
  reservations.erase(it);
  return true;
}

std::shared_ptr<PhysicalMemory> AddressSpace::create(uint64_t size, int device) {
  auto memory = std::make_shared<PhysicalMemory>();
  memory->size = size;
  memory->device = device;
  memory->file = createMemoryFile(size);
  return memory->file >= 0 ? memory : nullptr;
}

bool AddressSpace::map(uint64_t address, uint64_t size, std::shared_ptr<PhysicalMemory> memory,
                       uint64_t offset) {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = reservations.upper_bound(address);
  if (it == reservations.begin() || offset > memory->size || size > memory->size - offset)
    return false;
  --it;
  if (address - it->first >= it->second.size || size > it->second.size - (address - it->first) ||
      overlaps(address, size))
    return false;
  std::byte *host = it->second.host + (address - it->first);
  if (mmap(host, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memory->file,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return false;
  MemoryRecord record;
  record.range = {address, size, host, true};
  record.kind = MemoryKind::mapped;
  record.device = memory->device;
  record.accessible = false;
  record.storage = std::move(memory);
  add(std::move(record));
  return true;
}

bool AddressSpace::unmap(uint64_t address, uint64_t size) {
  std::lock_guard<std::mutex> guard(mutex);
  for (auto it = live.find(address); size != 0; it = live.find(address)) {
    if (it == live.end() || it->second.kind != MemoryKind::mapped || it->second.range.size > size)
      return false;
    const Allocation range = it->second.range;
    mmap(range.host, range.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
         -1, 0);
    ended[address] = {range.size, it->second.id, "unmapped"};
    live.erase(it);
    ++generation;
    address += range.size;
    size -= range.size;
  }
  return true;
}

bool AddressSpace::setAccess(uint64_t address, uint64_t size, bool accessible, bool writable) {
  std::lock_guard<std::mutex> guard(mutex);
  std::vector<MemoryRecord *> records;
  for (auto it = live.find(address); size != 0; it = live.find(address)) {
    if (it == live.end() || it->second.kind != MemoryKind::mapped || it->second.range.size > size)
      return false;
    records.push_back(&it->second);
    address += it->second.range.size;
    size -= it->second.range.size;
  }
  for (MemoryRecord *record : records) {
    record->accessible = accessible;
    record->range.writable = writable;
  }
  ++generation;
  return true;
}

std::map<uint64_t, MemoryRecord>::const_iterator AddressSpace::containing(uint64_t address) const {
  auto it = live.upper_bound(address);
  if (it == live.begin())
    return live.end();
  --it;
  return address - it->first < it->second.range.size ? it : live.end();
}

std::optional<MemoryRecord> AddressSpace::find(uint64_t address) const {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = containing(address);
  return it == live.end() ? std::nullopt : std::make_optional(it->second);
}

std::byte *AddressSpace::translate(uint64_t address, uint64_t size) const {
  if (!isDeviceAddress(address))
    return reinterpret_cast<std::byte *>(address);
  std::lock_guard<std::mutex> guard(mutex);
  auto it = containing(address);
  if (it == live.end() || !it->second.accessible)
    return nullptr;
  std::byte *result = it->second.range.host + (address - it->first);
  uint64_t reached = it->first + it->second.range.size;
  while (reached - address < size) {
    it = live.find(reached);
    if (it == live.end() || it->second.kind != MemoryKind::mapped || !it->second.accessible ||
        it->second.range.host != result + (reached - address))
      return nullptr;
    reached += it->second.range.size;
  }
  return result;
}

std::string AddressSpace::describe(uint64_t address) const {
  std::lock_guard<std::mutex> guard(mutex);
  if (auto it = containing(address); it != live.end()) {
    const MemoryRecord &record = it->second;
    std::string text = std::to_string(address - it->first) + " bytes into " +
                       rangeText(it->first, record.range.size, record.id);
    if (!record.accessible)
      text += ", which cuMemSetAccess has not made accessible";
    return text + " of device " + std::to_string(record.device);
  }
  auto gone = ended.upper_bound(address);
  if (gone != ended.begin() && address - std::prev(gone)->first < std::prev(gone)->second.size) {
    --gone;
    return std::to_string(address - gone->first) + " bytes into " +
           rangeText(gone->first, gone->second.size, gone->second.id) + ", which was " +
           gone->second.how;
  }
  auto after = live.upper_bound(address);
  uint64_t toNext = after == live.end() ? UINT64_MAX : after->first - address;
  uint64_t fromLast = UINT64_MAX;
  if (after != live.begin()) {
    const Allocation &range = std::prev(after)->second.range;
    fromLast = address - (range.base + range.size);
  }
  constexpr uint64_t near = 1ull << 40;
  if (std::min(toNext, fromLast) > near)
    return hex(address) + " is near no allocation";
  if (fromLast <= toNext) {
    const MemoryRecord &record = std::prev(after)->second;
    return std::to_string(fromLast) + " bytes past the end of " +
           rangeText(record.range.base, record.range.size, record.id);
  }
  return std::to_string(toNext) + " bytes before " +
         rangeText(after->first, after->second.range.size, after->second.id);
}

uint64_t AddressSpace::bytesUsed(int device) const {
  std::lock_guard<std::mutex> guard(mutex);
  auto it = used.find(device);
  return it == used.end() ? 0 : it->second;
}

std::shared_ptr<const Memory> AddressSpace::view(int device, const std::set<int> &peers) const {
  std::lock_guard<std::mutex> guard(mutex);
  CachedView &cached = views[device];
  if (cached.view && cached.generation == generation && cached.peers == peers)
    return cached.view;
  std::vector<Allocation> ranges;
  for (auto &[base, record] : live) {
    bool own = record.device == device || peers.count(record.device) ||
               (record.kind != MemoryKind::device && record.kind != MemoryKind::mapped);
    if (!own || !record.accessible)
      continue;
    const Allocation &range = record.range;
    if (!ranges.empty() && record.kind == MemoryKind::mapped &&
        ranges.back().base + ranges.back().size == base &&
        ranges.back().host + ranges.back().size == range.host &&
        ranges.back().writable == range.writable)
      ranges.back().size += range.size;
    else
      ranges.push_back(range);
  }
  cached = {generation, peers, std::make_shared<MemoryView>(*this, std::move(ranges))};
  return cached.view;
}

} // namespace trident::emu
