//===- Bundle.h - Candidate schedules of a kernel, ready to be launched ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What `trident-compile --tune-set` writes: tune.json and the images beside it. The candidates take
// the arguments that a generated function takes, by the same plan.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TOOLS_TRIDENT_BENCH_BUNDLE_H
#define TRIDENT_TOOLS_TRIDENT_BENCH_BUNDLE_H

#include "Driver.h"
#include "Json.h"

#include <map>
#include <optional>

namespace trident::bench {

/// By dimension.
using Extents = std::map<std::string, int64_t>;

struct BundleArgument {
  std::string name, type; ///< "bf16", "f16", "f32" or "i32"
  bool isTensor = true, isOutput = false, isOptional = false;
  std::vector<std::string> dimensions; ///< outermost first
  int64_t alignment = 1;               ///< of the address and of the strides, in bytes

  std::size_t elementBytes() const { return type == "bf16" || type == "f16" ? 2 : 4; }
};

struct BundleOperand {
  enum class Kind {
    tensorMap,
    pointer,
    stride,
    extent,
    scalar,
    workspace,
    ticket
  } kind = Kind::pointer;
  std::size_t argument = 0; ///< the number of the argument
  std::size_t axis = 0;
  std::string dimension;
  std::vector<uint32_t> box;
  int64_t swizzle = 0;
};

struct BundleCandidate {
  Json schedule;
  std::string symbol, ptxPath, cubinPath; ///< no cubin: empty
  unsigned threads = 0, sharedBytes = 0;
  bool persistent = false;
  std::vector<BundleOperand> operands;
  std::vector<std::pair<std::string, int64_t>> grid; ///< dimension and tile

  host::cu::Handle function = nullptr; ///< once it is loaded
  std::string dropped;                 ///< why it is out of the contest; empty: it is in
};

/// `lhs` is a multiple of `rhs`, both dimensions or numbers.
struct BundleMultiple {
  std::string lhs, rhs;
};

struct Bundle {
  std::string kernel, target;
  Json chosen; ///< the parameters that were set
  std::map<std::string, std::string> parameters;
  std::vector<BundleArgument> arguments;
  std::vector<BundleMultiple> multiples;
  std::vector<BundleCandidate> candidates;

  /// Reads DIR/tune.json; throws when it is none.
  static Bundle read(const std::string &folder);
  /// Loads the images of a candidate in the current context; one that does not load is dropped.
  static void load(BundleCandidate &candidate);

  /// The dimensions whose extent a call decides, in the order of the arguments.
  std::vector<std::string> freeDimensions() const;
  /// The number of an argument; nothing when there is none.
  std::optional<std::size_t> find(const std::string &name) const;
};

/// The tensors of a call of some extents, contiguous, in memory of their own: the inputs standard
/// normal, the outputs NaN until a candidate writes them.
class BundleCall {
public:
  /// `scalars` by name; an f32 that is not among them is 1 / sqrt of the innermost extent of the
  /// first tensor. Optional outputs are asked for or left out.
  BundleCall(const Bundle &bundle, const Extents &extents,
             const std::map<std::string, double> &scalars, bool withOptional);

  void enqueue(const BundleCandidate &candidate, const host::Stream &stream) const;
  void poisonOutputs();

  /// The elements of a tensor as they are now, row after row.
  std::vector<double> read(std::size_t argument) const;
  /// The bytes of all outputs.
  std::vector<uint8_t> outputBytes() const;

  const std::vector<int64_t> &shape(std::size_t argument) const { return shapes[argument]; }
  double scalar(std::size_t argument) const { return scalars[argument]; }
  std::size_t bytes() const;

private:
  int64_t stride(std::size_t argument, std::size_t axis) const;
  uint64_t blocks(const BundleCandidate &candidate) const;

  const Bundle &bundle;
  Extents extents;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<double> scalars;
  std::vector<host::DeviceMemory> memory;
  host::DeviceMemory workspace{8}; ///< for kernels with a dynamic order
  int multiprocessors = 1;
};

} // namespace trident::bench

#endif // TRIDENT_TOOLS_TRIDENT_BENCH_BUNDLE_H
