//===- Numbers.h - 16-bit floats, random numbers, threads -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_NUMBERS_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_NUMBERS_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trident::host {

/// The element types of attention. What is said of 16 bits below is not for f32.
enum class Element { bf16, f16, f32 };

inline uint32_t floatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float bitsFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Round to nearest, ties to even.
inline uint16_t toBf16(float value) {
  uint32_t bits = floatBits(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline float fromBf16(uint16_t value) { return bitsFloat(static_cast<uint32_t>(value) << 16); }

/// Round to nearest, ties to even; overflow gives infinity, subnormals are kept.
inline uint16_t toF16(float value) {
  uint32_t bits = floatBits(value), sign = (bits >> 16) & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 0x477ff000) // 65520 and above round to infinity
    return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < 0x38800000) { // subnormal: let the float adder round at 2^-24
    uint32_t rounded = floatBits(bitsFloat(magnitude) + 0.5f) - floatBits(0.5f);
    return static_cast<uint16_t>(sign | rounded);
  }
  uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}

inline float fromF16(uint16_t value) {
  uint32_t sign = static_cast<uint32_t>(value & 0x8000) << 16, magnitude = value & 0x7fff;
  if (magnitude >= 0x7c00)
    return bitsFloat(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  // 2^112 rebiases the exponent and normalises subnormals in one exact multiplication.
  return bitsFloat(sign | floatBits(bitsFloat(magnitude << 13) * 0x1p112f));
}

inline uint16_t toElement(Element type, float value) {
  return type == Element::bf16 ? toBf16(value) : toF16(value);
}

inline float fromElement(Element type, uint16_t value) {
  return type == Element::bf16 ? fromBf16(value) : fromF16(value);
}

/// What a tensor core is given of an operand, see docs/Numerics.md: the sum of two numbers, the
/// second 0 but for f32.
struct OperandParts {
  double high = 0, low = 0;
  double sum() const { return high + low; }
};

inline OperandParts splitOperand(Element type, double value) {
  auto single = static_cast<float>(value);
  if (type != Element::f32)
    return {static_cast<double>(fromElement(type, toElement(type, single))), 0};
  constexpr uint32_t sign = 0x80000000, largest = 0x7f7f0000, infinite = 0x7f800000;
  float high = fromBf16(toBf16(single));
  if (floatBits(high) << 1 == infinite << 1)
    high = bitsFloat((floatBits(high) & sign) | largest);
  float low = fromBf16(toBf16(single - high));
  return {static_cast<double>(high), static_cast<double>(low)};
}

/// The product of two operands: without that of their second parts.
inline double multiplyParts(const OperandParts &a, const OperandParts &b) {
  return a.sum() * b.sum() - a.low * b.low;
}

/// A result that is stored in the element type.
inline double roundResult(Element type, double value) {
  auto single = static_cast<float>(value);
  return static_cast<double>(type == Element::f32 ? single
                                                  : fromElement(type, toElement(type, single)));
}

/// The distance from 1 to the next number above it.
inline double elementEpsilon(Element type) { return type == Element::bf16 ? 0x1p-7 : 0x1p-10; }

/// A counter-based generator (splitmix64): the value depends on seed and index alone, so threads
/// need no order.
inline uint64_t hashNumber(uint64_t seed, uint64_t index) {
  uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Standard normal, the `index`-th of its `seed` (Box-Muller).
inline float normalNumber(uint64_t seed, uint64_t index) {
  uint64_t bits = hashNumber(seed, index);
  float u = (static_cast<float>(bits >> 40) + 0.5f) * 0x1p-24f;
  float v = static_cast<float>(bits & 0xffffff) * 0x1p-24f;
  return std::sqrt(-2.0f * std::log(u)) * std::cos(6.2831853f * v);
}

/// Draws in sequence, for choosing cases.
class Draw {
public:
  explicit Draw(uint64_t seed) : seed(seed) {}
  uint64_t next() { return hashNumber(seed, index++); }
  /// Uniform in [0, count).
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  template <typename List> auto pick(const List &list) { return list[below(list.size())]; }

private:
  uint64_t seed, index = 0;
};

/// Runs body(i) for i in [0, count) on all cores, in any order; rethrows the first exception.
template <typename Body> void parallelFor(int64_t count, Body body) {
  std::atomic<int64_t> next{0};
  std::exception_ptr problem;
  std::mutex mutex;
  auto work = [&] {
    try {
      for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
        body(i);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      problem = std::current_exception();
    }
  };
  int64_t workers = std::min<int64_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (int64_t i = 1; i < workers; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  if (problem)
    std::rethrow_exception(problem);
}

} // namespace trident::host

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_NUMBERS_H
