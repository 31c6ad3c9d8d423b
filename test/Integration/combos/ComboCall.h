//===- ComboCall.h - A drawn call of a drawn kernel -----------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_COMBOS_COMBOCALL_H
#define TRIDENT_TEST_INTEGRATION_COMBOS_COMBOCALL_H

#include "ComboKernel.h"

namespace trident::test {

/// What a kernel's arguments to trident-compile say.
struct ComboSpec {
  AttentionCase shape; ///< type, head sizes and causal mask
  KernelMods mods;
  bool packedQ = false, packedK = false, usedQ = false, usedK = false;

  /// Throws on a word that it does not know.
  explicit ComboSpec(const std::string &arguments);
  bool hasSequences() const { return packedQ || packedK || usedQ || usedK; }
};

/// Calls for a GPU, of up to some thousand rows, or for the stand-in.
enum class ComboSize { small, large };

struct ComboResult {
  std::string call; ///< what was drawn, in words
  Comparison comparison;
};

/// Makes the `index`-th call of a seed and compares it with float64; throws what is wrong, with the
/// spelling of the call.
ComboResult checkCombo(const ComboKernel &kernel, uint64_t seed, uint64_t index, ComboSize size);

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_COMBOS_COMBOCALL_H
