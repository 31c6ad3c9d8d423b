//===- DeviceCase.h - A case in device memory, guarded on all sides -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_DEVICECASE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_DEVICECASE_H

#include "AttentionCall.h"
#include "Reference.h"

namespace trident::test {

/// The inputs and outputs of a case on the device. Every byte of an input buffer that is no element
/// of a tensor is NaN; every byte of an output buffer that is no element is a canary, and the
/// elements are NaN before each run.
class DeviceCase {
public:
  DeviceCase(const AttentionCase &shape, const AttentionInputs &inputs)
      : DeviceCase(shape, inputs, placeCase(shape)) {}
  DeviceCase(const AttentionCase &shape, const AttentionInputs &inputs,
             const AttentionPlacement &placement);

  AttentionCall call() const;
  /// The same call with a workspace, which is zero before the first launch.
  AttentionCall callWithWorkspace() const;
  /// Throws unless the workspace is zero, as every launch leaves it.
  void checkWorkspace() const;
  /// Writes other inputs of the same shape over the old ones.
  void upload(const AttentionInputs &inputs);
  /// Fills the outputs with NaN and canaries.
  void poison();
  /// Reads the outputs; throws when a canary changed.
  AttentionOutputs read();
  /// The bytes of the outputs as they were last read, canaries included.
  const std::vector<uint8_t> &lastBytes() const { return bytes; }

private:
  AttentionCase shape;
  AttentionPlacement placement;
  std::vector<std::size_t> inputBytes;
  std::vector<DeviceMemory> inputMemory;
  Placement lsePlacement; ///< [batch, heads, seq_q, 1] of f32
  OutputBuffer<Stored> o;
  OutputBuffer<float> lse;
  std::vector<uint8_t> bytes;
  DeviceMemory workspace{8};
};

/// Runs a case twice on poisoned outputs, without and with a workspace, and returns what it gave;
/// throws when the call is refused, a canary changed, the two runs differ in a bit or the workspace
/// is not zero again.
AttentionOutputs runTwice(const AttentionCase &shape, DeviceCase &device,
                          const AttentionFunction &function = callAttention);

/// Runs a case twice and compares it with float64; throws when it breaks the contract, with the
/// case's spelling. The inputs and where the tensors lie are the case's own unless given.
Comparison checkCase(const AttentionCase &shape, const AttentionInputs &inputs,
                     const AttentionPlacement &placement,
                     const AttentionFunction &function = callAttention);
Comparison checkCase(const AttentionCase &shape, const AttentionInputs &inputs);
Comparison checkCase(const AttentionCase &shape, const AttentionFunction &function = callAttention);

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_DEVICECASE_H
