//===- Checks.cpp - Order between accesses, and what is said when there is none ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Machine.h"

namespace trident::emu {

Stamp Warp::stamp(int lane) const {
  Stamp stamp;
  stamp.agent = agent;
  stamp.count = count;
  stamp.line = now ? now->line : 0;
  stamp.lane = static_cast<uint16_t>(lane < 0 ? 0 : lane);
  return stamp;
}

namespace {

template <typename F> void forLanes(uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1)
    f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

} // namespace

/// What the active lanes have done and seen becomes known to whoever acquires `into`. Later
/// accesses count anew.
void Warp::release(View &into) {
  into.join(view);
  forLanes(active, [&](unsigned lane) {
    if (ownViews[lane])
      into.join(*ownViews[lane]);
  });
  if (active == live)
    into.seen.raise(agent, count);
  else
    forLanes(active, [&](unsigned lane) {
      into.seen.raiseLane(agent, static_cast<uint16_t>(lane), count);
    });
  ++count;
}

void Warp::acquire(const View &from, uint32_t lanes) {
  bool all = lanes == live;
  if (all)
    view.join(from);
  forLanes(lanes, [&](unsigned lane) {
    if (!ownViews[lane] && !all)
      ownViews[lane] = std::make_unique<View>(view);
    if (ownViews[lane])
      ownViews[lane]->join(from);
  });
}

/// The active lanes have met: what each has done and seen is ordered before what follows in all of
/// them.
void Warp::syncLanes() {
  View met;
  release(met);
  if (active == live)
    for (auto &own : ownViews)
      own = nullptr;
  acquire(met, active);
}

/// Everything that the active lanes have done and seen is visible to the async proxy.
void Warp::fenceProxy() {
  bool all = active == live;
  auto fence = [&](View &seenBy) { seenBy.fenced.join(seenBy.seen); };
  if (all) {
    fence(view);
    view.fenced.raise(agent, count);
  }
  forLanes(active, [&](unsigned lane) {
    if (!ownViews[lane] && !all)
      ownViews[lane] = std::make_unique<View>(view);
    if (!ownViews[lane])
      return;
    fence(*ownViews[lane]);
    if (all)
      ownViews[lane]->fenced.raise(agent, count);
    else
      ownViews[lane]->fenced.raiseLane(agent, static_cast<uint16_t>(lane), count);
  });
  ++count;
}

void Warp::fenceMemory() {
  if (learned)
    acquire(strongReads, active);
  release(beforeFence);
  fenced = true;
}

void Warp::synchronize(Block &owner, uint32_t offset, unsigned lane, Access access, uint8_t order) {
  auto found = owner.releases.find(offset);
  if (access != Access::write && found != owner.releases.end()) {
    if (order & acquireOrder) {
      acquire(found->second, 1u << lane);
    } else {
      strongReads.join(found->second);
      learned = true;
    }
  }
  if (access == Access::read || (!(order & releaseOrder) && !fenced && access == Access::atomic))
    return;
  View &released = owner.releases[offset];
  if (access == Access::write)
    released = View();
  if (fenced)
    released.join(beforeFence);
  if (order & releaseOrder) {
    uint32_t all = active;
    active = 1u << lane;
    release(released);
    active = all;
  }
}

void Warp::learn(Agent of, uint32_t upTo, uint32_t lanes) {
  bool all = lanes == live;
  if (all)
    view.seen.raise(of, upTo);
  forLanes(lanes, [&](unsigned lane) {
    if (!ownViews[lane] && !all)
      ownViews[lane] = std::make_unique<View>(view);
    if (ownViews[lane])
      ownViews[lane]->seen.raise(of, upTo);
  });
}

namespace {

std::string who(const Warp &warp, const Stamp &stamp) {
  std::string line = stamp.line ? " at line " + std::to_string(stamp.line) : "";
  uint32_t warps = warp.launch.warps;
  uint32_t owner = stamp.agent / agents::perWarp;
  if (owner >= warps * warp.launch.blocksPerCluster)
    return "an asynchronous copy" + line;
  std::string text = "warp " + std::to_string(owner % warps);
  if (warp.launch.blocksPerCluster > 1)
    text += " of block rank " + std::to_string(owner / warps);
  switch (stamp.agent % agents::perWarp) {
  case agents::wgmma:
    return "a wgmma of " + text + line;
  case agents::bulk:
    return "a bulk copy of " + text + line;
  case agents::copy:
    return "a cp.async of " + text + line;
  default:
    return text + " lane " + std::to_string(stamp.lane) + line;
  }
}

} // namespace

void Warp::judge(const Conflict &conflict, const char *what, uint32_t bytes, int lane,
                 Block &owner) {
  std::string place = "byte " + hex(conflict.byte) + " of shared memory";
  if (owner.rank != block.rank || launch.blocksPerCluster > 1)
    place += " of block rank " + std::to_string(owner.rank);
  std::string access = std::string(what) + " of " + std::to_string(bytes) + " bytes";
  switch (conflict.kind) {
  case Conflict::Kind::none:
    return;
  case Conflict::Kind::uninitialized:
    fail(ReportKind::uninitializedShared, access + ": " + place + " was never written", lane);
  case Conflict::Kind::writeRace:
    fail(ReportKind::race,
         access + ": the write of " + place + " by " + who(*this, conflict.other) +
             " is not ordered before",
         lane);
  case Conflict::Kind::readRace:
    fail(ReportKind::race,
         access + ": the read of " + place + " by " + who(*this, conflict.other) +
             " is not ordered before",
         lane);
  case Conflict::Kind::unfenced:
    fail(ReportKind::proxyFence,
         access + " by the async proxy: " + place + " was written by " +
             who(*this, conflict.other) + " without fence.proxy.async after it",
         lane);
  case Conflict::Kind::unfencedRead:
    fail(ReportKind::proxyFence,
         access + " by the async proxy (write after read): " + place + " was read by " +
             who(*this, conflict.other) + " without fence.proxy.async after it",
         lane);
  case Conflict::Kind::mbarrier:
    fail(ReportKind::mbarrierMisuse,
         access + " touches the mbarrier at " + hex(conflict.byte & ~7u) +
             ", initialized at line " + std::to_string(conflict.other.line),
         lane);
  }
}

} // namespace trident::emu
