//===- Median.h - The middle of measurements -------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_MEDIAN_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_MEDIAN_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace trident::bench {

/// The middle of the measurements and how far they spread (10th and 90th percentile).
struct Median {
  double middle = 0, low = 0, high = 0;
};

inline Median medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  auto at = [&](double part) {
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.1), at(0.9)};
}

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_MEDIAN_H
