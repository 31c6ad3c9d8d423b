//===- FloatCases.cpp - Floating-point instructions --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

#include <cmath>

namespace trident::emu::test {

const std::vector<InstructionCase> &floatCases() {
  constexpr uint64_t nan = 0x7fffffff, infinity = 0x7f800000, tiny = 0x00000001;
  constexpr uint64_t negativeZero = 0x80000000, negativeInfinity = 0xff800000;
  constexpr uint64_t half1 = 0x3c00, half2 = 0x4000, bfloat1 = 0x3f80, bfloat3 = 0x4040;
  static const std::vector<InstructionCase> cases = {
      {"add.f32 d0, a0, a1;", "r:rr", {F(1.5f), F(2.25f)}, {F(3.75f)}},
      {"add.f32 d0, a0, a1;", "r:rr", {infinity, negativeInfinity}, {nan}},
      {"add.f32 d0, a0, a1;", "r:rr", {tiny, tiny}, {2}},
      {"add.ftz.f32 d0, a0, a1;", "r:rr", {tiny, tiny}, {0}},
      {"add.sat.f32 d0, a0, a1;", "r:rr", {F(0.75f), F(0.75f)}, {F(1.0f)}},
      // 1 + 2^-24 lies half way between 1 and the next float.
      {"add.rn.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x33800000}, {F(1.0f)}},
      {"add.rz.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x33800001}, {F(1.0f)}},
      {"add.rp.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x00000001}, {0x3f800001}},
      {"add.rm.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x80000001}, {0x3f7fffff}},
      {"sub.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(1.0f)}, {0}},
      {"sub.rm.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(1.0f)}, {negativeZero}},
      {"mul.f32 d0, a0, a1;", "r:rr", {F(1.5f), F(-2.0f)}, {F(-3.0f)}},
      {"mul.f32 d0, a0, a1;", "r:rr", {infinity, 0}, {nan}},
      {"mul.rp.f32 d0, a0, a1;", "r:rr", {0x3f800001, 0x3f800001}, {0x3f800003}},
      {"mul.rz.f32 d0, a0, a1;", "r:rr", {0x3f800001, 0x3f800001}, {0x3f800002}},
      {"mul.ftz.f32 d0, a0, a1;", "r:rr", {0x00800000, F(0.5f)}, {0}},
      {"mul.f32 d0, a0, a1;", "r:rr", {0x00800000, F(0.5f)}, {0x00400000}},
      // The product keeps all its bits: (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46.
      {"fma.rn.f32 d0, a0, a1, a2;", "r:rrr", {0x3f800001, 0x3f800001, 0xbf800002}, {0x28800000}},
      {"fma.rz.f32 d0, a0, a1, a2;", "r:rrr", {F(1.0f), F(1.0f), 0x33ffffff}, {F(1.0f)}},
      {"fma.rn.sat.f32 d0, a0, a1, a2;", "r:rrr", {F(2.0f), F(-2.0f), F(1.0f)}, {0}},
      {"mad.rn.f32 d0, a0, a1, a2;", "r:rrr", {F(2.0f), F(3.0f), F(4.0f)}, {F(10.0f)}},
      {"div.rn.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(3.0f)}, {0x3eaaaaab}},
      {"div.rz.f32 d0, a0, a1;", "r:rr", {F(1.0f), F(3.0f)}, {0x3eaaaaaa}},
      {"div.rp.f32 d0, a0, a1;", "r:rr", {F(-1.0f), F(3.0f)}, {0xbeaaaaaa}},
      {"div.rn.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0}, {infinity}},
      {"div.full.f32 d0, a0, a1;", "r:rr", {F(6.0f), F(3.0f)}, {F(2.0f)}, 2},
      {"rcp.rn.f32 d0, a0;", "r:r", {F(3.0f)}, {0x3eaaaaab}},
      {"rcp.approx.ftz.f32 d0, a0;", "r:r", {F(3.0f)}, {0x3eaaaaab}, 1},
      {"rcp.approx.ftz.f32 d0, a0;", "r:r", {tiny}, {infinity}},
      {"rcp.approx.ftz.f32 d0, a0;", "r:r", {negativeInfinity}, {negativeZero}},
      {"sqrt.rn.f32 d0, a0;", "r:r", {F(2.0f)}, {0x3fb504f3}},
      {"sqrt.rp.f32 d0, a0;", "r:r", {F(2.0f)}, {0x3fb504f4}},
      {"sqrt.rn.f32 d0, a0;", "r:r", {F(-1.0f)}, {nan}},
      {"sqrt.approx.f32 d0, a0;", "r:r", {F(4.0f)}, {F(2.0f)}, 2},
      {"rsqrt.approx.f32 d0, a0;", "r:r", {F(4.0f)}, {F(0.5f)}, 2},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {F(3.0f)}, {F(8.0f)}, 2},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {F(0.5f)}, {0x3fb504f3}, 2},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {negativeInfinity}, {0}},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {F(-127.0f)}, {0}},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {F(128.0f)}, {infinity}},
      {"ex2.approx.ftz.f32 d0, a0;", "r:r", {0x7fc00000}, {nan}},
      {"lg2.approx.ftz.f32 d0, a0;", "r:r", {F(8.0f)}, {F(3.0f)}, 2},
      {"lg2.approx.ftz.f32 d0, a0;", "r:r", {0}, {negativeInfinity}},
      {"lg2.approx.f32 d0, a0;", "r:r", {infinity}, {infinity}},
      {"sin.approx.f32 d0, a0;", "r:r", {0}, {0}},
      {"cos.approx.f32 d0, a0;", "r:r", {0}, {F(1.0f)}},
      {"tanh.approx.f32 d0, a0;", "r:r", {infinity}, {F(1.0f)}},
      // The lesser of a number and a NaN is the number, unless NaN is asked for; -0 is below +0.
      {"min.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x7fc00000}, {F(1.0f)}},
      {"min.f32 d0, a0, a1;", "r:rr", {0, negativeZero}, {negativeZero}},
      {"max.f32 d0, a0, a1;", "r:rr", {negativeZero, 0}, {0}},
      {"max.f32 d0, a0, a1;", "r:rr", {0x7fc00000, 0xffc00001}, {nan}},
      {"max.NaN.f32 d0, a0, a1;", "r:rr", {F(1.0f), 0x7fc00000}, {nan}},
      {"max.ftz.f32 d0, a0, a1;", "r:rr", {tiny, negativeZero}, {0}},
      {"min.xorsign.abs.f32 d0, a0, a1;", "r:rr", {F(-3.0f), F(2.0f)}, {F(-2.0f)}},
      {"neg.f32 d0, a0;", "r:r", {0}, {negativeZero}},
      {"neg.ftz.f32 d0, a0;", "r:r", {tiny}, {negativeZero}},
      {"abs.f32 d0, a0;", "r:r", {F(-2.0f)}, {F(2.0f)}},
      {"copysign.f32 d0, a0, a1;", "r:rr", {F(-1.0f), F(2.0f)}, {F(-2.0f)}},
      {"testp.finite.f32 d0, a0;", "p:r", {infinity}, {0}},
      {"testp.notanumber.f32 d0, a0;", "p:r", {nan}, {1}},
      {"testp.subnormal.f32 d0, a0;", "p:r", {tiny}, {1}},
      {"testp.number.f64 d0, a0;", "p:d", {D(1.0)}, {1}},
      {"setp.lt.f32 d0, a0, a1;", "p:rr", {F(1.0f), nan}, {0}},
      {"setp.ltu.f32 d0, a0, a1;", "p:rr", {F(1.0f), nan}, {1}},
      {"setp.ne.f32 d0, a0, a1;", "p:rr", {F(1.0f), nan}, {0}},
      {"setp.neu.f32 d0, a0, a1;", "p:rr", {F(1.0f), nan}, {1}},
      {"setp.num.f32 d0, a0, a1;", "p:rr", {F(1.0f), F(2.0f)}, {1}},
      {"setp.nan.f32 d0, a0, a1;", "p:rr", {F(1.0f), nan}, {1}},
      {"setp.eq.ftz.f32 d0, a0, a1;", "p:rr", {tiny, 0}, {1}},
      {"setp.gtu.ftz.f32 d0, a0, a1;", "p:rr", {tiny, 0}, {0}},
      {"setp.gt.f64 d0, a0, a1;", "p:dd", {D(2.0), D(1.0)}, {1}},
      // f64.
      {"add.f64 d0, a0, a1;", "d:dd", {D(1.5), D(2.25)}, {D(3.75)}},
      {"add.rp.f64 d0, a0, a1;", "d:dd", {D(1.0), 1}, {0x3ff0000000000001}},
      {"mul.rz.f64 d0, a0, a1;",
       "d:dd",
       {0x3ff0000000000001, 0x3ff0000000000001},
       {0x3ff0000000000002}},
      {"fma.rn.f64 d0, a0, a1, a2;",
       "d:ddd",
       {0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002},
       {0x3970000000000000}},
      {"div.rn.f64 d0, a0, a1;", "d:dd", {D(1.0), D(3.0)}, {0x3fd5555555555555}},
      {"sqrt.rn.f64 d0, a0;", "d:d", {D(2.0)}, {0x3ff6a09e667f3bcd}},
      {"rcp.rn.f64 d0, a0;", "d:d", {D(4.0)}, {D(0.25)}},
      {"min.f64 d0, a0, a1;", "d:dd", {D(-1.0), D(1.0)}, {D(-1.0)}},
      {"neg.f64 d0, a0;", "d:d", {D(1.0)}, {D(-1.0)}},
      {"abs.f64 d0, a0;", "d:d", {D(-1.0)}, {D(1.0)}},
      // f16 and bf16, alone and in pairs.
      {"add.f16 d0, a0, a1;", "h:hh", {half1, half2}, {0x4200}},
      {"add.rn.f16x2 d0, a0, a1;", "r:rr", {0x40003c00, 0x3c003c00}, {0x42004000}},
      {"mul.f16 d0, a0, a1;", "h:hh", {0x3c01, 0x3c01}, {0x3c02}},
      {"mul.f16 d0, a0, a1;", "h:hh", {0x7bff, half2}, {0x7c00}},
      {"fma.rn.f16 d0, a0, a1, a2;", "h:hhh", {0x3c01, 0x3c01, 0xbc02}, {0x0010}},
      {"fma.rn.relu.f16x2 d0, a0, a1, a2;", "r:rrr", {0xbc003c00, 0x3c003c00, 0}, {0x00003c00}},
      {"fma.rn.bf16 d0, a0, a1, a2;", "h:hhh", {bfloat1, bfloat3, bfloat1}, {0x4080}},
      {"fma.rn.bf16x2 d0, a0, a1, a2;",
       "r:rrr",
       {0x40403f80, 0x3f803f80, 0x3f803f80},
       {0x40804000}},
      {"add.rn.bf16x2 d0, a0, a1;", "r:rr", {0x40403f80, 0x3f803f80}, {0x40804000}},
      {"max.bf16x2 d0, a0, a1;", "r:rr", {0x40403f80, 0x3f804000}, {0x40404000}},
      {"min.f16x2 d0, a0, a1;", "r:rr", {0x40003c00, 0x3c004000}, {0x3c003c00}},
      {"max.NaN.f16 d0, a0, a1;", "h:hh", {half1, 0x7e00}, {0x7fff}},
      {"neg.bf16x2 d0, a0;", "r:r", {0x3f80bf80}, {0xbf803f80}},
      {"abs.f16x2 d0, a0;", "r:r", {0xbc003c00}, {0x3c003c00}},
      {"ex2.approx.f16 d0, a0;", "h:h", {half2}, {0x4400}},
      {"ex2.approx.ftz.bf16x2 d0, a0;", "r:r", {0x40003f80}, {0x40804000}},
      {"tanh.approx.f16 d0, a0;", "h:h", {0}, {0}},
      {"setp.lt.f16 d0, a0, a1;", "p:hh", {half1, half2}, {1}},
      {"setp.gt.bf16 d0, a0, a1;", "p:hh", {bfloat3, bfloat1}, {1}},
      {"setp.lt.f16x2 d0|d1, a0, a1;", "pp:rr", {0x40003c00, 0x3c004000}, {1, 0}},
  };
  return cases;
}

} // namespace trident::emu::test
