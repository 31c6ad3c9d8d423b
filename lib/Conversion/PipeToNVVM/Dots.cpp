//===- Dots.cpp - matrix products of a warpgroup --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A descriptor of an operand in shared memory (PTX ISA, "Matrix descriptor"), for the layout
// #trident.shared<swizzle = 128>:
//
//   bits  0..13  address / 16
//   bits 16..29  leading dimension offset / 16: from panel to panel, used when the contracted
//   dimension is not contiguous bits 32..45  stride offset / 16: from 8 rows to the next, 1024
//   bytes bits 62..63  1: 128-byte swizzle
//
// The high word is a constant; the low word is carried, and a step along the operand is added to
// it.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// Bytes of a row of a panel, and of eight of them.
constexpr int64_t swizzleBytes = 128;
constexpr const char *descriptorHigh = "0x40000040";
/// Most columns of one instruction.
constexpr int64_t instructionColumns = 256;

Value Emitter::lowWord(Value address) {
  // In a cluster the address of shared memory has high bits that would fall into the next field.
  return shiftRight(mask(address, 0x3ffff), 4);
}

Value Emitter::withLeading(Value low, int64_t leadingBytes) {
  return arith::OrIOp::create(b, low, i32((leadingBytes >> 4) << 16));
}

namespace {
/// An operand in shared memory: where step `k` of the depth, and row or column `n` of the other
/// dimension, begin.
struct SharedOperand {
  int64_t rows = 0; ///< of the stored tile
  bool depthIsContiguous = true;

  int64_t panelBytes() const { return rows * swizzleBytes; }
  int64_t leadingBytes() const { return depthIsContiguous ? 16 : panelBytes(); }
  int64_t offset(int64_t k, int64_t n) const {
    int64_t perPanel = swizzleBytes / 2;
    if (depthIsContiguous)
      return k / perPanel * panelBytes() + k % perPanel * 2 + n * swizzleBytes;
    return k * swizzleBytes + n / perPanel * panelBytes();
  }
};
} // namespace

static SharedOperand sharedOperand(Value tile, bool depthIsContiguous) {
  return {cast<RankedTensorType>(tile.getType()).getDimSize(0), depthIsContiguous};
}

/// How far behind the tile of what is rounded lies that of what is left, in bytes.
static int64_t halfBytes(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return cast<SharedAttr>(type.getEncoding()).getBytes(type) / 2;
}

namespace {
/// A product of a dot: which of the two tiles of each operand, where those are pairs.
struct Product {
  int64_t a, b;
};
} // namespace

