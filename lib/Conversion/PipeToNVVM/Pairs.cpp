//===- Pairs.cpp - f32 tiles as sums of two bf16 tiles --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A copy engine moves elements and rounds none, so all threads of the producer copy a tile that is
// to be a pair: each reads four neighbouring columns of every eighth row, whose place in a row of
// the swizzle is then the same for all of its rows.
//
//   thread t: row t / 16 of 8, columns 4 * (t % 16) to + 3 of a panel of 64
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// Columns that a thread reads at a time: 16 bytes of f32.
constexpr int64_t pieceColumns = 4;
constexpr int64_t pieceBytes = 16;
/// Rows that the 128 threads read side by side: those of a swizzle's pattern.
constexpr int64_t rowsAtOnce = 8;
/// Registers of a producer's thread beside the pieces that it holds.
constexpr int64_t registersBesidePieces = 56;
/// Pieces in flight that hide the latency of global memory.
constexpr int64_t enoughPieces = 16;

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

/// Reads a piece, zeros where `present`, the columns from it on that are there, is not enough.
Registers Emitter::loadPiece(Value address, Value present, int64_t offset, bool isWhole) {
  std::string at = "[$4+" + std::to_string(offset) + "]", text = "{\n.reg .pred p;\n";
  for (int64_t i = 0; i < pieceColumns; ++i)
    text += "mov.f32 $" + std::to_string(i) + ", 0f00000000;\n";
  if (isWhole)
    text += "setp.gt.s32 p, $5, 0;\n@p ld.global.v4.f32 {$0, $1, $2, $3}, " + at + ";\n";
  for (int64_t i = 0; i < pieceColumns && !isWhole; ++i)
    text += "setp.gt.s32 p, $5, " + std::to_string(i) + ";\n@p ld.global.f32 $" +
            std::to_string(i) + ", [$4+" + std::to_string(offset + 4 * i) + "];\n";
  Type f32Type = b.getF32Type();
  return assembly(text + "}", "=&f,=&f,=&f,=&f,l,r", {f32Type, f32Type, f32Type, f32Type},
                  {address, present});
}

void Emitter::storePiece(Value address, int64_t offset, int64_t halfBytes, ArrayRef<Value> piece) {
  auto [h0, l0] = splitPair(piece[0], piece[1]);
  auto [h1, l1] = splitPair(piece[2], piece[3]);
  assembly("st.shared.v2.b32 [$0+" + std::to_string(offset) +
               "], {$1, $2};\nst.shared.v2.b32 [$0+" + std::to_string(offset + halfBytes) +
               "], {$3, $4};",
           "r,r,r,r,r", {address, h0, h1, l0, l1});
}

namespace {
/// What a thread reads in a batch: so many of its rows, all panels of each.
struct Batch {
  int64_t rows, panels;
};
} // namespace

/// As many of a thread's `rows` as its registers hold, and as divide them.
static Batch batchOf(int64_t rows, int64_t panels, int64_t producerRegisters) {
  int64_t pieces =
      producerRegisters == 0
          ? enoughPieces
          : std::clamp<int64_t>((producerRegisters - registersBesidePieces) / pieceColumns, 1,
                                enoughPieces);
  int64_t most = std::max<int64_t>(pieces / panels, 1);
  for (int64_t count = std::min(most, rows); count > 1; --count)
    if (rows % count == 0)
      return {count, panels};
  return {1, panels};
}

