//===- Reference.h - Attention in float64, and the error budget -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_REFERENCE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_REFERENCE_H

#include "AttentionCase.h"

#include <functional>
#include <optional>
#include <string>

namespace trident::test {

/// Which score a function is about.
struct ScorePlace {
  int64_t batch, head, row, col;
};

/// What a kernel was compiled with, as functions of this program, and how exact it may be. A
/// function that is left out changes nothing.
struct Mods {
  /// A score of -inf hides its key.
  std::function<double(double score, const ScorePlace &at)> score;
  std::function<bool(const ScorePlace &at)> mask;
  /// The logit of a head that joins the softmax.
  std::function<double(int64_t head)> sink;
  double lseSlack = 0; ///< added to the bound of LSE
  double oSlack = 0;   ///< added to the budget of O
};

/// What a kernel gave: O contiguous [batch, seq_q, heads, head_dim_v] in the element type, LSE
/// [batch, heads, seq_q] (empty when it was not asked for).
struct AttentionOutputs {
  std::vector<Stored> o;
  std::vector<float> lse;
};

/// How an output compares with attention in float64. Rows are compared where `rowStep` divides
/// their number.
struct Comparison {
  double maxError = 0;        ///< max |O - O64|
  double maxUnfusedError = 0; ///< max |O_unfused - O64|, see docs/Numerics.md
  double squaredError = 0, unfusedSquaredError = 0;
  int64_t elements = 0;
  double lseExcess = 0; ///< max |LSE - LSE64| / its bound with the slack of the functions
  double oSlack = 0;    ///< that of the functions
  double onesError = 0; ///< max |O - 1|, the error when V is all ones
  /// The first row that is wrong without any bound: not finite, or not exactly 0 and -inf where no
  /// key is visible.
  std::string brokenRow;
  /// Where maxError was found, with both values.
  std::string worst;

  /// Takes in what another part of the same output compares like.
  void merge(const Comparison &part);
  double rms() const;
  double unfusedRms() const;
  double budget() const { return 2 * maxUnfusedError + 1e-5 + oSlack; }
  /// The part of the budget that was used: above 1 is a failure.
  double budgetRatio() const { return maxError / budget(); }
  /// Why the output breaks the contract of docs/Numerics.md, if it does.
  std::optional<std::string> problem(const AttentionCase &shape) const;
};

/// Compares on all cores. The mask of the case's `causal` holds beside those of `mods`.
Comparison compareAttention(const AttentionCase &shape, const AttentionInputs &inputs,
                            const AttentionOutputs &outputs, int64_t rowStep = 1,
                            const Mods &mods = {});

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_REFERENCE_H
