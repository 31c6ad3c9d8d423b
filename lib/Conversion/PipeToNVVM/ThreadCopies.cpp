//===- ThreadCopies.cpp - tiles that threads copy to shared memory --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A copy engine rounds nothing and wants aligned rows of adjacent elements. So all threads of the
// producer copy a tile that is to be a pair, and any tile where a schedule asks for copies by
// threads. Each reads pieces of four neighbouring columns, of rows whose place in the pattern of
// the swizzle is the same for all of them:
//
//   thread t: row t / 16 of 8, columns 4 * (t % 16) to + 3 of a panel of 64
//   f32 that stays f32: row t / 8 of 16, columns 4 * (t % 8) to + 3 of a panel of 32
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

/// Columns that a thread reads at a time.
constexpr int64_t pieceColumns = 4;
/// Threads of the producer.
constexpr int64_t copyThreads = 128;
/// Registers of a producer's thread beside the pieces that it holds, and of a piece.
constexpr int64_t registersBesidePieces = 56, registersOfPiece = 4;
/// Pieces in flight that hide the latency of global memory.
constexpr int64_t enoughPieces = 16;

struct Emitter::ThreadCopy {
  RankedTensorType tile;
  SharedAttr layout;
  Slot slot;
  /// Of a batch, which a thread reads at once: its rows, and all panels of each.
  int64_t rows = 1, panels = 1;
  int64_t rowsAtOnce = 1, panelColumns = 1; ///< what 128 threads read side by side
  Value address, target;                    ///< of this thread's first piece
  Value rowsLeft, columnsLeft;              ///< from there to the end
  Value rowStep;                            ///< bytes to this thread's next row
  Value columnStep; ///< bytes from an element to its neighbour; null: they are adjacent
  /// Pieces lie whole and aligned in memory: one read each. Null: as `columnStep` is null or not.
  Value inPieces;
  /// Columns of the tensor, where the tile has all and pieces end with them.
  std::optional<int64_t> wholeColumns;

  bool isPair() const { return layout.getPair(); }
  int64_t elementBytes() const { return tile.getElementTypeBitWidth() / 8; }
  /// Bytes of a piece in shared memory; of a pair, in each of the two tiles.
  int64_t storedBytes() const { return isPair() ? 8 : pieceColumns * elementBytes(); }
  int64_t panelBytes() const { return tile.getDimSize(0) * layout.getSwizzle(); }
  /// Registers of a piece: numbers, or two words of 16-bit neighbours.
  int64_t wordCount() const { return elementBytes() == 2 ? 2 : pieceColumns; }
};

