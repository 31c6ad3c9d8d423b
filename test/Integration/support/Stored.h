//===- Stored.h - Elements as tensors hold them on the host ---------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The programs are compiled for one width of elements: with TRIDENT_TEST_F32, which
// TridentAttentionSupportF32 brings, for f32 with precision bf16x3, else for the 16-bit types.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_STORED_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_STORED_H

#include "Numbers.h"

#include <cstring>

namespace trident::test {

using namespace host;

#ifdef TRIDENT_TEST_F32
using Stored = float;
inline constexpr Element usualElement = Element::f32, otherElement = Element::f32;
inline Stored toStored(Element, float value) { return value; }
inline float fromStored(Element, Stored value) { return value; }
#else
using Stored = uint16_t;
inline constexpr Element usualElement = Element::bf16, otherElement = Element::f16;
inline Stored toStored(Element type, float value) { return toElement(type, value); }
inline float fromStored(Element type, Stored value) { return fromElement(type, value); }
#endif

/// The NaN whose bits are all ones, with which outputs are filled before a run.
inline Stored unwritten() {
  Stored value;
  std::memset(&value, 0xff, sizeof value);
  return value;
}
inline bool isUnwritten(Stored value) {
  Stored none = unwritten();
  return std::memcmp(&value, &none, sizeof value) == 0;
}

/// Half of it is how far from 1 the weights of V = ones may be, each rounded as an operand, when
/// nothing else is.
inline double operandEpsilon(Element type) {
  return type == Element::f32 ? 0x1p-16 : elementEpsilon(type);
}

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_STORED_H
