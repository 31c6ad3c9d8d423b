//===- CopyAsync.cpp - cp.async: copies of a few bytes a thread --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Mbarriers.h"
#include "Exec/Spaces.h"

#include <cstring>

namespace trident::emu {

void buildBulk(Builder &build, bool reduction);

namespace {

using ptx::Space;

struct Part {
  std::byte *to;
  const std::byte *from;
  uint32_t read, total;
};

/// a, b: addresses (64-bit flags 1 and 2); `width`: bytes; c: bytes to read (noSlot: all); e:
/// predicate that skips reading.
void copy(Warp &warp, const Instr &instr) {
  auto operation = std::make_shared<CopyOperation>();
  std::vector<Part> parts;
  uint32_t skip = instr.e == noSlot ? 0 : warp.predicate(instr.e);
  Stamp stamp;
  stamp.agent = warp.agent + agents::copy;
  stamp.count = warp.copies.closed + 1;
  stamp.line = instr.line;
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    uint64_t to =
        warp.lane(instr.a, instr.flags & 1 ? 8 : 4, index) + static_cast<uint64_t>(instr.offset);
    uint64_t from = warp.reg<uint64_t>(instr.b)[index] + instr.imm;
    uint32_t total = instr.width;
    uint32_t read = instr.c == noSlot ? total : warp.reg<uint32_t>(instr.c)[index];
    if (skip >> index & 1)
      read = 0;
    if (read > total)
      warp.fail(ReportKind::badOperand,
                "reads " + std::to_string(read) + " of " + std::to_string(total) + " bytes", lane);
    if (to % total || from % total)
      warp.fail(ReportKind::misaligned,
                "addresses " + hex(to) + " and " + hex(from) + " of a copy of " +
                    std::to_string(total) + " bytes",
                lane);
    uint32_t offset;
    Block &owner = warp.sharedBlock(Space::shared, to, total, lane, offset);
    if (warp.checks()) {
      stamp.lane = static_cast<uint16_t>(index);
      Conflict conflict = owner.shadow.write(warp.observer(lane), stamp, offset, total);
      if (conflict)
        warp.judge(conflict, "asynchronous write", total, lane, owner);
    }
    parts.push_back({owner.at(offset), read ? warp.global(from, read, lane, Access::read) : nullptr,
                     read, total});
  });
  operation->work = [parts] {
    for (const Part &part : parts) {
      if (part.read)
        std::memcpy(part.to, part.from, part.read);
      std::memset(part.to + part.read, 0, part.total - part.read);
    }
  };
  warp.copies.open.push_back(operation);
  warp.block.cluster.pending.push_back(
      {[operation] { operation->run(); }, "cp.async of line " + std::to_string(instr.line)});
  warp.block.cluster.progressed();
}

void commit(Warp &warp, const Instr &) {
  warp.copies.committed.push_back(std::move(warp.copies.open));
  warp.copies.open.clear();
  ++warp.copies.closed;
}

/// The host performs what must be complete at once: the copies are the warp's own.
void finishGroups(Warp &warp, size_t mayRemain) {
  CopyGroups &groups = warp.copies;
  while (groups.committed.size() > mayRemain) {
    for (auto &operation : groups.committed.front())
      operation->run();
    groups.committed.pop_front();
  }
  warp.learn(warp.agent + agents::copy,
             groups.closed - static_cast<uint32_t>(groups.committed.size()), warp.active);
}

void wait(Warp &warp, const Instr &instr) { finishGroups(warp, instr.imm); }

void waitAll(Warp &warp, const Instr &instr) {
  commit(warp, instr);
  finishGroups(warp, 0);
}

