//===- Operation.cpp - What a stream or a graph can be told to do ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operation.h"

#include "AddressSpace.h"

#include <cstdio>
#include <cstring>

namespace trident::emu {
namespace {

constexpr size_t reportsPrinted = 8;

/// The error that a driver returns after what `kind` describes.
CUresult resultOf(ReportKind kind) {
  switch (kind) {
  case ReportKind::badLaunch:
    return CUDA_ERROR_INVALID_VALUE;
  case ReportKind::resource:
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  case ReportKind::outOfBounds:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  case ReportKind::misaligned:
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  case ReportKind::badOperand:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

CUresult executeOne(const EmptyOperation &) { return CUDA_SUCCESS; }

CUresult executeOne(const KernelOperation &kernel) {
  std::shared_ptr<const Memory> view = AddressSpace::get().view(kernel.device, kernel.peers);
  LaunchRequest request = kernel.request;
  request.memory = view.get();
  LaunchResult result = run(request);
  if (result.ok)
    return CUDA_SUCCESS;
  for (size_t i = 0; i < result.reports.size() && i < reportsPrinted; ++i)
    std::fprintf(stderr, "trident-emu: %s: %s\n", request.entry.c_str(),
                 result.reports[i].str().c_str());
  if (result.reports.size() > reportsPrinted)
    std::fprintf(stderr, "trident-emu: %s: and %zu more blocks with a report\n",
                 request.entry.c_str(), result.reports.size() - reportsPrinted);
  return result.reports.empty() ? CUDA_ERROR_LAUNCH_FAILED : resultOf(result.reports[0].kind);
}

uint64_t spanOf(uint64_t width, uint64_t height, uint64_t pitch) {
  return width == 0 || height == 0 ? 0 : (height - 1) * pitch + width;
}

CUresult executeOne(const CopyOperation &copy) {
  AddressSpace &space = AddressSpace::get();
  if (copy.width == 0 || copy.height == 0)
    return CUDA_SUCCESS;
  std::byte *to =
      space.translate(copy.destination, spanOf(copy.width, copy.height, copy.destinationPitch));
  const std::byte *from =
      space.translate(copy.source, spanOf(copy.width, copy.height, copy.sourcePitch));
  if (!to || !from)
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  for (uint64_t row = 0; row < copy.height; ++row)
    std::memmove(to + row * copy.destinationPitch, from + row * copy.sourcePitch, copy.width);
  return CUDA_SUCCESS;
}

CUresult executeOne(const FillOperation &fill) {
  if (fill.width == 0 || fill.height == 0)
    return CUDA_SUCCESS;
  uint64_t bytes = fill.width * fill.elementSize;
  std::byte *to =
      AddressSpace::get().translate(fill.destination, spanOf(bytes, fill.height, fill.pitch));
  if (!to)
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  for (uint64_t row = 0; row < fill.height; ++row) {
    std::byte *at = to + row * fill.pitch;
    if (fill.elementSize == 1)
      std::memset(at, static_cast<int>(fill.value & 0xff), bytes);
    else
      for (uint64_t i = 0; i < bytes; i += fill.elementSize)
        std::memcpy(at + i, &fill.value, fill.elementSize); // little endian
  }
  return CUDA_SUCCESS;
}

CUresult executeOne(const HostOperation &host) {
  host.function(host.argument);
  return CUDA_SUCCESS;
}

std::string whyUnusable(const char *what, uint64_t address, uint64_t span) {
  AddressSpace &space = AddressSpace::get();
  if (span == 0)
    return {};
  if (address == 0)
    return std::string(what) + " is null";
  if (space.translate(address, span))
    return {};
  uint64_t bad = space.translate(address, 1) ? address + span - 1 : address;
  return std::string(what) + ": its " + std::to_string(span) + " bytes reach " +
         space.describe(bad);
}

} // namespace

std::string whyUnusable(const Operation &operation) {
  if (auto *copy = std::get_if<CopyOperation>(&operation)) {
    std::string why = whyUnusable("the destination", copy->destination,
                                  spanOf(copy->width, copy->height, copy->destinationPitch));
    return !why.empty() ? why
                        : whyUnusable("the source", copy->source,
                                      spanOf(copy->width, copy->height, copy->sourcePitch));
  }
  if (auto *fill = std::get_if<FillOperation>(&operation))
    return whyUnusable("the destination", fill->destination,
                       spanOf(fill->width * fill->elementSize, fill->height, fill->pitch));
  return {};
}

CUresult execute(const Operation &operation) {
  return std::visit([](const auto &one) { return executeOne(one); }, operation);
}

} // namespace trident::emu
