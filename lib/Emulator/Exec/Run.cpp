//===- Run.cpp - One launch: checked, spread over the cores, judged ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Machine.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace trident::emu {
namespace {

std::string show(const Dim3 &value) {
  return "(" + std::to_string(value[0]) + "," + std::to_string(value[1]) + "," +
         std::to_string(value[2]) + ")";
}

uint64_t volume(const Dim3 &value) { return uint64_t(value[0]) * value[1] * value[2]; }

[[noreturn]] void refuse(ReportKind kind, const std::string &message) {
  Finding finding;
  finding.report.kind = kind;
  finding.report.message = message;
  throw finding;
}

void checkSizes(const LaunchRequest &request, const EntryInfo &info) {
  for (size_t axis = 0; axis < 3; ++axis)
    if (request.grid[axis] == 0 || request.block[axis] == 0)
      refuse(ReportKind::badLaunch, "grid " + show(request.grid) + " of blocks " +
                                        show(request.block) + ": expected no zero");
  if (request.parameters.size() != info.parameterBytes)
    refuse(ReportKind::badLaunch, std::to_string(request.parameters.size()) +
                                      " bytes of parameters, expected " +
                                      std::to_string(info.parameterBytes));
  uint64_t threads = volume(request.block);
  if (threads > request.limits.threadsPerBlock)
    refuse(ReportKind::badLaunch, "block " + show(request.block) + " has " +
                                      std::to_string(threads) + " threads, expected at most " +
                                      std::to_string(request.limits.threadsPerBlock));
  if (info.requiredThreads[0] && info.requiredThreads != request.block)
    refuse(ReportKind::badLaunch, "block " + show(request.block) + ", expected " +
                                      show(info.requiredThreads) + " as .reqntid says");
  if (info.maxThreads[0] && threads > volume(info.maxThreads))
    refuse(ReportKind::badLaunch, "block " + show(request.block) +
                                      " has more threads than .maxntid " + show(info.maxThreads));
  if (request.globalAddresses.size() != request.module->globals().size())
    refuse(ReportKind::badLaunch, std::to_string(request.globalAddresses.size()) +
                                      " addresses of module variables, expected " +
                                      std::to_string(request.module->globals().size()));
}

void setClusters(Launch &launch, const EntryInfo &info) {
  const LaunchRequest &request = launch.request;
  if (request.cluster[0])
    launch.clusterSize = request.cluster;
  else if (info.requiredCluster[0])
    launch.clusterSize = info.requiredCluster;
  if (request.cluster[0] && info.requiredCluster[0] && request.cluster != info.requiredCluster)
    refuse(ReportKind::badLaunch, "cluster " + show(request.cluster) + ", expected " +
                                      show(info.requiredCluster) + " as .reqnctapercluster says");
  launch.blocksPerCluster = static_cast<uint32_t>(volume(launch.clusterSize));
  if (launch.blocksPerCluster == 0 || launch.blocksPerCluster > request.limits.blocksPerCluster)
    refuse(ReportKind::badLaunch, "cluster " + show(launch.clusterSize) + ", expected 1 to " +
                                      std::to_string(request.limits.blocksPerCluster) + " blocks");
  for (size_t axis = 0; axis < 3; ++axis) {
    if (request.grid[axis] % launch.clusterSize[axis])
      refuse(ReportKind::badLaunch, "grid " + show(request.grid) +
                                        " is not a multiple of the cluster " +
                                        show(launch.clusterSize));
    launch.clusterGrid[axis] = request.grid[axis] / launch.clusterSize[axis];
  }
}

void setResources(Launch &launch, const EntryInfo &info) {
  const LaunchRequest &request = launch.request;
  uint64_t bytes = launch.program.dynamicSharedOffset - reservedSharedBytes +
                   uint64_t(request.dynamicSharedBytes);
  if (bytes > request.limits.sharedBytesPerBlock)
    refuse(ReportKind::resource, std::to_string(bytes) +
                                     " bytes of shared memory a block, expected at most " +
                                     std::to_string(request.limits.sharedBytesPerBlock));
  launch.sharedEnd = reservedSharedBytes + static_cast<uint32_t>(bytes);
  launch.threads = static_cast<uint32_t>(volume(request.block));
  launch.warps = (launch.threads + 31) / 32;
  uint32_t available = request.limits.registersPerBlock / (launch.warps * 32) / 8 * 8;
  launch.entryRegisters = std::min<uint32_t>(available, 256);
  if (info.maxRegisters) {
    uint32_t wanted = (info.maxRegisters + 7) / 8 * 8;
    if (wanted > available)
      refuse(ReportKind::resource,
             std::to_string(launch.warps) + " warps of " + std::to_string(info.maxRegisters) +
                 " registers a thread (.maxnreg) need more than the " +
                 std::to_string(request.limits.registersPerBlock) + " of a block");
    launch.entryRegisters = wanted;
  }
}

} // namespace

