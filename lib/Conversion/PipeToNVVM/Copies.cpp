//===- Copies.cpp - between global memory, rings and registers ------------===//
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

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

Emitter::Slot Emitter::slotAt(pipe::RingOp ring, Value index, Value phase) {
  int64_t stages = ring.getType().getStages(), bytes = ring.getType().getSlotBytes();
  Value full = add(add(shared, *ring.getBarriers()), mul(index, 8));
  Value first = add(shared, *ring.getOffset());
  return {index,
          phase,
          full,
          add(full, 8 * stages),
          add(first, mul(index, bytes)),
          add(lowWord(first), mul(index, bytes >> 4))};
}

Emitter::Slot Emitter::slotOf(Value ringValue, Value use) {
  auto found = carriedSlots.find({ringValue, use});
  if (found != carriedSlots.end())
    return found->second;
  return slotOfNumber(ringValue.getDefiningOp<pipe::RingOp>(), get(use));
}

Emitter::Slot Emitter::slotOfNumber(pipe::RingOp ring, Value number) {
  int64_t stages = ring.getType().getStages();
  if (stages == 1)
    return slotAt(ring, i32(0), mask(number, 1));
  Value round = divide(number, i32(stages));
  return slotAt(ring, sub(number, mul(round, stages)), mask(round, 1));
}

/// By how much \p value, a scalar of the body of \p loop, grows with each step; nullopt where that
/// is not known to be a constant.
static std::optional<int64_t> growthOf(ForTilesOp loop, Value value) {
  if (value == loop.getTileIndex())
    return loop.getDescending() ? -1 : 1;
  if (value.getParentBlock() != &loop.getBlock())
    return 0;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<TileNumberOp>(op))
    return growthOf(loop, op->getOperand(0));
  if (isa_and_nonnull<arith::ConstantOp>(op))
    return 0;
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<int64_t> a = growthOf(loop, op->getOperand(0)),
                         c = growthOf(loop, op->getOperand(1));
  if (!a || !c)
    return std::nullopt;
  return isa<arith::AddIOp>(op) ? *a + *c : *a - *c;
}

/// What of a loop's body uses the slots of a ring one after another.
static SmallVector<pipe::ConsumeOp> findCarriedSlots(ForTilesOp loop) {
  return llvm::to_vector(
      llvm::make_filter_range(loop.getBlock().getOps<pipe::ConsumeOp>(),
                              [&](auto consume) { return growthOf(loop, consume.getUse()) == 1; }));
}

/// Emits what \p value is computed from in the loop's body.
LogicalResult Emitter::emitChain(ForTilesOp loop, Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &loop.getBlock())
    return success();
  for (Value operand : op->getOperands())
    if (failed(emitChain(loop, operand)))
      return failure();
  return emitOp(op);
}

// A step would begin with the long way from the loop's index to a barrier and a descriptor; so the
// loop carries the number of each slot and its phase.
FailureOr<Registers> Emitter::firstSlots(ForTilesOp loop, Value tile) {
  Registers fields;
  for (pipe::ConsumeOp consume : findCarriedSlots(loop)) {
    carriedSlots.erase({consume.getRing(), consume.getUse()});
    scalars.map(loop.getTileIndex(), tile);
    if (failed(emitChain(loop, consume.getUse())))
      return failure();
    Slot slot = slotOf(consume.getRing(), consume.getUse());
    llvm::append_range(fields, ArrayRef{slot.index, slot.phase});
  }
  return fields;
}

Registers Emitter::bindSlots(ForTilesOp loop, ArrayRef<Value> fields) {
  Registers following;
  for (pipe::ConsumeOp consume : findCarriedSlots(loop)) {
    auto ring = consume.getRing().getDefiningOp<pipe::RingOp>();
    Value index = fields[0], phase = fields[1], last = equal(index, ring.getType().getStages() - 1);
    carriedSlots[{consume.getRing(), consume.getUse()}] = slotAt(ring, index, phase);
    following.push_back(select(last, i32(0), add(index, 1)));
    following.push_back(
        arith::XOrIOp::create(b, phase, arith::ExtUIOp::create(b, b.getI32Type(), last)));
    fields = fields.drop_front(2);
  }
  return following;
}

