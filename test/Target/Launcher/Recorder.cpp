//===- Recorder.cpp - A driver library that records instead of launching --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recorder.h"

#include <cstring>
#include <memory>

using namespace recorder;

namespace {

enum : int {
  success = 0,
  invalidValue = 1,
  noDevice = 100,
  invalidContext = 201,
  noBinaryForGPU = 209,
  invalidPTX = 218,
  invalidHandle = 400,
  notFound = 500,
  captureUnsupported = 900,
  captureImplicit = 906,
};

constexpr uint64_t mapMagic = 0x5452494445544d41;

struct Library {
  std::string text; // PTX, or the fake cubin's bytes behind its magic
  bool cubin;
};

struct Kernel {
  std::string symbol;
  bool cubin;
  std::vector<size_t> parameterBytes; // 128: a tensor map
  std::map<int, int> dynamicShared;   // device -> what was asked for
};

State state;
std::vector<std::unique_ptr<Library>> libraries;
std::vector<std::unique_ptr<Kernel>> kernels;
thread_local std::vector<int> contexts;
thread_local int captureMode = 0;

int currentContext() { return contexts.empty() ? 0 : contexts.back(); }

/// Counts a call; its result is the failure that the test asked for, if any.
int enter(const char *function) {
  if (state.quiet)
    return success;
  ++state.calls[function];
  auto failure = state.failures.find(function);
  return failure == state.failures.end() ? success : failure->second;
}

/// Sizes of the parameters of `symbol`, read off the declaration in its PTX.
bool readParameters(const std::string &text, const std::string &symbol,
                    std::vector<size_t> &sizes) {
  size_t at = text.find(".entry " + symbol + "(");
  if (at == std::string::npos)
    return false;
  const size_t end = text.find(')', at);
  for (at = text.find(".param", at); at < end; at = text.find(".param", at + 1)) {
    const std::string item = text.substr(at, text.find_first_of(",)", at) - at);
    const size_t array = item.find('[');
    if (array != std::string::npos)
      sizes.push_back(std::stoul(item.substr(array + 1)));
    else
      sizes.push_back(item.find("64 ") != std::string::npos ? 8 : 4);
  }
  return true;
}

bool isLegal(const MapCall &map, const void *destination) {
  static constexpr size_t elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
  if (reinterpret_cast<uintptr_t>(destination) % 64 || map.address == 0 || map.address % 16)
    return false;
  if (map.type < 0 || map.type > 9 || map.interleave != 0 || map.swizzle < 0 || map.swizzle > 3)
    return false;
  const size_t rank = map.extents.size(), bytes = elementBytes[map.type];
  for (size_t i = 0; i < rank; ++i)
    if (map.extents[i] == 0 || map.extents[i] > uint64_t{1} << 32 || map.box[i] == 0 ||
        map.box[i] > 256 || map.elementStrides[i] == 0 || map.elementStrides[i] > 8)
      return false;
  for (uint64_t stride : map.strides)
    if (stride % 16 || stride >= uint64_t{1} << 40)
      return false;
  const size_t row = map.box[0] * bytes,
               limit = map.swizzle ? size_t{16} << map.swizzle : 256 * bytes;
  return row % 16 == 0 && row <= limit;
}

} // namespace

extern "C" {

State *recorderState() { return &state; }
void recorderSetCurrent(int context) { contexts.assign(context ? 1 : 0, context); }
int recorderGetCurrent() { return currentContext(); }

int cuInit(unsigned) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuInit"))
    return failure;
  return state.devices.empty() ? noDevice : success;
}

int cuDriverGetVersion(int *version) {
  *version = state.version;
  return enter("cuDriverGetVersion");
}

int cuGetErrorName(int error, const char **name) {
  static const std::map<int, const char *> names = {
      {invalidValue, "CUDA_ERROR_INVALID_VALUE"},
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {noDevice, "CUDA_ERROR_NO_DEVICE"},
      {invalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
      {noBinaryForGPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {invalidPTX, "CUDA_ERROR_INVALID_PTX"},
      {invalidHandle, "CUDA_ERROR_INVALID_HANDLE"},
      {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}};
  auto found = names.find(error);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalidValue : success;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuDeviceGetAttribute"))
    return failure;
  const Device &facts = state.devices.at(static_cast<size_t>(device));
  switch (attribute) {
  case 16:
    *value = facts.multiprocessors;
    return success;
  case 75:
    *value = facts.major;
    return success;
  case 76:
    *value = facts.minor;
    return success;
  case 97:
    *value = facts.sharedBytes;
    return success;
  }
  return invalidValue;
}

int cuCtxGetCurrent(void **context) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  *context = reinterpret_cast<void *>(static_cast<uintptr_t>(currentContext()));
  return enter("cuCtxGetCurrent");
}

int cuCtxGetDevice(int *device) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (!currentContext())
    return invalidContext;
  *device = state.contextDevice.at(currentContext());
  return enter("cuCtxGetDevice");
}

int cuCtxPushCurrent_v2(void *context) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuCtxPushCurrent"))
    return failure;
  contexts.push_back(static_cast<int>(reinterpret_cast<uintptr_t>(context)));
  return success;
}

int cuCtxPopCurrent_v2(void **context) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuCtxPopCurrent"))
    return failure;
  *context = reinterpret_cast<void *>(static_cast<uintptr_t>(currentContext()));
  contexts.pop_back();
  return success;
}

int cuStreamGetCtx(CUstream_st *stream, void **context) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuStreamGetCtx"))
    return failure;
  auto found = state.streamContext.find(stream);
  if (found == state.streamContext.end())
    return invalidHandle;
  *context = reinterpret_cast<void *>(static_cast<uintptr_t>(found->second));
  return success;
}

