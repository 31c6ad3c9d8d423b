//===- Page.h - The results as a picture ----------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_PAGE_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_PAGE_H

#include "Bench.h"

#include <map>

namespace trident::bench {

/// TFLOP/s: the middle of the measurements, and how far they spread.
struct Rate {
  double middle = 0, low = 0, high = 0;
};

struct PageCell {
  HeadDims headDims;
  int64_t seqQ = 0, seqK = 0, batch = 0, heads = 0, kvHeads = 0;
  bool causal = false;
  double operations = 0;
  std::map<std::string, Rate> rates; ///< by series

  /// Of Q, K, V and O, each read or written once.
  double bytes() const;
  /// Whether it is the same call.
  bool matches(const PageCell &other) const;
};

/// What the hardware can do at most.
struct Ceilings {
  double teraPerSecond = 0, gigabytesPerSecond = 0; ///< 0: not known
};

struct PageData {
  std::string device, source; ///< of the figures, for the caption
  Ceilings ceilings;
  std::string ours = "Trident", yardstick;
  std::vector<std::string> series; ///< in the order of the bars; ours last
  std::vector<PageCell> cells;

  PageCell &cell(const PageCell &wanted);
  void addSeries(const std::string &name);
};

/// Adds the forward calls of a JSON of peers' runs: {"meta": {"gpu", "time"}, "results": [{"peer",
/// "group", "B", "Hq", "Hkv", "Sq", "Sk", "D", "causal", "ms", "tflops", "ms_all"}]}; "Dv" where V
/// has another size. The peer "ours" is this compiler's; entries of "cublas", "copy" and "read" are
/// the ceilings.
void addPeers(PageData &data, const std::string &path);

/// Adds what was measured here, in place of "ours" of the same calls.
void addMeasurements(PageData &data, const std::vector<Measurement> &results);

/// The faster of the peers at a call; null when there is none. A yardstick is no peer.
const Rate *bestPeer(const PageData &data, const PageCell &cell);

/// An SVG; for a path that ends in ".html" a page that holds it and the figures as a table.
std::string drawPage(const PageData &data, const std::string &path);

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_PAGE_H
