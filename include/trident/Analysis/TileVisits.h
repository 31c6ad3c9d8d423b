//===- TileVisits.h - how many tiles the loops of a call visit ------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_TILEVISITS_H
#define TRIDENT_ANALYSIS_TILEVISITS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trident {
class KernelOp;

struct TileCounts {
  int64_t full = 0;    ///< visited without a mask
  int64_t partial = 0; ///< visited and masked
  int64_t visited() const { return full + partial; }
};

/// What one loop over tiles does in one call.
struct TileVisits {
  std::string dim;  ///< of the loop
  int64_t tile = 0; ///< its extent along that

  /// Why nothing is counted; empty: it is.
  std::string unknown;

  /// Dimensions of the grid that are tiled or on which the loop's bounds depend, with the extent of
  /// a tile (1: single coordinates): `each` is the sum over all of them, so that of a head.
  std::vector<std::pair<std::string, int64_t>> summed;
  TileCounts each;

  /// The other dimensions of the grid, likewise, and with their extents the counts of the call;
  /// without, where one of these is not known.
  std::vector<std::pair<std::string, int64_t>> others;
  std::optional<TileCounts> all;

  /// Of the dots in the loop (not in loops inside it), multiplications and additions of a tile that
  /// is visited. A masked or cut tile counts like a whole one: it takes as long.
  int64_t flopsOfTile = 0;
};

/// Counts the tiles of each loop of `kernel`, after `trident-tile`, by computing the bounds that
/// the analysis of masks has written in front of it for every item of the grid. `extents`: those of
/// the call's dimensions, which may be fewer than there are; `assumed`: values of i32 arguments,
/// and of integer tensors whose elements all have that value. An error when `assumed` names
/// something else, or an extent is larger than a call may have.
llvm::Expected<std::vector<TileVisits>>
countTileVisits(KernelOp kernel, const std::map<std::string, int64_t> &extents,
                const std::map<std::string, int64_t> &assumed);

} // namespace trident

#endif // TRIDENT_ANALYSIS_TILEVISITS_H
