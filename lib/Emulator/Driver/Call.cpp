//===- Call.cpp - What every exported function does first -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <cstdio>

namespace trident::emu {
namespace {

/// Whether a failure of `operation` leaves the context usable: the launch was refused, nothing ran.
bool leavesContextUsable(CUresult result) {
  return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

} // namespace

CUresult Call::refuse(CUresult result, const std::string &why) const {
  std::fprintf(stderr, "trident-emu: %s: %s\n", name, why.c_str());
  return result;
}

CUstream Call::stream(CUstream handle) const {
  if (handle == nullptr || handle == CU_STREAM_LEGACY)
    return &context->legacy;
  if (handle == CU_STREAM_PER_THREAD)
    return &context->perThread;
  return driver.streams.count(handle) ? handle : nullptr;
}

CUresult Call::runNow(CUcontext owner, const Operation &operation) {
  CUresult result = CUDA_SUCCESS;
  if (std::holds_alternative<HostOperation>(operation))
    unlocked([&] { result = execute(operation); });
  else
    exclusively([&] { result = execute(operation); });
  if (result == CUDA_SUCCESS || leavesContextUsable(result))
    return result;
  owner->sticky = result; // as on hardware, the launch itself succeeds and the next call fails
  return CUDA_SUCCESS;
}

CUresult Call::submit(CUstream handle, Operation operation) {
  CUstream target = stream(handle);
  if (!target)
    return CUDA_ERROR_INVALID_HANDLE;
  if (std::shared_ptr<Capture> capture = target->capture) {
    if (capture->invalidated)
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    auto node = std::make_unique<CUgraphNode_st>();
    node->graph = capture->graph;
    node->operation = std::move(operation);
    node->dependencies = target->tails;
    target->tails = {node.get()};
    capture->graph->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  }
  if (target->isLegacy)
    for (const std::shared_ptr<Capture> &capture : driver.captures)
      for (CUstream member : capture->members)
        if (member->context == target->context && !(member->flags & CU_STREAM_NON_BLOCKING)) {
          capture->invalidated = true;
          return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
  if (target->context->sticky != CUDA_SUCCESS)
    return target->context->sticky;
  return runNow(target->context, operation);
}

CUresult Call::refuseDuringCapture() {
  CUstreamCaptureMode mode = thisThread().captureMode;
  if (mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_SUCCESS;
  for (const std::shared_ptr<Capture> &capture : driver.captures) {
    bool ownThread = capture->thread == std::this_thread::get_id();
    bool forbidden = ownThread ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                               : mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                                     capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (forbidden) {
      capture->invalidated = true;
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  }
  return CUDA_SUCCESS;
}

CUresult Call::refuseIfCapturing() {
  for (const std::shared_ptr<Capture> &capture : driver.captures)
    for (CUstream member : capture->members)
      if (member->context == context) {
        capture->invalidated = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
      }
  return CUDA_SUCCESS;
}

} // namespace trident::emu
