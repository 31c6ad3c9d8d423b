//===- RaggedCase.h - Sequences of different lengths in one call ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_RAGGEDCASE_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_RAGGEDCASE_H

#include "ModReference.h"

namespace trident::test {

/// How the sequences of a tensor lie: one after another, or each in `max` rows of its own.
enum class Form { packed, padded };

/// Sequences of one call. Of `shape` count the element type, both head sizes, heads, the mask, the
/// scale and the seed; `batch` is that of the lengths.
struct RaggedCase {
  AttentionCase shape;
  std::vector<int64_t> lengthsQ, lengthsK;
  int64_t maxQ = 0, maxK = 0; ///< as stated in the call; longer sequences are cut
  Form formQ = Form::packed, formK = Form::packed;
  int64_t restQ = 0, restK = 0; ///< rows after the last packed sequence
  bool headsMajor = false;      ///< heads outside rows, with unused elements between all
  int64_t step = 1;             ///< elements from each column to the next

  int64_t count() const { return static_cast<int64_t>(lengthsQ.size()); }
  /// One sequence as a call of its own, as long as the maxima allow.
  AttentionCase sequence(int64_t index) const;
  std::string text() const;
};

/// A call of a function that was compiled for sequences. What says where they lie is cu_seqlens
/// (packed) or seqused (padded).
struct RaggedCall {
  AttentionCall tensors;
  Tensor sequencesQ, sequencesK;
  int32_t maxQ = 0, maxK = 0;
};
using RaggedFunction = std::function<CallResult(const RaggedCall &call, cu::Handle stream)>;

/// What a sequence's scores go through; by default nothing.
using ModsOfSequence = std::function<Mods(int64_t index)>;

/// A case in device memory. Inputs are NaN where no sequence is, the numbers that say where they
/// lie end where their memory ends, outputs are NaN with canaries around.
class RaggedDevice {
public:
  explicit RaggedDevice(const RaggedCase &ragged);

  RaggedCall call() const;
  /// The same call with a workspace, which is zero before the first launch.
  RaggedCall callWithWorkspace() const;
  /// Other lengths and contents at the same addresses; the maxima, and the rows of packed tensors,
  /// stay.
  void upload(const RaggedCase &other);
  /// Other numbers that say where sequences lie, as many as there is memory for.
  void writeNumbers(const std::vector<int32_t> &numbersQ, const std::vector<int32_t> &numbersK);
  void poison();
  /// Reads the outputs; throws when a canary changed, or the workspace is not zero.
  void readGuarded() { readOutputs(); }
  /// Compares each sequence with float64; throws when one is wrong, when anything but the sequences
  /// was written, or when the workspace is not zero.
  Comparison check(const ModsOfSequence &mods = {});
  /// The bytes of the outputs as they were last read.
  const std::vector<uint8_t> &lastBytes() const { return bytes; }

private:
  void checkWorkspace() const;
  AttentionOutputs readOutputs();
  int64_t firstRow(bool ofK, int64_t index) const;
  void uploadTensor(const Placement &place, const DeviceMemory &memory, bool ofK,
                    std::vector<Stored> AttentionInputs::*which);
  std::vector<int32_t> numbersOf(const std::vector<int64_t> &lengths, Form form) const;
  AttentionOutputs outputsOf(int64_t index, AttentionOutputs &all);

  RaggedCase ragged;
  std::vector<AttentionInputs> inputs; ///< of each sequence
  Placement q, k, v, oPlace, lsePlace;
  DeviceMemory qMemory, kMemory, vMemory, numbersQ, numbersK, workspace{8};
  OutputBuffer<Stored> o;
  OutputBuffer<float> lse;
  std::vector<uint8_t> bytes;
};

/// Runs a case twice on poisoned outputs, without and with a workspace, and compares; throws with
/// the case's spelling.
Comparison checkRagged(const RaggedCase &ragged, const RaggedFunction &function,
                       const ModsOfSequence &mods = {});

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_RAGGEDCASE_H
