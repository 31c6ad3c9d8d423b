//===- TensorCopy.cpp - Which bytes a tensor copy moves ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/TensorCopy.h"
#include "Exec/Windows.h"

#include <cstring>

namespace trident::emu {
namespace {

EmuTensorMap readMap(Warp &warp, uint64_t address, unsigned rank, int lane) {
  if (address % 64)
    warp.fail(ReportKind::misaligned,
              "tensor map at " + hex(address) + ", expected 64-byte alignment", lane);
  uint64_t inSpace = address;
  ptx::Space space = classify(inSpace);
  const std::byte *bytes;
  if (space == ptx::Space::global) {
    bytes = warp.global(address, sizeof(EmuTensorMap), lane, Access::read);
  } else if (space == ptx::Space::param) {
    const auto &parameters = warp.launch.request.parameters;
    if (inSpace + sizeof(EmuTensorMap) > parameters.size())
      warp.fail(ReportKind::outOfBounds,
                "tensor map at parameter byte " + std::to_string(inSpace) + " of " +
                    std::to_string(parameters.size()),
                lane);
    bytes = parameters.data() + inSpace;
  } else {
    warp.fail(ReportKind::badOperand,
              "tensor map at " + hex(address) +
                  ", expected it in parameter, constant or global memory",
              lane);
  }
  EmuTensorMap map;
  std::memcpy(&map, bytes, sizeof(map));
  if (map.magic != tensorMapMagic)
    warp.fail(ReportKind::badOperand, "the 128 bytes at " + hex(address) + " are not a tensor map",
              lane);
  if (map.rank != rank)
    warp.fail(ReportKind::badOperand,
              "a tensor map of rank " + std::to_string(map.rank) + ", expected " +
                  std::to_string(rank),
              lane);
  if (map.interleave != 0)
    warp.fail(ReportKind::badOperand, "a tensor map with interleave, expected none", lane);
  return map;
}

/// An H200 reads at the map's address for a box that is wholly outside the tensor.
void checkOutside(Warp &warp, const TensorTransfer &transfer, int lane, Access access) {
  uint64_t address = transfer.map.globalAddress;
  for (const Piece &piece : transfer.pieces)
    if (piece.global)
      return;
  if (access == Access::read && !warp.launch.request.memory->find(address))
    warp.fail(ReportKind::outOfBounds,
              "a tensor copy wholly outside its tensor, for which the copy engine reads the map's "
              "address " +
                  hex(address) + ": " + warp.launch.request.memory->describe(address),
              lane);
}

} // namespace

void fillOutside(const EmuTensorMap &map, std::byte *to, unsigned bytes) {
  std::memset(to, 0, bytes);
  if (!map.oobFill)
    return;
  // What an H200 writes for every format, f32 too.
  for (unsigned i = 0; i < bytes; ++i)
    to[i] = static_cast<std::byte>(i % 2 ? 0x7f : 0xf7);
}

TensorTransfer planTensorCopy(Warp &warp, uint64_t mapAddress, unsigned rank,
                              const int32_t *coordinates, uint32_t shared, int lane,
                              Access access) {
  TensorTransfer transfer;
  transfer.map = readMap(warp, mapAddress, rank, lane);
  const EmuTensorMap &map = transfer.map;
  transfer.shared = shared;
  if (shared % 128)
    warp.fail(ReportKind::misaligned,
              "shared address " + hex(shared) + " of a tensor copy, expected 128-byte alignment",
              lane);
  unsigned element = map.elementBytes;
  // An H200 stops with an illegal instruction otherwise.
  if (int64_t(coordinates[0]) * element % 16)
    warp.fail(ReportKind::misaligned,
              "the innermost coordinate " + std::to_string(coordinates[0]) + " is " +
                  std::to_string(int64_t(coordinates[0]) * element) +
                  " bytes, expected a multiple of 16",
              lane);
  uint32_t count[5], rows = 1;
  for (unsigned axis = 0; axis < 5; ++axis) {
    uint32_t step = std::max<uint32_t>(map.elementStrides[axis], 1);
    count[axis] = (std::max<uint32_t>(map.box[axis], 1) + step - 1) / step;
    rows *= axis ? count[axis] : 1;
  }
  uint32_t rowBytes = count[0] * element;
  transfer.bytes = rows * rowBytes;
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t rest = row;
    uint64_t base = map.globalAddress;
    bool inside = true;
    for (unsigned axis = 1; axis < 5; ++axis) {
      uint32_t step = std::max<uint32_t>(map.elementStrides[axis], 1);
      int64_t at = (axis < rank ? coordinates[axis] : 0) + int64_t(rest % count[axis]) * step;
      rest /= count[axis];
      if (at < 0 || static_cast<uint64_t>(at) >= std::max<uint64_t>(map.dimensions[axis], 1))
        inside = false;
      else
        base += static_cast<uint64_t>(at) * map.strides[axis - 1];
    }
    uint32_t step = std::max<uint32_t>(map.elementStrides[0], 1);
    // Elements [low, high) of this row exist; runs end at 16-byte units of shared memory.
    for (uint32_t i = 0; i < count[0];) {
      uint32_t byte = row * rowBytes + i * element;
      uint32_t run = std::min<uint32_t>((16 - byte % 16 + element - 1) / element, count[0] - i);
      auto exists = [&](uint32_t index) {
        int64_t at = coordinates[0] + int64_t(index) * step;
        return inside && at >= 0 && static_cast<uint64_t>(at) < map.dimensions[0];
      };
      bool present = exists(i);
      uint32_t length = 1;
      while (length < run && exists(i + length) == present && (step == 1 || !present))
        ++length;
      Piece piece;
      piece.shared = swizzled(shared + byte, map.swizzle);
      piece.bytes = static_cast<uint16_t>(length * element);
      if (present) {
        int64_t at = coordinates[0] + int64_t(i) * step;
        piece.global =
            warp.global(base + static_cast<uint64_t>(at) * element, piece.bytes, lane, access);
      }
      transfer.pieces.push_back(piece);
      i += length;
    }
  }
  checkOutside(warp, transfer, lane, access);
  return transfer;
}

} // namespace trident::emu
