//===- Tile.cpp - Matrix operands: descriptors, fragments, products ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Tile.h"
#include "Exec/FloatFormat.h"

namespace trident::emu {

uint32_t MatrixDescriptor::unitAddress(uint32_t row, uint32_t unit, bool transposed) const {
  uint32_t address;
  if (mode == 0) {
    // Core matrices of 8 rows of 16 bytes. K-major: `leading` steps along K, `stride` along rows;
    // MN-major: `leading` along K, `stride` along MN.
    address = transposed ? start + unit * stride + row / 8 * leading + row % 8 * 16
                         : start + unit * leading + row / 8 * stride + row % 8 * 16;
    return address;
  }
  const uint32_t width = mode == 1 ? 128 : mode == 2 ? 64 : 32; // bytes of a swizzled row
  const uint32_t units = width / 16;
  address = transposed ? start + unit / units * leading + unit % units * 16 + row / 8 * stride +
                             row % 8 * width
                       : start + unit * 16 + row / 8 * stride + row % 8 * width;
  uint32_t mask = units - 1;
  uint32_t phase = (address >> 7) - baseOffset;
  return address ^ ((phase & mask) << 4);
}

unsigned matrixBits(Type type) {
  switch (type) {
  case Type::f16:
  case Type::bf16:
    return 16;
  case Type::e4m3:
  case Type::e5m2:
  case Type::s8:
  case Type::u8:
    return 8;
  default:
    return 32;
  }
}

float matrixElement(Type type, uint32_t bits) {
  switch (type) {
  case Type::f16:
    return halfToFloat(static_cast<uint16_t>(bits));
  case Type::bf16:
    return bfloatToFloat(static_cast<uint16_t>(bits));
  case Type::tf32:
    return floatOf(bits & 0xffffe000);
  case Type::e4m3:
    return static_cast<float>(decode(bits & 0xff, e4m3Format));
  case Type::e5m2:
    return static_cast<float>(decode(bits & 0xff, e5m2Format));
  case Type::s8:
    return static_cast<int8_t>(bits);
  case Type::u8:
    return static_cast<uint8_t>(bits);
  default:
    return floatOf(bits);
  }
}

#if defined(__x86_64__) && defined(__ELF__) && (defined(__GNUC__) || defined(__clang__))
#define TRIDENT_EMULATOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TRIDENT_EMULATOR_CLONES
#endif

// Products of two matrix elements are exact in f32, so contraction cannot change a bit: all clones
// agree.
TRIDENT_EMULATOR_CLONES
void multiplyTile(float *d, const float *a, const float *b, unsigned m, unsigned n, unsigned k) {
  for (unsigned row = 0; row < m; ++row) {
    float *out = d + size_t(row) * n;
    for (unsigned i = 0; i < k; ++i) {
      const float factor = a[size_t(row) * k + i];
      const float *in = b + size_t(i) * n;
      for (unsigned column = 0; column < n; ++column)
        out[column] += factor * in[column];
    }
  }
}

} // namespace trident::emu