void Emitter::waitBarrier(Value barrier, Value phase) {
  assembly("{\n.reg .pred done;\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [$0], "
           "$1;\n@done bra DONE;\nbra WAIT;\nDONE:\n}",
           "r,r", {barrier, phase});
}

// Of a sequence, row i of `length` is fetched at (most - length + i, begin + length) along two
// dimensions of the map, which both step from row to row: from `most` on, where the sequence ends,
// the first is outside the map. What is summed up to is begin + i, `most` rows behind the map's
// address.
Registers Emitter::coordinatesOf(pipe::ProduceOp op, RankedTensorType tile) {
  Registers coordinates;
  ViewType view = op.getView().getType();
  auto sequence = op.getView().getDefiningOp<SequenceOp>();
  unsigned next = 0;
  for (int64_t i = 0; i < view.getRank(); ++i) {
    if (i >= static_cast<int64_t>(op.getIndices().size())) {
      coordinates.push_back(i32(0));
      ++next;
      continue;
    }
    Value index = op.getIndices()[i];
    bool tiled = isa<TileIndexType>(index.getType());
    Value first = tiled ? mul(get(index), tile.getDimSize(next++)) : get(index);
    if (sequence && sequence.getAxis() == i) {
      Value length = get(sequence.getLength()), begin = sequence.getBegin();
      coordinates.push_back(begin ? add(get(begin), length) : length);
      first = add(first, sub(mostRows(sequence), length));
    }
    coordinates.push_back(first);
  }
  std::reverse(coordinates.begin(), coordinates.end());
  return coordinates;
}

/// Whether a copy has a row of its sequence; null where it always has: a loop runs for no other.
Value Emitter::hasRows(pipe::ProduceOp op, RankedTensorType tile) {
  auto sequence = op.getView().getDefiningOp<SequenceOp>();
  if (!sequence || isa<ForTilesOp>(op->getParentOp()) ||
      sequence.getAxis() >= op.getIndices().size())
    return nullptr;
  Value index = op.getIndices()[sequence.getAxis()];
  int64_t rows = isa<TileIndexType>(index.getType()) ? tile.getDimSize(0) : 1;
  return less(mul(get(index), rows), get(sequence.getLength()));
}

void Emitter::emitCopies(pipe::ProduceOp op) {
  RankedTensorType tile = cast<pipe::RingType>(op.getRing().getType()).getTile();
  Slot slot = slotOf(op.getRing(), op.getUse());
  waitBarrier(slot.empty, arith::XOrIOp::create(b, slot.phase, i32(1)));
  Value has = hasRows(op, tile);
  if (!has)
    return emitCopies(op, tile, slot);
  emitIf(has, [&] { emitCopies(op, tile, slot); });
  emitIf(isNot(has), [&] { emitZeros(slot, op.getRing().getType().getSlotBytes()); });
}

// An H200 reads the map's address for a box that is wholly outside the tensor, and behind the rows
// of a sequence nothing need be there.
void Emitter::emitZeros(const Slot &slot, int64_t bytes) {
  assembly("{\n.reg .pred more;\n.reg .b32 at, left, zero;\nmov.b32 at, $0;\nmov.b32 left, " +
               std::to_string(bytes) +
               ";\nmov.b32 zero, 0;\nZERO: st.shared.v4.b32 [at], {zero, zero, zero, zero};\n"
               "add.u32 at, at, 16;\nsub.u32 left, left, 16;\nsetp.ne.u32 more, left, 0;\n"
               "@more bra ZERO;\nfence.proxy.async.shared::cta;\n"
               "mbarrier.arrive.shared::cta.b64 _, [$1];\n}",
           "r,r", {}, {slot.address, slot.full});
}

