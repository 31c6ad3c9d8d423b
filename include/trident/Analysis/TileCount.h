//===- TileCount.h - how many tiles can lie between two coordinates -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_TILECOUNT_H
#define TRIDENT_ANALYSIS_TILECOUNT_H

#include "trident/Analysis/Scalars.h"
#include <optional>

namespace trident {

/// The most tiles of `tile` coordinates from the one that holds `begin` to the one before which
/// `end` lies, floor(begin / tile) to ceil(end / tile), whatever the values in the IR are; nullopt
/// when that is not known. Both are non-negative.
std::optional<int64_t> countTilesBetween(Scalar begin, Scalar end, int64_t tile);

} // namespace trident

#endif // TRIDENT_ANALYSIS_TILECOUNT_H
