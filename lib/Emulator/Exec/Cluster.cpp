//===- Cluster.cpp - Blocks that run together, and whose turn it is ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Machine.h"
#include "Exec/WgmmaUnit.h"

namespace trident::emu {

namespace {
/// Instructions without any effect that others can see, after which a launch is stuck.
constexpr uint64_t idleLimit = 300'000'000;
} // namespace

Block::Block(Cluster &cluster, uint32_t rank, Dim3 index)
    : cluster(cluster), launch(cluster.launch), rank(rank), index(index) {
  shared.resize(launch.sharedEnd - reservedSharedBytes);
  if (launch.request.checks)
    shadow.reset(reservedSharedBytes, launch.sharedEnd);
  for (unsigned warp = 0; warp < launch.warps; ++warp)
    warps.push_back(std::make_unique<Warp>(*this, warp));
  freeRegisters =
      launch.request.limits.registersPerBlock - launch.entryRegisters * launch.warps * 32;
  for (unsigned group = 0; group * 4 < launch.warps; ++group)
    wgmma.push_back(std::make_unique<WgmmaUnit>());
}

Block::~Block() = default;

bool Block::finished() const {
  for (const auto &warp : warps)
    if (!warp->finished())
      return false;
  return true;
}

Cluster::Cluster(Launch &launch, uint64_t number)
    : launch(launch), random(launch.request.seed * 0x2545f4914f6cdd1d + number) {
  const Dim3 &grid = launch.clusterGrid;
  const Dim3 &size = launch.clusterSize;
  Dim3 first{static_cast<uint32_t>(number % grid[0]) * size[0],
             static_cast<uint32_t>(number / grid[0] % grid[1]) * size[1],
             static_cast<uint32_t>(number / grid[0] / grid[1]) * size[2]};
  nextAgent = launch.blocksPerCluster * launch.warps * agents::perWarp;
  for (uint32_t rank = 0; rank < launch.blocksPerCluster; ++rank)
    blocks.push_back(
        std::make_unique<Block>(*this, rank,
                                Dim3{first[0] + rank % size[0], first[1] + rank / size[0] % size[1],
                                     first[2] + rank / size[0] / size[1]}));
}

Cluster::~Cluster() = default;

void Cluster::completeOne() {
  size_t chosen = random.below(static_cast<uint32_t>(pending.size()));
  AsyncOperation operation = std::move(pending[chosen]);
  pending[chosen] = std::move(pending.back());
  pending.pop_back();
  operation.complete();
  progressed();
}

void Cluster::run() {
  std::vector<Warp *> running;
  for (auto &block : blocks)
    for (auto &warp : block->warps)
      running.push_back(warp.get());
  uint64_t executed = 0;
  while (!running.empty()) {
    if (launch.stop.load(std::memory_order_relaxed))
      return;
    if (!pending.empty() && random.oneIn(4))
      completeOne();
    // Start at a random warp and take the first that can run.
    size_t count = running.size(), start = random.below(static_cast<uint32_t>(count));
    size_t chosen = count;
    for (size_t i = 0; i < count && chosen == count; ++i)
      if (running[(start + i) % count]->canRun())
        chosen = (start + i) % count;
    if (chosen == count) {
      if (pending.empty())
        deadlock();
      completeOne();
      continue;
    }
    Warp *warp = running[chosen];
    unsigned steps = warp->run(1 + random.below(256));
    executed += steps;
    idle += steps;
    if (idle > idleLimit)
      deadlock();
    if (warp->finished()) {
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(chosen));
      progressed();
    }
  }
  while (!pending.empty())
    completeOne();
  launch.instructions += executed;
  if (launch.request.checks)
    checkEnd();
}

void Cluster::deadlock() {
  std::string text;
  Warp *first = nullptr;
  for (auto &block : blocks)
    for (auto &warp : block->warps)
      if (!warp->finished()) {
        text += warp->describeWaits();
        if (!first)
          first = warp.get();
      }
  for (const AsyncOperation &operation : pending)
    text += "\n  pending: " + operation.what;
  first->now = nullptr;
  first->active = first->live;
  first->canRun();
  const Split &split = first->split();
  first->now = &launch.program.code[split.pc];
  first->fail(ReportKind::deadlock, idle > idleLimit
                                        ? "no progress for " + std::to_string(idleLimit) +
                                              " instructions; the warps:" + text
                                        : "no warp can continue:" + text);
}

void Cluster::checkEnd() {
  for (auto &block : blocks)
    for (auto &[offset, barrier] : block->mbarriers) {
      bool unseen = barrier.bytesPhase > barrier.waited;
      if (barrier.bytes == 0 && !unseen)
        continue;
      Warp &warp = *block->warps[0];
      Instr at;
      at.line = barrier.bytes ? barrier.initLine : barrier.bytesLine;
      warp.now = &at;
      warp.active = 1;
      if (barrier.bytes == 0)
        warp.fail(ReportKind::race,
                  "no thread waits for phase " + std::to_string(barrier.bytesPhase - 1) +
                      " of the mbarrier at " + hex(offset) + ", initialized at line " +
                      std::to_string(barrier.initLine) +
                      ": this copy may still write to shared memory when the block has ended");
      warp.fail(ReportKind::mbarrierMisuse,
                "the mbarrier at " + hex(offset) + " initialized here still expects " +
                    std::to_string(barrier.bytes) + " bytes of its phase " +
                    std::to_string(barrier.phase) + " when the kernel ends");
    }
}

} // namespace trident::emu