// One copy for each panel; the barrier is full once the bytes of all have arrived, those outside
// the tensor included.
void Emitter::emitCopies(pipe::ProduceOp op, RankedTensorType tile, const Slot &slot) {
  int64_t bytes = op.getRing().getType().getSlotBytes();
  assembly("mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], " + std::to_string(bytes) + ";", "r",
           slot.full);

  Registers coordinates = coordinatesOf(op, tile);
  int64_t width = boxOf(op).back();
  int64_t panels = cast<SharedAttr>(tile.getEncoding()).countPanels(tile);
  int64_t panelBytes = bytes / panels;
  std::string text = "cp.async.bulk.tensor." + std::to_string(coordinates.size()) +
                     "d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {";
  std::string constraints = "r,l";
  for (size_t i = 0; i < coordinates.size(); ++i) {
    text += (i ? ", $" : "$") + std::to_string(i + 2);
    constraints += ",r";
  }
  text += "}], [$" + std::to_string(coordinates.size() + 2) + "];";
  constraints += ",r";
  Value innermost = coordinates.front();
  for (int64_t panel = 0; panel < panels; ++panel) {
    coordinates.front() = add(innermost, panel * width);
    SmallVector<Value> operands{add(slot.address, panel * panelBytes), mapOf(op)};
    llvm::append_range(operands, coordinates);
    operands.push_back(slot.full);
    assembly(text, constraints, operands);
  }
}

LogicalResult Emitter::emitProduce(pipe::ProduceOp op) {
  if (isByThreads(op))
    return emitThreadProduce(op);
  if (producerThreads > 1)
    emitIf(equal(thread, 0), [&] { emitCopies(op); });
  else
    emitCopies(op);
  return success();
}

void Emitter::passSlots(pipe::RingOp ring, Value from, Value to) {
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, from, header);
  Value number = header->addArgument(b.getI32Type(), b.getLoc());
  b.setInsertionPointToEnd(header);
  LLVM::CondBrOp::create(b, less(number, to), body, after);
  b.setInsertionPointToEnd(body);
  Slot slot = slotOfNumber(ring, number);
  waitBarrier(slot.full, slot.phase);
  release(slot);
  LLVM::BrOp::create(b, add(number, 1), header);
  b.setInsertionPointToEnd(after);
}

void Emitter::emitConsume(pipe::ConsumeOp op) {
  if (op.getPast())
    passSlots(op.getRing().getDefiningOp<pipe::RingOp>(), sub(get(op.getUse()), get(op.getPast())),
              get(op.getUse()));
  Slot slot = slotOf(op.getRing(), op.getUse());
  waitBarrier(slot.full, slot.phase);
  addresses[op.getResult()] = slot.address;
  lowWords[op.getResult()] = slot.low;
}

void Emitter::emitRelease(pipe::ReleaseOp op) { release(slotOf(op.getRing(), op.getUse())); }

void Emitter::release(const Slot &slot) { arrive(slot.empty); }

void Emitter::arrive(Value barrier) {
  assembly("{\n.reg .pred first;\nsetp.eq.u32 first, $1, 0;\n@first "
           "mbarrier.arrive.shared::cta.b64 _, [$0];\n}",
           "r,r", {barrier, lane});
}

