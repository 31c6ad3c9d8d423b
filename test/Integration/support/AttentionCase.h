//===- AttentionCase.h - One call of attention, described and drawn -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCASE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCASE_H

#include "GuardedBuffers.h"
#include "Stored.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trident::test {

enum class Causal { none, topLeft, bottomRight };
/// How a tensor lies in memory, outermost dimension first; `packed` is a slice of one buffer that
/// holds Q, K and V, or K and V head by head where their rows have different lengths.
enum class Layout { bshd, bhsd, sbhd, packed };
/// Standard normal Q, K, V; the same with V all ones; or whatever the test fills in.
/// Large: all logits are nearly the same large number; huge: the same one, near the lowest float.
/// With V all NaN each row of O is NaN, but for those that see no key.
enum class Data { normal, onesInV, largeLogits, hugeLogits, nanInV };

/// Everything that decides a call and its inputs. Has a spelling, `text()`, that `parse` reads
/// back.
struct AttentionCase {
  Element element = usualElement;
  int64_t headDim = 128;
  int64_t headDimV = 0; ///< of V and O; 0: as that of Q and K
  int64_t batch = 1, heads = 1, kvHeads = 1, seqQ = 128, seqK = 128;
  Causal causal = Causal::none;
  float scale = 0.08838835f;
  bool lse = true;
  Layout layout = Layout::bshd, outLayout = Layout::bshd;
  bool padded = true; ///< rows, heads and batches with unused elements between them
  Data data = Data::normal;
  uint64_t dataSeed = 1;

  int64_t valueDim() const { return headDimV ? headDimV : headDim; }
  std::string text() const;
  /// Reads `text()`'s "name=value name=value" (a comma separates as well); throws on a name or
  /// value it does not know.
  static AttentionCase parse(const std::string &text);

  /// Multiply-adds of one dot product over whole tiles of 128 by 128, for limits on size.
  int64_t work() const;
  /// Keys that row `row` sees.
  int64_t visibleKeys(int64_t row) const;
};

/// What a run of random cases is limited to; empty lists and zero mean no limit.
struct CaseLimits {
  std::vector<Element> elements;
  std::vector<int64_t> headDims;
  int64_t maxWork = 0;
};

/// The `index`-th case of a seed, drawn from the lists that docs/Testing.md gives.
AttentionCase drawCase(uint64_t seed, uint64_t index, const CaseLimits &limits);

/// What small cases go through: two element types, head sizes 64, 128 and 256, three causal modes.
constexpr uint64_t smallCaseVariants = 18;

/// The `index`-th of a seed's cases for a slow machine: the variants in turn, each with few short
/// sequences; in every seventh there are no keys, no queries or no batch.
AttentionCase drawSmallCase(uint64_t seed, uint64_t index);

/// Q, K and V in their element type, contiguous [batch, seq, heads, head_dim or head_dim_v].
struct AttentionInputs {
  std::vector<Stored> q, k, v;
};

/// Makes every logit of a case the same number, up to noise: q = +size, k = -size (or +size when
/// `sign` is positive).
void makeLogitsEqual(const AttentionCase &shape, AttentionInputs &inputs, float size, float sign,
                     float noise);

AttentionInputs makeInputs(const AttentionCase &shape);

/// Fills a tensor of `rows` rows of `columns` with value(row, column), rounded.
template <typename Value>
std::vector<Stored> fillRows(Element type, int64_t rows, int64_t columns, Value value) {
  std::vector<Stored> out(static_cast<std::size_t>(rows * columns));
  parallelFor(rows, [&](int64_t row) {
    for (int64_t column = 0; column < columns; ++column)
      out[static_cast<std::size_t>(row * columns + column)] = toStored(type, value(row, column));
  });
  return out;
}

/// The four tensors of a case, and which of the inputs share a buffer.
struct AttentionPlacement {
  Placement q, k, v, o;
  int qBuffer = 0, kBuffer = 1, vBuffer = 2;
  int64_t lseStep = 1; ///< elements from one row's LSE to the next
};

AttentionPlacement placeCase(const AttentionCase &shape);

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCASE_H
