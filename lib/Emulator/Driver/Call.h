//===- Call.h - What every exported function does first -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// `initialized(__func__, body)` and `inContext(__func__, body)` hold the driver's lock around the
// body, refuse what comes too early or after a failed launch, and let no exception out of the
// library.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_CALL_H
#define TRIDENT_LIB_EMULATOR_DRIVER_CALL_H

#include "State.h"

#include <new>
#include <string>

namespace trident::emu {

class Call {
public:
  explicit Call(const char *name) : name(name), driver(Driver::get()), lock(driver.mutex) {}

  const char *name;
  Driver &driver;
  CUcontext context = nullptr; ///< the current one, or null

  /// Says on stderr why the call is refused, and returns `result`.
  CUresult refuse(CUresult result, const std::string &why) const;

  /// Runs `body` with the driver unlocked.
  template <typename F> void unlocked(F body) {
    lock.unlock();
    body();
    lock.lock();
  }
  /// Runs `body` with the driver unlocked, when no kernel, copy or fill runs.
  template <typename F> void exclusively(F body) {
    unlocked([&] {
      std::lock_guard<std::mutex> guard(driver.execution);
      body();
    });
  }

  /// The stream that `handle` means in the current context, or null.
  CUstream stream(CUstream handle) const;
  /// Appends `operation` to a stream: runs it now, or records it when the stream captures.
  CUresult submit(CUstream handle, Operation operation);
  /// Refuses calls that could not be replayed while a capture forbids them to this thread, and
  /// spoils that capture.
  CUresult refuseDuringCapture();
  /// Refuses what waits for the whole context while a stream of it captures.
  CUresult refuseIfCapturing();
  /// Runs `operation`; a failure sticks to `owner`.
  CUresult runNow(CUcontext owner, const Operation &operation);

private:
  std::unique_lock<std::mutex> lock;
};

template <typename F> CUresult always(const char *name, F body) {
  try {
    Call call(name);
    call.context = thisThread().contexts.empty() ? nullptr : thisThread().contexts.back();
    return body(call);
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

/// For calls that need cuInit only.
template <typename F> CUresult initialized(const char *name, F body) {
  return always(name, [&](Call &call) {
    return call.driver.initialized ? body(call) : CUDA_ERROR_NOT_INITIALIZED;
  });
}

/// For calls that need a current context without a failed launch.
template <typename F> CUresult inContext(const char *name, F body) {
  return initialized(name, [&](Call &call) {
    if (!call.context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (call.context->destroyed || (call.context->isPrimary && call.context->references == 0))
      return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return call.context->sticky != CUDA_SUCCESS ? call.context->sticky : body(call);
  });
}

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_CALL_H
