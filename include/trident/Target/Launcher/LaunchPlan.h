//===- LaunchPlan.h - All that the launcher writer knows of a kernel ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The launch plan is read off the IR once; the launcher writer sees only this, no IR. It is plain
// data: the same plan can be written as JSON and read back.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TARGET_LAUNCHER_LAUNCHPLAN_H
#define TRIDENT_TARGET_LAUNCHER_LAUNCHPLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trident {

/// A kernel parameter, in declaration order. Values are spelled as on the command line ("bf16",
/// "128", "top_left").
struct PlanParameter {
  enum class Kind {
    type,   ///< chosen by the element type of the tensors that use it
    extent, ///< chosen by the extent of the dimension of the same name
    choice, ///< not seen in any tensor: the caller names it (an enum in the generated interface)
  };
  std::string name;
  Kind kind = Kind::choice;
  /// All values the kernel allows, compiled or not: a choice becomes an enumerator for each.
  std::vector<std::string> allowedValues;
};

/// An argument of the generated function, in declaration order.
struct PlanArgument {
  enum class Kind { tensor, scalar };
  enum class Access { in, out, optionalOut };
  Kind kind = Kind::tensor;
  std::string name;
  /// "bf16", "f16", "f32", "i32", "i1" (a byte); or the name of a type parameter when
  /// `typeIsParameter`.
  std::string type;
  bool typeIsParameter = false;
  Access access = Access::in;
  /// Tensors: the names of the dimensions, outermost first. Equal names in two arguments must have
  /// equal extents.
  std::vector<std::string> dimensions;
  /// Tensors: how many elements more than the extent of its dimension each axis has; empty: none.
  std::vector<unsigned> extras;
  /// Scalars of type i32: the dimension whose extent it is; empty: of none.
  std::string extentOf;
  /// Tensors: an extent may be 1 where that of its dimension is more; the stride is then 0.
  bool repeats = false;
  /// Tensors read or written through a pointer: bytes that the address and every stride must be
  /// multiples of, e.g. 16 for vector accesses; 0 for the element's own size. A tensor map always
  /// asks for 16.
  unsigned alignment = 0;
  /// What it is, in a few words, for the header's comment ("query"); may be empty.
  std::string summary;
};

/// A condition on named dimensions: `lhs % rhs == 0` (divides), `lhs <= rhs`, or `lhs == rhs`.
/// Either side is a dimension or an integer constant.
struct PlanRequirement {
  enum class Kind { divides, lessEqual, equal };
  Kind kind = Kind::divides;
  std::string lhs, rhs;
};

/// Where the sequences of a dimension lie, as C++ of `sequence` and of arguments.
struct PlanSequences {
  std::string dimension; ///< whose extent is the longest that a sequence may be
  std::string number;    ///< of which each coordinate is a sequence
  std::string rows;      ///< along which they are packed; empty: each begins at 0
  std::string begin;     ///< the first row, when packed
  std::string length;
};

/// What the launcher passes to the kernel, in the kernel's parameter order.
struct PlanOperand {
  enum class Kind {
    tensorMap, ///< CUtensorMap (128 bytes, by value) of `argument`
    pointer,   ///< u64: base address of `argument` (0 when an optional output is absent)
    stride,    ///< i64: stride of `argument` in elements along `axis`
    extent,    ///< i32: extent of `dimension`
    scalar,    ///< the scalar `argument` in its own type
    workspace, ///< u64: address of the caller's workspace (0 when there is none)
    ticket,    ///< u32: another number for each launch of the process, never 0
  };
  Kind kind = Kind::pointer;
  std::string argument;
  unsigned axis = 0;
  /// Tensor maps of sequences, which lie along `axis`: the dimension that one of them has. The map
  /// has one dimension more: `axis` twice, as the rows from its end on, as many as the dimension's
  /// extent (at least 1), and from where a sequence ends; its address lies so many rows before the
  /// tensor's.
  std::string dimension;
  /// Tensor maps: elements of the box along each axis of the tensor, outermost first (1 for a
  /// single coordinate); the map's dimensions are the tensor's, reversed. The innermost box is one
  /// swizzle panel. A kernel with two different boxes on one tensor has two operands.
  std::vector<unsigned> box;
  /// 0, 32, 64 or 128: the CU_TENSOR_MAP_SWIZZLE mode in bytes. Out-of-bounds elements read as
  /// zero.
  unsigned swizzle = 0;
};

/// One factor of the grid: ceil(extent of `dimension` / `tile`); with `plus`, that extent / `tile`,
/// rounded down, and the extent of `plus`, or 0 where that is 0. The grid is their product on
/// grid.x.
struct PlanGridFactor {
  std::string dimension;
  unsigned tile = 1;
  std::string plus;
};

/// Calls in which the product of the extents of `dimensions` is from `atLeast` on and below `below`
/// (no bound when it is absent).
struct PlanSizeRange {
  std::vector<std::string> dimensions; ///< most often one; their order does not matter
  int64_t atLeast = 0;
  std::optional<int64_t> below;

  bool contains(int64_t size) const { return size >= atLeast && (!below || size < *below); }
};

/// "seq_k < 2048", "1024 <= batch*seq_k < 2048 and seq_q >= 512"; empty when all sizes are meant.
std::string describeSizes(const std::vector<PlanSizeRange> &sizes);

/// One compiled kernel.
struct PlanVariant {
  /// (parameter, value), in declaration order.
  std::vector<std::pair<std::string, std::string>> parameters;
  /// Likewise, of parameters that no call names, where they are not the default: how it computes.
  std::vector<std::pair<std::string, std::string>> fixed;
  std::string target; ///< "sm_90a"
  /// The calls that it is for: of the variants that agree in parameters, target and whether they
  /// take any layout, exactly one is for each call. No range: all calls.
  std::vector<PlanSizeRange> sizes;
  std::string symbol; ///< entry point in the image
  unsigned threads = 0;
  unsigned sharedBytes = 0; ///< dynamic shared memory
  std::vector<PlanOperand> operands;
  std::vector<PlanGridFactor> grid;
  /// It takes tensors of any strides and addresses, and is for calls whose layout no other variant
  /// of its parameters, target and sizes takes.
  bool takesAnyLayout = false;
  /// At most as many blocks as the device has multiprocessors: each runs many items.
  bool persistent = false;
  std::string ptx;
  std::vector<uint8_t> cubin; ///< empty when no ptxas was found
  /// For people: figures of ptxas, and the schedule as the JSON object that a row of a table has.
  std::optional<unsigned> registers;
  unsigned spillBytes = 0;
  unsigned staticSharedBytes = 0;
  std::string schedule;
};

/// "bf16_128_128_none_sm_90a": the values of its parameters, fixed ones last, and its target, in
/// letters, digits and _; with "_any_layout" behind where it takes any. Variants that differ in
/// their sizes only have one name.
std::string variantName(const PlanVariant &variant);

struct LaunchPlan {
  std::string kernel;  ///< "attention_fwd": file names, namespace, C prefix, messages
  std::string summary; ///< one or more sentences of what it computes, for the header's comment
  std::string command; ///< the command line that made it, without paths of this machine
  std::string compilerVersion;
  std::vector<PlanParameter> parameters;
  std::vector<PlanArgument> arguments;
  std::vector<PlanRequirement> requirements;
  std::vector<PlanSequences> sequences;
  std::vector<PlanVariant> variants;
};

} // namespace trident

#endif // TRIDENT_TARGET_LAUNCHER_LAUNCHPLAN_H
