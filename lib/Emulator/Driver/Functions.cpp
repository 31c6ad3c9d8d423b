//===- Functions.cpp - What a kernel needs, and whether a launch is legal -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

#include "Devices.h"
#include "Settings.h"

#include <algorithm>
#include <cstring>

namespace trident::emu {
namespace {

constexpr uint32_t threadsPerBlock = 1024, registersPerMultiprocessor = 65536;
constexpr uint32_t fewestRegisters = 16, mostRegisters = 255, registerUnit = 8;
constexpr int sharedWithoutOptIn = 49152, sharedReserved = 1024;
constexpr uint32_t portableCluster = 8, largestCluster = 16;

uint64_t product(const Dim3 &d) { return uint64_t(d[0]) * d[1] * d[2]; }

std::string text(const Dim3 &d) {
  return std::to_string(d[0]) + "x" + std::to_string(d[1]) + "x" + std::to_string(d[2]);
}

/// Dynamic shared memory that a launch may ask for.
int dynamicSharedAllowed(const EntryInfo &entry, const FunctionSettings &settings) {
  return settings.maxDynamicShared ? settings.maxDynamicShared
                                   : std::max(0, sharedWithoutOptIn - int(entry.staticSharedBytes));
}

std::string whyBadShape(const Dim3 &grid, const Dim3 &block) {
  const uint32_t gridMost[] = {2147483647, 65535, 65535}, blockMost[] = {1024, 1024, 64};
  for (int axis = 0; axis < 3; ++axis) {
    char name = "xyz"[axis];
    if (grid[axis] < 1 || grid[axis] > gridMost[axis])
      return std::string("grid.") + name + " = " + std::to_string(grid[axis]) + ": expected 1 to " +
             std::to_string(gridMost[axis]);
    if (block[axis] < 1 || block[axis] > blockMost[axis])
      return std::string("block.") + name + " = " + std::to_string(block[axis]) +
             ": expected 1 to " + std::to_string(blockMost[axis]);
  }
  if (product(block) > threadsPerBlock)
    return "block " + text(block) + ": expected at most 1024 threads";
  return {};
}

std::string whyBadThreads(const EntryInfo &entry, const Dim3 &block) {
  if (entry.requiredThreads[0] && block != entry.requiredThreads)
    return "block " + text(block) + ": expected the kernel's .reqntid " +
           text(entry.requiredThreads);
  if (product(block) > threadsAllowed(entry))
    return "block " + text(block) + ": expected at most the kernel's .maxntid, " +
           std::to_string(threadsAllowed(entry)) + " threads";
  return {};
}

CUresult checkCluster(const Call &call, const EntryInfo &entry, const FunctionSettings &settings,
                      const Dim3 &grid, Dim3 &cluster) {
  const Dim3 &required = entry.requiredCluster;
  if (required[0] && cluster[0] && cluster != required)
    return call.refuse(CUDA_ERROR_INVALID_VALUE, "cluster " + text(cluster) +
                                                     ": expected the kernel's own " +
                                                     text(required));
  Dim3 effective = required[0] ? required : cluster;
  if (!effective[0])
    return CUDA_SUCCESS;
  cluster = effective;
  if (!deviceRow().clusters && product(effective) > 1)
    return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "this architecture has no clusters");
  uint32_t most = settings.nonPortableCluster ? largestCluster : portableCluster;
  if (product(effective) < 1 || product(effective) > most)
    return call.refuse(CUDA_ERROR_INVALID_CLUSTER_SIZE, "cluster " + text(effective) +
                                                            ": expected 1 to " +
                                                            std::to_string(most) + " blocks");
  for (int axis = 0; axis < 3; ++axis)
    if (grid[axis] % effective[axis] != 0)
      return call.refuse(CUDA_ERROR_INVALID_VALUE, "grid " + text(grid) +
                                                       ": expected a multiple of the cluster " +
                                                       text(effective));
  return CUDA_SUCCESS;
}

/// Reads the launch attributes; those that only hint at scheduling are accepted and have no effect.
CUresult readAttributes(const Call &call, const CUlaunchConfig &config, Dim3 &cluster) {
  if (config.numAttrs && !config.attrs)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config.attrs[i];
    switch (attribute.id) {
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      cluster = {attribute.value.clusterDim.x, attribute.value.clusterDim.y,
                 attribute.value.clusterDim.z};
      if (!cluster[0] || !cluster[1] || !cluster[2])
        return CUDA_ERROR_INVALID_VALUE;
      break;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
      if (attribute.value.cooperative)
        return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "cooperative launches are not supported");
      break;
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      break;
    default:
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "launch attribute " +
                                                       std::to_string(int(attribute.id)) +
                                                       " is not supported");
    }
  }
  return CUDA_SUCCESS;
}

