//===- Mbarriers.cpp - mbarrier objects --------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Mbarriers.h"
#include "Exec/Decode.h"
#include "Exec/Spaces.h"

namespace trident::emu {

using ptx::Space;

MbarrierRef findMbarrier(Warp &warp, Space space, uint64_t address, int lane) {
  if (address % 8)
    warp.fail(ReportKind::misaligned,
              "mbarrier address " + hex(address) + ", expected 8-byte alignment", lane);
  uint32_t offset;
  Block &owner = warp.sharedBlock(space, address, 8, lane, offset);
  auto found = owner.mbarriers.find(offset);
  if (found == owner.mbarriers.end())
    warp.fail(ReportKind::mbarrierMisuse, "no mbarrier was initialized at " + hex(offset), lane);
  Mbarrier &barrier = found->second;
  if (warp.checks() && barrier.init.agent != noAgent) {
    const Stamp &init = barrier.init;
    bool own = init.agent == warp.agent && init.lane == static_cast<uint16_t>(lane);
    if (!own && !warp.viewOf(lane).seen.covers(init.agent, init.lane, init.count))
      warp.fail(ReportKind::race,
                "uses the mbarrier at " + hex(offset) + ", whose initialization at line " +
                    std::to_string(init.line) + " is not ordered before",
                lane);
  }
  return {owner, barrier, offset};
}

void completeIfDone(Cluster &cluster, Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  barrier.completed.join(barrier.collecting);
  barrier.pending = barrier.count;
  if (barrier.agent != noAgent)
    barrier.completed.seen.raise(barrier.agent, barrier.phase + 1);
  ++barrier.phase;
  cluster.progressed();
}

void completeBytes(Cluster &cluster, Mbarrier &barrier, int64_t bytes) {
  barrier.bytes -= bytes;
  completeIfDone(cluster, barrier);
}

namespace {

constexpr int64_t byteLimit = (1 << 20) - 1;

void expectBytes(Warp &warp, Mbarrier &barrier, int64_t bytes, int lane) {
  barrier.bytes += bytes;
  if (barrier.bytes > byteLimit || barrier.bytes < -byteLimit)
    warp.fail(ReportKind::mbarrierMisuse,
              "the mbarrier now expects " + std::to_string(barrier.bytes) +
                  " bytes, expected at most " + std::to_string(byteLimit),
              lane);
}

uint64_t addressOf(Warp &warp, const Instr &instr, unsigned lane) {
  uint64_t base = warp.lane(instr.a, instr.flags & 1 ? 8 : 4, lane);
  uint64_t address = base + static_cast<uint64_t>(instr.offset);
  return instr.flags & 1 ? address : address & 0xffffffff;
}

void init(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    uint64_t address = addressOf(warp, instr, index);
    uint32_t count = warp.reg<uint32_t>(instr.b)[index], offset;
    if (count == 0 || count > byteLimit)
      warp.fail(ReportKind::mbarrierMisuse,
                "count " + std::to_string(count) + ", expected 1 to " + std::to_string(byteLimit),
                lane);
    if (address % 8)
      warp.fail(ReportKind::misaligned,
                "mbarrier address " + hex(address) + ", expected 8-byte alignment", lane);
    Block &owner = warp.sharedBlock(static_cast<Space>(instr.space), address, 8, lane, offset);
    if (warp.checks() && owner.mbarriers.count(offset))
      warp.fail(ReportKind::mbarrierMisuse,
                "an mbarrier already lives at " + hex(offset) + ": expected mbarrier.inval before",
                lane);
    if (warp.checks()) {
      Conflict conflict = owner.shadow.write(warp.observer(lane), warp.stamp(lane), offset, 8);
      if (conflict)
        warp.judge(conflict, "mbarrier.init", 8, lane, owner);
      owner.shadow.setMbarrier(offset, true);
    }
    Mbarrier barrier;
    barrier.count = barrier.pending = count;
    barrier.agent = warp.block.cluster.nextAgent++;
    barrier.initLine = instr.line;
    barrier.init = warp.stamp(lane);
    owner.mbarriers[offset] = barrier;
  });
}

void inval(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned lane) {
    MbarrierRef ref = findMbarrier(warp, static_cast<Space>(instr.space),
                                   addressOf(warp, instr, lane), static_cast<int>(lane));
    if (warp.checks())
      ref.owner.shadow.setMbarrier(ref.offset, false);
    ref.owner.mbarriers.erase(ref.offset);
  });
}

enum ArriveFlags : uint8_t { wideAddress = 1, drops = 2, expects = 4 };

