//===- AsyncCopy.cpp - cp.async.bulk and its tensor forms --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A copy is planned, bounded and judged when it is issued, and happens later: the cluster completes
// pending operations in an order drawn from the seed. Until then its destination carries the stamp
// of an agent that nobody has seen, so any access to it is a race; completion on an mbarrier gives
// the bytes to the mbarrier's agent.
//===----------------------------------------------------------------------===//
#include "Exec/AtomicOps.h"
#include "Exec/Decode.h"
#include "Exec/Mbarriers.h"
#include "Exec/Spaces.h"
#include "Exec/TensorCopy.h"
#include "Exec/Windows.h"

#include <cstring>

namespace trident::emu {
namespace {

using ptx::Space;

enum CopyKind : uint8_t { toShared, toGlobal, sharedToShared };

/// Agents above all others: operations in flight.
constexpr Agent firstInFlight = 0x4000'0000;

struct Operands {
  uint64_t shared = 0; ///< address of the shared side that is written, or read by a store
  uint64_t other = 0;  ///< address of the tensor map, of global memory, or of the shared source
  uint32_t bytes = 0;
  uint64_t mbarrier = 0;
  uint16_t multicast = 0;
  int32_t coordinates[5] = {};
};

uint64_t slotAddress(Warp &warp, Slot slot, bool wide, int64_t offset, unsigned lane) {
  uint64_t base = wide ? warp.reg<uint64_t>(slot)[lane] : warp.reg<uint32_t>(slot)[lane];
  uint64_t address = base + static_cast<uint64_t>(offset);
  return wide ? address : address & 0xffffffff;
}

/// How the builder laid out the operands: list = {shared, other, mbarrier, bytes, multicast}, wide
/// bits in `flags`; list2 = coordinates; offsets are folded into their own constants (list
/// entries 5..7).
Operands readOperands(Warp &warp, const Instr &instr, unsigned lane) {
  const Slot *slots = warp.program.slots.data() + instr.list;
  const Slot *coordinates = warp.program.slots.data() + instr.list2;
  Operands operands;
  uint64_t *addresses[] = {&operands.shared, &operands.other, &operands.mbarrier};
  for (unsigned i = 0; i < 3; ++i)
    if (slots[i] != noSlot)
      *addresses[i] =
          slotAddress(warp, slots[i], instr.flags >> i & 1,
                      static_cast<int64_t>(warp.reg<uint64_t>(slots[5 + i])[lane]), lane);
  if (slots[3] != noSlot)
    operands.bytes = warp.reg<uint32_t>(slots[3])[lane];
  if (slots[4] != noSlot)
    operands.multicast = static_cast<uint16_t>(warp.reg<uint32_t>(slots[4])[lane]);
  for (uint32_t axis = 0; axis < instr.list2Count; ++axis)
    operands.coordinates[axis] = static_cast<int32_t>(warp.reg<uint32_t>(coordinates[axis])[lane]);
  return operands;
}

/// The copy's destination in one block, and the mbarrier that learns of it.
struct Target {
  Block *block;
  Mbarrier *barrier;
  uint32_t offset;
  uint32_t barrierOffset;
};

void checkWrite(Warp &warp, const Target &target, uint32_t bytes, const Stamp &stamp, int lane) {
  if (!warp.checks())
    return;
  Conflict conflict = target.block->shadow.write(warp.observer(lane), stamp, target.offset, bytes);
  if (conflict)
    warp.judge(conflict, "asynchronous write", bytes, lane, *target.block);
}

void checkRead(Warp &warp, Block &owner, uint32_t offset, uint32_t bytes, const Stamp &stamp,
               int lane) {
  if (!warp.checks())
    return;
  Conflict conflict = owner.shadow.read(warp.observer(lane), stamp, offset, bytes);
  if (conflict)
    warp.judge(conflict, "asynchronous read", bytes, lane, owner);
}

Stamp inFlightStamp(Warp &warp, const Instr &instr, int lane) {
  Stamp stamp;
  stamp.agent = firstInFlight + warp.block.cluster.inFlight++;
  stamp.count = 1;
  stamp.line = instr.line;
  stamp.lane = static_cast<uint16_t>(lane);
  stamp.async = true;
  return stamp;
}

void completeAt(Cluster &cluster, const Target &target, const Stamp &stamp, uint32_t bytes,
                bool checks) {
  if (checks) {
    Stamp done = stamp;
    done.agent = target.barrier->agent;
    done.count = target.barrier->phase + 1;
    target.block->shadow.restamp(stamp, done, target.offset, bytes);
  }
  target.barrier->bytesPhase = target.barrier->phase + 1;
  target.barrier->bytesLine = stamp.line;
  completeBytes(cluster, *target.barrier, bytes);
}

/// The blocks that receive the copy: the one of the address, or those of the multicast mask.
std::vector<Target> findTargets(Warp &warp, const Instr &instr, const Operands &operands,
                                uint32_t bytes, int lane) {
  uint32_t offset;
  Block &named = warp.sharedBlock(Space::shared, operands.shared, 1, lane, offset);
  std::vector<Target> targets;
  bool multicast = warp.program.slots[instr.list + 4] != noSlot;
  for (auto &block : warp.block.cluster.blocks) {
    if (multicast ? !(operands.multicast >> block->rank & 1) : block.get() != &named)
      continue;
    uint64_t rank = uint64_t(block->rank) << sharedRankShift;
    warp.sharedBlock(Space::shared, rank + offset, bytes, lane, offset);
    uint64_t mbarrier =
        multicast ? rank | (operands.mbarrier & ((1u << sharedRankShift) - 1)) : operands.mbarrier;
    MbarrierRef ref = findMbarrier(warp, Space::shared, mbarrier, lane);
    if (&ref.owner != block.get())
      warp.fail(ReportKind::mbarrierMisuse,
                "the mbarrier lies in block rank " + std::to_string(ref.owner.rank) +
                    ", the destination in " + std::to_string(block->rank),
                lane);
    if (warp.checks() && !ref.barrier.fenced &&
        !warp.viewOf(lane).fenced.covers(ref.barrier.init.agent, ref.barrier.init.lane,
                                         ref.barrier.init.count))
      warp.fail(ReportKind::proxyFence,
                "the mbarrier at " + hex(ref.offset) + ", initialized at line " +
                    std::to_string(ref.barrier.initLine) +
                    ", is not visible to the asynchronous copy: expected fence.mbarrier_init "
                    "after its initialization",
                lane);
    targets.push_back({block.get(), &ref.barrier, offset, ref.offset});
  }
  if (targets.empty())
    warp.fail(ReportKind::badOperand,
              "multicast mask " + hex(operands.multicast) + " names no block of the cluster", lane);
  return targets;
}

std::string describe(const Instr &instr, const char *what) {
  return std::string(what) + " of line " + std::to_string(instr.line);
}

void enqueueWrites(Warp &warp, const Instr &instr, std::vector<Target> targets, uint32_t bytes,
                   int lane, std::function<void(Block &, uint32_t)> write) {
  Cluster &cluster = warp.block.cluster;
  bool checks = warp.checks();
  for (const Target &target : targets) {
    Stamp stamp = inFlightStamp(warp, instr, lane);
    checkWrite(warp, target, bytes, stamp, lane);
    cluster.pending.push_back({[&cluster, target, stamp, bytes, checks, write] {
                                 write(*target.block, target.offset);
                                 completeAt(cluster, target, stamp, bytes, checks);
                               },
                               describe(instr, "asynchronous copy")});
  }
  cluster.progressed();
}

std::shared_ptr<BulkGroup> openGroup(Warp &warp, unsigned lane) {
  BulkGroups &groups = warp.bulk[lane];
  if (!groups.open) {
    groups.open = std::make_shared<BulkGroup>();
    groups.open->number = ++warp.bulkIssued;
  }
  ++groups.open->outstanding;
  groups.open->line = warp.now->line;
  return groups.open;
}

Stamp bulkReadStamp(Warp &warp, const Instr &instr, unsigned lane, uint32_t number) {
  Stamp stamp;
  stamp.agent = warp.agent + agents::bulk;
  stamp.count = number;
  stamp.line = instr.line;
  stamp.lane = static_cast<uint16_t>(lane);
  stamp.async = true;
  return stamp;
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

void tensorLoad(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    Operands operands = readOperands(warp, instr, index);
    uint32_t offset;
    warp.sharedBlock(Space::shared, operands.shared, 1, lane, offset);
    auto transfer = std::make_shared<TensorTransfer>(planTensorCopy(
        warp, operands.other, instr.list2Count, operands.coordinates, offset, lane, Access::read));
    std::vector<Target> targets = findTargets(warp, instr, operands, transfer->bytes, lane);
    enqueueWrites(warp, instr, std::move(targets), transfer->bytes, lane,
                  [transfer](Block &block, uint32_t) {
                    for (const Piece &piece : transfer->pieces) {
                      if (piece.global)
                        std::memcpy(block.at(piece.shared), piece.global, piece.bytes);
                      else
                        fillOutside(transfer->map, block.at(piece.shared), piece.bytes);
                    }
                  });
  });
}

Type elementType(const EmuTensorMap &map) {
  static const Type types[] = {Type::u8,  Type::u16, Type::u32, Type::s32, Type::u64,
                               Type::s64, Type::f16, Type::f32, Type::f64, Type::bf16,
                               Type::f32, Type::f32, Type::f32};
  return map.dataType < 13 ? types[map.dataType] : Type::u8;
}

/// `kind` 255: a plain store, else a reduction (AtomicOp).
void tensorStore(Warp &warp, const Instr &instr) {
  Cluster &cluster = warp.block.cluster;
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    Operands operands = readOperands(warp, instr, index);
    uint32_t offset;
    Block &owner = warp.sharedBlock(Space::shared, operands.shared, 1, lane, offset);
    auto transfer = std::make_shared<TensorTransfer>(planTensorCopy(
        warp, operands.other, instr.list2Count, operands.coordinates, offset, lane, Access::write));
    warp.sharedBlock(Space::shared, operands.shared, transfer->bytes, lane, offset);
    auto group = openGroup(warp, index);
    checkRead(warp, owner, offset, transfer->bytes,
              bulkReadStamp(warp, instr, index, group->number), lane);
    uint8_t kind = instr.kind;
    cluster.pending.push_back({[&owner, transfer, group, kind] {
                                 Type type = elementType(transfer->map);
                                 for (const Piece &piece : transfer->pieces) {
                                   if (!piece.global)
                                     continue;
                                   if (kind == 255)
                                     std::memcpy(piece.global, owner.at(piece.shared), piece.bytes);
                                   else
                                     reduceInMemory(type, static_cast<AtomicOp>(kind), piece.global,
                                                    owner.at(piece.shared), piece.bytes);
                                 }
                                 --group->outstanding;
                               },
                               describe(instr, "tensor store")});
    cluster.progressed();
  });
}