/// Arrives once this warp's copies so far are complete. `kind`: .noinc.
void arriveLater(Warp &warp, const Instr &instr) {
  std::vector<std::shared_ptr<CopyOperation>> before = warp.copies.open;
  for (const auto &group : warp.copies.committed)
    before.insert(before.end(), group.begin(), group.end());
  Cluster &cluster = warp.block.cluster;
  View now;
  if (warp.checks()) {
    warp.release(now);
    now.seen.raise(warp.agent + agents::copy, warp.copies.closed + 1);
  }
  warp.lanes([&](unsigned index) {
    uint64_t address =
        warp.lane(instr.a, instr.flags & 1 ? 8 : 4, index) + static_cast<uint64_t>(instr.offset);
    MbarrierRef ref =
        findMbarrier(warp, static_cast<Space>(instr.space), address, static_cast<int>(index));
    if (!instr.kind)
      ++ref.barrier.pending;
    if (!ref.barrier.pending)
      warp.fail(ReportKind::mbarrierMisuse,
                "the mbarrier at " + hex(ref.offset) + " expects no more arrivals",
                static_cast<int>(index));
    Mbarrier *barrier = &ref.barrier;
    cluster.pending.push_back({[before, barrier, now, &cluster] {
                                 for (const auto &operation : before)
                                   operation->run();
                                 barrier->collecting.join(now);
                                 if (barrier->pending)
                                   --barrier->pending;
                                 completeIfDone(cluster, *barrier);
                               },
                               "cp.async.mbarrier.arrive of line " + std::to_string(instr.line)});
  });
}

void takeAddress(Builder &build, size_t index) {
  build.instr.flags |= build.address(index) == 8 ? 1 : 0;
}

} // namespace

void buildCp(Builder &build) {
  Instr &instr = build.instr;
  bool reduction = build.take("reduce");
  if (!build.take("async"))
    build.fail("expected .async");
  if (build.targetNumber() < 80)
    build.fail("needs target sm_80");
  if (build.take("bulk"))
    return buildBulk(build, reduction);
  if (reduction)
    build.fail("expected cp.reduce.async.bulk");
  if (build.take("commit_group")) {
    build.expectOperands(0);
    return build.finish(commit);
  }
  if (build.take("wait_group")) {
    build.expectOperands(1);
    instr.imm = static_cast<uint64_t>(build.immediate(0));
    return build.finish(wait);
  }
  if (build.take("wait_all")) {
    build.expectOperands(0);
    return build.finish(waitAll);
  }
  if (build.take("mbarrier")) {
    if (!build.take("arrive"))
      build.fail("expected cp.async.mbarrier.arrive");
    instr.kind = build.take("noinc");
    instr.space = static_cast<uint8_t>(takeSpace(build));
    build.takeType();
    build.expectOperands(1);
    takeAddress(build, 0);
    return build.finish(arriveLater);
  }
  int cache = build.takeOneOf({"ca", "cg"});
  if (cache < 0 || !(build.take("shared") || build.take("shared::cta")) || !build.take("global"))
    build.fail("expected cp.async.{ca,cg}.shared.global");
  bool hint = build.take("L2::cache_hint");
  build.takeOneOf({"L2::64B", "L2::128B", "L2::256B"});
  build.expectOperands(hint ? 4 : 3, hint ? 5 : 4);
  Slot from;
  int64_t offset;
  if (build.address(build.operand(1), from, offset) != 8)
    build.fail(build.operand(1), "expected a 64-bit address");
  instr.b = from;
  instr.imm = static_cast<uint64_t>(offset);
  takeAddress(build, 0);
  int64_t bytes = build.immediate(2);
  if (bytes != 16 && (cache == 1 || (bytes != 4 && bytes != 8)))
    build.fail(build.operand(2), cache == 1 ? "expected 16 bytes" : "expected 4, 8 or 16 bytes");
  instr.width = static_cast<uint8_t>(bytes);
  if (build.operandCount() == size_t(hint ? 5 : 4)) {
    const ptx::Operand &extra = build.operand(3);
    if (build.laneBytes(extra, 32) == 0)
      instr.e = build.predicateSource(3);
    else
      instr.c = build.source(3, 32);
  }
  if (hint)
    build.source(build.operandCount() - 1, 64);
  build.finish(copy);
}

} // namespace trident::emu
