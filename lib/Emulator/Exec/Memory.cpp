//===- Memory.cpp - Loads, stores and addresses ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Machine.h"
#include "Exec/Spaces.h"
#include "Exec/Windows.h"

#include <cstring>

namespace trident::emu {

using ptx::Space;

//===----------------------------------------------------------------------===//
// Checked access
//===----------------------------------------------------------------------===//

std::byte *Warp::global(uint64_t address, uint64_t bytes, int lane, Access access) {
  const Allocation *allocation = lastAllocation;
  if (!allocation || address - allocation->base >= allocation->size) {
    allocation = launch.request.memory->find(address);
    if (!allocation)
      fail(ReportKind::outOfBounds,
           std::string(access == Access::read ? "reads " : "writes ") + std::to_string(bytes) +
               " bytes at " + hex(address) + ": " + launch.request.memory->describe(address),
           lane);
    lastAllocation = allocation;
  }
  if (bytes > allocation->size - (address - allocation->base))
    fail(ReportKind::outOfBounds,
         std::string(access == Access::read ? "reads " : "writes ") + std::to_string(bytes) +
             " bytes at " + hex(address) + ", " +
             std::to_string(bytes - (allocation->size - (address - allocation->base))) +
             " of them past the end of the " + std::to_string(allocation->size) +
             "-byte allocation at " + hex(allocation->base),
         lane);
  if (access != Access::read && !allocation->writable)
    fail(ReportKind::outOfBounds, "writes to read-only memory at " + hex(address), lane);
  return allocation->host + (address - allocation->base);
}

Block &Warp::sharedBlock(Space space, uint64_t address, uint64_t bytes, int lane,
                         uint32_t &offset) {
  if (space == Space::generic && classify(address) != Space::shared)
    fail(ReportKind::outOfBounds, "address " + hex(address) + " is not in shared memory", lane);
  uint64_t rank = address >> sharedRankShift;
  offset = static_cast<uint32_t>(address & ((1u << sharedRankShift) - 1));
  if (rank >= block.cluster.blocks.size())
    fail(ReportKind::outOfBounds,
         "shared address " + hex(address) + " names block " + std::to_string(rank) +
             " of a cluster of " + std::to_string(block.cluster.blocks.size()),
         lane);
  if (rank != block.rank && block.cluster.blocks[rank]->finished())
    fail(ReportKind::outOfBounds,
         "shared memory of block rank " + std::to_string(rank) +
             ", which has ended: expected barrier.cluster before its end",
         lane);
  if (offset < reservedSharedBytes || offset + bytes > launch.sharedEnd)
    fail(ReportKind::outOfBounds,
         std::to_string(bytes) + " bytes at shared address " + hex(offset) + ", expected within [" +
             hex(reservedSharedBytes) + ", " + hex(launch.sharedEnd) + ")",
         lane);
  return *block.cluster.blocks[rank];
}

std::byte *Warp::access(Space space, uint64_t address, unsigned bytes, unsigned laneIndex,
                        Access access, uint8_t order) {
  int lane = static_cast<int>(laneIndex);
  if (address % bytes)
    fail(ReportKind::misaligned,
         "address " + hex(address) + " of an access of " + std::to_string(bytes) + " bytes", lane);
  if (space == Space::generic)
    space = classify(address);
  switch (space) {
  case Space::shared: {
    uint32_t offset;
    Block &owner = sharedBlock(space, address, bytes, lane, offset);
    if (checks()) {
      Stamp stamp = this->stamp(lane);
      stamp.strong = order;
      Conflict conflict =
          access == Access::read ? owner.shadow.read(observer(lane), stamp, offset, bytes)
          : order
              ? owner.shadow.atomic(observer(lane), stamp, offset, bytes, access == Access::atomic)
              : owner.shadow.write(observer(lane), stamp, offset, bytes);
      if (conflict)
        judge(conflict, access == Access::read ? "read" : "write", bytes, lane, owner);
      if (order)
        synchronize(owner, offset, laneIndex, access, order);
    }
    return owner.at(offset);
  }
  case Space::local:
    if (address + bytes > program.info.localBytes)
      fail(ReportKind::outOfBounds,
           std::to_string(bytes) + " bytes at local address " + hex(address) +
               ", expected within " + std::to_string(program.info.localBytes) + " bytes",
           lane);
    return localMemory.data() + size_t(program.info.localBytes) * laneIndex + address;
  case Space::param:
    if (address + bytes > launch.request.parameters.size() || access != Access::read)
      fail(ReportKind::outOfBounds,
           std::to_string(bytes) + " bytes at parameter address " + hex(address) +
               ", expected a read within " + std::to_string(launch.request.parameters.size()) +
               " bytes",
           lane);
    return const_cast<std::byte *>(launch.request.parameters.data()) + address;
  default:
    return global(address, bytes, lane, access);
  }
}

namespace {

//===----------------------------------------------------------------------===//
// ld, st
//===----------------------------------------------------------------------===//

uint64_t addressOf(Warp &warp, const Instr &instr, unsigned lane) {
  uint64_t base =
      instr.kind & 1 ? warp.reg<uint64_t>(instr.a)[lane] : warp.reg<uint32_t>(instr.a)[lane];
  uint64_t address = base + static_cast<uint64_t>(instr.offset);
  return instr.kind & 1 ? address : address & 0xffffffff;
}

/// `kind` bit 0: 64-bit base, bit 1: sign extend; `width`: bytes of an element; `flags`: lane bytes
/// of the registers.
void load(Warp &warp, const Instr &instr) {
  const Slot *slots = warp.program.slots.data() + instr.list;
  unsigned count = instr.listCount, width = instr.width;
  Space space = static_cast<Space>(instr.space);
  warp.lanes([&](unsigned lane) {
    const std::byte *from = warp.access(space, addressOf(warp, instr, lane), width * count, lane,
                                        Access::read, static_cast<uint8_t>(instr.kind >> 2));
    for (unsigned i = 0; i < count; ++i, from += width) {
      if (instr.flags == 16) {
        std::memcpy(warp.reg<unsigned __int128>(slots[i]) + lane, from, 16);
        continue;
      }
      uint64_t value = 0;
      std::memcpy(&value, from, width);
      if (instr.kind & 2) {
        unsigned shift = 64 - 8 * width;
        value = static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift);
      }
      warp.setLane(slots[i], instr.flags, lane, value);
    }
  });
}

void store(Warp &warp, const Instr &instr) {
  const Slot *slots = warp.program.slots.data() + instr.list;
  unsigned count = instr.listCount, width = instr.width;
  Space space = static_cast<Space>(instr.space);
  warp.lanes([&](unsigned lane) {
    std::byte *to = warp.access(space, addressOf(warp, instr, lane), width * count, lane,
                                Access::write, static_cast<uint8_t>(instr.kind >> 2));
    for (unsigned i = 0; i < count; ++i, to += width) {
      if (instr.flags == 16) {
        std::memcpy(to, warp.reg<unsigned __int128>(slots[i]) + lane, 16);
        continue;
      }
      uint64_t value = warp.lane(slots[i], instr.flags, lane);
      std::memcpy(to, &value, width);
    }
  });
  warp.block.cluster.progressed();
}

} // namespace