//===----------------------------------------------------------------------===//
// Plain bulk copies
//===----------------------------------------------------------------------===//

void checkBulk(Warp &warp, const Operands &operands, int lane) {
  if (operands.bytes % 16 || operands.shared % 16 || operands.other % 16)
    warp.fail(ReportKind::misaligned,
              std::to_string(operands.bytes) + " bytes at " + hex(operands.shared) + " and " +
                  hex(operands.other) + ", expected multiples of 16",
              lane);
}

void bulkLoad(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    Operands operands = readOperands(warp, instr, index);
    checkBulk(warp, operands, lane);
    uint32_t bytes = operands.bytes;
    const std::byte *from = warp.global(operands.other, bytes, lane, Access::read);
    enqueueWrites(warp, instr, findTargets(warp, instr, operands, bytes, lane), bytes, lane,
                  [from, bytes](Block &block, uint32_t offset) {
                    std::memcpy(block.at(offset), from, bytes);
                  });
  });
}

void bulkToBlock(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    Operands operands = readOperands(warp, instr, index);
    checkBulk(warp, operands, lane);
    uint32_t bytes = operands.bytes, offset;
    Block &source = warp.sharedBlock(Space::shared, operands.other, bytes, lane, offset);
    Stamp read = bulkReadStamp(warp, instr, index, ++warp.bulkIssued);
    checkRead(warp, source, offset, bytes, read, lane);
    Block *from = &source;
    enqueueWrites(warp, instr, findTargets(warp, instr, operands, bytes, lane), bytes, lane,
                  [from, offset, bytes](Block &block, uint32_t to) {
                    std::memcpy(block.at(to), from->at(offset), bytes);
                  });
  });
}

