//===- ModReference.h - Attention with functions of scores and masks ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_MODREFERENCE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_MODREFERENCE_H

#include "DeviceCase.h"

#include "trident/launch.h"

namespace trident::test {

/// A case of a few heads that share one, whose data differ with the lengths.
inline AttentionCase smallCase(int64_t seqQ, int64_t seqK, int64_t headDim = 64) {
  AttentionCase shape;
  shape.headDim = headDim;
  shape.scale = 0.125f;
  shape.batch = 2;
  shape.heads = 2;
  shape.kvHeads = 1;
  shape.seqQ = seqQ;
  shape.seqK = seqK;
  shape.dataSeed = static_cast<uint64_t>(seqQ * 1000 + seqK);
  return shape;
}

/// Compares with float64; throws what is wrong, with the case's spelling. The mask of the case's
/// `causal` holds too.
void compareMods(const AttentionCase &shape, const AttentionInputs &inputs,
                 const AttentionOutputs &outputs, const Mods &mods);

/// Calls `function` twice on what the case says, and compares.
void checkMods(const AttentionCase &shape, const Mods &mods, const AttentionFunction &function);

/// What `tanh.approx` of scores up to 30 allows: the relative error of the result is 2^-11. The
/// budget of O is wider than that for types of 16 bits, but not for f32.
inline void allowApproximateTanh(Mods &mods) {
  mods.lseSlack = 30.0 / 2048;
  mods.oSlack = usualElement == Element::f32 ? mods.lseSlack : 0;
}

/// An argument of a function of scores or masks. Its last element is the last of its allocation;
/// what lies between its elements is filled with ones.
class ModTensor {
public:
  using Element = std::function<double(const std::vector<int64_t> &at)>;
  /// Strides in elements, not negative; none: contiguous.
  ModTensor(Type type, const std::vector<int64_t> &extents, const std::vector<int64_t> &strides,
            const Element &element);

  const Tensor &get() const { return tensor; }

private:
  DeviceMemory memory;
  Tensor tensor;
};

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_MODREFERENCE_H
