//===- Driver.h - The CUDA driver, opened at run time ---------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The test programs are built where there is no CUDA and carried to where there is one, so nothing
// of CUDA is included or linked: the entry points are looked up by name in libcuda, or in the
// library that stands in for it.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_DRIVER_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace trident::host {

/// An address in device memory (CUdeviceptr).
using DevicePtr = unsigned long long;

/// A driver call failed, or the library has no such entry point.
class DriverError : public std::runtime_error {
public:
  DriverError(const std::string &call, int code, const std::string &name)
      : std::runtime_error(call + " failed: " + name), code(code) {}
  const int code;
};

/// Opens the driver: `TRIDENT_LIBCUDA` when it is set, else the real libcuda when it has a device,
/// else `standIn` when it is not empty (which is then written to `TRIDENT_LIBCUDA`, so that
/// generated code takes the same library). Returns why there is none.
std::optional<std::string> openDriver(const std::string &standIn);

/// Which library answers, for people: "NVIDIA H200 (libcuda.so.1)".
std::string driverDescription();

/// Whether the library executes PTX on the CPU instead of a GPU: sizes are then kept small.
bool driverIsStandIn();

/// The address of `name` in the opened driver, null when it has none.
void *findDriverSymbol(const char *name);

/// Throws DriverError when `code` is not CUDA_SUCCESS.
void checkDriver(int code, const char *call);

/// One entry point of the driver, found on first use: one that is missing is an error only when it
/// is called.
template <typename... Args> class DriverCall {
public:
  explicit constexpr DriverCall(const char *name) : name(name) {}

  /// Calls and throws DriverError on failure.
  void operator()(Args... args) const { checkDriver(status(args...), name); }

  /// Calls and returns the driver's status.
  int status(Args... args) const {
    auto function = reinterpret_cast<int (*)(Args...)>(findDriverSymbol(name));
    if (!function)
      throw DriverError(name, -1, "no such entry point in " + driverDescription());
    return function(args...);
  }

private:
  const char *name;
};

namespace cu {
using Handle = void *;
inline constexpr DriverCall<Handle *, int> deviceContextRetain{"cuDevicePrimaryCtxRetain"};
inline constexpr DriverCall<Handle *, unsigned, int> contextCreate{"cuCtxCreate_v2"};
inline constexpr DriverCall<Handle> contextDestroy{"cuCtxDestroy_v2"};
inline constexpr DriverCall<Handle> contextSetCurrent{"cuCtxSetCurrent"};
inline constexpr DriverCall<Handle *> contextGetCurrent{"cuCtxGetCurrent"};
inline constexpr DriverCall<> synchronize{"cuCtxSynchronize"};
inline constexpr DriverCall<int *> deviceCount{"cuDeviceGetCount"};
inline constexpr DriverCall<int *, int, int> deviceAttribute{"cuDeviceGetAttribute"};
inline constexpr DriverCall<std::size_t *, std::size_t *> memoryInfo{"cuMemGetInfo_v2"};
inline constexpr DriverCall<DevicePtr *, std::size_t> memoryAllocate{"cuMemAlloc_v2"};
inline constexpr DriverCall<DevicePtr> memoryFree{"cuMemFree_v2"};
inline constexpr DriverCall<DevicePtr, const void *, std::size_t> copyToDevice{"cuMemcpyHtoD_v2"};
inline constexpr DriverCall<void *, DevicePtr, std::size_t> copyToHost{"cuMemcpyDtoH_v2"};
inline constexpr DriverCall<DevicePtr, unsigned char, std::size_t> fill{"cuMemsetD8_v2"};
inline constexpr DriverCall<DevicePtr, unsigned char, std::size_t, Handle> fillAsync{
    "cuMemsetD8Async"};
inline constexpr DriverCall<Handle *, unsigned> streamCreate{"cuStreamCreate"};
inline constexpr DriverCall<Handle> streamDestroy{"cuStreamDestroy_v2"};
inline constexpr DriverCall<Handle> streamSynchronize{"cuStreamSynchronize"};
inline constexpr DriverCall<Handle, int> streamBeginCapture{"cuStreamBeginCapture_v2"};
inline constexpr DriverCall<Handle, Handle *> streamEndCapture{"cuStreamEndCapture"};
inline constexpr DriverCall<Handle *, Handle, unsigned long long> graphInstantiate{
    "cuGraphInstantiateWithFlags"};
inline constexpr DriverCall<Handle, Handle> graphLaunch{"cuGraphLaunch"};
inline constexpr DriverCall<Handle> graphDestroy{"cuGraphDestroy"};
inline constexpr DriverCall<Handle> graphExecutableDestroy{"cuGraphExecDestroy"};
inline constexpr DriverCall<Handle *, unsigned> eventCreate{"cuEventCreate"};
inline constexpr DriverCall<Handle> eventDestroy{"cuEventDestroy_v2"};
inline constexpr DriverCall<Handle, Handle> eventRecord{"cuEventRecord"};
inline constexpr DriverCall<Handle> eventSynchronize{"cuEventSynchronize"};
inline constexpr DriverCall<float *, Handle, Handle> eventElapsed{"cuEventElapsedTime"};
inline constexpr DriverCall<Handle *, const void *> moduleLoad{"cuModuleLoadData"};
inline constexpr DriverCall<Handle *, Handle, const char *> moduleFunction{"cuModuleGetFunction"};
} // namespace cu

