//===- Pairs.cpp - f32 tiles as sums of two bf16 tiles --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Of numbers in registers; those of tiles in memory are split as threads copy them.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// The bf16 words of two neighbours: rounded, and what that leaves. Only the first is kept from
/// becoming infinite: of an infinite number the second is infinite too, as the sum has to be.
/// Denormal numbers are not flushed.
std::pair<Value, Value> Emitter::splitPair(Value first, Value second) {
  Type word = b.getI32Type();
  Value both = pureAssembly("{\n.reg .b32 h, l, x, y;\n.reg .f32 p, q;\n"
                            "cvt.rn.satfinite.bf16x2.f32 h, $2, $1;\n"
                            "shl.b32 x, h, 16;\nand.b32 y, h, 0xffff0000;\n"
                            "mov.b32 p, x;\nmov.b32 q, y;\n"
                            "sub.rn.f32 p, $1, p;\nsub.rn.f32 q, $2, q;\n"
                            "cvt.rn.bf16x2.f32 l, q, p;\nmov.b64 $0, {h, l};\n}",
                            "=l,f,f", b.getI64Type(), {first, second});
  Value upper =
      arith::ShRUIOp::create(b, both, arith::ConstantIntOp::create(b, b.getI64Type(), 32));
  return {arith::TruncIOp::create(b, word, both), arith::TruncIOp::create(b, word, upper)};
}

/// An accumulator's registers as the two fragments of an operand, each with zeros up to the depth
/// of an instruction.
Registers Emitter::splitFragment(ArrayRef<Value> accumulator, RankedTensorType to) {
  Registers rounded, rest;
  int64_t blocks = rowBlocks(to);
  size_t perBlock = accumulator.size() / blocks, wanted = countOf(to) / (2 * blocks);
  for (int64_t block = 0; block < blocks; ++block) {
    for (size_t i = 0; i < perBlock; i += 2) {
      auto [high, low] =
          splitPair(accumulator[block * perBlock + i], accumulator[block * perBlock + i + 1]);
      rounded.push_back(high);
      rest.push_back(low);
    }
    rounded.resize((block + 1) * wanted, i32(0));
    rest.resize((block + 1) * wanted, i32(0));
  }
  llvm::append_range(rounded, rest);
  return rounded;
}
