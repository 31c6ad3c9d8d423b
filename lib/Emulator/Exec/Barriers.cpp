//===- Barriers.cpp - bar, barrier.cluster and fences ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Machine.h"

namespace trident::emu {
namespace {

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

bool barrierReady(Warp &warp, const Split &split) {
  return warp.block.barriers[split.w0].phase != static_cast<uint32_t>(split.w1);
}
std::string barrierWait(Warp &warp, const Split &split) {
  const Barrier &barrier = warp.block.barriers[split.w0];
  std::string text = "barrier " + std::to_string(split.w0) + ": " +
                     std::to_string(barrier.arrived) + " of " + std::to_string(barrier.expected) +
                     " threads have arrived (warps";
  for (unsigned other = 0; other < warp.launch.warps; ++other)
    if (barrier.arrivedWarps >> other & 1)
      text += " " + std::to_string(other);
  return text + ")";
}
const WaitType barrierWaitType = {barrierReady, barrierWait};

uint32_t uniform(Warp &warp, Slot slot, const char *what) {
  const auto *values = warp.reg<uint32_t>(slot);
  uint32_t first = values[warp.firstLane()];
  warp.lanes([&](unsigned lane) {
    if (values[lane] != first)
      warp.fail(ReportKind::barrierMisuse,
                std::string(what) + " differs between the lanes of a warp: " +
                    std::to_string(first) + " and " + std::to_string(values[lane]),
                static_cast<int>(lane));
  });
  return first;
}

enum class BarrierOp : uint8_t { sync, arrive, popc, andAll, orAny };
const char *const barrierOpNames[] = {"sync", "arrive", "red.popc", "red.and", "red.or"};

void arrive(Warp &warp, Barrier &barrier, uint32_t id, uint32_t count, BarrierOp op) {
  // The manual calls the mixture unpredictable; an H200 stops with an illegal instruction.
  uint8_t reducing = op >= BarrierOp::popc ? static_cast<uint8_t>(op) : 0;
  if (barrier.expected && barrier.reducing != reducing)
    warp.fail(ReportKind::barrierMisuse,
              std::string(barrierOpNames[static_cast<int>(op)]) + " at barrier " +
                  std::to_string(id) + ", where others " +
                  (barrier.reducing ? std::string("use ") + barrierOpNames[barrier.reducing]
                                    : "do not reduce"));
  barrier.reducing = reducing;
  if (barrier.expected && barrier.expected != count)
    warp.fail(ReportKind::barrierMisuse, "barrier " + std::to_string(id) + " for " +
                                             std::to_string(count) + " threads, but others use " +
                                             std::to_string(barrier.expected));
  if (barrier.arrivedWarps >> warp.index & 1)
    warp.fail(ReportKind::barrierMisuse,
              "warp " + std::to_string(warp.index) + " arrives twice at barrier " +
                  std::to_string(id) + " before it completes: " + std::to_string(barrier.arrived) +
                  " of " + std::to_string(barrier.expected) + " threads have arrived");
  barrier.expected = count;
  barrier.arrived += 32;
  barrier.arrivedWarps |= 1u << warp.index;
  if (warp.checks())
    warp.release(barrier.collecting);
  warp.block.cluster.progressed();
  if (barrier.arrived < count)
    return;
  barrier.completed = barrier.collecting;
  std::copy(barrier.reduction, barrier.reduction + 3, barrier.reduced);
  barrier.reduction[0] = barrier.reduction[2] = 0;
  barrier.reduction[1] = ~0u;
  barrier.expected = barrier.arrived = barrier.arrivedWarps = 0;
  ++barrier.phase;
}

/// Keys of meetings at barriers, beside the masks of bar.warp.sync.
constexpr uint64_t barrierMeeting = uint64_t(1) << 32, clusterMeeting = uint64_t(2) << 32;

void finishReduction(Warp &warp, const Instr &instr, const Barrier &barrier) {
  BarrierOp op = static_cast<BarrierOp>(instr.kind);
  if (op == BarrierOp::popc) {
    auto *d = warp.reg<uint32_t>(instr.d);
    warp.lanes([&](unsigned lane) { d[lane] = barrier.reduced[0]; });
  } else if (op == BarrierOp::andAll || op == BarrierOp::orAny) {
    bool answer = op == BarrierOp::andAll ? barrier.reduced[1] != 0 : barrier.reduced[2] != 0;
    uint32_t &d = warp.predicate(instr.d);
    d = (d & ~warp.active) | (answer ? warp.active : 0);
  }
}

/// a: barrier, b: threads (noSlot: all), c: predicate of a reduction (`flags`: negated).
void barrierOp(Warp &warp, const Instr &instr) {
  uint32_t id = uniform(warp, instr.a, "the barrier");
  if (id >= 16)
    warp.fail(ReportKind::barrierMisuse, "barrier " + std::to_string(id) + ", expected 0 to 15");
  Barrier &barrier = warp.block.barriers[id];
  BarrierOp op = static_cast<BarrierOp>(instr.kind);
  if (!warp.resumed(barrierWaitType)) {
    uint32_t all = warp.launch.warps * 32;
    uint32_t count = instr.b == noSlot ? all : uniform(warp, instr.b, "the thread count");
    if (count == 0 || count % 32 || count > all)
      warp.fail(ReportKind::barrierMisuse, "thread count " + std::to_string(count) +
                                               ", expected a multiple of 32 up to " +
                                               std::to_string(all));
    bool together = !warp.inMeeting() && warp.active == warp.live;
    if (instr.e != noSlot && !warp.inMeeting()) {
      uint32_t value = warp.predicate(instr.e);
      value = (instr.flags ? ~value : value) & warp.active;
      barrier.reduction[0] += static_cast<uint32_t>(__builtin_popcount(value));
      barrier.reduction[1] &= value == warp.active ? ~0u : 0;
      barrier.reduction[2] |= value ? ~0u : 0;
    }
    // Without .aligned each lane may come from another place: the warp arrives with the last of
    // them.
    Meeting *meeting = nullptr;
    if (!together && !(meeting = warp.meet(barrierMeeting | id << 8 | instr.kind, ~0u)))
      return;
    uint32_t phase = meeting && meeting->phase ? *meeting->phase : barrier.phase;
    if (!meeting || !meeting->phase) {
      if (meeting)
        barrier.collecting.join(meeting->view);
      arrive(warp, barrier, id, count, op);
    }
    if (meeting) {
      meeting->phase = phase;
      warp.leave(*meeting);
    }
    if (op == BarrierOp::arrive)
      return;
    if (barrier.phase == phase)
      return warp.suspend(barrierWaitType, id, phase);
  }
  if (warp.checks()) {
    warp.acquire(barrier.completed, warp.active);
    warp.syncLanes();
  }
  finishReduction(warp, instr, barrier);
}

//===----------------------------------------------------------------------===//
// The cluster's barrier
//===----------------------------------------------------------------------===//

bool clusterReady(Warp &warp, const Split &split) {
  return !(warp.clusterArrived & split.mask & warp.live);
}
std::string clusterWait(Warp &warp, const Split &) {
  std::string text = "barrier.cluster; not arrived:";
  for (auto &block : warp.block.cluster.blocks)
    for (auto &other : block->warps)
      if (other->live & ~other->clusterArrived)
        text +=
            " block rank " + std::to_string(block->rank) + " warp " + std::to_string(other->index);
  return text;
}
const WaitType clusterWaitType = {clusterReady, clusterWait};

/// Whether the lanes of the warp have come together. Without .aligned they may come one after the
/// other, but to the same instruction: on an H200 those of two places wait for each other for ever.
bool clusterTogether(Warp &warp) {
  if (!warp.inMeeting() && warp.active == warp.live)
    return true;
  Meeting *meeting = warp.meet(clusterMeeting | warp.split().pc, ~0u);
  if (meeting)
    warp.leave(*meeting);
  return meeting;
}

void clusterArrive(Warp &warp, const Instr &) {
  if (uint32_t twice = warp.clusterOwes & warp.active)
    warp.fail(ReportKind::barrierMisuse, "arrives twice at the cluster's barrier without a wait",
              __builtin_ctz(twice));
  if (!clusterTogether(warp))
    return;
  warp.clusterOwes |= warp.active;
  warp.clusterArrived |= warp.active;
  Cluster &cluster = warp.block.cluster;
  if (warp.checks())
    warp.release(cluster.clusterBarrier.collecting);
  cluster.progressed();
  cluster.tryClusterBarrier();
}

void clusterWaitOp(Warp &warp, const Instr &) {
  if (uint32_t missing = warp.active & ~warp.clusterOwes)
    warp.fail(ReportKind::barrierMisuse, "waits at the cluster's barrier without an arrive",
              __builtin_ctz(missing));
  if (!warp.resumed(clusterWaitType) && !clusterTogether(warp))
    return;
  if (warp.clusterArrived & warp.active)
    return warp.suspend(clusterWaitType);
  warp.clusterOwes &= ~warp.active;
  if (warp.checks()) {
    warp.acquire(warp.block.cluster.clusterBarrier.completed, warp.active);
    warp.syncLanes();
  }
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

void proxyFence(Warp &warp, const Instr &) {
  if (warp.checks())
    warp.fenceProxy();
}

void mbarrierInitFence(Warp &warp, const Instr &) {
  for (auto &[offset, barrier] : warp.block.mbarriers)
    if (barrier.init.agent == warp.agent && warp.active >> barrier.init.lane & 1)
      barrier.fenced = true;
}

void memoryFence(Warp &warp, const Instr &) {
  if (warp.checks())
    warp.fenceMemory();
}

void nothing(Warp &, const Instr &) {}

void buildBarrierSync(Builder &build, BarrierOp op, bool aligned) {
  Instr &instr = build.instr;
  instr.kind = static_cast<uint8_t>(op);
  bool reduces = op >= BarrierOp::popc;
  size_t first = reduces ? 1 : 0;
  size_t most = first + 2 + reduces;
  build.expectOperands(op == BarrierOp::arrive ? 2 : first + 1 + reduces, most);
  if (reduces)
    instr.d = build.destination(0, op == BarrierOp::popc ? 32 : 1);
  instr.a = build.source(first, 32);
  if (build.operandCount() == most)
    instr.b = build.source(first + 1, 32);
  if (reduces) {
    size_t last = build.operandCount() - 1;
    instr.flags = build.operand(last).negated;
    instr.e = build.predicateSource(last, true);
  }
  if (aligned)
    instr.together = Together::warp;
  build.finish(barrierOp);
}

void buildNamedBarrier(Builder &build, bool aligned) {
  build.take("cta");
  switch (build.takeOneOf({"sync", "arrive", "red"})) {
  case 0:
    return buildBarrierSync(build, BarrierOp::sync, aligned);
  case 1:
    return buildBarrierSync(build, BarrierOp::arrive, aligned);
  case 2: {
    int op = build.takeOneOf({"popc", "and", "or"});
    build.takeType();
    if (op < 0)
      build.fail("expected .popc, .and or .or");
    return buildBarrierSync(build,
                            op == 0   ? BarrierOp::popc
                            : op == 1 ? BarrierOp::andAll
                                      : BarrierOp::orAny,
                            aligned);
  }
  default:
    build.fail("expected .sync, .arrive or .red");
  }
}

} // namespace

void Cluster::tryClusterBarrier() {
  for (auto &block : blocks)
    for (auto &warp : block->warps)
      if (warp->live & ~warp->clusterArrived)
        return;
  for (auto &block : blocks)
    for (auto &warp : block->warps)
      warp->clusterArrived = 0;
  clusterBarrier.completed = clusterBarrier.collecting;
  ++clusterBarrier.phase;
}

void buildWarpSync(Builder &build);

void buildBar(Builder &build) {
  if (build.take("warp"))
    return buildWarpSync(build);
  buildNamedBarrier(build, true);
}

void buildBarrier(Builder &build) {
  if (!build.take("cluster")) {
    bool aligned = build.take("aligned");
    return buildNamedBarrier(build, aligned);
  }
  int op = build.takeOneOf({"arrive", "wait"});
  if (op < 0)
    build.fail("expected .arrive or .wait");
  if (build.targetNumber() < 90)
    build.fail("needs target sm_90");
  build.takeOneOf({"release", "relaxed", "acquire"});
  if (build.take("aligned"))
    build.instr.together = Together::warp;
  build.expectOperands(0);
  build.finish(op == 0 ? clusterArrive : clusterWaitOp);
}

void buildMembar(Builder &build) {
  if (build.takeOneOf({"cta", "gl", "sys"}) < 0)
    build.fail("expected .cta, .gl or .sys");
  build.expectOperands(0);
  build.finish(memoryFence);
}

void buildFence(Builder &build) {
  if (build.take("mbarrier_init")) {
    if (!build.take("release") || !build.take("cluster"))
      build.fail("expected fence.mbarrier_init.release.cluster");
    build.expectOperands(0);
    return build.finish(mbarrierInitFence);
  }
  if (build.take("proxy")) {
    if (build.take("alias")) {
      build.expectOperands(0);
      return build.finish(nothing);
    }
    if (build.take("tensormap::generic")) {
      build.takeOneOf({"release", "acquire"});
      build.takeOneOf({"cta", "cluster", "gpu", "sys"});
      build.expectOperands(0, 2);
      for (size_t i = 0; i < build.operandCount(); ++i)
        if (build.operand(i).kind == ptx::Operand::Kind::address)
          build.address(i);
      return build.finish(nothing);
    }
    if (!build.take("async"))
      build.fail("expected .async, .alias or .tensormap::generic");
    // The order of accesses to global memory is not modelled.
    bool global = build.take("global");
    build.takeOneOf({"shared::cta", "shared::cluster"});
    build.expectOperands(0);
    return build.finish(global ? nothing : proxyFence);
  }
  build.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  if (build.takeOneOf({"cta", "cluster", "gpu", "sys"}) < 0)
    build.fail("expected a scope such as .cta");
  build.takeOneOf({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"});
  build.expectOperands(0);
  build.finish(memoryFence);
}

} // namespace trident::emu