// A lane reads its pairs of neighbouring columns where the swizzle put them (see #trident.shared).
void Emitter::emitSharedRead(ConvertLayoutOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8, rows = type.getDimSize(0);
  int64_t swizzle =
      cast<SharedAttr>(cast<RankedTensorType>(op.getOperand().getType()).getEncoding())
          .getSwizzle();
  Value base = addresses.lookup(op.getOperand());
  Value rowLow = shiftRight(lane, 2); // the row modulo 8: all other parts of it are multiples of 8
  Registers result;
  for (int64_t block = 0; block < rowBlocks(type); ++block) {
    Value half[2];
    for (int64_t i : {0, 1})
      half[i] = add(base, mul(rowInTile(type, block, i), swizzle));
    for (int64_t group = 0; group < type.getDimSize(1) / 8; ++group)
      for (int64_t i : {0, 1}) {
        int64_t column = group * 8 * bytes; // in bytes, of lane 0 of the quad
        int64_t panel = column / swizzle, chunk = column % swizzle / 16;
        Value inChunk = mul(quadLane, 2 * bytes), swizzled;
        if (bytes == 4) { // 8 columns are two chunks
          swizzled = add(shiftRight(quadLane, 1), chunk);
          inChunk = mul(mask(quadLane, 1), 8);
        } else {
          swizzled = i32(chunk);
        }
        swizzled = arith::XOrIOp::create(b, swizzled, rowLow);
        Value address = add(add(half[i], mul(swizzled, 16)), add(inChunk, panel * rows * swizzle));
        if (bytes == 4)
          llvm::append_range(result, assembly("ld.shared.v2.f32 {$0, $1}, [$2];", "=f,=f,r",
                                              {b.getF32Type(), b.getF32Type()}, address));
        else
          llvm::append_range(result,
                             assembly("ld.shared.b32 $0, [$1];", "=r,r", b.getI32Type(), address));
      }
    // Zeros up to the depth of an instruction, where an operand ends before it.
    result.resize((block + 1) * (countOf(type) / rowBlocks(type)), i32(0));
  }
  // The copy engine writes the slot again once it is released: these reads come before that write
  // only with a fence between the two proxies. One lane releases for its warp, after the others
  // have read.
  assembly("fence.proxy.async.shared::cta;", "", {});
  assembly("bar.warp.sync -1;", "", {});
  tiles[op.getResult()] = std::move(result);
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

static Value wide(ImplicitLocOpBuilder &b, Value value) {
  return value.getType().isInteger(64)
             ? value
             : arith::ExtUIOp::create(b, b.getI64Type(), value).getResult();
}
static Value wideMul(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MulIOp::create(b, wide(b, x), wide(b, y));
}

bool Emitter::hasAllStrides(Value view) {
  return kernel.getSchedule()->takesAnyLayout() || isReadByElements(view);
}

Value Emitter::strideOf(Value view, unsigned axis) {
  if (static_cast<int64_t>(axis) + 1 == cast<ViewType>(view.getType()).getRank() &&
      !hasAllStrides(view))
    return arith::ConstantIntOp::create(b, b.getI64Type(), 1);
  return function.getArgument(pointerParameter.lookup(getViewArgument(view).getArgNumber()) + 1 +
                              axis);
}

Value Emitter::viewOffset(Value view, ValueRange indices) {
  auto type = cast<ViewType>(view.getType());
  auto sequence = view.getDefiningOp<SequenceOp>();
  Value offset = arith::ConstantIntOp::create(b, b.getI64Type(), 0);
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Value element = get(index);
    if (auto tile = dyn_cast<TileIndexType>(index.getType()))
      element = mul(element, *kernel.getTileExtent(tile.getDim().getValue()));
    if (sequence && sequence.getBegin() && sequence.getAxis() == axis)
      element = add(element, get(sequence.getBegin()));
    bool isAdjacent = static_cast<int64_t>(axis) + 1 == type.getRank() && !hasAllStrides(view);
    Value step = isAdjacent ? wide(b, element) : wideMul(b, element, strideOf(view, axis));
    offset = arith::AddIOp::create(b, offset, step);
  }
  int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  return wideMul(b, offset, arith::ConstantIntOp::create(b, b.getI64Type(), bytes));
}

void Emitter::emitStore(StoreOp op) {
  FreshPlace place(*this);
  BlockArgument view = getViewArgument(op.getView());
  Value pointer = function.getArgument(pointerParameter.lookup(view.getArgNumber()));
  Value base = arith::AddIOp::create(b, pointer, viewOffset(op.getView(), op.getIndices()));
  Value present;
  if (cast<ViewType>(view.getType()).getAccess() == Access::OptionalOut)
    present = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, pointer,
                                    arith::ConstantIntOp::create(b, b.getI64Type(), 0));
  if (cast<RankedTensorType>(op.getTile().getType()).getRank() == 2)
    store2D(op, base, present);
  else
    store1D(op, base, present);
}