CUresult copyParameters(const Call &call, const EntryInfo &entry, void **kernelParams, void **extra,
                        std::vector<std::byte> &bytes) {
  bytes.assign(entry.parameterBytes, std::byte{0});
  if (kernelParams && extra)
    return CUDA_ERROR_INVALID_VALUE;
  if (extra) {
    const void *buffer = nullptr;
    size_t size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
      if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
        buffer = extra[1];
      else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
        size = *static_cast<const size_t *>(extra[1]);
      else
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!buffer || size < entry.parameterBytes)
      return call.refuse(CUDA_ERROR_INVALID_VALUE, "the parameter buffer has " +
                                                       std::to_string(size) + " bytes: expected " +
                                                       std::to_string(entry.parameterBytes));
    std::copy_n(static_cast<const std::byte *>(buffer), bytes.size(), bytes.begin());
    return CUDA_SUCCESS;
  }
  if (!kernelParams && !entry.parameters.empty())
    return call.refuse(CUDA_ERROR_INVALID_VALUE, "the kernel has " +
                                                     std::to_string(entry.parameters.size()) +
                                                     " parameters but none were passed");
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const EntryParameter &parameter = entry.parameters[i];
    if (!kernelParams[i])
      return call.refuse(CUDA_ERROR_INVALID_VALUE,
                         "parameter " + std::to_string(i) + " is a null pointer");
    std::memcpy(bytes.data() + parameter.offset, kernelParams[i], parameter.size);
  }
  return CUDA_SUCCESS;
}

} // namespace

uint32_t threadsAllowed(const EntryInfo &entry) {
  uint64_t allowed = product(entry.requiredThreads);
  if (!allowed)
    allowed = product(entry.maxThreads);
  return allowed ? static_cast<uint32_t>(std::min<uint64_t>(allowed, threadsPerBlock))
                 : threadsPerBlock;
}

uint32_t registersAssumed(const EntryInfo &entry) {
  if (entry.maxRegisters)
    return entry.maxRegisters;
  uint32_t blocks = std::max(1u, entry.minBlocksPerSM);
  uint32_t threads = (threadsAllowed(entry) + 31) / 32 * 32;
  uint32_t bound = registersPerMultiprocessor / (threads * blocks) / registerUnit * registerUnit;
  return std::max(fewestRegisters, std::min(bound, mostRegisters));
}