/// As many of a thread's `rows` as its registers hold, and as divide them.
static int64_t batchOf(int64_t rows, int64_t panels, int64_t producerRegisters) {
  int64_t pieces =
      producerRegisters == 0
          ? enoughPieces
          : std::clamp<int64_t>((producerRegisters - registersBesidePieces) / registersOfPiece, 1,
                                enoughPieces);
  int64_t most = std::max<int64_t>(pieces / panels, 1);
  for (int64_t count = std::min(most, rows); count > 1; --count)
    if (rows % count == 0)
      return count;
  return 1;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// The text that reads the elements of a piece one by one, those below `present`, the rest being
/// zero. `element` names the register of each, `$N` are the operands from `operand` on: the first
/// address, `present` and, where neighbours are apart, the bytes between them.
static std::string spellReads(function_ref<std::string(int64_t)> element, StringRef type,
                              int64_t operand, int64_t offset, int64_t bytes, bool apart) {
  auto number = [&](int64_t i) { return "$" + std::to_string(operand + i); };
  std::string text, at = number(0);
  if (apart) {
    text = ".reg .b64 at;\nmov.b64 at, " + at + ";\n";
    at = "at";
  }
  for (int64_t i = 0; i < pieceColumns; ++i) {
    if (apart && i > 0)
      text += "add.s64 at, at, " + number(2) + ";\n";
    text += "setp.gt.s32 p, " + number(1) + ", " + std::to_string(i) + ";\n@p ld.global." +
            type.str() + " " + element(i) + ", [" + at + "+" +
            std::to_string(apart ? 0 : offset + bytes * i) + "];\n";
  }
  return text;
}

/// Reads a piece, zeros where `present`, the columns from it on that are there, is not enough.
Registers Emitter::loadPiece(const ThreadCopy &copy, Value address, Value present, int64_t offset,
                             bool inPieces) {
  bool isHalf = copy.elementBytes() == 2, apart = !inPieces && copy.columnStep;
  int64_t words = copy.wordCount();
  std::string text = "{\n.reg .pred p;\n", constraints, all;
  for (int64_t i = 0; i < words; ++i) {
    text += "mov." + std::string(isHalf ? "b32 $" : "f32 $") + std::to_string(i) +
            (isHalf ? ", 0;\n" : ", 0f00000000;\n");
    constraints += isHalf ? "=&r," : "=&f,";
    all += (i ? ", $" : "$") + std::to_string(i);
  }
  if (inPieces && copy.wholeColumns) {
    text += "setp.gt.s32 p, $" + std::to_string(words + 1) + ", 0;\n@p ld.global.v" +
            std::to_string(words) + (isHalf ? ".b32 {" : ".f32 {") + all + "}, [$" +
            std::to_string(words) + "+" + std::to_string(offset) + "];\n";
  } else if (isHalf) {
    text += ".reg .b16 h0, h1, h2, h3;\nmov.b32 {h0, h1}, $0;\nmov.b32 {h2, h3}, $0;\n" +
            spellReads([](int64_t i) { return "h" + std::to_string(i); }, "b16", words, offset, 2,
                       apart) +
            "mov.b32 $0, {h0, h1};\nmov.b32 $1, {h2, h3};\n";
  } else {
    text += spellReads([](int64_t i) { return "$" + std::to_string(i); }, "f32", words, offset, 4,
                       apart);
  }
  SmallVector<Value> operands{address, present};
  if (apart)
    operands.push_back(copy.columnStep);
  SmallVector<Type> types(words, isHalf ? Type(b.getI32Type()) : Type(b.getF32Type()));
  return assembly(text + "}", constraints + (apart ? "l,r,l" : "l,r"), types, operands);
}

void Emitter::storePiece(const ThreadCopy &copy, Value address, int64_t offset,
                         ArrayRef<Value> piece) {
  std::string at = std::to_string(offset);
  if (copy.elementBytes() == 2)
    return assembly("st.shared.v2.b32 [$0+" + at + "], {$1, $2};", "r,r,r",
                    {address, piece[0], piece[1]});
  if (!copy.isPair())
    return assembly("st.shared.v4.f32 [$0+" + at + "], {$1, $2, $3, $4};", "r,f,f,f,f",
                    {address, piece[0], piece[1], piece[2], piece[3]});
  auto [h0, l0] = splitPair(piece[0], piece[1]);
  auto [h1, l1] = splitPair(piece[2], piece[3]);
  assembly("st.shared.v2.b32 [$0+" + at + "], {$1, $2};\nst.shared.v2.b32 [$0+" +
               std::to_string(offset + copy.panels * copy.panelBytes()) + "], {$3, $4};",
           "r,r,r,r,r", {address, h0, h1, l0, l1});
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

Registers Emitter::loadBatch(const ThreadCopy &copy, Value from, Value left, bool inPieces) {
  Registers words;
  for (int64_t i = 0; i < copy.rows; ++i) {
    Value isThere = less(i32(i * copy.rowsAtOnce), left), at = from;
    for (int64_t panel = 0; panel < copy.panels; ++panel) {
      int64_t column = panel * copy.panelColumns;
      bool endsInside = !copy.wholeColumns || column + copy.panelColumns > *copy.wholeColumns;
      Value columnsHere = endsInside || !inPieces ? sub(copy.columnsLeft, i32(column)) : i32(1);
      if (!inPieces && copy.columnStep && panel > 0)
        at =
            arith::AddIOp::create(b, at,
                                  arith::MulIOp::create(b, copy.columnStep,
                                                        arith::ConstantIntOp::create(
                                                            b, b.getI64Type(), copy.panelColumns)));
      int64_t offset = inPieces || !copy.columnStep ? column * copy.elementBytes() : 0;
      llvm::append_range(
          words, loadPiece(copy, at, select(isThere, columnsHere, i32(0)), offset, inPieces));
    }
    from = arith::AddIOp::create(b, from, copy.rowStep);
  }
  return words;
}

Registers Emitter::loadBatch(const ThreadCopy &copy, Value from, Value left) {
  if (!copy.inPieces)
    return loadBatch(copy, from, left, /*inPieces=*/!copy.columnStep);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *pieces = newBlock(), *elements = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, copy.inPieces, pieces, elements);
  for (auto [block, inPieces] : {std::pair(pieces, true), std::pair(elements, false)}) {
    b.setInsertionPointToEnd(block);
    LLVM::BrOp::create(b, loadBatch(copy, from, left, inPieces), after);
  }
  Type word = copy.elementBytes() == 2 ? Type(b.getI32Type()) : Type(b.getF32Type());
  for (int64_t i = 0; i < copy.rows * copy.panels * copy.wordCount(); ++i)
    after->addArgument(word, b.getLoc());
  b.setInsertionPointToEnd(after);
  return Registers(after->getArguments());
}

void Emitter::storeBatch(const ThreadCopy &copy, Value to, ArrayRef<Value> words) {
  for (int64_t i = 0; !words.empty(); ++i, words = words.drop_front(copy.wordCount()))
    storePiece(copy, to,
               i / copy.panels * copy.rowsAtOnce * copy.layout.getSwizzle() +
                   i % copy.panels * copy.panelBytes(),
               words.take_front(copy.wordCount()));
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// Sets where a thread reads: `row` and `piece` are its first ones in the tile.
void Emitter::findSource(ThreadCopy &copy, pipe::ProduceOp op, Value row, Value piece) {
  ViewType view = op.getView().getType();
  auto [rowAxis, rowTile] = tiledAxis(view, op.getIndices(), 0);
  auto [colAxis, colTile] = tiledAxis(view, op.getIndices(), 1);
  int64_t bytes = copy.elementBytes();
  std::optional<int64_t> extent = kernel.getStaticExtent(view.getDim(colAxis));
  if (!colTile && extent && *extent % pieceColumns == 0)
    copy.wholeColumns = extent;
  Type i64 = b.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, i64, value);
  };
  auto wide = [&](Value value) { return arith::ExtUIOp::create(b, i64, value).getResult(); };
  auto times = [&](Value x, Value y) { return arith::MulIOp::create(b, x, y).getResult(); };
  auto sum = [&](Value x, Value y) { return arith::AddIOp::create(b, x, y).getResult(); };

  Value rowBytes = times(strideOf(op.getView(), rowAxis), constant(bytes));
  copy.rowStep = times(rowBytes, constant(copy.rowsAtOnce));
  unsigned parameter = pointerParameter.lookup(getViewArgument(op.getView()).getArgNumber());
  Value begin = sum(function.getArgument(parameter), viewOffset(op.getView(), op.getIndices()));
  copy.address = sum(begin, times(rowBytes, wide(row)));
  if (hasAllStrides(op.getView())) {
    copy.columnStep = times(strideOf(op.getView(), colAxis), constant(bytes));
    copy.address = sum(copy.address, times(wide(mul(piece, pieceColumns)), copy.columnStep));
  } else {
    copy.address = sum(copy.address, wide(mul(piece, pieceColumns * bytes)));
  }
  if (copy.columnStep && copy.wholeColumns) {
    auto equals = [&](Value x, int64_t y) {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, constant(y)).getResult();
    };
    Value low = arith::AndIOp::create(b, arith::OrIOp::create(b, begin, rowBytes),
                                      constant(pieceColumns * bytes - 1));
    copy.inPieces = arith::AndIOp::create(b, equals(copy.columnStep, bytes), equals(low, 0));
  }

  copy.rowsLeft = endOf(op.getView(), rowAxis);
  copy.columnsLeft = endOf(op.getView(), colAxis);
  if (rowTile)
    copy.rowsLeft = sub(copy.rowsLeft, mul(get(rowTile), copy.tile.getDimSize(0)));
  if (colTile)
    copy.columnsLeft = sub(copy.columnsLeft, mul(get(colTile), copy.tile.getDimSize(1)));
  copy.rowsLeft = sub(copy.rowsLeft, row);
  copy.columnsLeft = sub(copy.columnsLeft, mul(piece, pieceColumns));
}