std::pair<unsigned, Value> trident::tiledAxis(ViewType view, ValueRange indices, unsigned which) {
  for (unsigned axis = 0; axis < static_cast<unsigned>(view.getRank()); ++axis) {
    bool whole = axis >= indices.size();
    if (!whole && !isa<TileIndexType>(indices[axis].getType()))
      continue;
    if (which-- == 0)
      return {axis, whole ? Value() : indices[axis]};
  }
  llvm_unreachable("the verifier counts the dimensions of a tile");
}

// Stores are predicated, not branched around: a divergent branch would move loop state into
// per-lane registers.
void Emitter::storeRowWords(Value address, Value predicate, ArrayRef<Value> words, int64_t pitch,
                            unsigned vector) {
  Value flag = arith::ExtUIOp::create(b, b.getI32Type(), predicate);
  std::string text = "{\n.reg .pred p;\nsetp.ne.u32 p, $1, 0;\n", constraints = "l,r";
  SmallVector<Value> operands{address, flag};
  StringRef kind = words.front().getType().isF32() ? "f32" : "b32";
  for (unsigned i = 0; i < words.size(); i += vector) {
    text += "@p st.global." + (vector > 1 ? "v" + std::to_string(vector) + "." : std::string()) +
            kind.str() + " [$0+" + std::to_string(i / vector * pitch) + "], ";
    text += vector > 1 ? "{" : "";
    for (unsigned j = 0; j < vector; ++j)
      text += (j ? ", $" : "$") + std::to_string(i + j + 2);
    text += vector > 1 ? "};\n" : ";\n";
  }
  text += "}";
  for (Value word : words) {
    constraints += word.getType().isF32() ? ",f" : ",r";
    operands.push_back(word);
  }
  assembly(text, constraints, operands);
}

// A lane's elements of a row, two neighbours of every eight, in memory of any layout.
void Emitter::storeElements(Value start, Value inside, Value end, Value step,
                            ArrayRef<Value> words) {
  bool packed = words.front().getType().isInteger(32);
  auto wide = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  Value first = mul(quadLane, 2),
        address = arith::AddIOp::create(b, start, wideMul(b, first, step));
  Value ahead = wideMul(b, step, wide(7)); // from the second of a pair to the next one
  end = sub(select(inside, end, i32(0)), first);
  for (int64_t i = 0, count = words.size() * (packed ? 2 : 1); i < count; ++i) {
    Value word = packed ? i % 2 ? shiftRight(words[i / 2], 16) : words[i / 2] : words[i];
    std::string left =
        "{\n.reg .pred p;\nsetp.gt.s32 p, $1, " + std::to_string(i / 2 * 8 + i % 2) + ";\n";
    if (packed)
      assembly(left +
                   ".reg .b16 h, unused;\nmov.b32 {h, unused}, $2;\n@p st.global.b16 [$0], h;\n}",
               "l,r,r", {address, end, word});
    else
      assembly(left + "@p st.global.f32 [$0], $2;\n}", "l,r,f", {address, end, word});
    address = arith::AddIOp::create(b, address, i % 2 ? ahead : step);
  }
}

