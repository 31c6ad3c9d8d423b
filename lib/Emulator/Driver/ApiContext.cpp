//===- ApiContext.cpp - Primary and other contexts ------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Settings.h"

#include <algorithm>

using namespace trident::emu;

namespace {

constexpr unsigned knownContextFlags =
    CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SYNC_MEMOPS;
constexpr int leastPriority = 0, greatestPriority = -5;

bool isDevice(CUdevice dev) { return dev >= 0 && dev < settings().devices; }

bool isLimit(CUlimit limit) {
  return static_cast<unsigned>(limit) <= CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED;
}

/// Not what is only to be asked, nor what is about launches from kernels, which there are not.
bool canBeSet(CUlimit limit) {
  return limit != CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT && limit != CU_LIMIT_SHMEM_SIZE &&
         limit != CU_LIMIT_CIG_ENABLED;
}

bool isUsable(Call &call, CUcontext context) {
  return call.driver.contexts.count(context) && !context->destroyed;
}

CUresult create(const char *name, CUcontext *pctx, unsigned flags, CUdevice dev) {
  return initialized(name, [&](Call &call) {
    if (!pctx || (flags & ~knownContextFlags))
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    *pctx = call.driver.newContext(dev, flags);
    thisThread().contexts.push_back(*pctx);
    return CUDA_SUCCESS;
  });
}

} // namespace

EMU_EXPORT CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev) {
  return create(__func__, pctx, flags, dev);
}

EMU_EXPORT CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *ctxCreateParams,
                                   unsigned int flags, CUdevice dev) {
  if (ctxCreateParams && (ctxCreateParams->numExecAffinityParams || ctxCreateParams->cigParams))
    return initialized(__func__, [&](Call &call) {
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                         "execution affinity and graphics contexts are not supported");
    });
  return create(__func__, pctx, flags, dev);
}