// Small products first. One asm for each block of 64 rows and 256 columns: the instructions of a
// chain share its accumulator registers, and the first needs no defined ones when there is no
// accumulator to add to.
void Emitter::emitDot(pipe::DotAsyncOp op) {
  auto aType = cast<RankedTensorType>(op.getA().getType()), result = op.getType().getTile();
  bool aInRegisters = isa<OperandAttr>(aType.getEncoding());
  // What the last step reads past the depth is zero in both operands.
  int64_t depth = aType.getDimSize(op.getTransposeA() ? 0 : 1), columns = result.getDimSize(1),
          steps = llvm::divideCeil(depth, instructionDepth);
  SharedOperand a = sharedOperand(op.getA(), !op.getTransposeA()),
                bOperand = sharedOperand(op.getB(), op.getTransposeB());
  bool isPair =
      cast<SharedAttr>(cast<RankedTensorType>(op.getB().getType()).getEncoding()).getPair();
  std::string type = isPair || aType.getElementType().isBF16() ? "bf16" : "f16";
  SmallVector<Product> products{{0, 0}};
  if (isPair)
    products = {{0, 1}, {1, 0}, {0, 0}};
  Value aLow, bLow = withLeading(lowWords.lookup(op.getB()), bOperand.leadingBytes());
  if (!aInRegisters) {
    // This warpgroup's rows: rows of the stored tile, or panels of it when it is stored transposed.
    int64_t perWarpgroup = a.offset(0, 64) * rowBlocks(result);
    aLow = withLeading(add(lowWords.lookup(op.getA()), mul(consumer, perWarpgroup >> 4)),
                       a.leadingBytes());
  }
  Registers accumulator, results(countOf(result));
  if (op.getAccumulator())
    accumulator = registersOf(op.getAccumulator());
  int64_t perBlock = results.size() / rowBlocks(result),
          chunkColumns = std::min(columns, instructionColumns);
  int64_t chunks = (columns + chunkColumns - 1) / chunkColumns;

  for (int64_t block = 0; block < rowBlocks(result); ++block)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      int64_t n = std::min(chunkColumns, columns - chunk * chunkColumns), count = n / 2;
      int64_t first = block * perBlock + chunk * chunkColumns / 2;
      std::string constraints, outputs = "{";
      SmallVector<Type> types(count, b.getF32Type());
      SmallVector<Value> inputs;
      for (int64_t i = 0; i < count; ++i) {
        constraints += i ? ",=f" : "=f";
        outputs += (i ? ",$" : "$") + std::to_string(i);
      }
      outputs += "}";
      auto input = [&](Value value, const std::string &constraint) {
        inputs.push_back(value);
        constraints += "," + constraint;
        return "$" + std::to_string(count + inputs.size() - 1);
      };
      std::string bName = input(bLow, "r"), aName = aInRegisters ? "" : input(aLow, "r");
      std::string body =
          "{\n.reg .pred add, new;\n.reg .b32 la, lb;\n.reg .b64 da, db;\nsetp.eq.b32 add, 0, 0;\n"
          "setp.ne.b32 new, 0, 0;\n";
      if (block == 0 && chunk == 0)
        body += "wgmma.fence.sync.aligned;\n";
      // Each register is one operand of the asm, however many products read it.
      SmallVector<std::string> aNames(aInRegisters ? registersOf(op.getA()).size() : 0);
      for (auto [number, product] : llvm::enumerate(products))
        for (int64_t k = 0; k < depth; k += instructionDepth) {
          int64_t bOffset =
              bOperand.offset(k, chunk * chunkColumns) + (product.b ? halfBytes(op.getB()) : 0);
          body += "add.u32 lb, " + bName + ", " + std::to_string(bOffset >> 4) +
                  ";\nmov.b64 db, {lb, " + descriptorHigh + "};\n";
          std::string aText = "da";
          if (aInRegisters) {
            int64_t perStep = 4, perTile = rowBlocks(result) * steps * perStep,
                    base = (block * steps + k / instructionDepth) * perStep + product.a * perTile;
            aText = "{";
            for (int64_t i = base; i < base + perStep; ++i) {
              if (aNames[i].empty())
                aNames[i] = input(registersOf(op.getA())[i], "r");
              aText += (i > base ? "," : "") + aNames[i];
            }
            aText += "}";
          } else {
            int64_t aOffset = a.offset(k, block * 64) + (product.a ? halfBytes(op.getA()) : 0);
            body += "add.u32 la, " + aName + ", " + std::to_string(aOffset >> 4) +
                    ";\nmov.b64 da, {la, " + descriptorHigh + "};\n";
          }
          bool starts = number == 0 && k == 0 && accumulator.empty();
          body += "wgmma.mma_async.sync.aligned.m64n" + std::to_string(n) + "k16.f32." + type +
                  "." + type + " " + outputs + ", " + aText + ", db, " + (starts ? "new" : "add") +
                  ", 1, 1" +
                  (aInRegisters         ? ""
                   : op.getTransposeA() ? ", 1"
                                        : ", 0") +
                  (op.getTransposeB() ? ", 0" : ", 1") + ";\n";
        }
      if (block == rowBlocks(result) - 1 && chunk == chunks - 1)
        body += "wgmma.commit_group.sync.aligned;\n";
      body += "}";
      if (!accumulator.empty())
        for (int64_t i = 0; i < count; ++i)
          input(accumulator[first + i], std::to_string(i));
      Registers out = assembly(body, constraints, types, inputs);
      std::copy(out.begin(), out.end(), results.begin() + first);
    }
  tiles[op.getResult()] = std::move(results);
}

// The wait takes the results, and what it keeps alive, as operands: no read of them can move above
// it.
void Emitter::emitAwait(pipe::AwaitOp op) {
  Registers values = registersOf(op.getAsync());
  for (Value tile : op.getCarry())
    llvm::append_range(values, registersOf(tile));
  std::string constraints;
  SmallVector<Type> types;
  for (Value value : values) {
    constraints += std::string(types.empty() ? "" : ",") + (value.getType().isF32() ? "=f" : "=r");
    types.push_back(value.getType());
  }
  for (size_t i = 0; i < values.size(); ++i)
    constraints += "," + std::to_string(i);
  SmallVector<Value> operands(values);
  for (Value tile : op.getKeep())
    for (Value value : registersOf(tile)) {
      operands.push_back(value);
      constraints += value.getType().isF32() ? ",f" : ",r";
    }
  Registers results =
      assembly("wgmma.wait_group.sync.aligned " + std::to_string(op.getPending()) + ";",
               constraints, types, operands);
  unsigned next = 0;
  for (Value result : op->getResults()) {
    unsigned count = countOf(cast<RankedTensorType>(result.getType()));
    tiles[result] = Registers(ArrayRef(results).slice(next, count));
    next += count;
  }
}

// Barrier 1 + w belongs to consumer warpgroup w; the two that meet at it are its owner and the one
// before.
void Emitter::emitTurn(bool wait) {
  Value mine = consumer;
  if (!wait) {
    mine = add(consumer, 1);
    mine = select(equal(mine, warpgroups), i32(0), mine);
  }
  assembly(wait ? "bar.sync $0, 256;" : "bar.arrive $0, 256;", "r", add(mine, 1));
}
