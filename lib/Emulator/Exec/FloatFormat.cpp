//===- FloatFormat.cpp - The floating-point formats of the GPU ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/FloatFormat.h"

namespace trident::emu {

uint32_t encode(double value, const Format &format, Rounding rounding, bool finite) {
  const int mantissa = format.mantissaBits;
  const uint32_t topExponent = (1u << format.exponentBits) - 1;
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  const uint32_t sign = std::signbit(value) ? 1u << (format.exponentBits + mantissa) : 0;
  const uint32_t infinity = topExponent << mantissa;
  const uint32_t nan = (1u << (format.exponentBits + mantissa)) - 1;
  const uint32_t largest = format.hasInfinity ? infinity - 1 : nan - 1;
  if (value != value)
    return nan;
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | (finite ? largest : format.hasInfinity ? infinity : nan);
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent);
  --exponent; // magnitude = 1.x * 2^exponent
  if (exponent < 1 - bias)
    exponent = 1 - bias; // subnormal: the smallest normal's spacing
  double scaled = std::ldexp(magnitude, mantissa - exponent);
  double whole = std::floor(scaled), rest = scaled - whole;
  bool up = false;
  switch (rounding) {
  case Rounding::nearest:
    up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) == 1);
    break;
  case Rounding::away:
    up = rest >= 0.5;
    break;
  case Rounding::zero:
    break;
  case Rounding::down:
    up = sign && rest > 0;
    break;
  case Rounding::up:
    up = !sign && rest > 0;
    break;
  }
  uint64_t significand = static_cast<uint64_t>(whole) + up;
  // Adding the significand with its hidden bit to exponent - 1 carries into the exponent by itself.
  uint64_t bits = (static_cast<uint64_t>(exponent + bias - 1) << mantissa) + significand;
  if (bits > largest) {
    bool toInfinity = rounding == Rounding::nearest || rounding == Rounding::away ||
                      (rounding == Rounding::up && !sign) || (rounding == Rounding::down && sign);
    if (finite || !toInfinity)
      return sign | largest;
    return sign | (format.hasInfinity ? infinity : nan);
  }
  return sign | static_cast<uint32_t>(bits);
}

double decode(uint32_t bits, const Format &format) {
  const int mantissa = format.mantissaBits;
  const uint32_t topExponent = (1u << format.exponentBits) - 1;
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  bool negative = bits >> (format.exponentBits + mantissa) & 1;
  uint32_t exponent = bits >> mantissa & topExponent;
  uint32_t fraction = bits & ((1u << mantissa) - 1);
  double value;
  if (format.hasInfinity && exponent == topExponent)
    value = fraction ? std::nan("") : HUGE_VAL;
  else if (!format.hasInfinity && exponent == topExponent && fraction == (1u << mantissa) - 1)
    value = std::nan("");
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias - mantissa);
  else
    value = std::ldexp(fraction + (1u << mantissa), static_cast<int>(exponent) - bias - mantissa);
  return negative ? -value : value;
}

} // namespace trident::emu
