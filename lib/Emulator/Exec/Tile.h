//===- Tile.h - Matrix operands: descriptors, fragments, products ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_TILE_H
#define TRIDENT_EMULATOR_EXEC_TILE_H

#include "Exec/Decode.h"

namespace trident::emu {

/// A wgmma matrix descriptor (PTX ISA, "Matrix Descriptor Format"):
///
///     63 62 | 61..52 | 51..49      | 48..46 | 45..32        | 31 30 | 29..16         | 15 14
///     | 13..0 mode  |   0    | base offset |   0    | stride offset |   0   | leading offset |   0
///     | start address
///
/// Addresses and offsets are in units of 16 bytes. Modes: 0 none, 1 128 bytes, 2 64 bytes, 3 32
/// bytes.
struct MatrixDescriptor {
  uint32_t start, leading, stride, baseOffset, mode;
  explicit MatrixDescriptor(uint64_t bits)
      : start((bits & 0x3fff) << 4), leading((bits >> 16 & 0x3fff) << 4),
        stride((bits >> 32 & 0x3fff) << 4), baseOffset(bits >> 49 & 7), mode(bits >> 62 & 3) {}
  static bool reservedBitsAreZero(uint64_t bits) { return !(bits & 0x3ff1'c000'c000'c000); }

  /// Address of the 16 bytes that hold element `major` * elementsPerUnit... of row `minor`: for a
  /// K-major operand `unit` counts 16-byte units along K and `row` is the row (or column) of the
  /// matrix; for an MN-major operand `unit` counts along MN and `row` is k.
  uint32_t unitAddress(uint32_t row, uint32_t unit, bool transposed) const;
};

/// The value of an element of a matrix type in a register or in memory.
float matrixElement(Type type, uint32_t bits);
/// Bits of one element in memory.
unsigned matrixBits(Type type);

/// d[m][n] += a[m][k] * b[k][n], each row contiguous.
void multiplyTile(float *d, const float *a, const float *b, unsigned m, unsigned n, unsigned k);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_TILE_H
