//===- TensorMap.h - The 128 bytes of a tensor map on the stand-in --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A CUtensorMap is opaque to programs: the driver fills it, cp.async.bulk.tensor reads it. On the
// stand-in both sides are ours, and this is what the 128 bytes hold. Validity is the driver's
// business (cuTensorMapEncodeTiled); the executor only checks the magic.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_TENSORMAP_H
#define TRIDENT_EMULATOR_TENSORMAP_H

#include <cstdint>

namespace trident::emu {

inline constexpr uint64_t tensorMapMagic = 0x50414d544e444954; // "TIDNTMAP", little endian

/// The numbers of each enumeration are those of CUtensorMapDataType, CUtensorMapInterleave,
/// CUtensorMapSwizzle and CUtensorMapFloatOOBfill. Axis 0 is the innermost one.
struct EmuTensorMap {
  uint64_t magic;            ///< tensorMapMagic
  uint64_t globalAddress;    ///< 16-byte aligned
  uint64_t dimensions[5];    ///< extents in elements; unused axes are 1
  uint64_t strides[4];       ///< bytes between neighbours along axes 1..4; unused axes are 0
  uint16_t box[5];           ///< box extents in elements, 1..256; unused axes are 1
  uint8_t elementStrides[5]; ///< 1..8
  uint8_t rank;              ///< 1..5
  uint8_t dataType; ///< 0 u8, 1 u16, 2 u32, 3 s32, 4 u64, 5 s64, 6 f16, 7 f32, 8 f64, 9 bf16, 10
                    ///< f32 ftz, 11 tf32, 12 tf32 ftz
  uint8_t elementBytes; ///< 1, 2, 4 or 8
  uint8_t interleave;   ///< 0 none, 1 16B, 2 32B
  uint8_t swizzle;      ///< 0 none, 1 32B, 2 64B, 3 128B
  uint8_t oobFill;      ///< 0 zeros, 1 NaN
  uint8_t reserved[15];
};
static_assert(sizeof(EmuTensorMap) == 128, "a tensor map is 128 bytes");

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_TENSORMAP_H