LaunchResult run(const LaunchRequest &request) {
  LaunchResult result;
  std::mutex mutex;
  try {
    const auto *module = dynamic_cast<const ModuleImpl *>(request.module.get());
    if (!module || !request.memory)
      refuse(ReportKind::badLaunch, "expected a module and a memory");
    const Program *program = nullptr;
    for (const Program &candidate : module->programs)
      if (candidate.info.name == request.entry)
        program = &candidate;
    if (!program)
      refuse(ReportKind::badLaunch, "the module has no kernel '" + request.entry + "'");
    checkSizes(request, program->info);
    Launch launch{request, *program, *module};
    setClusters(launch, program->info);
    setResources(launch, program->info);

    uint64_t clusters = volume(launch.clusterGrid);
    std::atomic<uint64_t> next{0};
    auto work = [&] {
      while (!launch.stop.load(std::memory_order_relaxed)) {
        uint64_t number = next.fetch_add(1);
        if (number >= clusters)
          return;
        try {
          Cluster(launch, number).run();
        } catch (const Finding &finding) {
          launch.stop = true;
          std::lock_guard<std::mutex> lock(mutex);
          result.reports.push_back(finding.report);
        } catch (const std::exception &error) {
          launch.stop = true;
          std::lock_guard<std::mutex> lock(mutex);
          Report report;
          report.kind = ReportKind::resource;
          report.message = std::string("the host cannot run this block: ") + error.what();
          result.reports.push_back(report);
        }
      }
    };
    unsigned hostThreads = request.hostThreads ? request.hostThreads
                                               : std::max(1u, std::thread::hardware_concurrency());
    hostThreads = static_cast<unsigned>(std::min<uint64_t>(hostThreads, clusters));
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < hostThreads; ++i)
      helpers.emplace_back(work);
    work();
    for (std::thread &helper : helpers)
      helper.join();
    result.statistics.warpInstructions = launch.instructions;
    result.statistics.blocks = std::min(next.load(), clusters) * launch.blocksPerCluster;
  } catch (const Finding &finding) {
    result.reports.push_back(finding.report);
  }
  result.ok = result.reports.empty();
  return result;
}

const char *name(ReportKind kind) {
  switch (kind) {
  case ReportKind::badLaunch:
    return "bad launch";
  case ReportKind::outOfBounds:
    return "out-of-bounds";
  case ReportKind::misaligned:
    return "misaligned";
  case ReportKind::uninitializedRegister:
    return "uninitialized register";
  case ReportKind::uninitializedShared:
    return "uninitialized shared memory";
  case ReportKind::asyncRegister:
    return "register in flight";
  case ReportKind::proxyFence:
    return "missing proxy fence";
  case ReportKind::race:
    return "race";
  case ReportKind::mbarrierMisuse:
    return "mbarrier misuse";
  case ReportKind::barrierMisuse:
    return "barrier misuse";
  case ReportKind::divergence:
    return "divergence";
  case ReportKind::deadlock:
    return "deadlock";
  case ReportKind::resource:
    return "resource";
  case ReportKind::badOperand:
    return "bad operand";
  case ReportKind::trap:
    return "trap";
  }
  return "report";
}

std::string Report::str() const {
  std::string text = std::string(name(kind)) + ": " + message;
  if (line)
    text += "\n  at PTX line " + std::to_string(line) + " `" + instruction + "`, block " +
            show(block) + ", thread " + show(thread);
  return text;
}

} // namespace trident::emu
