//===- TridentAttributes.td - parameters, schedules, targets, layouts -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_DIALECT_TRIDENT_IR_TRIDENTATTRIBUTES_TD
#define TRIDENT_DIALECT_TRIDENT_IR_TRIDENTATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "trident/Dialect/Trident/IR/TridentDialect.td"

class Trident_Attr<string name, string attrMnemonic> : AttrDef<Trident_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Trident_ParamAttr : Trident_Attr<"Param", "param"> {
  let summary = "the value of another parameter, as a default";
  let description = [{
    Example: `#trident.param<"head_dim">`
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def Trident_ParameterAttr : Trident_Attr<"Parameter", "parameter"> {
  let summary = "a declared parameter: name, allowed values, default";
  let description = [{
    Values are types (`bf16`), integers (`128`) or strings (`"top_left"`), all of one kind. Four or more integers at equal
    distances are written as a range. The default is one of the values, or the value that another parameter has: then it
    must be allowed whenever it is taken. `fixed`: it says how a variant computes, not what, so it is chosen where the kernel is
    compiled, and no call names it.

    Examples: `#trident.parameter<"dtype", [bf16, f16], bf16>`, `#trident.parameter<"head_dim", 8 to 256 step 8, 128>`,
    `#trident.parameter<"head_dim_v", 8 to 256 step 8, #trident.param<"head_dim">>`,
    `#trident.parameter<"precision", ["input", "bf16x3"], "input", fixed>`
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::ArrayAttr":$allowed, "::mlir::Attribute":$defaultValue,
      DefaultValuedParameter<"bool", "false">:$fixed);
  let assemblyFormat = "`<` $name `,` custom<ParameterValues>($allowed) `,` $defaultValue `` custom<ParameterFixed>($fixed) `>`";
  let extraClassDeclaration = [{
    /// A value as on the command line: `bf16`, `128`, `top_left`.
    static std::string spell(::mlir::Attribute value);
    /// The allowed value that is spelled `text`, or null.
    ::mlir::Attribute lookup(::llvm::StringRef text) const;
    bool hasIntegers() const { return ::mlir::isa<::mlir::IntegerAttr>(getAllowed()[0]); }
    bool hasTypes() const { return ::mlir::isa<::mlir::TypeAttr>(getAllowed()[0]); }
    /// Whose value is the default, or null where the default is a value.
    ::mlir::StringAttr getDefaultSource() const;
    /// All allowed values, spelled, with commas between, or as a range.
    std::string spellAllowed() const;
  }];
  let genVerifyDecl = 1;
}

def Trident_RequirementKind : I32EnumAttr<"RequirementKind", "a condition between extents", [
    I32EnumAttrCase<"Divides", 0, "divides">, I32EnumAttrCase<"LessEqual", 1, "less_equal">,
    I32EnumAttrCase<"Equal", 2, "equal">]> {
  let cppNamespace = "::trident";
  let genSpecializedAttr = 0;
}

def Trident_RequirementAttr : Trident_Attr<"Requirement", "requires"> {
  let summary = "a condition between extents that each call must satisfy";
  let description = [{
    `divides`: the second extent is a multiple of the first. `less_equal`, `equal`: first against second.

    Example: `#trident.requires<"kv_heads" divides "heads">`
  }];
  let parameters = (ins "::mlir::StringAttr":$lhs, EnumParameter<Trident_RequirementKind>:$kind, "::mlir::StringAttr":$rhs);
  let assemblyFormat = "`<` $lhs $kind $rhs `>`";
}

def Trident_CheckKind : I32EnumAttr<"CheckKind", "what a check compares", [
    I32EnumAttrCase<"Type", 0, "type">, I32EnumAttrCase<"Rank", 1, "rank">, I32EnumAttrCase<"Extent", 2, "extent">,
    I32EnumAttrCase<"Equal", 3, "equal">, I32EnumAttrCase<"Contiguous", 4, "contiguous">,
    I32EnumAttrCase<"Alignment", 5, "alignment">, I32EnumAttrCase<"Injective", 6, "injective">,
    I32EnumAttrCase<"Finite", 7, "finite">, I32EnumAttrCase<"Requirement", 8, "requirement">,
    I32EnumAttrCase<"EqualOrOne", 9, "equal_or_one">]> {
  let cppNamespace = "::trident";
  let genSpecializedAttr = 0;
}

def Trident_CheckAttr : Trident_Attr<"Check", "check"> {
  let summary = "one thing that a launcher checks before each call";
  let description = [{
    Of `argument`, unless it is a `requirement`:

    - `type`: its element type (a scalar: its type) is `expected`; `rank`: it has `expected` dimensions;
    - `extent`: dimension `axis`, named `dimension`, has extent `expected`;
    - `equal`: dimension `axis`, named `dimension`, has the extent of dimension `other_axis` of argument `other`;
    - `equal_or_one`: as `equal`, or extent 1: the one element then stands for all;
    - `contiguous`: dimension `axis` has stride 1;
    - `alignment`: its address, and each stride but the innermost in bytes, are multiples of `expected` bytes;
    - `injective`: no two of its elements share an address;
    - `finite`: a scalar that is neither infinite nor NaN;
    - `requirement`: `expected` holds.

    Example: `#trident.check<equal, argument = "v", axis = 1, dimension = "seq_k", other = "k", other_axis = 1>`
  }];
  let parameters = (ins EnumParameter<Trident_CheckKind>:$kind, OptionalParameter<"::mlir::StringAttr">:$argument,
      DefaultValuedParameter<"int64_t", "-1">:$axis, OptionalParameter<"::mlir::StringAttr">:$dimension,
      OptionalParameter<"::mlir::StringAttr">:$other, DefaultValuedParameter<"int64_t", "-1">:$other_axis,
      OptionalParameter<"::mlir::Attribute">:$expected);
  let assemblyFormat = "`<` $kind `,` struct($argument, $axis, $dimension, $other, $other_axis, $expected) `>`";
}

def Trident_SequencesAttr : Trident_Attr<"Sequences", "sequences"> {
  let summary = "where the sequences of a dimension lie, in the caller's words";
  let description = [{
    Sequence number `sequence` of dimension `dim`, of which there are as many as `by` has coordinates, has the length that `length`
    says, and with `rows` begins where `begin` says along that dimension. Both are C++ of `sequence` and of arguments of the
    kernel, from which the launcher makes a check that runs on the host. `ordered`: none begins before those with lower numbers end.

    Example: `#trident.sequences<dim = "seq_k", by = "batch", length = "seqused_k[sequence]">`
  }];
  let parameters = (ins "::mlir::StringAttr":$dim, "::mlir::StringAttr":$by, OptionalParameter<"::mlir::StringAttr">:$rows,
      OptionalParameter<"::mlir::StringAttr">:$begin, "::mlir::StringAttr":$length,
      DefaultValuedParameter<"bool", "false">:$ordered);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Trident_ScheduleAttr : Trident_Attr<"Schedule", "schedule"> {
  let summary = "how to run a kernel: sizes, roles and order, all numbers in one place";
  let description = [{
    - `tiles`: extent of a tile along each tiled dimension;
    - `warpgroups`: consumer warpgroups of 128 threads, which share the rows of a tile;
    - `stages`: buffers of a ring;
    - `overlap`: how many dots of the next step are issued before this step's row operations (0: none);
    - `turns`: warpgroups take turns on the tensor cores, by named barriers;
    - `producer_registers`, `consumer_registers`: per thread (setmaxnreg), 0: as the compiler allots;
    - `rescale`: how the online softmax takes a new maximum: the reference of each step is the largest score so far, and what was
      accumulated is rescaled `always`, or where it has grown (`lazy`); or the reference stays until scores have outgrown it (`stale`);
    - `persistent`: as many blocks as multiprocessors, each running many work items, instead of a block for each;
    - `dynamic`: where the caller gives a workspace, a persistent block takes its next work item when it needs one, from a
      counter there; else the order is static, as it is without this;
    - `overlap_items`: a persistent block starts the first dots of its next work item before it finishes this one;
    - `narrow`: each warpgroup runs only the tiles that its own rows see, and passes over the others;
    - `stage_elements`: elements that functions of scores read at each row and column wait in shared memory, where there is room;
    - `copies`: who copies tiles to shared memory: `engine`, the tensor-memory engine, which asks for tensors whose last axis is
      contiguous and whose addresses and other strides are multiples of 16 bytes; or `threads`, those of the producer, slower and
      from tensors of any strides and addresses, and results are then stored element by element;
    - `hold_operands`: what dots in a loop take as `a`, and the loop does not change, stays in registers, not in shared memory;
    - `group`: query tiles of how many coordinates of the other grid dimensions are adjacent in launch order, heaviest
      first; 0: where blocks persist, as many as the target's L2 cache holds what their loops read, else one.

    Example: `#trident.schedule<tiles = {seq_k = 128, seq_q = 128}, warpgroups = 2, stages = 2, ...>`
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$tiles, "int64_t":$warpgroups, "int64_t":$stages, "int64_t":$overlap,
      "bool":$turns, "int64_t":$producer_registers, "int64_t":$consumer_registers, "::mlir::StringAttr":$rescale,
      "int64_t":$group, DefaultValuedParameter<"bool", "false">:$persistent,
      DefaultValuedParameter<"bool", "false">:$overlap_items, DefaultValuedParameter<"bool", "true">:$narrow,
      DefaultValuedParameter<"bool", "false">:$hold_operands, DefaultValuedParameter<"bool", "false">:$dynamic,
      DefaultValuedParameter<"bool", "true">:$stage_elements, OptionalParameter<"::mlir::StringAttr">:$copies);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Tensors may have any strides and addresses: `copies` is `threads`. Null `copies` is `engine`.
    bool takesAnyLayout() const { return getCopies() && getCopies().getValue() == "threads"; }
    /// Extent of a tile of dimension `dim`, or 0 when the schedule does not tile it.
    int64_t getTile(::llvm::StringRef dim) const;
    /// Buffers of a ring that is filled in a loop, or once for each work item.
    int64_t getStagesOf(bool inLoop) const;
  }];
  let genVerifyDecl = 1;
}

def Trident_TargetAttr : Trident_Attr<"Target", "target"> {
  let summary = "what later passes may know of the GPU";
  let description = [{
    Copied from the hardware table by `trident-select-schedule`, so that no other pass reads that table. `mma_rows`: rows of one
    warpgroup's dot; `mma_depth_bytes`: bytes of the contracted dimension in one instruction; `shared_bytes`: largest dynamic
    shared memory of a block; `l2_bytes`: of the cache that all multiprocessors share, 0 where that is not known.

    Example: `#trident.target<name = "sm_90a", mma_rows = 64, mma_depth_bytes = 32, swizzle_bytes = 128, shared_bytes = 232448,
    max_registers = 255, block_registers = 65536>`
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$mma_rows, "int64_t":$mma_depth_bytes, "int64_t":$swizzle_bytes,
      "int64_t":$shared_bytes, "int64_t":$max_registers, "int64_t":$block_registers,
      DefaultValuedParameter<"int64_t", "0">:$l2_bytes);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Trident_SharedAttr : Trident_Attr<"Shared", "shared"> {
  let summary = "layout: a tile in swizzled shared memory";
  let description = [{
    Panels of `swizzle` bytes of the innermost dimension, each holding all rows, 16-byte chunks of a row exchanged by the
    low bits of the row:

        panel p, row r, chunk c  ->  p * rows * swizzle + r * swizzle + ((c ^ (r % 8)) * 16)

    The last panel is whole in memory even where the tile's columns end inside it. What lies past them is zero: the copy
    engine fills with zeros what is outside the view, of which such a tile takes the innermost dimension whole.

    `pair`: a f32 tile that two bf16 tiles stand for, each laid out so, the rounded one first, then what that leaves. Threads write
    it: a copy engine rounds nothing.
  }];
  let parameters = (ins "int64_t":$swizzle, DefaultValuedParameter<"bool", "false">:$pair);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Columns of a panel whose elements are `element`, or the pairs that stand for them.
    int64_t getPanelColumns(::mlir::Type element) const;
    /// Panels of `tile`, a last one that it only begins included; of a pair, those of one of the two.
    int64_t countPanels(::mlir::RankedTensorType tile) const;
    /// Bytes of `tile`: whole panels; of a pair, both.
    int64_t getBytes(::mlir::RankedTensorType tile) const;
  }];
}

def Trident_AccumulatorAttr : Trident_Attr<"Accumulator", "accumulator"> {
  let summary = "layout: a tile in the registers where a dot leaves it";
  let description = [{
    The rows are split over the warpgroups in blocks of 64, 16 rows a warp. A lane holds, of every 8 columns and 16 rows:

        row  lane / 4      : columns 2 * (lane % 4), + 1      registers 4 j, 4 j + 1
        row  lane / 4 + 8  : columns 2 * (lane % 4), + 1      registers 4 j + 2, 4 j + 3
  }];
  let parameters = (ins "int64_t":$warpgroups);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Trident_OperandAttr : Trident_Attr<"Operand", "operand"> {
  let summary = "layout: a tile in the registers of a dot's first operand";
  let description = [{
    As `accumulator`, two neighbouring columns packed in one 32-bit register: a change from `accumulator` to `operand`
    moves nothing between lanes.

    `pair`: a f32 tile that two bf16 tiles stand for, the registers of the rounded one first, then those of what that leaves.
  }];
  let parameters = (ins "int64_t":$warpgroups, DefaultValuedParameter<"bool", "false">:$pair);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Trident_RowAttr : Trident_Attr<"Row", "row"> {
  let summary = "layout: one value a row, in the lanes that own the row";
  let description = [{
    The four lanes of a quad hold the same value of a row; with `partial` each holds what its own columns reduce to, and the
    value is the reduction of the four.
  }];
  let parameters = (ins "int64_t":$warpgroups, DefaultValuedParameter<"bool", "false">:$partial);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TRIDENT_DIALECT_TRIDENT_IR_TRIDENTATTRIBUTES_TD
