//===- StagedElements.cpp - tiles of elements through shared memory --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A warp's rows of a tile are 16 of each block of 64. Where it copies them 16 bytes at a time, up
// to eight lanes have the same row, and one instruction so many rows; where it does not, each lane
// writes what it reads of them. Then each lane reads rows and columns of the accumulator's
// fragment.
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

constexpr int64_t copyBytes = 16;
/// Lanes that copy one row: a line of the first-level cache.
constexpr int64_t mostLanesOfRow = 8;
constexpr int64_t warpRows = 16;

/// Where row \p row of 16 of this warp's rows is in a tile in shared memory.
Value Emitter::stagedRow(RankedTensorType type, int64_t offset, Value row) {
  int64_t rows = rowBlocks(type) * 64, pitch = pipe::CopyElementsOp::pitchOf(type);
  Value first = add(mul(consumer, rows), mul(mask(warp, 3), warpRows));
  return add(add(shared, mul(add(first, row), pitch)), offset);
}

/// What a warp copies by 16 bytes.
struct Emitter::StagedCopy {
  int64_t lanesOfRow, rowsAtOnce, copiesOfRow, blocks;
  Value address, stride; ///< the first one's, and bytes from row to row
  Value fits;            ///< whether it can, the same for the warp
};

Emitter::StagedCopy Emitter::findStagedCopy(pipe::CopyElementsOp op) {
  RankedTensorType type = op.getType().getTile();
  int64_t bytes = type.getElementTypeBitWidth() / 8, elements = copyBytes / bytes;
  int64_t copies = type.getDimSize(1) / elements;
  StagedCopy copy;
  copy.blocks = rowBlocks(type);
  copy.lanesOfRow = std::min<int64_t>(mostLanesOfRow, copies & -copies);
  copy.rowsAtOnce = 32 / copy.lanesOfRow;
  copy.copiesOfRow = copies / copy.lanesOfRow;
  Value row = shiftRight(lane, llvm::Log2_64(copy.lanesOfRow)),
        chunk = mask(lane, copy.lanesOfRow - 1);
  unsigned rowAxis = 0;
  (void)pipe::CopyElementsOp::isAlongRows(op.getBody(), rowAxis);
  auto view = cast<BlockArgument>(op.getView());
  ViewType viewType = op.getView().getType();
  unsigned columnAxis = viewType.getRank() - 1;
  Block &body = op.getBody().front();
  Value firstRow = add(mul(consumer, copy.blocks * 64), mul(mask(warp, 3), warpRows));
  firstRow = add(firstRow, row);
  if (op.getRowTile())
    firstRow = add(firstRow, mul(get(op.getRowTile()), type.getDimSize(0)));
  Value firstColumn = mul(chunk, elements);
  if (op.getColTile())
    firstColumn = add(firstColumn, mul(get(op.getColTile()), type.getDimSize(1)));
  scalars.map(body.getArgument(0), firstRow);
  scalars.map(body.getArgument(1), firstColumn);
  for (Operation &inner : body.without_terminator())
    (void)emitOp(&inner);
  ValueRange indices = body.getTerminator()->getOperands();
  ElementPlace place = placeOf(view, indices, columnAxis);
  copy.address = place.address;

  Type i64 = b.getI64Type();
  auto wide = [&](int64_t value) { return arith::ConstantIntOp::create(b, i64, value); };
  copy.stride = arith::MulIOp::create(
      b, function.getArgument(pointerParameter.lookup(view.getArgNumber()) + 1 + rowAxis),
      wide(bytes));
  // The last of this lane's rows and columns lie in the view, too; the other coordinates are those
  // of the first.
  auto both = [&](Value x, Value y) { return x ? arith::AndIOp::create(b, x, y).getResult() : y; };
  auto atMost = [&](Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::sle, x, y).getResult();
  };
  int64_t rowsPast = (copy.blocks - 1) * 64 + warpRows - copy.rowsAtOnce + 1;
  int64_t columnsPast = (copy.copiesOfRow - 1) * copy.lanesOfRow * elements + elements;
  Value column = get(indices.back());
  Value fits = both(place.inside, atMost(get(indices[rowAxis]),
                                         sub(endOfElements(view, rowAxis), i32(rowsPast))));
  fits = both(fits, atMost(column, sub(endOfElements(view, columnAxis), i32(columnsPast))));
  fits = both(fits, atMost(i32(0), column));
  fits = both(fits, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, place.step, wide(bytes)));
  Value bits = arith::OrIOp::create(b, copy.address, copy.stride);
  fits =
      both(fits, equal(mask(arith::TruncIOp::create(b, b.getI32Type(), bits), copyBytes - 1), 0));
  copy.fits = equal(arith::ExtUIOp::create(b, b.getI32Type(), voteAny(isNot(fits))), 0);
  return copy;
}