Space takeSpace(Builder &build) {
  static const std::pair<const char *, Space> names[] = {
      {"global", Space::global},      {"shared", Space::shared},
      {"shared::cta", Space::shared}, {"shared::cluster", Space::shared},
      {"local", Space::local},        {"param", Space::param},
      {"param::entry", Space::param}, {"param::func", Space::param},
      {"const", Space::constant},
  };
  for (const auto &[name, space] : names)
    if (build.take(name))
      return space;
  return Space::generic;
}

namespace {

/// Orders, scopes and cache hints: legal, and without effect here (docs: memory-model relaxations
/// are not modelled).
/// The bits of Order.
uint8_t takeHints(Builder &build) {
  static const uint8_t orders[] = {
      0,          strongOrder, strongOrder, strongOrder | acquireOrder, strongOrder | releaseOrder,
      strongOrder};
  bool mmio = build.take("mmio");
  int order = build.takeOneOf({"weak", "volatile", "relaxed", "acquire", "release"});
  build.takeOneOf({"cta", "cluster", "gpu", "sys"});
  build.take("nc");
  build.takeOneOf({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  build.takeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                   "L1::no_allocate"});
  build.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  if (build.take("L2::cache_hint"))
    build.instr.imm = 1; // the policy is the last operand
  return mmio ? orders[5] : order < 0 ? 0 : orders[order];
}

void buildAccess(Builder &build, bool isLoad) {
  Instr &instr = build.instr;
  uint8_t order = takeHints(build);
  instr.space = static_cast<uint8_t>(takeSpace(build));
  int vector = build.takeOneOf({"v2", "v4"});
  size_t count = vector < 0 ? 1 : vector == 0 ? 2 : 4;
  Type type = build.takeType();
  if (type == Type::pred || bits(type) < 8)
    build.fail(std::string("type .") + name(type) + " is not supported");
  unsigned width = bits(type) / 8;
  if (width * count > 16)
    build.fail("expected at most 16 bytes, got " + std::to_string(width * count));
  bool hint = instr.imm;
  build.expectOperands(hint ? 3 : 2);
  if (hint)
    build.source(2, 64);
  const ptx::Operand &value = build.operand(isLoad ? 0 : 1);
  std::vector<ptx::Operand> elements = {value};
  if (value.kind == ptx::Operand::Kind::vector)
    elements = value.elements;
  if (elements.size() != count)
    build.fail(value, "expected " + std::to_string(count) + " elements, got " +
                          std::to_string(elements.size()));
  std::vector<Slot> slots;
  unsigned lane = 0;
  for (const ptx::Operand &element : elements) {
    unsigned bytes =
        element.kind == ptx::Operand::Kind::sink ? 0 : build.laneBytes(element, bits(type));
    if (bytes && lane && bytes != lane)
      build.fail(element, "registers of different widths");
    lane = bytes ? bytes : lane;
    slots.push_back(isLoad ? build.destination(element, bits(type), false)
                           : build.source(element, bits(type), false));
  }
  instr.flags = static_cast<uint8_t>(lane ? lane : width <= 4 ? 4 : width);
  // The parameters of an inlined call are local variables by now.
  const ptx::Operand &base = build.operand(isLoad ? 1 : 0);
  if (base.kind == ptx::Operand::Kind::address && base.elements[0].variable &&
      base.elements[0].variable->space == Space::local)
    instr.space = static_cast<uint8_t>(Space::local);
  instr.list = build.list(slots);
  instr.listCount = static_cast<uint32_t>(count);
  instr.width = static_cast<uint8_t>(width);
  instr.kind = build.address(isLoad ? 1 : 0) == 8 ? 1 : 0;
  instr.kind |= isLoad && isSigned(type) ? 2 : 0;
  instr.kind |= static_cast<uint8_t>(order << 2);
  build.finish(isLoad ? load : store);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// `imm`: what to add.
template <typename T> void offsetAddress(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  const auto *a = warp.reg<T>(instr.a);
  warp.lanes([=](unsigned lane) { d[lane] = a[lane] + static_cast<T>(instr.imm); });
}

/// Constant variables lie in the device's memory like all others.
bool isConstant(Warp &warp, uint64_t address) {
  const std::vector<GlobalInfo> &variables = warp.launch.module.globals();
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].isConstant &&
        address - warp.launch.request.globalAddresses[i] < variables[i].size)
      return true;
  return false;
}