/// b: count or bytes (noSlot: 1); d: the state (noSlot: none).
void arrive(Warp &warp, const Instr &instr) {
  Cluster &cluster = warp.block.cluster;
  View now;
  if (warp.checks())
    warp.release(now);
  const Mbarrier *last = nullptr;
  uint32_t phase = 0;
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    MbarrierRef ref =
        findMbarrier(warp, static_cast<Space>(instr.space), addressOf(warp, instr, index), lane);
    Mbarrier &barrier = ref.barrier;
    // Which lane arrives in which phase is up to the hardware; where one lane should arrive and all
    // do, they complete as many phases as leave the parity what it was.
    if (warp.checks() && last == &barrier && barrier.phase != phase)
      warp.fail(ReportKind::mbarrierMisuse,
                "arrives in phase " + std::to_string(barrier.phase) + " of the mbarrier at " +
                    hex(ref.offset) + ", whose phase " + std::to_string(phase) +
                    " other lanes have completed by the same instruction",
                lane);
    last = &barrier;
    phase = barrier.phase;
    uint32_t value = instr.b == noSlot ? 1 : warp.reg<uint32_t>(instr.b)[index];
    uint32_t arrivals = instr.flags & expects ? 1 : value;
    if (instr.flags & expects)
      expectBytes(warp, barrier, value, lane);
    if (arrivals == 0 || arrivals > barrier.pending)
      warp.fail(ReportKind::mbarrierMisuse,
                std::to_string(arrivals) + " arrivals at the mbarrier at " + hex(ref.offset) +
                    ", whose phase " + std::to_string(barrier.phase) + " still needs " +
                    std::to_string(barrier.pending) + " of " + std::to_string(barrier.count),
                lane);
    if (instr.d != noSlot)
      warp.reg<uint64_t>(instr.d)[index] = uint64_t(barrier.phase) << 32 | barrier.pending;
    if (warp.checks())
      barrier.collecting.join(now);
    barrier.pending -= arrivals;
    if (instr.flags & drops)
      barrier.count -= arrivals;
    cluster.progressed();
    completeIfDone(cluster, barrier);
  });
}

/// expect_tx and complete_tx alone; `kind`: 1 for complete.
void transaction(Warp &warp, const Instr &instr) {
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    MbarrierRef ref =
        findMbarrier(warp, static_cast<Space>(instr.space), addressOf(warp, instr, index), lane);
    int64_t bytes = warp.reg<uint32_t>(instr.b)[index];
    expectBytes(warp, ref.barrier, instr.kind ? -bytes : bytes, lane);
    if (instr.kind)
      completeIfDone(warp.block.cluster, ref.barrier);
  });
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

bool phaseDone(const Mbarrier &barrier, uint64_t phase, bool parity) {
  return parity ? (barrier.phase & 1) != (phase & 1)
                : barrier.phase != static_cast<uint32_t>(phase >> 32);
}

bool mbarrierReady(Warp &warp, const Split &split) {
  Block &owner = *warp.block.cluster.blocks[split.w0 >> 32];
  auto found = owner.mbarriers.find(static_cast<uint32_t>(split.w0));
  return found == owner.mbarriers.end() ||
         phaseDone(found->second, split.w1 & ~(uint64_t(1) << 63), split.w1 >> 63);
}
std::string mbarrierWait(Warp &warp, const Split &split) {
  Block &owner = *warp.block.cluster.blocks[split.w0 >> 32];
  auto found = owner.mbarriers.find(static_cast<uint32_t>(split.w0));
  if (found == owner.mbarriers.end())
    return "an mbarrier that is gone";
  const Mbarrier &barrier = found->second;
  std::string text = "the mbarrier at " + hex(found->first) + " (initialized at line " +
                     std::to_string(barrier.initLine) + "), ";
  text += split.w1 >> 63 ? "parity " + std::to_string(split.w1 & 1)
                         : "phase " + std::to_string(split.w1 >> 32 & 0x7fffffff);
  return text + "; it is in phase " + std::to_string(barrier.phase) + ", " +
         std::to_string(barrier.count - barrier.pending) + " of " + std::to_string(barrier.count) +
         " arrivals, " + std::to_string(barrier.bytes) + " bytes outstanding";
}
const WaitType mbarrierWaitType = {mbarrierReady, mbarrierWait};

