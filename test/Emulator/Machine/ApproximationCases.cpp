//===- ApproximationCases.cpp - Approximations over their ranges -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The expected value is the exact function, rounded; the bounds are the PTX manual's, in units of
// the last place where they are smallest in that measure.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

#include <cmath>

namespace trident::emu::test {
namespace {

struct Sweep {
  const char *code;
  double (*function)(double);
  double first, last; ///< of 16 inputs; both positive: by equal factors, else by equal steps
  unsigned bound;     ///< units of the last place
};

double square(double x) { return 1 / std::sqrt(x); }
double inverse(double x) { return 1 / x; }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double root(double x) { return std::sqrt(x); }
double power(double x) { return std::exp2(x); }
double logarithm(double x) { return std::log2(x); }
double hyperbolic(double x) { return std::tanh(x); }

// 2^-22 of the value is 4 units at most. sin and cos are 2^-20.9 away at most: 9 units of a value
// above 1/2. tanh is 2^-11 of its value away: 8192 units.
const Sweep sweeps[] = {
    {"ex2.approx.f32 d0, a0;", power, -126, 127, 4},
    {"ex2.approx.ftz.f32 d0, a0;", power, -1, 1, 4},
    {"lg2.approx.f32 d0, a0;", logarithm, 2.1, 1e30, 4},
    {"lg2.approx.ftz.f32 d0, a0;", logarithm, 1e-30, 0.47, 4},
    {"rcp.approx.f32 d0, a0;", inverse, 1e-30, 1e30, 1},
    {"rcp.approx.ftz.f32 d0, a0;", inverse, -3, -1, 1},
    {"rsqrt.approx.f32 d0, a0;", square, 1e-30, 1e30, 2},
    {"rsqrt.approx.ftz.f32 d0, a0;", square, 1, 4, 2},
    {"sqrt.approx.f32 d0, a0;", root, 1e-30, 1e30, 2},
    {"sqrt.approx.ftz.f32 d0, a0;", root, 1, 4, 2},
    {"sin.approx.f32 d0, a0;", sine, 0.6, 2.5, 10},
    {"cos.approx.f32 d0, a0;", cosine, -1, 1, 10},
    {"tanh.approx.f32 d0, a0;", hyperbolic, -4, -0.1, 8192},
    {"tanh.approx.f32 d0, a0;", hyperbolic, 0.01, 4, 8192},
};

} // namespace

const std::vector<InstructionCase> &approximationCases() {
  static const std::vector<InstructionCase> cases = [] {
    std::vector<InstructionCase> all;
    for (const Sweep &sweep : sweeps)
      for (unsigned i = 0; i < 16; ++i) {
        double part = i / 15.0;
        double x = sweep.first > 0 ? sweep.first * std::pow(sweep.last / sweep.first, part)
                                   : sweep.first + (sweep.last - sweep.first) * part;
        float input = static_cast<float>(x);
        auto exact = static_cast<float>(sweep.function(static_cast<double>(input)));
        all.push_back({sweep.code, "r:r", {F(input)}, {F(exact)}, sweep.bound});
      }
    // 2 units of a quotient, also where the divisor is large.
    const float quotients[][2] = {{1, 3}, {-7, 11}, {1e20f, 3e-10f}, {5, 1.5e37f}, {1e-20f, 7}};
    for (const float *q : quotients)
      for (const char *code : {"div.approx.f32 d0, a0, a1;", "div.full.f32 d0, a0, a1;",
                               "div.approx.ftz.f32 d0, a0, a1;"})
        all.push_back({code, "r:rr", {F(q[0]), F(q[1])}, {F(q[0] / q[1])}, 2});
    // Halves: 2^-9.9 of ex2 in f16 is 2 units, 2^-7 in bf16 one; tanh in f16 is 2^-10.987 away, in
    // bf16 2^-8 of its value.
    all.push_back({"ex2.approx.f16 d0, a0;", "h:h", {0x3800}, {0x3da8}, 2});
    all.push_back({"ex2.approx.f16 d0, a0;", "h:h", {0xc100}, {0x31a8}, 2});
    all.push_back({"ex2.approx.f16x2 d0, a0;", "r:r", {0x40004200}, {0x44004800}});
    all.push_back({"ex2.approx.ftz.bf16 d0, a0;", "h:h", {0x3f00}, {0x3fb5}, 1});
    all.push_back({"ex2.approx.ftz.bf16 d0, a0;", "h:h", {0xc020}, {0x3e35}, 1});
    all.push_back({"tanh.approx.f16 d0, a0;", "h:h", {0x3800}, {0x3765}, 2});
    all.push_back({"tanh.approx.bf16 d0, a0;", "h:h", {0x3f00}, {0x3eed}, 1});
    all.push_back({"tanh.approx.bf16x2 d0, a0;", "r:r", {0}, {0}});
    return all;
  }();
  return cases;
}

} // namespace trident::emu::test