/// `kind` 255: a plain store, else a reduction of `width`'s type.
void bulkStore(Warp &warp, const Instr &instr) {
  Cluster &cluster = warp.block.cluster;
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    Operands operands = readOperands(warp, instr, index);
    checkBulk(warp, operands, lane);
    uint32_t bytes = operands.bytes, offset;
    Block &owner = warp.sharedBlock(Space::shared, operands.shared, bytes, lane, offset);
    std::byte *to = warp.global(operands.other, bytes, lane, Access::write);
    auto group = openGroup(warp, index);
    checkRead(warp, owner, offset, bytes, bulkReadStamp(warp, instr, index, group->number), lane);
    uint8_t kind = instr.kind;
    Type type = static_cast<Type>(instr.width);
    cluster.pending.push_back({[&owner, to, offset, bytes, group, kind, type] {
                                 if (kind == 255)
                                   std::memcpy(to, owner.at(offset), bytes);
                                 else
                                   reduceInMemory(type, static_cast<AtomicOp>(kind), to,
                                                  owner.at(offset), bytes);
                                 --group->outstanding;
                               },
                               describe(instr, "bulk store")});
    cluster.progressed();
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void commitBulk(Warp &warp, const Instr &) {
  warp.lanes([&](unsigned lane) {
    BulkGroups &groups = warp.bulk[lane];
    if (!groups.open) {
      groups.open = std::make_shared<BulkGroup>();
      groups.open->number = ++warp.bulkIssued;
    }
    groups.committed.push_back(std::move(groups.open));
    groups.open = nullptr;
  });
}

bool groupsDone(Warp &warp, unsigned lane, uint64_t mayRemain) {
  const auto &committed = warp.bulk[lane].committed;
  for (size_t i = 0; i + mayRemain < committed.size(); ++i)
    if (committed[i]->outstanding)
      return false;
  return true;
}
bool bulkReady(Warp &warp, const Split &split) {
  for (uint32_t rest = static_cast<uint32_t>(split.w1); rest; rest &= rest - 1)
    if (!groupsDone(warp, static_cast<unsigned>(__builtin_ctz(rest)), split.w0))
      return false;
  return true;
}
std::string bulkWait(Warp &, const Split &split) {
  return "its bulk copies, all but " + std::to_string(split.w0) + " groups";
}
const WaitType bulkWaitType = {bulkReady, bulkWait};

void waitBulk(Warp &warp, const Instr &instr) {
  bool done = true;
  warp.lanes([&](unsigned lane) { done &= groupsDone(warp, lane, instr.imm); });
  if (!done)
    return warp.suspend(bulkWaitType, instr.imm, warp.active);
  warp.lanes([&](unsigned lane) {
    auto &committed = warp.bulk[lane].committed;
    while (committed.size() > instr.imm) {
      warp.learn(warp.agent + agents::bulk, committed.front()->number, 1u << lane);
      committed.pop_front();
    }
  });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void nothing(Warp &, const Instr &) {}

struct OperandSlots {
  Slot slots[8] = {noSlot, noSlot, noSlot, noSlot, noSlot, noSlot, noSlot, noSlot};
};

void takeAddress(Builder &build, OperandSlots &to, unsigned which, const ptx::Operand &operand) {
  int64_t offset = 0;
  if (build.address(operand, to.slots[which], offset) == 8)
    build.instr.flags |= static_cast<uint8_t>(1u << which);
  to.slots[5 + which] = build.constant(static_cast<uint64_t>(offset), 64);
}

void takeCoordinates(Builder &build, const ptx::Operand &map, unsigned rank) {
  if (map.kind != ptx::Operand::Kind::address || map.elements.size() != 2 ||
      map.elements[1].kind != ptx::Operand::Kind::vector)
    build.fail(map, "expected [tensor map, {coordinates}]");
  const auto &coordinates = map.elements[1].elements;
  if (coordinates.size() != rank)
    build.fail(map, "expected " + std::to_string(rank) + " coordinates, got " +
                        std::to_string(coordinates.size()));
  std::vector<Slot> slots;
  for (const ptx::Operand &coordinate : coordinates)
    slots.push_back(build.source(coordinate, 32));
  build.instr.list2 = build.list(slots);
  build.instr.list2Count = rank;
}

void finishCopy(Builder &build, const OperandSlots &operands, Handler handler) {
  build.instr.list = build.list(std::vector<Slot>(operands.slots, operands.slots + 8));
  build.instr.listCount = 8;
  build.finish(handler);
}

unsigned takeRank(Builder &build) {
  int rank = build.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (rank < 0)
    build.fail("expected .1d to .5d");
  return static_cast<unsigned>(rank + 1);
}

/// After the destination and source spaces: the completion, multicast mask and cache policy of a
/// copy to shared memory.
void finishToShared(Builder &build, OperandSlots &operands, size_t mbarrier, Handler handler) {
  if (!build.take("mbarrier::complete_tx::bytes"))
    build.fail("expected .mbarrier::complete_tx::bytes");
  bool multicast = build.take("multicast::cluster"), hint = build.take("L2::cache_hint");
  takeAddress(build, operands, 2, build.operand(mbarrier));
  size_t next = mbarrier + 1;
  if (multicast)
    operands.slots[4] = build.source(next++, 16, false);
  if (hint)
    build.source(next++, 64);
  build.expectOperands(next);
  finishCopy(build, operands, handler);
}

void buildTensor(Builder &build, bool reduction) {
  unsigned rank = takeRank(build);
  bool isStore = build.take("bulk_group");
  bool global = build.take("global");
  bool own = build.take("shared::cta"), cluster = build.take("shared::cluster");
  build.take("tile");
  if (!global || own == cluster || (isStore && !own))
    build.fail(
        "expected .shared::cluster.global with an mbarrier or .global.shared::cta.bulk_group");
  OperandSlots operands;
  if (isStore) {
    build.instr.kind = 255;
    if (reduction)
      build.instr.kind = static_cast<uint8_t>(takeAtomicOp(build));
    bool hint = build.take("L2::cache_hint");
    build.expectOperands(hint ? 3 : 2);
    if (hint)
      build.source(2, 64);
    ptx::Operand map = build.operand(0);
    takeCoordinates(build, map, rank);
    takeAddress(build, operands, 1, map);
    takeAddress(build, operands, 0, build.operand(1));
    return finishCopy(build, operands, tensorStore);
  }
  if (reduction)
    build.fail("expected .bulk_group");
  takeAddress(build, operands, 0, build.operand(0));
  takeCoordinates(build, build.operand(1), rank);
  takeAddress(build, operands, 1, build.operand(1));
  finishToShared(build, operands, 2, tensorLoad);
}

void buildPlain(Builder &build, bool reduction) {
  OperandSlots operands;
  bool fromGlobalFirst = build.operandCount() && build.take("bulk_group");
  if (fromGlobalFirst) {
    if (!build.take("global") || !build.take("shared::cta"))
      build.fail("expected .global.shared::cta with .bulk_group");
    build.instr.kind = 255;
    if (reduction) {
      build.instr.kind = static_cast<uint8_t>(takeAtomicOp(build));
      build.take("noftz");
      build.instr.width = static_cast<uint8_t>(build.takeType());
    }
    bool hint = build.take("L2::cache_hint");
    build.expectOperands(hint ? 4 : 3);
    if (hint)
      build.source(3, 64);
    takeAddress(build, operands, 1, build.operand(0));
    takeAddress(build, operands, 0, build.operand(1));
    operands.slots[3] = build.source(2, 32);
    return finishCopy(build, operands, bulkStore);
  }
  if (reduction)
    build.fail("expected .global.shared::cta.bulk_group");
  bool cluster = build.take("shared::cluster");
  bool own = build.take("shared::cta"), global = build.take("global");
  if ((!cluster && !own) || (cluster && own == global))
    build.fail("expected .shared::cluster.global or .shared::cluster.shared::cta");
  takeAddress(build, operands, 0, build.operand(0));
  takeAddress(build, operands, 1, build.operand(1));
  operands.slots[3] = build.source(2, 32);
  finishToShared(build, operands, 3, global ? bulkLoad : bulkToBlock);
}

void buildPrefetchBulk(Builder &build) {
  if (build.take("tensor")) {
    unsigned rank = takeRank(build);
    build.take("L2");
    build.take("global");
    build.take("tile");
    bool hint = build.take("L2::cache_hint");
    build.expectOperands(hint ? 2 : 1);
    takeCoordinates(build, build.operand(0), rank);
    build.address(0);
    if (hint)
      build.source(1, 64);
    return build.finish(nothing);
  }
  build.take("L2");
  build.take("global");
  bool hint = build.take("L2::cache_hint");
  build.expectOperands(hint ? 3 : 2);
  build.address(0);
  build.source(1, 32);
  if (hint)
    build.source(2, 64);
  build.finish(nothing);
}

} // namespace

/// cp.async.bulk..., the two words `async` and `bulk` taken.
void buildBulk(Builder &build, bool reduction) {
  if (build.targetNumber() < 90)
    build.fail("needs target sm_90");
  if (build.take("commit_group")) {
    build.expectOperands(0);
    return build.finish(commitBulk);
  }
  if (build.take("wait_group")) {
    build.take("read");
    build.expectOperands(1);
    build.instr.imm = static_cast<uint64_t>(build.immediate(0));
    return build.finish(waitBulk);
  }
  if (build.take("prefetch"))
    return buildPrefetchBulk(build);
  if (build.take("tensor"))
    return buildTensor(build, reduction);
  buildPlain(build, reduction);
}

} // namespace trident::emu