void isspacep(Warp &warp, const Instr &instr) {
  const auto *a = warp.reg<uint64_t>(instr.a);
  Space wanted = static_cast<Space>(instr.space);
  uint32_t result = 0;
  warp.lanes([&](unsigned lane) {
    uint64_t address = a[lane];
    Space space = classify(address);
    if (space == Space::global && isConstant(warp, address))
      space = Space::constant;
    bool inside = space == wanted;
    if (inside && space == Space::shared && instr.kind)
      inside = address >> sharedRankShift == warp.block.rank;
    result |= uint32_t(inside) << lane;
  });
  uint32_t &d = warp.predicate(instr.d);
  d = (d & ~warp.active) | result;
}

/// The same offset in the window of block b of the cluster.
template <typename T> void mapa(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<T>(instr.d);
  const auto *a = warp.reg<T>(instr.a);
  const auto *b = warp.reg<uint32_t>(instr.b);
  warp.lanes([&](unsigned lane) {
    if (b[lane] >= warp.launch.blocksPerCluster)
      warp.fail(ReportKind::badOperand,
                "block " + std::to_string(b[lane]) + " of a cluster of " +
                    std::to_string(warp.launch.blocksPerCluster),
                static_cast<int>(lane));
    uint64_t address = a[lane];
    uint64_t window = instr.kind ? sharedWindow : 0;
    uint64_t offset = (address - window) & ((1u << sharedRankShift) - 1);
    d[lane] = static_cast<T>(window + (uint64_t(b[lane]) << sharedRankShift) + offset);
  });
}