// The first batch is read before the wait for the slot: its latency is that of the consumers, who
// work on the slots before.
LogicalResult Emitter::emitPairProduce(pipe::ProduceOp op) {
  RankedTensorType tile = cast<pipe::RingType>(op.getRing().getType()).getTile();
  auto layout = cast<SharedAttr>(tile.getEncoding());
  ViewType view = op.getView().getType();
  auto [rowAxis, rowTile] = tiledAxis(view, op.getIndices(), 0);
  auto [colAxis, colTile] = tiledAxis(view, op.getIndices(), 1);
  int64_t rows = tile.getDimSize(0), columns = tile.getDimSize(1),
          panels = layout.countPanels(tile), panelBytes = rows * layout.getSwizzle(),
          panelColumns = layout.getPanelColumns(tile.getElementType());
  if (rows % rowsAtOnce != 0)
    return op.emitOpError() << "has a tile " << tile << ": expected a multiple of " << rowsAtOnce
                            << " rows";
  Batch batch = batchOf(rows / rowsAtOnce, panels, kernel.getSchedule()->getProducerRegisters());

  unsigned parameter = pointerParameter.lookup(getViewArgument(op.getView()).getArgNumber());
  Type i64 = b.getI64Type();
  auto wide = [&](Value value) { return arith::ExtUIOp::create(b, i64, value).getResult(); };
  auto times = [&](Value value, int64_t factor) {
    return arith::MulIOp::create(b, value, arith::ConstantIntOp::create(b, i64, factor))
        .getResult();
  };
  auto sum = [&](Value x, Value y) { return arith::AddIOp::create(b, x, y).getResult(); };
  // Read anew, so that what follows from it is not kept in registers from tile to tile.
  Value place = assembly("mov.u32 $0, %tid.x;", "=r", b.getI32Type(), {}).front();
  Value row = shiftRight(place, 4), piece = mask(place, 15);
  Value rowBytes = times(function.getArgument(parameter + 1 + rowAxis), 4),
        stepBytes = times(rowBytes, rowsAtOnce);
  Value address = sum(function.getArgument(parameter), viewOffset(op.getView(), op.getIndices()));
  address = sum(address, arith::MulIOp::create(b, rowBytes, wide(row)));
  address = sum(address, wide(mul(piece, pieceBytes)));

  // Rows and columns from this thread's first ones to the end.
  Value rowsLeft = endOf(op.getView(), rowAxis), columnsLeft = endOf(op.getView(), colAxis);
  if (rowTile)
    rowsLeft = sub(rowsLeft, mul(get(rowTile), rows));
  if (colTile)
    columnsLeft = sub(columnsLeft, mul(get(colTile), columns));
  rowsLeft = sub(rowsLeft, row);
  columnsLeft = sub(columnsLeft, mul(piece, pieceColumns));
  std::optional<int64_t> extent = kernel.getStaticExtent(view.getDim(colAxis));
  bool isWhole = !colTile && extent && *extent % pieceColumns == 0;

  Slot slot = slotOf(op.getRing(), op.getUse());
  Value chunk = arith::XOrIOp::create(b, shiftRight(piece, 1), row);
  Value target = add(slot.address, add(add(mul(row, layout.getSwizzle()), mul(chunk, 16)),
                                       mul(mask(piece, 1), 8)));
  auto load = [&](Value from, Value left) {
    SmallVector<Registers> pieces;
    for (int64_t i = 0; i < batch.rows; ++i) {
      Value isThere = less(i32(i * rowsAtOnce), left);
      for (int64_t panel = 0; panel < panels; ++panel) {
        bool endsInside = !isWhole || (panel + 1) * panelColumns > *extent;
        Value columnsHere = endsInside ? sub(columnsLeft, i32(panel * panelColumns)) : i32(1);
        pieces.push_back(loadPiece(from, select(isThere, columnsHere, i32(0)),
                                   panel * panelColumns * 4, isWhole));
      }
      from = sum(from, stepBytes);
    }
    return pieces;
  };
  auto store = [&](Value to, ArrayRef<Registers> pieces) {
    for (auto [i, piece] : llvm::enumerate(pieces))
      storePiece(to,
                 static_cast<int64_t>(i) / panels * rowsAtOnce * layout.getSwizzle() +
                     static_cast<int64_t>(i) % panels * panelBytes,
                 panels * panelBytes, piece);
  };
  int64_t batches = rows / rowsAtOnce / batch.rows, batchRows = batch.rows * rowsAtOnce;
  SmallVector<Registers> first = load(address, rowsLeft);
  waitBarrier(slot.empty, arith::XOrIOp::create(b, slot.phase, i32(1)));
  store(target, first);
  if (batches > 1) {
    OpBuilder::InsertPoint here = b.saveInsertionPoint();
    Block *body = newBlock(), *after = newBlock();
    b.restoreInsertionPoint(here);
    Value batchBytes = times(stepBytes, batch.rows);
    auto following = [&](Value number, Value from, Value left, Value to) {
      return SmallVector<Value>{add(number, 1), sum(from, batchBytes), sub(left, i32(batchRows)),
                                add(to, batchRows * layout.getSwizzle())};
    };
    SmallVector<Value> entry = following(i32(0), address, rowsLeft, target);
    LLVM::BrOp::create(b, entry, body);
    for (Value value : entry)
      body->addArgument(value.getType(), b.getLoc());
    b.setInsertionPointToEnd(body);
    auto field = [&](unsigned i) { return body->getArgument(i); };
    store(field(3), load(field(1), field(2)));
    SmallVector<Value> again = following(field(0), field(1), field(2), field(3));
    LLVM::CondBrOp::create(b, less(again[0], i32(batches)), body, again, after, ValueRange());
    b.setInsertionPointToEnd(after);
  }
  // Dots read through the async proxy. One lane arrives for its warp, after the others have
  // written.
  assembly("fence.proxy.async.shared::cta;", "", {});
  assembly("bar.warp.sync -1;", "", {});
  arrive(slot.full);
  return success();
}
