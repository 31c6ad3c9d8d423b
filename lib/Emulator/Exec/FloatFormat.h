//===- FloatFormat.h - The floating-point formats of the GPU -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every conversion goes through a double that was rounded to odd where it is not exact: rounding
// such a double to at most 24 bits gives the correctly rounded result in every mode (Boldo and
// Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to
// odd").
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_FLOATFORMAT_H
#define TRIDENT_EMULATOR_EXEC_FLOATFORMAT_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace trident::emu {

enum class Rounding : uint8_t { nearest, zero, down, up, away };

inline uint32_t patternOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
inline uint64_t patternOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
inline double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}

inline constexpr uint32_t canonicalNaN = 0x7fffffff;

/// Subnormal floats become zeros of the same sign.
inline float flush(float value) {
  return (patternOf(value) & 0x7f800000) == 0 ? floatOf(patternOf(value) & 0x80000000) : value;
}
inline float canonical(float value) { return value != value ? floatOf(canonicalNaN) : value; }

/// `value` with `error` = exact - value folded into its last bit.
inline double oddRounded(double value, double error) {
  if (error == 0 || error != error || std::isinf(value))
    return value;
  uint64_t bits = patternOf(value);
  if (bits & 1)
    return value;
  return doubleOf((error > 0) == (value > 0) ? bits + 1 : bits - 1);
}
/// a + b, rounded to odd.
inline double oddSum(double a, double b) {
  double sum = a + b;
  double part = sum - a;
  return oddRounded(sum, (a - (sum - part)) + (b - part));
}

/// A small format: sign, `exponentBits`, `mantissaBits`. `hasInfinity` false: as e4m3, all ones is
/// NaN and the rest of the top exponent are numbers.
struct Format {
  int exponentBits, mantissaBits;
  bool hasInfinity;
};
inline constexpr Format halfFormat{5, 10, true};
inline constexpr Format bfloatFormat{8, 7, true};
inline constexpr Format singleFormat{8, 23, true};
inline constexpr Format tf32Format{8, 10, true};
inline constexpr Format e5m2Format{5, 2, true};
inline constexpr Format e4m3Format{4, 3, false};

/// Rounds `value` (exact, or rounded to odd) to `format`. `finite`: overflow gives the largest
/// number (.satfinite).
uint32_t encode(double value, const Format &format, Rounding rounding, bool finite = false);
double decode(uint32_t bits, const Format &format);

inline float halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00)
    return floatOf(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  if (rest >= 0x400)
    return floatOf(sign | ((rest << 13) + (112u << 23)));
  float magnitude = static_cast<float>(rest) * 5.9604644775390625e-8f;
  return sign ? -magnitude : magnitude;
}
inline float bfloatToFloat(uint16_t bits) { return floatOf(uint32_t(bits) << 16); }
/// Round to nearest even; NaN becomes 0x7fff.
inline uint16_t floatToBfloat(float value) {
  uint32_t bits = patternOf(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline uint16_t floatToHalf(float value) {
  return static_cast<uint16_t>(encode(value, halfFormat, Rounding::nearest));
}

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_FLOATFORMAT_H