// A tile whose columns are taken whole is stored in 16-byte pieces where it has 16-bit elements:
// the four lanes of a quad exchange words so that each holds 8 of 32 neighbouring columns; of fewer
// columns at the end the first lanes hold all. Tiled columns may end anywhere, so each element has
// its predicate.
void Emitter::store2D(StoreOp op, Value base, Value present) {
  auto type = cast<RankedTensorType>(op.getTile().getType());
  ViewType view = op.getView().getType();
  auto [rowAxis, rowTile] = tiledAxis(view, op.getIndices(), 0);
  auto [colAxis, colTile] = tiledAxis(view, op.getIndices(), 1);
  Value rowStride = strideOf(op.getView(), rowAxis);
  int64_t bytes = type.getElementTypeBitWidth() / 8, cols = type.getDimSize(1);
  Registers &registers = registersOf(op.getTile());
  unsigned perRow = registers.size() / (2 * rowBlocks(type));
  Value bit0 = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, mask(quadLane, 1), i32(0));
  Value bit1 = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, mask(quadLane, 2), i32(0));
  auto exchange = [&](Value value, int64_t distance) {
    return intrinsic("llvm.nvvm.shfl.sync.bfly.i32", b.getI32Type(),
                     {i32(-1), value, i32(distance), i32(31)});
  };
  for (int64_t row = 0; row < 2 * rowBlocks(type); ++row) {
    Value inTile = rowInTile(type, row / 2, row % 2);
    Value inView = rowTile ? add(mul(get(rowTile), type.getDimSize(0)), inTile) : inTile;
    Value inside = less(inView, endOf(op.getView(), rowAxis));
    if (present)
      inside = arith::AndIOp::create(b, inside, present);
    Value start =
        arith::AddIOp::create(b, base,
                              wideMul(b, wideMul(b, inTile, rowStride),
                                      arith::ConstantIntOp::create(b, b.getI64Type(), bytes)));
    SmallVector<Value> words; // of this row: packed pairs, or f32 values
    unsigned step = bytes == 2 ? 1 : 2, offset = row / 2 * 2 * perRow;
    for (unsigned i = 0; i < perRow; i += step)
      for (unsigned j = 0; j < step; ++j)
        words.push_back(registers[offset + 2 * i + row % 2 * step + j]);

    if (hasAllStrides(op.getView())) {
      Value end = colTile ? sub(endOf(op.getView(), colAxis), mul(get(colTile), cols)) : i32(cols);
      Value step = wideMul(b, strideOf(op.getView(), colAxis),
                           arith::ConstantIntOp::create(b, b.getI64Type(), bytes));
      storeElements(start, inside, end, step, words);
      continue;
    }
    if (!colTile && bytes == 2) {
      unsigned whole = words.size() / 4 * 4, pieces = words.size() % 4;
      if (pieces)
        words.resize(whole + 4, i32(0));
      for (unsigned g = 0; g < words.size(); g += 4) {
        Value *w = &words[g];
        for (auto [bit, distance, pairs] : {std::tuple(bit0, 1, std::array{0, 1, 2, 3}),
                                            std::tuple(bit1, 2, std::array{0, 2, 1, 3})})
          for (int p : {0, 2}) {
            int x = pairs[p], y = pairs[p + 1];
            Value sent = exchange(select(bit, w[x], w[y]), distance);
            w[x] = select(bit, sent, w[x]);
            w[y] = select(bit, w[y], sent);
          }
      }
      Value address = arith::AddIOp::create(b, start, wide(b, mul(quadLane, 16)));
      auto all = ArrayRef<Value>(words);
      if (whole)
        storeRowWords(address, inside, all.take_front(whole), /*pitch=*/64, /*vector=*/4);
      if (pieces) {
        Value rest = arith::AddIOp::create(
            b, address, arith::ConstantIntOp::create(b, b.getI64Type(), 16 * whole));
        storeRowWords(rest, arith::AndIOp::create(b, inside, less(quadLane, i32(pieces))),
                      all.drop_front(whole), /*pitch=*/64, /*vector=*/4);
      }
      continue;
    }
    Value address = arith::AddIOp::create(b, start, wide(b, mul(quadLane, 2 * bytes)));
    if (!colTile) {
      storeRowWords(address, inside, words, /*pitch=*/8 * bytes, /*vector=*/2);
      continue;
    }
    Value end = sub(sub(endOf(op.getView(), colAxis), mul(get(colTile), cols)), mul(quadLane, 2));
    for (auto [i, word] : llvm::enumerate(words)) {
      for (int64_t half = 0; half < (bytes == 2 ? 2 : 1); ++half) {
        int64_t column = bytes == 2 ? static_cast<int64_t>(i) * 8 + half
                                    : static_cast<int64_t>(i) / 2 * 8 + i % 2;
        Value visible = arith::AndIOp::create(b, inside, less(i32(column), end));
        Value flag = arith::ExtUIOp::create(b, b.getI32Type(), visible);
        Value value = word;
        if (bytes == 2)
          value = half ? shiftRight(word, 16) : word;
        std::string at = std::to_string(column * bytes);
        if (bytes == 2)
          assembly("{\n.reg .pred p;\n.reg .b16 h, unused;\nsetp.ne.u32 p, $1, 0;\nmov.b32 {h, "
                   "unused}, $2;\n@p st.global.b16 [$0+" +
                       at + "], h;\n}",
                   "l,r,r", {address, flag, value});
        else
          assembly("{\n.reg .pred p;\nsetp.ne.u32 p, $1, 0;\n@p st.global.f32 [$0+" + at +
                       "], $2;\n}",
                   "l,r,f", {address, flag, value});
      }
    }
  }
}