void getctarank(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<uint32_t>(instr.d);
  warp.lanes([&](unsigned lane) {
    uint64_t address = warp.lane(instr.a, instr.width, lane);
    if (instr.kind)
      address -= sharedWindow;
    d[lane] = static_cast<uint32_t>(address >> sharedRankShift);
  });
}

void nothing(Warp &, const Instr &) {}

} // namespace

void buildLd(Builder &build) { buildAccess(build, true); }
void buildSt(Builder &build) { buildAccess(build, false); }
void buildLdu(Builder &build) { buildAccess(build, true); }

void buildCvta(Builder &build) {
  bool toSpace = build.take("to");
  Space space = takeSpace(build);
  if (space == Space::generic)
    build.fail("expected a state space");
  Type type = build.takeType();
  if (type != Type::u64 && type != Type::u32)
    build.fail("expected .u64 or .u32");
  build.expectOperands(2);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.source(1, bits(type));
  build.instr.imm = toSpace ? 0 - windowOf(space) : windowOf(space);
  if (type == Type::u32 && windowOf(space))
    build.fail("32-bit generic addresses are not supported");
  build.finish(type == Type::u64 ? offsetAddress<uint64_t> : offsetAddress<uint32_t>);
}

void buildIsspacep(Builder &build) {
  build.instr.kind = 0;
  if (build.take("shared::cta")) {
    build.instr.kind = 1;
    build.instr.space = static_cast<uint8_t>(Space::shared);
  } else {
    // `.shared` alone means the own block, as .shared::cta.
    build.instr.kind = build.take("shared");
    build.instr.space = static_cast<uint8_t>(build.instr.kind ? Space::shared : takeSpace(build));
  }
  build.expectOperands(2);
  build.instr.d = build.destination(0, 1);
  build.instr.a = build.source(1, 64);
  build.finish(isspacep);
}

void buildMapa(Builder &build) {
  build.instr.kind = !build.take("shared::cluster");
  Type type = build.takeType();
  if (type != Type::u32 && type != Type::u64)
    build.fail("expected .u32 or .u64");
  build.expectOperands(3);
  build.instr.d = build.destination(0, bits(type));
  build.instr.a = build.source(1, bits(type));
  build.instr.b = build.source(2, 32);
  build.finish(type == Type::u32 ? mapa<uint32_t> : mapa<uint64_t>);
}

void buildGetctarank(Builder &build) {
  build.instr.kind = !build.take("shared::cluster");
  Type type = build.takeType();
  if (type != Type::u32 && type != Type::u64)
    build.fail("expected .u32 or .u64");
  build.expectOperands(2);
  build.instr.d = build.destination(0, 32);
  build.instr.a = build.source(1, bits(type));
  build.instr.width = static_cast<uint8_t>(bits(type) / 8);
  build.finish(getctarank);
}

/// Hints to the caches: the address is not even looked at, as prefetching beyond an allocation is
/// legal.
void buildPrefetch(Builder &build) {
  takeSpace(build);
  build.take("tensormap");
  build.takeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"});
  build.expectOperands(1);
  build.address(0);
  build.finish(nothing);
}

void buildApplypriority(Builder &build) {
  takeSpace(build);
  build.takeOneOf({"L2::evict_normal", "L2::128B"});
  build.expectOperands(2);
  build.address(0);
  build.finish(nothing);
}

/// A cache policy is any number: it only passes through.
void buildCreatepolicy(Builder &build) {
  build.take("fractional");
  build.takePrefix("L2::");
  build.takePrefix("L2::");
  build.takeType();
  build.instr.d = build.destination(0, 64);
  build.instr.a = build.constant(0, 64);
  build.finish(offsetAddress<uint64_t>);
}

} // namespace trident::emu