int cuStreamIsCapturing(CUstream_st *stream, int *status) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuStreamIsCapturing"))
    return failure;
  if (!stream && !state.capturing.empty())
    return captureImplicit;
  *status = static_cast<int>(state.capturing.count(stream));
  return success;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  std::swap(*mode, captureMode);
  return enter("cuThreadExchangeStreamCaptureMode");
}

int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t pointer) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuPointerGetAttributes"))
    return failure;
  Memory found = {0, 0, -2, 0, false}; // what the driver says of memory it does not know
  for (const Memory &memory : state.memory)
    if (pointer >= memory.base && pointer - memory.base < memory.size)
      found = memory;
  for (unsigned i = 0; i < count; ++i) {
    switch (attributes[i]) {
    case 2:
      *static_cast<unsigned *>(values[i]) = static_cast<unsigned>(found.type);
      break;
    case 8:
      *static_cast<unsigned *>(values[i]) = found.managed;
      break;
    case 9:
      *static_cast<int *>(values[i]) = found.device;
      break;
    default:
      return invalidValue;
    }
  }
  return success;
}

int cuLibraryLoadData(void **library, const void *image, int *, void **, unsigned, int *, void **,
                      unsigned) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuLibraryLoadData"))
    return failure;
  // Loading is forbidden in every thread while one captures, unless it asks for the relaxed mode.
  if (!state.capturing.empty() && captureMode != 2)
    return captureUnsupported;
  const char *bytes = static_cast<const char *>(image);
  const bool cubin = std::memcmp(bytes,
                                 "\x7f"
                                 "ELF",
                                 4) == 0;
  if (cubin && state.refusesCubins)
    return noBinaryForGPU;
  if (!cubin && state.refusesPTX)
    return invalidPTX;
  // A fake cubin is 25 bytes, of which some are zero, and the text of its PTX.
  libraries.push_back(std::make_unique<Library>(Library{bytes + (cubin ? 25 : 0), cubin}));
  *library = libraries.back().get();
  return success;
}

int cuLibraryUnload(void *) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  return enter("cuLibraryUnload");
}

int cuLibraryGetKernel(void **kernel, void *library, const char *symbol) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuLibraryGetKernel"))
    return failure;
  const auto &source = *static_cast<Library *>(library);
  auto made = std::make_unique<Kernel>(Kernel{symbol, source.cubin, {}, {}});
  if (!readParameters(source.text, symbol, made->parameterBytes))
    return notFound;
  *kernel = made.get();
  kernels.push_back(std::move(made));
  return success;
}

int cuKernelGetFunction(void **function, void *kernel) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuKernelGetFunction"))
    return failure;
  *function = kernel;
  return currentContext() ? success : invalidContext;
}

int cuKernelSetAttribute(int attribute, int value, void *kernel, int device) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuKernelSetAttribute"))
    return failure;
  if (attribute != 8 || value > state.devices.at(static_cast<size_t>(device)).sharedBytes)
    return invalidValue;
  static_cast<Kernel *>(kernel)->dynamicShared[device] = value;
  return success;
}

int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address,
                           const uint64_t *extents, const uint64_t *strides, const uint32_t *box,
                           const uint32_t *elementStrides, int interleave, int swizzle,
                           int promotion, int fill) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuTensorMapEncodeTiled"))
    return failure;
  if (state.quiet)
    return success;
  if (rank < 1 || rank > 5)
    return invalidValue;
  MapCall call = {type,
                  reinterpret_cast<uintptr_t>(address),
                  {extents, extents + rank},
                  {strides, strides + rank - 1},
                  {box, box + rank},
                  {elementStrides, elementStrides + rank},
                  interleave,
                  swizzle,
                  promotion,
                  fill};
  if (!isLegal(call, map))
    return invalidValue;
  const uint64_t words[16] = {mapMagic, state.maps.size()};
  std::memcpy(map, words, sizeof words);
  state.maps.push_back(std::move(call));
  return success;
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream_st *stream,
                   void **parameters, void **) {
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (const int failure = enter("cuLaunchKernel"))
    return failure;
  if (state.quiet)
    return success;
  if (!currentContext())
    return invalidContext;
  auto &kernel = *static_cast<Kernel *>(function);
  const int device = state.contextDevice.at(currentContext());
  if (sharedBytes > 49152 && static_cast<int>(sharedBytes) > kernel.dynamicShared[device])
    return invalidValue;
  if (auto found = state.streamContext.find(stream);
      found != state.streamContext.end() && found->second != currentContext())
    return invalidHandle;
  Launch launch = {kernel.symbol,
                   kernel.cubin,
                   {gridX, gridY, gridZ},
                   {blockX, blockY, blockZ},
                   sharedBytes,
                   stream,
                   device,
                   currentContext(),
                   {},
                   {}};
  for (size_t i = 0; i < kernel.parameterBytes.size(); ++i) {
    const auto *bytes = static_cast<const uint8_t *>(parameters[i]);
    if (kernel.parameterBytes[i] != 128) {
      launch.parameters.emplace_back(bytes, bytes + kernel.parameterBytes[i]);
      continue;
    }
    uint64_t words[2];
    std::memcpy(words, bytes, sizeof words);
    if (words[0] != mapMagic)
      return invalidValue;
    launch.parameters.emplace_back();
    launch.maps.push_back(state.maps.at(words[1]));
  }
  state.launches.push_back(std::move(launch));
  return success;
}

} // extern "C"