EMU_EXPORT CUresult cuCtxDestroy_v2(CUcontext ctx) {
  return initialized(__func__, [&](Call &call) {
    if (!isUsable(call, ctx) || ctx->isPrimary)
      return CUDA_ERROR_INVALID_CONTEXT;
    call.exclusively([] {}); // what runs in it comes to its end first
    call.driver.emptyContext(ctx);
    ctx->destroyed = true;
    if (!thisThread().contexts.empty() && thisThread().contexts.back() == ctx)
      thisThread().contexts.pop_back();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
  return initialized(__func__, [&](Call &call) {
    if (!isUsable(call, ctx))
      return CUDA_ERROR_INVALID_CONTEXT;
    thisThread().contexts.push_back(ctx);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *pctx) {
  return initialized(__func__, [&](Call &) {
    std::vector<CUcontext> &contexts = thisThread().contexts;
    if (contexts.empty())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx)
      *pctx = contexts.back();
    contexts.pop_back();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxSetCurrent(CUcontext ctx) {
  return initialized(__func__, [&](Call &call) {
    if (ctx && !isUsable(call, ctx))
      return CUDA_ERROR_INVALID_CONTEXT;
    std::vector<CUcontext> &contexts = thisThread().contexts;
    if (!contexts.empty())
      contexts.pop_back();
    if (ctx)
      contexts.push_back(ctx);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetCurrent(CUcontext *pctx) {
  return initialized(__func__, [&](Call &call) {
    if (!pctx)
      return CUDA_ERROR_INVALID_VALUE;
    *pctx = call.context;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
  return initialized(__func__, [&](Call &call) {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!call.context)
      return CUDA_ERROR_INVALID_CONTEXT;
    *device = call.context->device;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx) {
  return initialized(__func__, [&](Call &call) {
    CUcontext context = ctx ? ctx : call.context;
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isUsable(call, context))
      return CUDA_ERROR_INVALID_CONTEXT;
    *device = context->device;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetFlags(unsigned int *flags) {
  return inContext(__func__, [&](Call &call) {
    if (!flags)
      return CUDA_ERROR_INVALID_VALUE;
    *flags = call.context->flags;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId) {
  return initialized(__func__, [&](Call &call) {
    CUcontext context = ctx ? ctx : call.context;
    if (!ctxId)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isUsable(call, context))
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    *ctxId = context->id;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version) {
  return initialized(__func__, [&](Call &call) {
    if (!version)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isUsable(call, ctx ? ctx : call.context))
      return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxSynchronize(void) {
  return inContext(__func__, [&](Call &call) {
    if (CUresult result = call.refuseIfCapturing())
      return result;
    call.exclusively([] {});
    return call.context->sticky;
  });
}

EMU_EXPORT CUresult cuCtxSynchronize_v2(CUcontext ctx) {
  return initialized(__func__, [&](Call &call) {
    call.context = ctx ? ctx : call.context;
    if (!isUsable(call, call.context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (CUresult result = call.refuseIfCapturing())
      return result;
    call.exclusively([] {});
    return call.context->sticky;
  });
}

EMU_EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return inContext(__func__, [&](Call &) {
    if (least)
      *least = leastPriority;
    if (greatest)
      *greatest = greatestPriority;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit) {
  return inContext(__func__, [&](Call &call) {
    if (!pvalue || !isLimit(limit))
      return CUDA_ERROR_INVALID_VALUE;
    auto it = call.context->limits.find(limit);
    if (it == call.context->limits.end())
      return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *pvalue = it->second;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return inContext(__func__, [&](Call &call) {
    if (!isLimit(limit))
      return CUDA_ERROR_INVALID_VALUE;
    auto it = call.context->limits.find(limit);
    if (it == call.context->limits.end() || !canBeSet(limit))
      return CUDA_ERROR_UNSUPPORTED_LIMIT;
    it->second = value;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig) {
  return inContext(__func__, [&](Call &) {
    if (!pconfig)
      return CUDA_ERROR_INVALID_VALUE;
    *pconfig = CU_FUNC_CACHE_PREFER_NONE;
    return CUDA_SUCCESS;
  });
}

/// A preference, which the stand-in's single kind of shared memory cannot follow.
EMU_EXPORT CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return inContext(__func__, [&](Call &) {
    return config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
  });
}

EMU_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags) {
  return inContext(__func__, [&](Call &call) {
    if (Flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isUsable(call, peerContext))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (peerContext->device == call.context->device)
      return CUDA_ERROR_INVALID_DEVICE;
    return call.context->peers.insert(peerContext->device).second
               ? CUDA_SUCCESS
               : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  });
}

EMU_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peerContext) {
  return inContext(__func__, [&](Call &call) {
    if (!isUsable(call, peerContext))
      return CUDA_ERROR_INVALID_CONTEXT;
    return call.context->peers.erase(peerContext->device) ? CUDA_SUCCESS
                                                          : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  });
}

EMU_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev) {
  return initialized(__func__, [&](Call &call) {
    if (!pctx)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    *pctx = call.driver.primaryContexts[dev];
    ++(*pctx)->references;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
  return initialized(__func__, [&](Call &call) {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    CUcontext context = call.driver.primaryContexts[dev];
    if (context->references == 0)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (context->references == 1) {
      call.exclusively([] {});
      call.driver.emptyContext(context);
    }
    --context->references;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice dev) {
  return initialized(__func__, [&](Call &call) {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    call.exclusively([] {});
    call.driver.emptyContext(call.driver.primaryContexts[dev]);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
  return initialized(__func__, [&](Call &call) {
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~knownContextFlags)
      return CUDA_ERROR_INVALID_VALUE;
    call.driver.primaryContexts[dev]->flags = flags;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active) {
  return initialized(__func__, [&](Call &call) {
    if (!flags || !active)
      return CUDA_ERROR_INVALID_VALUE;
    if (!isDevice(dev))
      return CUDA_ERROR_INVALID_DEVICE;
    CUcontext context = call.driver.primaryContexts[dev];
    *flags = context->flags;
    *active = context->references > 0;
    return CUDA_SUCCESS;
  });
}
