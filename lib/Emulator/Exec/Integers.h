//===- Integers.h - Integer types of the ALU, and handlers by type -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_INTEGERS_H
#define TRIDENT_EMULATOR_EXEC_INTEGERS_H

#include "Exec/Decode.h"
#include "Exec/Lanes.h"

namespace trident::emu {

template <typename T> using Unsigned = std::make_unsigned_t<T>;
template <typename T> constexpr unsigned width = sizeof(T) * 8;

/// Arithmetic wraps: it is done on unsigned 64-bit values, which never promote to a signed type.
template <typename T> T wrap(uint64_t value) { return static_cast<T>(value); }

template <template <typename> class F> Handler pickBinary(Builder &build, Type type) {
  switch (type) {
  case Type::u16:
  case Type::b16:
    return binary<uint16_t, uint16_t, F<uint16_t>>;
  case Type::s16:
    return binary<int16_t, int16_t, F<int16_t>>;
  case Type::u32:
  case Type::b32:
    return binary<uint32_t, uint32_t, F<uint32_t>>;
  case Type::s32:
    return binary<int32_t, int32_t, F<int32_t>>;
  case Type::u64:
  case Type::b64:
    return binary<uint64_t, uint64_t, F<uint64_t>>;
  case Type::s64:
    return binary<int64_t, int64_t, F<int64_t>>;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}
template <template <typename> class F> Handler pickUnary(Builder &build, Type type) {
  switch (type) {
  case Type::u16:
  case Type::b16:
    return unary<uint16_t, uint16_t, F<uint16_t>>;
  case Type::s16:
    return unary<int16_t, int16_t, F<int16_t>>;
  case Type::u32:
  case Type::b32:
    return unary<uint32_t, uint32_t, F<uint32_t>>;
  case Type::s32:
    return unary<int32_t, int32_t, F<int32_t>>;
  case Type::u64:
  case Type::b64:
    return unary<uint64_t, uint64_t, F<uint64_t>>;
  case Type::s64:
    return unary<int64_t, int64_t, F<int64_t>>;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}
template <template <typename> class F> Handler pickTernary(Builder &build, Type type) {
  switch (type) {
  case Type::u16:
    return ternary<uint16_t, uint16_t, F<uint16_t>>;
  case Type::s16:
    return ternary<int16_t, int16_t, F<int16_t>>;
  case Type::u32:
    return ternary<uint32_t, uint32_t, F<uint32_t>>;
  case Type::s32:
    return ternary<int32_t, int32_t, F<int32_t>>;
  case Type::u64:
    return ternary<uint64_t, uint64_t, F<uint64_t>>;
  case Type::s64:
    return ternary<int64_t, int64_t, F<int64_t>>;
  default:
    build.fail(std::string("type .") + name(type) + " is not supported");
  }
}

/// The destination and the first `sources` sources, all of one type.
inline void operands(Builder &build, Type type, unsigned sources) {
  build.expectOperands(1 + sources);
  build.instr.d = build.destination(0, bits(type));
  Slot *slots[] = {&build.instr.a, &build.instr.b, &build.instr.c};
  for (unsigned i = 0; i < sources; ++i)
    *slots[i] = build.sourceOf(1 + i, type);
}

inline void finishBinary(Builder &build, Type type, Handler handler) {
  operands(build, type, 2);
  build.finish(handler);
}

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_INTEGERS_H