Emitter::ThreadCopy Emitter::beginCopy(pipe::ProduceOp op) {
  ThreadCopy copy;
  copy.tile = cast<pipe::RingType>(op.getRing().getType()).getTile();
  copy.layout = cast<SharedAttr>(copy.tile.getEncoding());
  copy.panels = copy.layout.countPanels(copy.tile);
  copy.panelColumns = copy.layout.getPanelColumns(copy.tile.getElementType());
  int64_t pieces = copy.panelColumns / pieceColumns;
  copy.rowsAtOnce = copyThreads / pieces;
  copy.rows = batchOf(copy.tile.getDimSize(0) / copy.rowsAtOnce, copy.panels,
                      kernel.getSchedule()->getProducerRegisters());
  // Read anew, so that what follows from it is not kept in registers from tile to tile.
  Value place = assembly("mov.u32 $0, %tid.x;", "=r", b.getI32Type(), {}).front();
  Value row = shiftRight(place, llvm::Log2_64(pieces)), piece = mask(place, pieces - 1);
  findSource(copy, op, row, piece);

  copy.slot = slotOf(op.getRing(), op.getUse());
  bool isChunk = copy.storedBytes() == 16; // else half a one
  Value chunk = arith::XOrIOp::create(b, isChunk ? piece : shiftRight(piece, 1),
                                      isChunk ? mask(row, 7) : row);
  Value inTile = add(mul(row, copy.layout.getSwizzle()), mul(chunk, 16));
  if (!isChunk)
    inTile = add(inTile, mul(mask(piece, 1), copy.storedBytes()));
  copy.target = add(copy.slot.address, inTile);
  return copy;
}

