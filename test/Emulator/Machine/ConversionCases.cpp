//===- ConversionCases.cpp - Conversions -------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

namespace trident::emu::test {

const std::vector<InstructionCase> &conversionCases() {
  constexpr uint64_t minus1 = 0xffffffff;
  static const std::vector<InstructionCase> cases = {
      // Integers to integers: truncated, extended by the source's sign, or saturated.
      {"cvt.u64.u32 d0, a0;", "d:r", {minus1}, {0xffffffff}},
      {"cvt.s64.s32 d0, a0;", "d:r", {minus1}, {~uint64_t(0)}},
      {"cvt.u32.u64 d0, a0;", "r:d", {0x123456789}, {0x23456789}},
      {"cvt.s32.s8 d0, a0;", "r:r", {0x180}, {0xffffff80}},
      {"cvt.u32.u8 d0, a0;", "r:r", {0x180}, {0x80}},
      {"cvt.u32.u16 d0, a0;", "r:h", {0xffff}, {0xffff}},
      {"cvt.s32.s16 d0, a0;", "r:h", {0x8000}, {0xffff8000}},
      {"cvt.sat.u8.s32 d0, a0;", "r:r", {300}, {255}},
      {"cvt.sat.s8.s32 d0, a0;", "r:r", {0xfffffe00}, {0xffffff80}},
      {"cvt.sat.u32.s32 d0, a0;", "r:r", {minus1}, {0}},
      {"cvt.sat.s32.u32 d0, a0;", "r:r", {minus1}, {0x7fffffff}},
      // Integers to floats.
      {"cvt.rn.f32.u32 d0, a0;", "r:r", {0x01000001}, {0x4b800000}},
      {"cvt.rp.f32.u32 d0, a0;", "r:r", {0x01000001}, {0x4b800001}},
      {"cvt.rn.f32.s32 d0, a0;", "r:r", {minus1}, {F(-1.0f)}},
      {"cvt.rn.f32.u64 d0, a0;", "r:d", {~uint64_t(0)}, {0x5f800000}},
      {"cvt.rz.f32.u64 d0, a0;", "r:d", {~uint64_t(0)}, {0x5f7fffff}},
      {"cvt.rn.f32.u64 d0, a0;", "r:d", {0x0100000100000001}, {0x5b800001}},
      {"cvt.rn.f64.s32 d0, a0;", "d:r", {minus1}, {D(-1.0)}},
      {"cvt.rn.f64.u64 d0, a0;", "d:d", {~uint64_t(0)}, {D(18446744073709551616.0)}},
      {"cvt.rz.f64.u64 d0, a0;", "d:d", {~uint64_t(0)}, {0x43efffffffffffff}},
      {"cvt.rn.f16.s32 d0, a0;", "h:r", {2049}, {0x6800}},
      {"cvt.rn.f16.u32 d0, a0;", "h:r", {70000}, {0x7c00}},
      // Floats to integers.
      {"cvt.rzi.s32.f32 d0, a0;", "r:r", {F(-1.75f)}, {minus1}},
      {"cvt.rni.s32.f32 d0, a0;", "r:r", {F(2.5f)}, {2}},
      {"cvt.rmi.s32.f32 d0, a0;", "r:r", {F(-1.25f)}, {0xfffffffe}},
      {"cvt.rpi.s32.f32 d0, a0;", "r:r", {F(1.25f)}, {2}},
      {"cvt.rzi.s32.f32 d0, a0;", "r:r", {F(3e9f)}, {0x7fffffff}},
      {"cvt.rzi.u32.f32 d0, a0;", "r:r", {F(-1.0f)}, {0}},
      {"cvt.rzi.s32.f32 d0, a0;", "r:r", {0x7fc00000}, {0}},
      {"cvt.rzi.u64.f32 d0, a0;", "d:r", {F(3e9f)}, {3000000000}},
      {"cvt.rzi.s64.f64 d0, a0;", "d:d", {D(-1e18)}, {uint64_t(-1000000000000000000)}},
      {"cvt.rni.s32.f64 d0, a0;", "r:d", {D(3.5)}, {4}},
      {"cvt.rzi.u8.f32 d0, a0;", "r:r", {F(300.0f)}, {255}},
      {"cvt.rzi.s32.f16 d0, a0;", "r:h", {0xc500}, {0xfffffffb}},
      // Floats to floats.
      {"cvt.rni.f32.f32 d0, a0;", "r:r", {F(2.5f)}, {F(2.0f)}},
      {"cvt.rmi.f32.f32 d0, a0;", "r:r", {F(-0.5f)}, {F(-1.0f)}},
      {"cvt.rpi.f64.f64 d0, a0;", "d:d", {D(0.25)}, {D(1.0)}},
      {"cvt.sat.f32.f32 d0, a0;", "r:r", {F(1.5f)}, {F(1.0f)}},
      {"cvt.ftz.f32.f32 d0, a0;", "r:r", {1}, {0}},
      {"cvt.f64.f32 d0, a0;", "d:r", {F(1.5f)}, {D(1.5)}},
      {"cvt.rn.f32.f64 d0, a0;", "r:d", {0x3ff0000010000000}, {F(1.0f)}},
      {"cvt.rp.f32.f64 d0, a0;", "r:d", {0x3ff0000010000000}, {0x3f800001}},
      {"cvt.rz.f32.f64 d0, a0;", "r:d", {D(1e300)}, {0x7f7fffff}},
      {"cvt.f32.f16 d0, a0;", "r:h", {0x3c00}, {F(1.0f)}},
      {"cvt.f32.f16 d0, a0;", "r:h", {0x0001}, {0x33800000}},
      {"cvt.f32.f16 d0, a0;", "r:h", {0xfc00}, {0xff800000}},
      {"cvt.rn.f16.f32 d0, a0;", "h:r", {F(65520.0f)}, {0x7c00}},
      {"cvt.rz.f16.f32 d0, a0;", "h:r", {F(65520.0f)}, {0x7bff}},
      {"cvt.rn.f16.f32 d0, a0;", "h:r", {0x33000000}, {0}},
      {"cvt.rn.f16.f32 d0, a0;", "h:r", {0x33000001}, {1}},
      {"cvt.rn.bf16.f32 d0, a0;", "h:r", {0x3f808000}, {0x3f80}},
      {"cvt.rn.bf16.f32 d0, a0;", "h:r", {0x3f818000}, {0x3f82}},
      {"cvt.rz.bf16.f32 d0, a0;", "h:r", {0x3f81ffff}, {0x3f81}},
      {"cvt.rn.bf16.f32 d0, a0;", "h:r", {0x7f7fffff}, {0x7f80}},
      {"cvt.rn.bf16.f32 d0, a0;", "h:r", {0xffc00000}, {0x7fff}},
      {"cvt.rn.relu.bf16.f32 d0, a0;", "h:r", {F(-2.0f)}, {0}},
      {"cvt.rn.bf16x2.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(2.0f)}, {0x3f804000}},
      {"cvt.rn.f16x2.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(2.0f)}, {0x3c004000}},
      {"cvt.rz.bf16x2.f32 d0, a0, a1;", "r:rr", {0x3f81ffff, 0xbf81ffff}, {0x3f81bf81}},
      {"cvt.rn.relu.f16x2.f32 d0, a0, a1;", "r:rr", {F(-1.0f), F(2.0f)}, {0x00004000}},
      {"cvt.rna.tf32.f32 d0, a0;", "r:r", {0x3f801000}, {0x3f802000}},
      {"cvt.rna.tf32.f32 d0, a0;", "r:r", {0x3f800fff}, {0x3f800000}},
      // fp8: the largest e4m3 is 448 (0x7e), the largest e5m2 57344 (0x7b).
      {"cvt.rn.satfinite.e4m3x2.f32 d0, a0, a1;", "h:rr", {F(1.0f), F(1000.0f)}, {0x387e}},
      {"cvt.rn.satfinite.e5m2x2.f32 d0, a0, a1;", "h:rr", {F(-1.0f), F(1e6f)}, {0xbc7b}},
      {"cvt.rn.satfinite.e4m3x2.f32 d0, a0, a1;", "h:rr", {0x7fc00000, F(0.001953125f)}, {0x7f01}},
      {"cvt.rn.f16x2.e4m3x2 d0, a0;", "r:h", {0x387e}, {0x3c005f00}},
      {"cvt.rn.f16x2.e5m2x2 d0, a0;", "r:h", {0xbc7b}, {0xbc007b00}},
      {"cvt.rn.satfinite.e4m3x2.f16x2 d0, a0;", "h:r", {0x3c006400}, {0x387e}},
  };
  return cases;
}

} // namespace trident::emu::test