// One lane of each quad stores the row's value.
void Emitter::store1D(StoreOp op, Value base, Value present) {
  auto type = cast<RankedTensorType>(op.getTile().getType());
  ViewType view = op.getView().getType();
  auto [axis, tile] = tiledAxis(view, op.getIndices(), 0);
  bool isAdjacent =
      static_cast<int64_t>(axis) + 1 == view.getRank() && !hasAllStrides(op.getView());
  for (auto [row, value] : llvm::enumerate(registersOf(op.getTile()))) {
    Value inTile = rowInTile(type, row / 2, row % 2);
    Value inView = tile ? add(mul(get(tile), type.getDimSize(0)), inTile) : inTile;
    Value inside =
        arith::AndIOp::create(b, less(inView, endOf(op.getView(), axis)), equal(quadLane, 0));
    if (present)
      inside = arith::AndIOp::create(b, inside, present);
    Value offset = isAdjacent ? wide(b, inTile) : wideMul(b, inTile, strideOf(op.getView(), axis));
    Value address = arith::AddIOp::create(
        b, base, wideMul(b, offset, arith::ConstantIntOp::create(b, b.getI64Type(), 4)));
    storeRowWords(address, inside, value, /*pitch=*/4, /*vector=*/1);
  }
}

// One value a row, read by the lanes that own it; 0 outside the view.
void Emitter::emitRowLoad(LoadOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  ViewType viewType = op.getView().getType();
  auto [axis, tile] = tiledAxis(viewType, op.getIndices(), 0);
  bool isAdjacent =
      static_cast<int64_t>(axis) + 1 == viewType.getRank() && !hasAllStrides(op.getView());
  unsigned parameter = pointerParameter.lookup(getViewArgument(op.getView()).getArgNumber());
  Value base = arith::AddIOp::create(b, function.getArgument(parameter),
                                     viewOffset(op.getView(), op.getIndices()));
  Registers result;
  for (unsigned row = 0; row < countOf(type); ++row) {
    Value inTile = rowInTile(type, row / 2, row % 2);
    Value inView = tile ? add(mul(get(tile), type.getDimSize(0)), inTile) : inTile;
    Value flag = arith::ExtUIOp::create(b, b.getI32Type(), less(inView, endOf(op.getView(), axis)));
    Value offset = isAdjacent ? wide(b, inTile) : wideMul(b, inTile, strideOf(op.getView(), axis));
    Value address = arith::AddIOp::create(
        b, base, wideMul(b, offset, arith::ConstantIntOp::create(b, b.getI64Type(), 4)));
    llvm::append_range(result, assembly("{\n.reg .pred p;\nsetp.ne.u32 p, $2, 0;\nmov.f32 $0, "
                                        "0f00000000;\n@p ld.global.f32 $0, "
                                        "[$1];\n}",
                                        "=&f,l,r", b.getF32Type(), {address, flag}));
  }
  tiles[op.getResult()] = std::move(result);
}
