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

/// What this warp has done and seen becomes known to whoever acquires `into`. Later accesses count
/// anew.
void Warp::release(View &into) {
  view.seen.raise(agent, count);
  into.join(view);
  ++count;
}

void Warp::acquire(const View &from) {
  view.join(from);
  // What came back of the own count was released by some lane and acquired by these.
  synced = std::max(synced, from.seen[agent] + 1);
}

/// All lanes have met: their accesses so far are ordered before those that follow, in every lane.
void Warp::syncLanes() {
  view.seen.raise(agent, count);
  ++count;
  synced = count;
}

/// Everything seen so far is visible to the async proxy.
void Warp::fenceProxy() {
  view.seen.raise(agent, count);
  ++count;
  view.fenced.join(view.seen);
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
  case Conflict::Kind::mbarrier:
    fail(ReportKind::mbarrierMisuse,
         access + " touches the mbarrier at " + hex(conflict.byte & ~7u) +
             ", initialized at line " + std::to_string(conflict.other.line),
         lane);
  }
}

} // namespace trident::emu