void Emitter::emitCopyElements(pipe::CopyElementsOp op) {
  FreshPlace fresh(*this); // Addresses are not kept through the loop.
  RankedTensorType type = op.getType().getTile();
  int64_t offset = op.getOffset(), pitch = pipe::CopyElementsOp::pitchOf(type);
  StagedCopy copy = findStagedCopy(op);
  // After the copy before, should no one have waited for it, and its reads.
  assembly("cp.async.wait_all;", "", {});
  assembly("bar.warp.sync -1;", "", {});
  emitIf(copy.fits, [&] {
    Value row = shiftRight(lane, llvm::Log2_64(copy.lanesOfRow));
    Value to = add(stagedRow(type, offset, row), mul(mask(lane, copy.lanesOfRow - 1), copyBytes));
    auto times = [&](int64_t rows) {
      return arith::MulIOp::create(b, copy.stride,
                                   arith::ConstantIntOp::create(b, b.getI64Type(), rows));
    };
    Value ofBlock = copy.address, rowStep = times(copy.rowsAtOnce), blockStep = times(64);
    for (int64_t block = 0; block < copy.blocks; ++block) {
      Value from = ofBlock;
      for (int64_t first = 0; first < warpRows; first += copy.rowsAtOnce) {
        for (int64_t i = 0; i < copy.copiesOfRow; ++i) {
          int64_t along = i * copy.lanesOfRow * copyBytes;
          assembly("cp.async.cg.shared.global [$0+" +
                       std::to_string((block * 64 + first) * pitch + along) + "], [$1+" +
                       std::to_string(along) + "], 16;",
                   "r,l", {to, from});
        }
        from = arith::AddIOp::create(b, from, rowStep);
      }
      ofBlock = arith::AddIOp::create(b, ofBlock, blockStep);
    }
  });
  emitIf(isNot(copy.fits), [&] { copySlowly(op, copy.blocks); });
}

// Each register is written before the next ones are read: dots may hold nearly all of them.
void Emitter::copySlowly(pipe::CopyElementsOp op, int64_t blocks) {
  RankedTensorType type = op.getType().getTile();
  int64_t pitch = pipe::CopyElementsOp::pitchOf(type), bytes = type.getElementTypeBitWidth() / 8;
  ElementRows rows = findRows(op.getView(), type, op.getRowTile(), op.getColTile(), op.getBody());
  Value to = add(stagedRow(type, op.getOffset(), shiftRight(lane, 2)), mul(quadLane, 2 * bytes));
  unsigned written = 0, perBlock = countOf(type) / blocks, ofRow = 2 / rows.perRegister();
  auto write = [&](Value value) {
    unsigned within = written % perBlock, piece = within / ofRow;
    int64_t row = written / perBlock * 64 + piece % 2 * 8, column = piece / 2 * 8 + within % ofRow;
    assembly("st.shared.b32 [$0+" + std::to_string(row * pitch + column * bytes) + "], $1;",
             rows.perRegister() == 2 ? "r,r" : "r,f", {to, value});
    ++written;
  };
  Value pairs = isReadInPairs(rows);
  emitIf(pairs, [&] { readPairs(rows, write); });
  written = 0;
  emitIf(isNot(pairs), [&] { readSingly(rows, write); });
}

void Emitter::emitReadElements(pipe::ReadElementsOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8, pitch = pipe::CopyElementsOp::pitchOf(type);
  assembly("cp.async.wait_all;", "", {});
  assembly("bar.warp.sync -1;", "", {}); // What other lanes have copied.
  Registers result;
  Type word = b.getI32Type(), number = b.getF32Type();
  // A lane points to a row of one of the four matrices that are read at a time.
  Value from = bytes == 2 ? add(stagedRow(type, op.getOffset(), mask(lane, warpRows - 1)),
                                mul(shiftRight(lane, 4), copyBytes))
                          : add(stagedRow(type, op.getOffset(), shiftRight(lane, 2)),
                                mul(quadLane, 2 * bytes));
  for (int64_t block = 0; block < rowBlocks(type); ++block)
    for (int64_t column = 0; column < type.getDimSize(1); column += bytes == 2 ? 16 : 8) {
      int64_t at = block * 64 * pitch + column * bytes;
      if (bytes == 2) {
        llvm::append_range(
            result, assembly("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4+" +
                                 std::to_string(at) + "];",
                             "=r,=r,=r,=r,r", {word, word, word, word}, from));
        continue;
      }
      for (int64_t half : {0, 8})
        llvm::append_range(result, assembly("ld.shared.v2.f32 {$0, $1}, [$2+" +
                                                std::to_string(at + half * pitch) + "];",
                                            "=f,=f,r", {number, number}, from));
    }
  tiles[op.getResult()] = std::move(result);
}
