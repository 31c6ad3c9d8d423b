//===- State.cpp - The objects behind the driver's handles ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "State.h"

#include "AddressSpace.h"
#include "Devices.h"

namespace trident::emu {
namespace {

/// Deletes the members of `handles` that belong to `context`.
template <typename T> void deleteOwned(Handles<T> &handles, CUcontext context) {
  for (auto it = handles.begin(); it != handles.end();) {
    if ((*it)->context == context) {
      delete *it;
      it = handles.erase(it);
    } else {
      ++it;
    }
  }
}

} // namespace

Driver &Driver::get() {
  static Driver *driver = new Driver; // programs call the driver from their own destructors
  return *driver;
}

ThreadState &thisThread() {
  thread_local ThreadState state;
  return state;
}

CUcontext Driver::newContext(int device, unsigned flags) {
  auto *context = new CUctx_st;
  context->device = device;
  context->flags = flags;
  context->id = ++lastId;
  context->legacy.context = context->perThread.context = context;
  context->legacy.isLegacy = true;
  context->legacy.id = ++lastId;
  context->perThread.id = ++lastId;
  context->limits = {{CU_LIMIT_STACK_SIZE, 1024},
                     {CU_LIMIT_PRINTF_FIFO_SIZE, 8650752},
                     {CU_LIMIT_MALLOC_HEAP_SIZE, 8 << 20},
                     {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048},
                     {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64},
                     {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 11796480},
                     {CU_LIMIT_SHMEM_SIZE, deviceRow().sharedPerBlock},
                     {CU_LIMIT_CIG_ENABLED, 0}};
  contexts.insert(context);
  return context;
}

void Driver::emptyContext(CUcontext context) {
  for (auto it = captures.begin(); it != captures.end();) {
    const std::shared_ptr<Capture> &capture = *it;
    if (capture->origin->context != context) {
      ++it;
      continue;
    }
    for (CUstream member : capture->members)
      member->capture.reset();
    delete capture->graph;
    it = captures.erase(it);
  }
  for (CUlibrary library : libraries) {
    if (library->image)
      library->image->globalAddresses.erase(context);
    library->modules.erase(context);
  }
  deleteOwned(streams, context);
  deleteOwned(events, context);
  deleteOwned(functions, context);
  deleteOwned(modules, context);
  deleteOwned(graphExecs, context);
  AddressSpace::get().releaseAllOf(context);
  context->sticky = CUDA_SUCCESS;
  context->peers.clear();
}

} // namespace trident::emu
