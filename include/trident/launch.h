//===- launch.h - What every generated launcher shares --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The tensors that generated launchers take and the status that they return. This header is written
// beside every generated pair (NAME.h, NAME.cpp). It needs no CUDA header and no CUDA library: a
// launcher opens the driver (libcuda) when it is first called. The first part is C, for other
// languages; the rest is C++17.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LAUNCH_H
#define TRIDENT_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

/// A CUDA stream: the driver's CUstream and the runtime's cudaStream_t are both `struct CUstream_st
/// *`.
struct CUstream_st;

#ifdef __cplusplus
extern "C" {
#endif

/// A tensor in device memory. It owns nothing. An optional tensor is left out by zeroing the whole
/// struct.
struct trident_tensor {
  void *data;         ///< address of element [0, 0, ...]
  int64_t shape[6];   ///< extents, outermost first; the first `rank` count
  int64_t strides[6]; ///< in elements, one for each axis
  int32_t rank;       ///< number of axes
  int32_t type;       ///< DLPack's code * 256 + bits: bf16 0x410, f16 0x210, f32 0x220, i32 0x020
  int32_t device;     ///< CUDA ordinal; -1: whatever the address says; -2: not device memory
  int32_t reserved;   ///< zero
};

#ifdef __cplusplus
} // extern "C"

#include <atomic>
#include <initializer_list>
#include <mutex>
#include <string>
#include <utility>

namespace trident {
inline namespace v1 {

/// Few and stable; what exactly is wrong stands in the message, which is for people and may change.
enum class StatusCode : int {
  ok = 0,
  invalidArgument = 1, ///< the call breaks the kernel's contract; nothing was launched
  unsupported =
      2, ///< a legal call, but no variant was compiled for it or for this device or driver
  driverUnavailable = 3, ///< there is no CUDA driver, or it finds no device
  notPrepared = 4,       ///< first use inside a stream capture: call prepare() before
  driverError = 5,       ///< the driver refused a call of the launcher
};

/// The outcome of a call. Making an `ok` one neither allocates nor copies.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == StatusCode::ok; }
  explicit operator bool() const noexcept { return ok(); }
  StatusCode code() const noexcept { return code_; }
  /// One sentence that names the tensor, the axis, the value and what was expected; empty when ok.
  const std::string &message() const noexcept { return message_; }

private:
  StatusCode code_ = StatusCode::ok;
  std::string message_;
};

/// Bytes that hold every message of a launcher; longer lists are cut.
inline constexpr size_t messageBytes = 1024;

using Stream = CUstream_st *;

/// Element types. The value is DLPack's type code * 256 + bits, so types that no kernel takes can
/// still be named.
enum class Type : int32_t {
  none = 0,
  i32 = 0x020,
  f16 = 0x210,
  f32 = 0x220,
  bf16 = 0x410,
  i1 = 0x608, ///< a truth value: a byte, true where it is not 0
};

/// A tensor in device memory: address, element type, shape and strides in elements, outermost axis
/// first. It owns nothing. A default-made one stands for an optional tensor that is left out.
struct Tensor : trident_tensor {
  static constexpr int maxRank = 6;

  Tensor() noexcept : trident_tensor() { device = -1; }

  /// A contiguous tensor (row major).
  Tensor(const void *address, Type elementType, std::initializer_list<int64_t> extents) noexcept
      : Tensor(address, elementType, extents, {}) {
    rank = static_cast<int32_t>(extents.size());
    setContiguous();
  }

  /// A tensor of any layout; `steps` are its strides in elements, one for each axis. Inputs are
  /// never written, whatever the constness.
  Tensor(const void *address, Type elementType, std::initializer_list<int64_t> extents,
         std::initializer_list<int64_t> steps) noexcept
      : Tensor() {
    data = const_cast<void *>(address);
    type = static_cast<int32_t>(elementType);
    // A rank that every launcher refuses, when the two lists do not match.
    rank = extents.size() == steps.size() ? static_cast<int32_t>(extents.size()) : -1;
    int axis = 0;
    for (int64_t extent : extents)
      if (axis < maxRank)
        shape[axis++] = extent;
    axis = 0;
    for (int64_t step : steps)
      if (axis < maxRank)
        strides[axis++] = step;
  }

  /// Sets the strides of a row-major tensor of this shape.
  void setContiguous() noexcept {
    uint64_t stride = 1;
    for (int axis = (rank < maxRank ? rank : maxRank) - 1; axis >= 0; --axis) {
      strides[axis] = static_cast<int64_t>(stride);
      stride *= shape[axis] > 1 ? static_cast<uint64_t>(shape[axis]) : 1;
    }
  }
};

/// The tensor that a DLPack `DLTensor` describes (any struct of that shape, so <dlpack/dlpack.h> is
/// not needed here). Nothing is dropped: what a launcher cannot take (another device, vector types,
/// too many axes) it refuses by name.
template <typename DLTensor> Tensor fromDLPack(const DLTensor &source) noexcept {
  constexpr int cuda = 2, cudaManaged = 13;
  Tensor result;
  if (source.data)
    result.data = static_cast<char *>(source.data) + source.byte_offset;
  result.rank = static_cast<int32_t>(source.ndim);
  result.type = (static_cast<int32_t>(source.dtype.lanes) - 1) * 65536 +
                static_cast<int32_t>(source.dtype.code) * 256 +
                static_cast<int32_t>(source.dtype.bits);
  const int kind = static_cast<int>(source.device.device_type);
  result.device = kind == cuda          ? static_cast<int32_t>(source.device.device_id)
                  : kind == cudaManaged ? -1
                                        : -2;
  const int axes = result.rank < Tensor::maxRank ? result.rank : Tensor::maxRank;
  for (int axis = 0; axis < axes; ++axis)
    result.shape[axis] = source.shape[axis];
  result.setContiguous();
  for (int axis = 0; axis < axes && source.strides; ++axis)
    result.strides[axis] = source.strides[axis];
  return result;
}

namespace detail {
struct DriverLibrary {
  std::mutex mutex;
  std::string path;
};
inline DriverLibrary &driverLibrary() {
  static DriverLibrary library;
  return library;
}

/// Another number for each launch of the process, by which a kernel tells whether its workspace is
/// its own; never 0.
inline uint32_t nextTicket() noexcept {
  static std::atomic<uint32_t> last{0};
  uint32_t ticket = 0;
  while (ticket == 0)
    ticket = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return ticket;
}
} // namespace detail

/// Names the driver library that launchers open on their first use, before TRIDENT_LIBCUDA and
/// "libcuda.so.1". Launchers that are already in use keep theirs.
inline void setDriverLibrary(const std::string &path) {
  detail::DriverLibrary &library = detail::driverLibrary();
  const std::lock_guard<std::mutex> lock(library.mutex);
  library.path = path;
}

} // namespace v1
} // namespace trident
#endif // __cplusplus

#endif // TRIDENT_LAUNCH_H
