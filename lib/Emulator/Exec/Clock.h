//===- Clock.h - Happens-before as vector clocks -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every agent counts its own releases; an access is stamped with its agent's count. A stamp (agent,
// count) happened before whoever has seen that count. Agents are the warps of a cluster, the
// asynchronous readers and writers each warp starts, and mbarriers (for the copies that complete on
// them).
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_CLOCK_H
#define TRIDENT_EMULATOR_EXEC_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace trident::emu {

using Agent = uint32_t;
inline constexpr Agent noAgent = ~Agent(0);

/// The agents that belong to one warp, by offset from its first.
namespace agents {
inline constexpr Agent program = 0; ///< ordinary loads and stores
inline constexpr Agent wgmma = 1;   ///< reads of its wgmmas, counted in groups
inline constexpr Agent bulk = 2;    ///< reads of its bulk copies, counted in groups
inline constexpr Agent copy = 3;    ///< writes of its cp.async, counted in groups
inline constexpr Agent perWarp = 4;
} // namespace agents

/// What one lane, or one barrier, has seen of all agents. Of a warp whose lanes did not all release
/// together, only what those lanes did is seen: that is kept beside the counts.
class VectorClock {
public:
  /// Everything that `agent` did up to `count` is seen.
  void raise(Agent agent, uint32_t count) {
    if (agent >= counts.size())
      counts.resize(agent + 1, 0);
    counts[agent] = std::max(counts[agent], count);
  }
  /// What `lane` of `agent` did up to `count` is seen.
  void raiseLane(Agent agent, uint16_t lane, uint32_t count) {
    if (covers(agent, lane, count))
      return;
    for (LaneCount &entry : lanes)
      if (entry.agent == agent && entry.lane == lane) {
        entry.count = count;
        return;
      }
    lanes.push_back({agent, lane, count});
  }
  bool covers(Agent agent, uint16_t lane, uint32_t count) const {
    if (agent < counts.size() && counts[agent] >= count)
      return true;
    for (const LaneCount &entry : lanes)
      if (entry.agent == agent && entry.lane == lane)
        return entry.count >= count;
    return false;
  }
  void join(const VectorClock &other) {
    if (other.counts.size() > counts.size())
      counts.resize(other.counts.size(), 0);
    for (size_t i = 0; i < other.counts.size(); ++i)
      counts[i] = std::max(counts[i], other.counts[i]);
    for (const LaneCount &entry : other.lanes)
      raiseLane(entry.agent, entry.lane, entry.count);
    lanes.erase(std::remove_if(lanes.begin(), lanes.end(),
                               [&](const LaneCount &entry) {
                                 return entry.agent < counts.size() &&
                                        counts[entry.agent] >= entry.count;
                               }),
                lanes.end());
  }

private:
  struct LaneCount {
    Agent agent;
    uint16_t lane;
    uint32_t count;
  };
  std::vector<uint32_t> counts;
  std::vector<LaneCount> lanes;
};

/// What was seen, and which of it is also visible to the async proxy.
struct View {
  VectorClock seen;
  VectorClock fenced;
  void join(const View &other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
};

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_CLOCK_H
