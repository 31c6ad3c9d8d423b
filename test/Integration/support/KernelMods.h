//===- KernelMods.h - The functions of kernels/mods, in float64 -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What each file of kernels/mods computes, said once more and independently, with arguments drawn
// for a call: tensors of any strides, extents of 1 and strides of 0 among them.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_KERNELMODS_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_KERNELMODS_H

#include "ModReference.h"

#include <map>

namespace trident::test {

/// What a kernel was compiled with, by the names of the files, and the values of their parameters.
struct KernelMods {
  std::vector<std::string> scores, masks; ///< each kind in the order of application
  bool sink = false;
  std::map<std::string, std::string> parameters;
};

/// The extents of a call's tensors; rows of `padded` sequences, or the stated maxima of packed
/// ones.
struct CallExtents {
  int64_t batch, heads, seqQ, seqK;
};

/// The lengths of one sequence.
struct SequenceLengths {
  int64_t q, k;
};

/// The arguments of a kernel's functions in one call, and what float64 makes of them.
class DrawnMods {
public:
  /// Throws on a function that it does not know.
  DrawnMods(const KernelMods &kernel, const CallExtents &extents, Draw &draw);

  /// For the batches from `firstBatch` on, whose sequences have these lengths.
  Mods of(const SequenceLengths &lengths, int64_t firstBatch = 0) const;

  /// The arguments by the names that the generated function gives them; throws where there is none.
  const Tensor &tensor(const std::string &name) const { return tensors.at(name).get(); }
  double number(const std::string &name) const { return numbers.at(name); }
  /// All of them, tensors by extents and strides.
  std::string text() const;

  /// An index of a tensor of up to four axes; those that it has not are 0.
  using Index = std::array<int64_t, 4>;
  using Element = std::function<double(const Index &at)>;
  using Score = std::function<double(double, const ScorePlace &, const SequenceLengths &)>;
  using Mask = std::function<bool(const ScorePlace &, const SequenceLengths &)>;
  /// Adds an argument of its type.
  void addNumber(const std::string &name, double value) { numbers[name] = value; }
  /// Adds a tensor with an element for each index of `extents`, value(at), of which some axes are 1
  /// and others have stride 0; what is returned gives the element that stands for an index.
  Element addTensor(const std::string &name, Type type, std::vector<int64_t> extents,
                    const Element &value, Draw &draw);

  CallExtents extents;
  double scoreError = 0; ///< of an approximate function, absolute

private:
  std::vector<Score> scores;
  std::vector<Mask> masks;
  std::function<double(int64_t)> sink;
  std::map<std::string, ModTensor> tensors;
  std::map<std::string, double> numbers;
};

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_KERNELMODS_H
