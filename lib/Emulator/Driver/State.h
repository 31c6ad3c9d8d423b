//===- State.h - The objects behind the driver's handles ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A handle of the interface is a pointer to one of these structures; each kind has a set of the
// live ones, so a stale or foreign handle is refused and never followed. All of it is guarded by
// one mutex, held for the length of an API call (Call.h), except while kernels and copies run: they
// run one after another, which keeps every stream's order.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_STATE_H
#define TRIDENT_LIB_EMULATOR_DRIVER_STATE_H

#include "CudaTypes.h"
#include "Operation.h"
#include "trident/Emulator/Executor.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace trident::emu {

struct Capture;

/// PTX that was loaded once, and where its variables are in each context.
struct Image {
  std::shared_ptr<const Module> module;
  std::map<CUcontext, std::vector<uint64_t>> globalAddresses;
};

/// What cuFuncSetAttribute and cuKernelSetAttribute change, per function and device.
struct FunctionSettings {
  int maxDynamicShared = 0;
  int carveout = -1;
  bool nonPortableCluster = false;
  int requiredCluster[3] = {0, 0, 0};
  int clusterScheduling = 0;
};

} // namespace trident::emu

struct CUstream_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  bool isLegacy = false;
  std::shared_ptr<trident::emu::Capture> capture;
  std::vector<CUgraphNode> tails; ///< of the capture: what the next operation depends on
};

struct CUctx_st {
  int device = 0;
  unsigned long long id = 0;
  bool isPrimary = false;
  int references = 0; ///< of a primary context; it is inactive at zero
  bool destroyed = false;
  unsigned flags = 0;
  CUresult sticky = CUDA_SUCCESS; ///< after a failed launch every call returns this
  CUstream_st legacy, perThread;
  std::set<int> peers;
  std::map<int, size_t> limits;
};

struct CUevent_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  std::shared_ptr<trident::emu::Capture> capture; ///< when last recorded in a capturing stream
  std::vector<CUgraphNode> captureTails;
};

struct CUmod_st {
  CUcontext context = nullptr;
  std::shared_ptr<trident::emu::Image> image;
  std::map<std::string, CUfunction> functions;
  CUlibrary library = nullptr; ///< when made by cuLibraryGetModule; it is not unloaded alone
};

struct CUfunc_st {
  CUmodule module = nullptr;
  CUcontext context = nullptr;
  std::shared_ptr<trident::emu::Image> image;
  const trident::emu::EntryInfo *entry = nullptr;
  std::shared_ptr<trident::emu::FunctionSettings> settings;
};

struct CUkern_st {
  CUlibrary library = nullptr;
  const trident::emu::EntryInfo *entry = nullptr;
  std::map<int, std::shared_ptr<trident::emu::FunctionSettings>> settings; ///< by device
};

struct CUlib_st {
  /// Why the image was refused: said, as drivers that load lazily do, by the first use of the
  /// library, not by its loading. Then `image` is null.
  CUresult refusal = CUDA_SUCCESS;
  std::shared_ptr<trident::emu::Image> image;
  std::map<std::string, CUkernel> kernels;
  std::map<CUcontext, CUmodule> modules;
};

struct CUgraphNode_st {
  CUgraph graph = nullptr;
  trident::emu::Operation operation;
  std::vector<CUgraphNode> dependencies;
};

struct CUgraph_st {
  /// In an order that respects the dependencies.
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

struct CUgraphExec_st {
  CUcontext context = nullptr;
  struct Step {
    CUgraphNode node; ///< of the graph it was instantiated from; a name only
    trident::emu::Operation operation;
    bool enabled = true;
  };
  std::vector<Step> steps;
  unsigned long long flags = 0;
};

namespace trident::emu {

/// One cuStreamBeginCapture ... cuStreamEndCapture.
struct Capture {
  CUgraph graph = nullptr;
  CUstream origin = nullptr;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;
  unsigned long long id = 0;
  bool invalidated = false;
  std::set<CUstream> members;
};

template <typename T> using Handles = std::unordered_set<T>;

struct Driver {
  std::mutex mutex;
  /// Held while a kernel, a copy or a fill runs, and while memory is freed. Never taken with
  /// `mutex` held.
  std::mutex execution;
  bool initialized = false;
  unsigned long long lastId = 0;
  std::vector<CUcontext> primaryContexts; ///< by ordinal
  Handles<CUcontext> contexts;
  Handles<CUstream> streams;
  Handles<CUevent> events;
  Handles<CUmodule> modules;
  Handles<CUlibrary> libraries;
  Handles<CUfunction> functions;
  Handles<CUkernel> kernels;
  Handles<CUgraph> graphs;
  Handles<CUgraphExec> graphExecs;
  std::set<std::shared_ptr<Capture>> captures;

  static Driver &get();
  CUcontext newContext(int device, unsigned flags);
  /// Frees what `context` owns: memory, streams, events, modules.
  void emptyContext(CUcontext context);
};

/// The calling thread's contexts, innermost last, and its capture mode.
struct ThreadState {
  std::vector<CUcontext> contexts;
  CUstreamCaptureMode captureMode = CU_STREAM_CAPTURE_MODE_GLOBAL;
};
ThreadState &thisThread();

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_STATE_H
