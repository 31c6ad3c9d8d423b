//===- ApiFunction.cpp - Functions, kernels, occupancy, launches ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Images.h"
#include "Settings.h"

using namespace trident::emu;

namespace {

bool isDevice(CUdevice dev) { return dev >= 0 && dev < settings().devices; }

/// Runs `body` with the function that `handle`, a CUfunction or a CUkernel, means in the current
/// context.
template <typename F> CUresult withFunction(const char *name, CUfunction handle, F body) {
  return inContext(name, [&](Call &call) {
    CUfunction function = resolveFunction(call, handle);
    return function ? body(call, function) : CUDA_ERROR_INVALID_HANDLE;
  });
}

template <typename F> CUresult withKernel(const char *name, CUkernel kernel, F body) {
  return initialized(name, [&](Call &call) {
    return call.driver.kernels.count(kernel) ? body(call) : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult parameterInfo(const EntryInfo &entry, size_t index, size_t *offset, size_t *size) {
  if (index >= entry.parameters.size() || !offset)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = entry.parameters[index].offset;
  if (size)
    *size = entry.parameters[index].size;
  return CUDA_SUCCESS;
}

CUresult launch(const char *name, CUfunction f, const CUlaunchConfig &config, void **kernelParams,
                void **extra) {
  return withFunction(name, f, [&](Call &call, CUfunction function) {
    CUstream stream = call.stream(config.hStream);
    if (!stream || stream->context != call.context)
      return CUDA_ERROR_INVALID_HANDLE;
    KernelOperation operation;
    if (CUresult result = prepareLaunch(call, function, config, kernelParams, extra, operation))
      return result;
    return call.submit(config.hStream, std::move(operation));
  });
}

CUresult occupancy(const char *name, int *numBlocks, CUfunction func, int blockSize,
                   size_t shared) {
  return withFunction(name, func, [&](Call &, CUfunction function) {
    if (!numBlocks || blockSize < 1)
      return CUDA_ERROR_INVALID_VALUE;
    *numBlocks = blocksPerMultiprocessor(*function->entry, blockSize, shared);
    return CUDA_SUCCESS;
  });
}

} // namespace

EMU_EXPORT CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc) {
  return withFunction(__func__, hfunc, [&](Call &, CUfunction function) {
    return getAttribute(pi, attrib, *function->entry, *function->image->module,
                        *function->settings);
  });
}

EMU_EXPORT CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  return withFunction(__func__, hfunc, [&](Call &call, CUfunction function) {
    return setAttribute(call, attrib, value, *function->entry, *function->settings);
  });
}

/// A preference, which the stand-in's single kind of shared memory cannot follow.
EMU_EXPORT CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  return withFunction(__func__, hfunc, [&](Call &, CUfunction) {
    return config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  });
}

EMU_EXPORT CUresult cuFuncGetModule(CUmodule *hmod, CUfunction hfunc) {
  return withFunction(__func__, hfunc, [&](Call &, CUfunction function) {
    if (!hmod)
      return CUDA_ERROR_INVALID_VALUE;
    *hmod = function->module;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuFuncGetName(const char **name, CUfunction hfunc) {
  return withFunction(__func__, hfunc, [&](Call &, CUfunction function) {
    if (!name)
      return CUDA_ERROR_INVALID_VALUE;
    *name = function->entry->name.c_str();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t *paramOffset,
                                       size_t *paramSize) {
  return withFunction(__func__, func, [&](Call &, CUfunction function) {
    return parameterInfo(*function->entry, paramIndex, paramOffset, paramSize);
  });
}

EMU_EXPORT CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  return withFunction(__func__, function, [&](Call &, CUfunction) {
    if (!state)
      return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuFuncLoad(CUfunction function) {
  return withFunction(__func__, function, [](Call &, CUfunction) { return CUDA_SUCCESS; });
}

EMU_EXPORT CUresult cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel) {
  return inContext(__func__, [&](Call &call) {
    if (!pFunc)
      return CUDA_ERROR_INVALID_VALUE;
    if (!call.driver.kernels.count(kernel))
      return CUDA_ERROR_INVALID_HANDLE;
    *pFunc = resolveFunction(call, reinterpret_cast<CUfunction>(kernel));
    return *pFunc ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

EMU_EXPORT CUresult cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel) {
  return withKernel(__func__, kernel, [&](Call &) {
    if (!pLib)
      return CUDA_ERROR_INVALID_VALUE;
    *pLib = kernel->library;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuKernelGetName(const char **name, CUkernel hfunc) {
  return withKernel(__func__, hfunc, [&](Call &) {
    if (!name)
      return CUDA_ERROR_INVALID_VALUE;
    *name = hfunc->entry->name.c_str();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset,
                                         size_t *paramSize) {
  return withKernel(__func__, kernel, [&](Call &) {
    return parameterInfo(*kernel->entry, paramIndex, paramOffset, paramSize);
  });
}

EMU_EXPORT CUresult cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel,
                                         CUdevice dev) {
  return withKernel(__func__, kernel, [&](Call &) {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    return getAttribute(pi, attrib, *kernel->entry, *kernel->library->image->module,
                        *settingsOf(kernel, dev));
  });
}

EMU_EXPORT CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel,
                                         CUdevice dev) {
  return withKernel(__func__, kernel, [&](Call &call) {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    return setAttribute(call, attrib, val, *kernel->entry, *settingsOf(kernel, dev));
  });
}

EMU_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, CUfunction func,
                                                                int blockSize,
                                                                size_t dynamicSMemSize) {
  return occupancy(__func__, numBlocks, func, blockSize, dynamicSMemSize);
}

EMU_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int flags) {
  if (flags > 1)
    return initialized(__func__, [](Call &) { return CUDA_ERROR_INVALID_VALUE; });
  return occupancy(__func__, numBlocks, func, blockSize, dynamicSMemSize);
}

EMU_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                                     void **kernelParams, void **extra) {
  if (!config)
    return initialized(__func__, [](Call &) { return CUDA_ERROR_INVALID_VALUE; });
  return launch(__func__, f, *config, kernelParams, extra);
}

EMU_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void **kernelParams, void **extra) {
  CUlaunchConfig config = {};
  config.gridDimX = gridDimX;
  config.gridDimY = gridDimY;
  config.gridDimZ = gridDimZ;
  config.blockDimX = blockDimX;
  config.blockDimY = blockDimY;
  config.blockDimZ = blockDimZ;
  config.sharedMemBytes = sharedMemBytes;
  config.hStream = hStream;
  return launch(__func__, f, config, kernelParams, extra);
}
