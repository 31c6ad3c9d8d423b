//===- Shadow.cpp - What is known of each byte of shared memory --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Shadow.h"

#include <algorithm>

namespace trident::emu {

namespace {
constexpr size_t readerSetLimit = 1 << 16;
} // namespace

void Shadow::reset(uint32_t newBegin, uint32_t newEnd) {
  begin = newBegin;
  end = newEnd;
  cells.assign(end - begin, Cell());
  readerSets.assign(1, {});
  lastSet = lastResult = 0;
}

/// A lane's own accesses are ordered, all others once they have been seen.
bool Shadow::ordered(const Observer &observer, const Stamp &earlier) const {
  if (earlier.agent == observer.own && observer.lane >= 0 &&
      earlier.lane == static_cast<uint16_t>(observer.lane))
    return true;
  return observer.view->seen.covers(earlier.agent, earlier.lane, earlier.count);
}

/// An earlier access, ordered before, is also ordered before an access of the async proxy.
bool Shadow::visible(const Observer &observer, const Stamp &earlier) const {
  return earlier.async || observer.view->fenced.covers(earlier.agent, earlier.lane, earlier.count);
}

/// The set with `stamp` in place of what the same reader did before. Sets are shared by all bytes
/// read alike.
uint32_t Shadow::withReader(uint32_t set, const Stamp &stamp) {
  if (set == lastSet && lastResult && stamp == lastStamp)
    return lastResult;
  const std::vector<Stamp> &old = readerSets[set];
  for (const Stamp &reader : old)
    if (reader == stamp)
      return set;
  std::vector<Stamp> next;
  next.reserve(old.size() + 1);
  for (const Stamp &reader : old)
    if (reader.agent != stamp.agent || reader.lane != stamp.lane)
      next.push_back(reader);
  next.push_back(stamp);
  if (readerSets.size() > readerSetLimit)
    compact();
  readerSets.push_back(std::move(next));
  lastSet = set;
  lastStamp = stamp;
  lastResult = static_cast<uint32_t>(readerSets.size() - 1);
  return lastResult;
}

/// Drops the sets that no byte refers to any more. The set being extended stays valid: its members
/// were copied.
void Shadow::compact() {
  std::vector<uint32_t> renamed(readerSets.size(), 0);
  std::vector<std::vector<Stamp>> kept(1);
  for (Cell &cell : cells) {
    if (!cell.readers)
      continue;
    uint32_t &to = renamed[cell.readers];
    if (!to) {
      to = static_cast<uint32_t>(kept.size());
      kept.push_back(std::move(readerSets[cell.readers]));
    }
    cell.readers = to;
  }
  readerSets = std::move(kept);
  lastResult = 0;
}

Conflict Shadow::checkReaders(const Observer &observer, uint32_t set, uint32_t byte,
                              const Stamp &writer) const {
  for (const Stamp &reader : readerSets[set]) {
    if (reader.strong && writer.strong)
      continue;
    if (!ordered(observer, reader))
      return {Conflict::Kind::readRace, byte, reader};
    if (writer.async && !visible(observer, reader))
      return {Conflict::Kind::unfencedRead, byte, reader};
  }
  return {};
}

Conflict Shadow::checkWriter(const Observer &observer, const Cell &cell, uint32_t byte,
                             bool async) const {
  const Stamp &writer = cell.write;
  if (!ordered(observer, writer))
    return {Conflict::Kind::writeRace, byte, writer};
  if (async && !visible(observer, writer))
    return {Conflict::Kind::unfenced, byte, writer};
  return {};
}

Conflict Shadow::read(const Observer &observer, const Stamp &stamp, uint32_t first,
                      uint32_t bytes) {
  Stamp checked;
  uint32_t extended = ~0u, extension = 0;
  for (uint32_t at = first; at < first + bytes; ++at) {
    Cell &cell = cells[at - begin];
    if (cell.write.agent == noAgent)
      return {Conflict::Kind::uninitialized, at, {}};
    if (cell.flags & isMbarrier)
      return {Conflict::Kind::mbarrier, at, cell.write};
    if (!(cell.write == checked) && !(stamp.strong && cell.flags & isStrong)) {
      if (Conflict conflict = checkWriter(observer, cell, at, stamp.async))
        return conflict;
      checked = cell.write;
    }
    if (cell.readers != extended) {
      extended = cell.readers;
      extension = withReader(extended, stamp);
      // compact() may have renumbered the bytes' sets.
      extended = cell.readers;
    }
    cell.readers = extension;
  }
  return {};
}

Conflict Shadow::write(const Observer &observer, const Stamp &stamp, uint32_t first,
                       uint32_t bytes) {
  Stamp checked;
  uint32_t checkedReaders = 0;
  for (uint32_t at = first; at < first + bytes; ++at) {
    Cell &cell = cells[at - begin];
    if (cell.flags & isMbarrier)
      return {Conflict::Kind::mbarrier, at, cell.write};
    if (cell.write.agent != noAgent && !(cell.write == checked)) {
      if (Conflict conflict = checkWriter(observer, cell, at, stamp.async))
        return conflict;
      checked = cell.write;
    }
    if (cell.readers && cell.readers != checkedReaders) {
      if (Conflict conflict = checkReaders(observer, cell.readers, at, stamp))
        return conflict;
      checkedReaders = cell.readers;
    }
    cell.write = stamp;
    cell.readers = 0;
    cell.flags = 0;
  }
  return {};
}

Conflict Shadow::atomic(const Observer &observer, const Stamp &stamp, uint32_t first,
                        uint32_t bytes, bool reads) {
  for (uint32_t at = first; at < first + bytes; ++at) {
    Cell &cell = cells[at - begin];
    if (reads && cell.write.agent == noAgent)
      return {Conflict::Kind::uninitialized, at, {}};
    if (cell.flags & isMbarrier)
      return {Conflict::Kind::mbarrier, at, cell.write};
    if (!(cell.flags & isStrong) && cell.write.agent != noAgent)
      if (Conflict conflict = checkWriter(observer, cell, at, false))
        return conflict;
    if (cell.readers)
      if (Conflict conflict = checkReaders(observer, cell.readers, at, stamp))
        return conflict;
    cell.write = stamp;
    cell.readers = 0;
    cell.flags |= isStrong;
  }
  return {};
}

void Shadow::restamp(const Stamp &from, const Stamp &to, uint32_t first, uint32_t bytes) {
  for (uint32_t at = first; at < first + bytes; ++at)
    if (cells[at - begin].write == from)
      cells[at - begin].write = to;
}

void Shadow::setMbarrier(uint32_t first, bool present) {
  for (uint32_t at = first; at < first + 8; ++at) {
    Cell &cell = cells[at - begin];
    cell.flags = present ? isMbarrier : 0;
  }
}

} // namespace trident::emu
