//===- Recorder.h - A driver library that records instead of launching ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// librecorder.so exports the driver functions that launchers call. A test describes a world
// (devices, memory, contexts, what fails), calls a launcher, and reads what arrived. Nothing is
// executed and no address is touched.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_TARGET_LAUNCHER_RECORDER_H
#define TRIDENT_TEST_TARGET_LAUNCHER_RECORDER_H

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

struct CUstream_st;

namespace recorder {

/// What cuTensorMapEncodeTiled was asked for, innermost axis first.
struct MapCall {
  int type;
  uint64_t address;
  std::vector<uint64_t> extents, strides;
  std::vector<uint32_t> box, elementStrides;
  int interleave, swizzle, promotion, fill;
};

struct Launch {
  std::string symbol;
  bool fromCubin;
  unsigned grid[3], block[3], sharedBytes;
  CUstream_st *stream;
  int device;
  int context;
  /// The bytes of each parameter, in order; of a tensor map none.
  std::vector<std::vector<uint8_t>> parameters;
  std::vector<MapCall> maps;
};

struct Memory {
  uint64_t base, size;
  int device;
  int type = 2; ///< CU_MEMORYTYPE: 1 host, 2 device
  bool managed = false;
};

struct Device {
  int major = 9, minor = 0;
  int sharedBytes = 232448;
  int multiprocessors = 132;
};

struct State {
  std::mutex mutex;

  // The world. Contexts are numbers from 1 on; a stream belongs to one.
  int version = 13000;
  std::vector<Device> devices = {Device()};
  std::vector<Memory> memory;
  std::map<int, int> contextDevice;
  std::map<CUstream_st *, int> streamContext;
  std::set<CUstream_st *> capturing;
  bool refusesCubins = false, refusesPTX = false;
  std::map<std::string, int> failures; ///< function -> what it returns

  bool quiet = false; ///< record nothing, and so allocate nothing

  // What arrived.
  std::vector<Launch> launches;
  std::map<std::string, int> calls; ///< function -> how often
  std::vector<MapCall> maps;
};

/// Names of the functions that a test finds in the library by dlsym.
using StateFunction = State *(*)();
using SetCurrentFunction = void (*)(int context); ///< 0: none; for the calling thread
using GetCurrentFunction = int (*)();

} // namespace recorder

#endif // TRIDENT_TEST_TARGET_LAUNCHER_RECORDER_H
