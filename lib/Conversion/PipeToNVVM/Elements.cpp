//===- Elements.cpp - single elements of global memory --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Analysis/TileExtents.h"

using namespace mlir;
using namespace trident;

/// True when \p index is certainly a coordinate of \p dim: which part of the grid this program is.
static bool isInside(Value index, StringAttr dim) {
  auto program = index.getDefiningOp<ProgramOp>();
  return program && program.getDimAttr() == dim;
}

/// How an element of \p type is read into a register: what is declared before, the instruction
/// without its address, and what follows. $0 is zero before, and stays so where nothing is read.
static std::array<StringRef, 3> spellRead(Type type) {
  if (type.isF32())
    return {"", "ld.global.f32 $0", ""};
  if (type.isInteger(32))
    return {"", "ld.global.b32 $0", ""};
  if (type.isInteger(1))
    return {"", "ld.global.u8 $0", ""};
  if (type.isBF16()) // The upper half of an f32.
    return {".reg .b32 word;\nmov.b32 word, 0;\n", "ld.global.u16 word",
            "shl.b32 word, word, 16;\nmov.b32 $0, word;\n"};
  return {".reg .b16 half;\nmov.b16 half, 0;\n", "ld.global.b16 half", "cvt.f32.f16 $0, half;\n"};
}

// Reads are predicated, not branched around, and without side effects: no view that is read is
// written in the kernel. An element outside the view is not read, wherever its address would be.
void Emitter::emitElement(ElementOp op) {
  auto view = cast<BlockArgument>(op.getView());
  ViewType type = op.getView().getType();
  unsigned parameter = pointerParameter.lookup(view.getArgNumber());
  Type i64 = b.getI64Type(), elementType = type.getElementType();
  Value bytes = arith::ConstantIntOp::create(
      b, i64, llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8));
  // Outermost first, so that elements of a row share what comes before the column.
  Value address = function.getArgument(parameter), inside;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    Value element = get(index), step = bytes;
    StringAttr dim = type.getDims()[axis];
    if (!isInside(index, dim)) { // As unsigned numbers negative ones are large.
      Value end = add(extent(dim), type.getExtra(axis));
      Value below = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, element, end);
      inside = inside ? arith::AndIOp::create(b, inside, below).getResult() : below;
    }
    if (static_cast<int64_t>(axis) + 1 < type.getRank() || isReadByElements(view))
      step = arith::MulIOp::create(b, function.getArgument(parameter + 1 + axis), bytes);
    Value offset = arith::MulIOp::create(b, arith::ExtUIOp::create(b, i64, element), step);
    address = arith::AddIOp::create(b, address, offset);
  }

  bool isFloat = isa<FloatType>(elementType);
  auto [declaration, read, conversion] = spellRead(elementType);
  std::string text = "{\n" + declaration.str();
  if (inside && declaration.empty())
    text += "mov.b32 $0, 0;\n";
  text += (inside ? "@$2 " : "") + read.str() + ", [$1];\n" + conversion.str() + "}";
  SmallVector<Value> operands{address};
  if (inside)
    operands.push_back(inside);
  Value value = pureAssembly(text, std::string(isFloat ? "=&f" : "=&r") + (inside ? ",l,b" : ",l"),
                             isFloat ? Type(b.getF32Type()) : Type(b.getI32Type()), operands);
  if (elementType.isInteger(1))
    value = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, i32(0));
  scalars.map(op.getResult(), value);
}