/// A context made current on the calling thread while the object lives; the one before comes back
/// afterwards.
class Context {
public:
  enum class Kind { primary, own };
  explicit Context(int device = 0, Kind kind = Kind::primary);
  ~Context();
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  /// Makes it current on the calling thread (for threads other than the maker's).
  void makeCurrent() const { cu::contextSetCurrent(handle); }
  cu::Handle get() const { return handle; }

private:
  cu::Handle handle = nullptr, previous = nullptr;
  Kind kind;
};

/// Device memory, freed at the end.
class DeviceMemory {
public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory &&other) noexcept;
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;

  DevicePtr get() const { return pointer; }
  std::size_t size() const { return bytes; }

private:
  DevicePtr pointer = 0;
  std::size_t bytes = 0;
};

class Stream {
public:
  Stream() { cu::streamCreate(&handle, /*CU_STREAM_NON_BLOCKING=*/1u); }
  ~Stream() { cu::streamDestroy.status(handle); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  void synchronize() const { cu::streamSynchronize(handle); }
  cu::Handle get() const { return handle; }

private:
  cu::Handle handle = nullptr;
};

class Event {
public:
  Event() { cu::eventCreate(&handle, 0u); }
  ~Event() { cu::eventDestroy.status(handle); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;

  void record(cu::Handle stream) const { cu::eventRecord(handle, stream); }
  void synchronize() const { cu::eventSynchronize(handle); }
  /// Microseconds from `start` to this event, both reached.
  double microsecondsSince(const Event &start) const;

private:
  cu::Handle handle = nullptr;
};

/// What `enqueue` puts on a stream, captured once and replayed.
class Graph {
public:
  template <typename Enqueue> Graph(cu::Handle stream, Enqueue enqueue) {
    cu::streamBeginCapture(stream, /*CU_STREAM_CAPTURE_MODE_THREAD_LOCAL=*/1);
    try {
      enqueue();
    } catch (...) {
      cu::streamEndCapture.status(stream, &graph);
      throw;
    }
    cu::streamEndCapture(stream, &graph);
    cu::graphInstantiate(&executable, graph, 0ull);
  }
  ~Graph() {
    cu::graphExecutableDestroy.status(executable);
    cu::graphDestroy.status(graph);
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  void launch(cu::Handle stream) const { cu::graphLaunch(executable, stream); }

private:
  cu::Handle graph = nullptr, executable = nullptr;
};

} // namespace trident::host

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_DRIVER_H