// The first batch is read before the wait for the slot: its latency is that of the consumers, who
// work on the slots before.
LogicalResult Emitter::emitThreadProduce(pipe::ProduceOp op) {
  RankedTensorType tile = cast<pipe::RingType>(op.getRing().getType()).getTile();
  auto layout = cast<SharedAttr>(tile.getEncoding());
  int64_t rowsAtOnce = copyThreads * pieceColumns / layout.getPanelColumns(tile.getElementType());
  if (tile.getDimSize(0) % rowsAtOnce != 0)
    return op.emitOpError() << "has a tile " << tile << ": expected a multiple of " << rowsAtOnce
                            << " rows";
  ThreadCopy copy = beginCopy(op);
  int64_t batchRows = copy.rows * copy.rowsAtOnce, batches = tile.getDimSize(0) / batchRows;
  Registers first = loadBatch(copy, copy.address, copy.rowsLeft);
  waitBarrier(copy.slot.empty, arith::XOrIOp::create(b, copy.slot.phase, i32(1)));
  storeBatch(copy, copy.target, first);
  if (batches > 1) {
    OpBuilder::InsertPoint here = b.saveInsertionPoint();
    Block *body = newBlock(), *after = newBlock();
    b.restoreInsertionPoint(here);
    Value batchBytes = arith::MulIOp::create(
        b, copy.rowStep, arith::ConstantIntOp::create(b, b.getI64Type(), copy.rows));
    auto following = [&](Value number, Value from, Value left, Value to) {
      return SmallVector<Value>{add(number, 1), arith::AddIOp::create(b, from, batchBytes),
                                sub(left, i32(batchRows)),
                                add(to, batchRows * copy.layout.getSwizzle())};
    };
    SmallVector<Value> entry = following(i32(0), copy.address, copy.rowsLeft, copy.target);
    LLVM::BrOp::create(b, entry, body);
    for (Value value : entry)
      body->addArgument(value.getType(), b.getLoc());
    b.setInsertionPointToEnd(body);
    auto field = [&](unsigned i) { return body->getArgument(i); };
    storeBatch(copy, field(3), loadBatch(copy, field(1), field(2)));
    SmallVector<Value> again = following(field(0), field(1), field(2), field(3));
    LLVM::CondBrOp::create(b, less(again[0], i32(batches)), body, again, after, ValueRange());
    b.setInsertionPointToEnd(after);
  }
  // Dots read through the async proxy. One lane arrives for its warp, after the others have
  // written.
  assembly("fence.proxy.async.shared::cta;", "", {});
  assembly("bar.warp.sync -1;", "", {});
  arrive(copy.slot.full);
  return success();
}
