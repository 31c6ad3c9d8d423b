//===- Lanes.h - Typed reads and writes of the register file -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_LANES_H
#define TRIDENT_EMULATOR_EXEC_LANES_H

#include "Exec/Machine.h"

#include <cstring>
#include <type_traits>

namespace trident::emu {

/// What one lane of a register of T occupies.
template <typename T> using Lane = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T> T get(const Lane<T> &lane) {
  if constexpr (std::is_floating_point_v<T>) {
    T value;
    std::memcpy(&value, &lane, sizeof(T));
    return value;
  } else {
    return static_cast<T>(lane);
  }
}
template <typename T> void put(Lane<T> &lane, T value) {
  if constexpr (std::is_floating_point_v<T>)
    std::memcpy(&lane, &value, sizeof(T));
  else
    lane = static_cast<std::make_unsigned_t<T>>(value);
}

/// d = F(a), d = F(a, b), d = F(a, b, c); F is a stateless callable. D and T may differ in width.
template <typename D, typename T, typename F> void unary(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<D>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a);
  warp.lanes([=](unsigned lane) { put<D>(d[lane], F()(get<T>(a[lane]))); });
}
template <typename D, typename T, typename F> void binary(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<D>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a);
  const auto *b = warp.reg<Lane<T>>(instr.b);
  warp.lanes([=](unsigned lane) { put<D>(d[lane], F()(get<T>(a[lane]), get<T>(b[lane]))); });
}
template <typename D, typename T, typename F> void ternary(Warp &warp, const Instr &instr) {
  auto *d = warp.reg<Lane<D>>(instr.d);
  const auto *a = warp.reg<Lane<T>>(instr.a);
  const auto *b = warp.reg<Lane<T>>(instr.b);
  const auto *c = warp.reg<Lane<D>>(instr.c);
  warp.lanes([=](unsigned lane) {
    put<D>(d[lane], F()(get<T>(a[lane]), get<T>(b[lane]), get<D>(c[lane])));
  });
}

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_LANES_H