CUresult getAttribute(int *value, CUfunction_attribute attribute, const EntryInfo &entry,
                      const Module &module, const FunctionSettings &settings) {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  auto put = [&](int64_t answer) {
    *value = static_cast<int>(answer);
    return CUDA_SUCCESS;
  };
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return put(threadsAllowed(entry));
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    return put(entry.staticSharedBytes);
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: {
    int64_t bytes = 0;
    for (const GlobalInfo &global : module.globals())
      bytes += global.isConstant ? int64_t(global.size) : 0;
    return put(bytes);
  }
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    return put(entry.localBytes);
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    return put(registersAssumed(entry));
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    return put(architectureOf(module.target()));
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    return put(deviceRow().architecture);
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    return put(0);
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return put(dynamicSharedAllowed(entry, settings));
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return put(settings.carveout);
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    return put(0);
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    return put(entry.requiredCluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH]);
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    return put(settings.nonPortableCluster);
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    return put(settings.clusterScheduling);
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult setAttribute(const Call &call, CUfunction_attribute attribute, int value,
                      const EntryInfo &entry, FunctionSettings &settings) {
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: {
    int most = deviceRow().sharedPerBlock - int(entry.staticSharedBytes);
    if (value < 0 || value > most)
      return call.refuse(CUDA_ERROR_INVALID_VALUE,
                         entry.name + ": " + std::to_string(value) +
                             " bytes of dynamic shared memory: expected at most " +
                             std::to_string(most));
    settings.maxDynamicShared = value;
    return CUDA_SUCCESS;
  }
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    if (value < -1 || value > 100)
      return CUDA_ERROR_INVALID_VALUE;
    settings.carveout = value;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    settings.nonPortableCluster = value != 0;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    settings.clusterScheduling = value;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                       "a required cluster size is set in the kernel or with each launch");
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult prepareLaunch(Call &call, CUfunction function, const CUlaunchConfig &config,
                       void **kernelParams, void **extra, KernelOperation &operation) {
  const EntryInfo &entry = *function->entry;
  const FunctionSettings &settings = *function->settings;
  Dim3 grid{config.gridDimX, config.gridDimY, config.gridDimZ};
  Dim3 block{config.blockDimX, config.blockDimY, config.blockDimZ};
  Dim3 cluster{0, 0, 0};
  if (function->context != call.context)
    return call.refuse(CUDA_ERROR_INVALID_HANDLE,
                       entry.name + ": the function belongs to another context");
  std::string why = whyBadShape(grid, block);
  if (why.empty())
    why = whyBadThreads(entry, block);
  int allowed = dynamicSharedAllowed(entry, settings);
  if (why.empty() && config.sharedMemBytes > unsigned(allowed))
    why = std::to_string(config.sharedMemBytes) +
          " bytes of dynamic shared memory: expected at most " + std::to_string(allowed) +
          ", or a higher CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES";
  if (!why.empty())
    return call.refuse(CUDA_ERROR_INVALID_VALUE, entry.name + ": " + why);
  if (uint64_t(entry.maxRegisters) * product(block) > registersPerMultiprocessor)
    return call.refuse(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                       entry.name + ": " + std::to_string(entry.maxRegisters) +
                           " registers times " + std::to_string(product(block)) +
                           " threads: expected at most 65536");
  if (CUresult result = readAttributes(call, config, cluster))
    return result;
  if (CUresult result = checkCluster(call, entry, settings, grid, cluster))
    return result;
  LaunchRequest &request = operation.request;
  if (CUresult result = copyParameters(call, entry, kernelParams, extra, request.parameters))
    return result;
  operation.function = function;
  operation.device = call.context->device;
  operation.peers = call.context->peers;
  request.module = function->image->module;
  request.entry = entry.name;
  request.grid = grid;
  request.block = block;
  request.cluster = cluster;
  request.dynamicSharedBytes = config.sharedMemBytes;
  request.globalAddresses = function->image->globalAddresses.at(function->context);
  request.limits = deviceLimits();
  request.limits.blocksPerCluster = settings.nonPortableCluster ? largestCluster : portableCluster;
  request.seed = trident::emu::settings().seed;
  request.checks = trident::emu::settings().checks;
  return CUDA_SUCCESS;
}

int blocksPerMultiprocessor(const EntryInfo &entry, int threads, size_t dynamicShared) {
  const DeviceRow &row = deviceRow();
  if (threads < 1 || uint32_t(threads) > threadsAllowed(entry))
    return 0;
  size_t shared = entry.staticSharedBytes + dynamicShared;
  if (shared > size_t(row.sharedPerBlock))
    return 0;
  int warps = (threads + 31) / 32;
  int byThreads = row.threadsPerMultiprocessor / (warps * 32);
  int byShared = int(size_t(row.sharedPerMultiprocessor) / (shared + sharedReserved));
  int byRegisters =
      int(registersPerMultiprocessor / (registersAssumed(entry) * uint32_t(warps) * 32));
  return std::min({byThreads, byShared, byRegisters, row.blocksPerMultiprocessor});
}

} // namespace trident::emu
