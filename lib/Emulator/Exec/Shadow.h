//===- Shadow.h - What is known of each byte of shared memory ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_SHADOW_H
#define TRIDENT_EMULATOR_EXEC_SHADOW_H

#include "Exec/Clock.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace trident::emu {

/// Who accesses, when, and from which line.
struct Stamp {
  Agent agent = noAgent;
  uint32_t count = 0;
  uint32_t line = 0;
  uint16_t lane = 0;
  bool async = false;  ///< through the async proxy
  bool strong = false; ///< atomic, or a load or store with an order: these do not race
  bool operator==(const Stamp &other) const {
    return agent == other.agent && count == other.count && line == other.line &&
           lane == other.lane && async == other.async && strong == other.strong;
  }
};

/// Who asks whether earlier accesses are ordered before it.
struct Observer {
  const View *view = nullptr;
  Agent own = noAgent; ///< its program agent
  int lane = -1;       ///< -1: all lanes of the warp together
};

/// The first conflict of an access.
struct Conflict {
  enum class Kind : uint8_t {
    none,
    uninitialized,
    writeRace,
    readRace,
    unfenced,     ///< a generic write, then the async proxy, without a proxy fence between
    unfencedRead, ///< a generic read, then a write of the async proxy, without a fence between
    mbarrier
  } kind = Kind::none;
  uint32_t byte = 0; ///< offset in the window
  Stamp other;
  explicit operator bool() const { return kind != Kind::none; }
};

/// One block's shared memory. Offsets count from the start of the window; only [begin, end) exists.
class Shadow {
public:
  void reset(uint32_t begin, uint32_t end);

  /// Checks a read and records it. `viaAsync`: by the async proxy, so generic writes need a fence.
  Conflict read(const Observer &observer, const Stamp &stamp, uint32_t begin, uint32_t bytes);
  /// A write by the async proxy needs a fence after generic reads and writes of the bytes.
  Conflict write(const Observer &observer, const Stamp &stamp, uint32_t begin, uint32_t bytes);
  /// A strong write, which may read too: ordered with other strong accesses whoever makes them.
  Conflict atomic(const Observer &observer, const Stamp &stamp, uint32_t begin, uint32_t bytes,
                  bool reads);
  /// Changes the stamp of bytes written by an operation in flight, when it completes.
  void restamp(const Stamp &from, const Stamp &to, uint32_t begin, uint32_t bytes);
  /// An mbarrier object lives in these 8 bytes, or no longer does.
  void setMbarrier(uint32_t begin, bool present);

private:
  struct Cell {
    Stamp write;
    uint32_t readers = 0; ///< index into readerSets; 0: none since the write
    uint8_t flags = 0;
  };
  enum : uint8_t { isMbarrier = 1, isStrong = 2 };

  bool ordered(const Observer &observer, const Stamp &earlier) const;
  bool visible(const Observer &observer, const Stamp &earlier) const;
  uint32_t withReader(uint32_t set, const Stamp &stamp);
  Conflict checkReaders(const Observer &observer, uint32_t set, uint32_t byte,
                        const Stamp &writer) const;
  Conflict checkWriter(const Observer &observer, const Cell &cell, uint32_t byte, bool async) const;
  void compact();

  uint32_t begin = 0, end = 0;
  std::vector<Cell> cells;
  std::vector<std::vector<Stamp>> readerSets;
  // The last extension of a set, which the next byte usually repeats.
  uint32_t lastSet = 0, lastResult = 0;
  Stamp lastStamp;
};

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_SHADOW_H