/// `kind` bit 0: parity, bit 1: try_wait (may suspend); b: the parity or the state.
void wait(Warp &warp, const Instr &instr) {
  bool parity = instr.kind & 1, mayWait = instr.kind & 2;
  uint32_t done = 0;
  const Mbarrier *common = nullptr;
  uint32_t together = 0;
  uint64_t w0 = 0, w1 = 0;
  warp.lanes([&](unsigned index) {
    int lane = static_cast<int>(index);
    MbarrierRef ref =
        findMbarrier(warp, static_cast<Space>(instr.space), addressOf(warp, instr, index), lane);
    uint64_t phase =
        parity ? warp.reg<uint32_t>(instr.b)[index] & 1 : warp.reg<uint64_t>(instr.b)[index];
    if (!phaseDone(ref.barrier, phase, parity)) {
      w0 = uint64_t(ref.owner.rank) << 32 | ref.offset;
      w1 = phase | uint64_t(parity) << 63;
      return;
    }
    done |= 1u << index;
    ref.barrier.waited = ref.barrier.phase;
    // Lanes mostly wait for one barrier: they acquire together.
    if (common && common != &ref.barrier && warp.checks())
      warp.acquire(ref.barrier.completed, 1u << index);
    else
      common = &ref.barrier, together |= 1u << index;
  });
  if (common && warp.checks())
    warp.acquire(common->completed, together);
  bool resumed = warp.resumed(mbarrierWaitType);
  // try_wait may give up: let it, now and then, so that the loop around it is tested.
  if (!done && mayWait && (resumed || !warp.block.cluster.random.oneIn(4)))
    return warp.suspend(mbarrierWaitType, w0, w1);
  if (done != warp.active)
    warp.yield();
  uint32_t &d = warp.predicate(instr.d);
  d = (d & ~warp.active) | done;
}

void pendingCount(Warp &warp, const Instr &instr) {
  const auto *state = warp.reg<uint64_t>(instr.a);
  auto *d = warp.reg<uint32_t>(instr.d);
  warp.lanes([=](unsigned lane) { d[lane] = static_cast<uint32_t>(state[lane]); });
}

void takeOrder(Builder &build) {
  build.takeOneOf({"release", "acquire", "relaxed"});
  build.takeOneOf({"cta", "cluster"});
}

void takeAddress(Builder &build, size_t index) {
  build.instr.flags |= build.address(index) == 8 ? wideAddress : 0;
}

void buildArrive(Builder &build, bool drop) {
  Instr &instr = build.instr;
  bool expect = build.take("expect_tx");
  build.take("noComplete");
  takeOrder(build);
  build.expectOperands(expect ? 3 : 1, 3);
  instr.flags |= (drop ? drops : 0) | (expect ? expects : 0);
  // The state may be left out for remote barriers: the first operand is then the address.
  size_t first = build.operand(0).kind == ptx::Operand::Kind::address ? 0 : 1;
  if (first == 1 && !build.isSink(0))
    instr.d = build.destination(0, 64);
  takeAddress(build, first);
  if (build.operandCount() > first + 1)
    instr.b = build.source(first + 1, 32);
  build.finish(arrive);
}

void buildWait(Builder &build, bool mayWait) {
  Instr &instr = build.instr;
  bool parity = build.take("parity");
  takeOrder(build);
  instr.kind = static_cast<uint8_t>(int(parity) | int(mayWait) << 1);
  build.expectOperands(3, mayWait ? 4 : 3);
  instr.d = build.destination(0, 1);
  takeAddress(build, 1);
  instr.b = build.source(2, parity ? 32 : 64);
  if (build.operandCount() == 4)
    build.source(3, 32);
  build.finish(wait);
}

} // namespace

void buildMbarrier(Builder &build) {
  Instr &instr = build.instr;
  if (build.targetNumber() < 80)
    build.fail("needs target sm_80");
  if (build.take("pending_count")) {
    build.takeType();
    build.expectOperands(2);
    instr.d = build.destination(0, 32);
    instr.a = build.source(1, 64);
    return build.finish(pendingCount);
  }
  int op = build.takeOneOf({"init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx",
                            "test_wait", "try_wait"});
  // `arrive.expect_tx` also holds `expect_tx`: takeOneOf looks for `arrive` first.
  if (op < 0)
    build.fail("expected an operation such as .init");
  instr.space = static_cast<uint8_t>(takeSpace(build));
  if (build.takeType() != Type::b64)
    build.fail("expected .b64");
  if (op >= 4 && op != 6 && build.targetNumber() < 90)
    build.fail("needs target sm_90");
  switch (op) {
  case 0:
    build.expectOperands(2);
    takeAddress(build, 0);
    instr.b = build.source(1, 32);
    return build.finish(init);
  case 1:
    build.expectOperands(1);
    takeAddress(build, 0);
    return build.finish(inval);
  case 2:
  case 3:
    return buildArrive(build, op == 3);
  case 4:
  case 5:
    takeOrder(build);
    build.expectOperands(2);
    takeAddress(build, 0);
    instr.b = build.source(1, 32);
    instr.kind = op == 5;
    return build.finish(transaction);
  default:
    return buildWait(build, op == 7);
  }
}

} // namespace trident::emu
