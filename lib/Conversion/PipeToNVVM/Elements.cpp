//===- Elements.cpp - elements of global memory: one, tiles of them, searches ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Analysis/TileExtents.h"
#include <limits>

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

Value Emitter::endOfElements(Value view, unsigned axis) {
  auto type = cast<ViewType>(view.getType());
  return add(extent(type.getDims()[axis]), type.getExtra(axis));
}

Emitter::ElementPlace Emitter::placeOf(BlockArgument view, ValueRange indices, unsigned checked) {
  auto type = cast<ViewType>(view.getType());
  unsigned parameter = pointerParameter.lookup(view.getArgNumber());
  Type i64 = b.getI64Type();
  Value bytes = arith::ConstantIntOp::create(
      b, i64, llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8));
  // Outermost first, so that elements of a row share what comes before the column.
  ElementPlace place{function.getArgument(parameter), Value(), bytes};
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Value element = get(index);
    StringAttr dim = type.getDims()[axis];
    if (axis < checked && !isInside(index, dim)) { // As unsigned numbers negative ones are large.
      Value below =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, element, endOfElements(view, axis));
      place.inside =
          place.inside ? arith::AndIOp::create(b, place.inside, below).getResult() : below;
    }
    place.step = bytes;
    if (static_cast<int64_t>(axis) + 1 < type.getRank() || hasAllStrides(view))
      place.step = arith::MulIOp::create(b, function.getArgument(parameter + 1 + axis), bytes);
    // The last coordinate of the first column may be negative where no element is checked.
    Value wide = axis < checked ? arith::ExtUIOp::create(b, i64, element).getResult()
                                : arith::ExtSIOp::create(b, i64, element).getResult();
    place.address =
        arith::AddIOp::create(b, place.address, arith::MulIOp::create(b, wide, place.step));
  }
  return place;
}

// Reads are predicated, not branched around, and without side effects: no view that is read is
// written in the kernel. An element outside the view is not read, wherever its address would be.
Value Emitter::readElement(Type type, Value address, Value inside) {
  bool isFloat = isa<FloatType>(type);
  auto [declaration, read, conversion] = spellRead(type);
  std::string text = "{\n" + declaration.str();
  if (inside && declaration.empty())
    text += "mov.b32 $0, 0;\n";
  text += (inside ? "@$2 " : "") + read.str() + ", [$1];\n" + conversion.str() + "}";
  SmallVector<Value> operands{address};
  if (inside)
    operands.push_back(inside);
  return pureAssembly(text, std::string(isFloat ? "=&f" : "=&r") + (inside ? ",l,b" : ",l"),
                      isFloat ? Type(b.getF32Type()) : Type(b.getI32Type()), operands);
}

void Emitter::emitElement(ElementOp op) {
  Type elementType = op.getView().getType().getElementType();
  ElementPlace place =
      placeOf(cast<BlockArgument>(op.getView()), op.getIndices(), op.getIndices().size());
  Value value = readElement(elementType, place.address, place.inside);
  if (elementType.isInteger(1))
    value = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, i32(0));
  scalars.map(op.getResult(), value);
}

/// Whether all that a lane reads lies in the view, at addresses where two neighbours are one read;
/// the same for the warp.
Value Emitter::isReadInPairs(const ElementRows &rows) {
  Type i64 = b.getI64Type();
  auto both = [&](Value a, Value c) {
    return a && c ? arith::AndIOp::create(b, a, c).getResult() : a ? a : c;
  };
  int64_t bytes = rows.type.getElementTypeBitWidth() / 8;
  auto wide = [&](int64_t value) -> Value { return arith::ConstantIntOp::create(b, i64, value); };
  Value fits =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rows.places.front().step, wide(bytes));
  Value addresses;
  for (auto [place, first] : llvm::zip(rows.places, rows.firsts)) {
    fits = both(fits, place.inside);
    fits = both(fits, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, first, i32(0)));
    fits = both(fits, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, first,
                                            sub(rows.end, i32(rows.span()))));
    addresses =
        addresses ? arith::OrIOp::create(b, addresses, place.address).getResult() : place.address;
  }
  Value low = mask(arith::TruncIOp::create(b, b.getI32Type(), addresses), 2 * bytes - 1);
  fits = both(fits, equal(low, 0));
  Value no = arith::XOrIOp::create(b, fits, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  return equal(arith::ExtUIOp::create(b, b.getI32Type(), voteAny(no)), 0);
}

void Emitter::readPairs(const ElementRows &rows, function_ref<void(Value)> take) {
  unsigned count = countOf(rows.type) * rows.perRegister();
  unsigned perBlock = count / rowBlocks(rows.type);
  for (unsigned i = 0; i < count; i += 2) {
    unsigned within = i % perBlock, col = within / 4 * 8;
    Value address = rows.places[i / perBlock * 2 + (i >> 1 & 1)].address;
    std::string at = "+" + std::to_string(col * rows.type.getElementTypeBitWidth() / 8) + "];";
    if (rows.perRegister() == 2) {
      take(pureAssembly("ld.global.b32 $0, [$1" + at, "=r,l", b.getI32Type(), address));
      continue;
    }
    Type pair = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getF32Type(), b.getF32Type()});
    Value both = pureAssembly("ld.global.v2.f32 {$0, $1}, [$2" + at, "=f,=f,l", pair, address);
    for (unsigned k : {0u, 1u})
      take(LLVM::ExtractValueOp::create(b, both, k));
  }
}

// One piece of assembly a register, with its addresses and comparisons: what LLVM finds in common
// between them would be kept in registers for all.
void Emitter::readSingly(const ElementRows &rows, function_ref<void(Value)> take) {
  unsigned pairs = rows.perRegister();
  unsigned count = countOf(rows.type) * pairs, perBlock = count / rowBlocks(rows.type);
  SmallVector<Value> ends;
  for (const ElementPlace &place : rows.places)
    ends.push_back(place.inside ? select(place.inside, rows.end, i32(0)) : rows.end);
  std::string text = "{\n.reg .pred is;\n.reg .b32 at;\n.reg .b64 where;\n";
  if (pairs == 2)
    text += ".reg .b16 low, high;\n";
  for (StringRef name : {"low", "high"}) {
    std::string to = pairs == 2 ? name.str() : "$0";
    text += "mov.b" + std::string(pairs == 2 ? "16 " : "32 ") + to + ", 0;\n";
    text += name == "low" ? "add.s32 at, $3, $5;\nmad.lo.s64 where, $2, $6, $1;\n"
                          : "add.s32 at, at, 1;\nadd.s64 where, where, $2;\n";
    text += "setp.lt.u32 is, at, $4;\n@is ld.global.b" + std::string(pairs == 2 ? "16 " : "32 ") +
            to + ", [where];\n";
    if (pairs == 1)
      break;
  }
  text += pairs == 2 ? "mov.b32 $0, {low, high};\n}" : "}";
  for (unsigned i = 0; i < count; i += pairs) {
    unsigned within = i % perBlock, col = within / 4 * 8 + within % 2,
             row = i / perBlock * 2 + (i >> 1 & 1);
    const ElementPlace &place = rows.places[row];
    Value wide = arith::ConstantIntOp::create(b, b.getI64Type(), col);
    take(pureAssembly(text, pairs == 2 ? "=&r,l,l,r,r,n,n" : "=&f,l,l,r,r,n,n",
                      registerTypeOf(rows.type),
                      {place.address, place.step, rows.firsts[row], ends[row], i32(col), wide}));
  }
}

/// Where this lane's rows of a tile are, whose coordinates a region yields.
Emitter::ElementRows Emitter::findRows(Value viewValue, RankedTensorType tile, Value rowTile,
                                       Value colTile, Region &coordinates) {
  Block &body = coordinates.front();
  ValueRange indices = body.getTerminator()->getOperands();
  auto view = cast<BlockArgument>(viewValue);
  ElementRows rows{tile, Value(), {}, {}};
  Value rowBase = rowTile ? mul(get(rowTile), tile.getDimSize(0)) : i32(0);
  Value colBase = mul(quadLane, 2);
  if (colTile)
    colBase = add(colBase, mul(get(colTile), tile.getDimSize(1)));
  unsigned axis = indices.size() - 1;
  rows.end = endOfElements(view, axis);
  for (int64_t row = 0; row < 2 * rowBlocks(tile); ++row) {
    scalars.map(body.getArgument(0), add(rowBase, rowInTile(tile, row / 2, row % 2)));
    scalars.map(body.getArgument(1), colBase);
    for (Operation &inner : body.without_terminator())
      (void)emitOp(&inner);
    rows.places.push_back(placeOf(view, indices, axis));
    rows.firsts.push_back(get(indices.back()));
  }
  return rows;
}

// Most tiles lie inside the view, at even addresses; what does not is read one by one. Nothing is
// read outside.
void Emitter::emitElementTile(ElementTileOp op) {
  FreshPlace fresh(*this); // Addresses are not kept through the loop.
  RankedTensorType tile = op.getType();
  ElementRows rows = findRows(op.getView(), tile, op.getRowTile(), op.getColTile(), op.getBody());
  Value pairs = isReadInPairs(rows);
  Registers nothing(countOf(tile), LLVM::UndefOp::create(b, registerTypeOf(tile)));
  auto collect = [&](void (Emitter::*read)(const ElementRows &, function_ref<void(Value)>)) {
    return [this, &rows, read]() -> FailureOr<Registers> {
      Registers values;
      (this->*read)(rows, [&](Value value) { values.push_back(value); });
      return values;
    };
  };
  FailureOr<Registers> values = emitBranch(pairs, nothing, collect(&Emitter::readPairs));
  Value singly = equal(arith::ExtUIOp::create(b, b.getI32Type(), pairs), 0);
  tiles[op.getResult()] = *emitBranch(singly, *values, collect(&Emitter::readSingly));
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

/// Searches that are made together at most.
constexpr size_t mostTogether = 8;

/// True unless \p value only tells where segments of loops meet, which a role without masks does
/// not ask.
static bool isNeeded(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<ForTilesOp>(user)) {
      OperandRange bounds = loop.getBounds();
      unsigned first = bounds.getBeginOperandIndex(), number = use.getOperandNumber();
      return number <= first || number + 1 >= first + bounds.size();
    }
    return !isa<arith::ArithDialect>(user->getDialect()) ||
           llvm::any_of(user->getResults(), isNeeded);
  });
}

/// The ops of the block of \p op that \p value is computed from and that come after \p op; false
/// where a search is among them.
static bool collectSince(Value value, Operation *op, llvm::SetVector<Operation *> &slice) {
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op->getBlock() || definition->isBeforeInBlock(op))
    return true;
  if (isa<SearchOp>(definition) || definition->getNumRegions() != 0)
    return false;
  for (Value operand : definition->getOperands())
    if (!collectSince(operand, op, slice))
      return false;
  slice.insert(definition); // After its operands.
  return true;
}

/// \p first and what can be searched together with it. What those need is emitted.
SmallVector<SearchOp> Emitter::findSearches(SearchOp first) {
  SmallVector<SearchOp> together{first};
  for (Operation *op = first->getNextNode(); op && together.size() < mostTogether;
       op = op->getNextNode()) {
    auto search = dyn_cast<SearchOp>(op);
    llvm::SetVector<Operation *> slice;
    if (!search || search.getView() != first.getView() ||
        (inProducer && !isNeeded(search.getResult())) ||
        !llvm::all_of(search->getOperands(),
                      [&](Value operand) { return collectSince(operand, first, slice); }))
      continue;
    for (Operation *needed : slice)
      (void)emitOp(needed);
    together.push_back(search);
    searched.insert(search);
  }
  return together;
}

/// What one lane searches for: the lanes of a warp are divided among searches, and those of one
/// look at an element each.
struct Emitter::LaneSearch {
  unsigned lanes;      ///< of each search
  Value which, number; ///< the lane's search, and its own number among the lanes of it
  ElementPlace row;    ///< the first element along the last dimension
  /// Elements of at most `most` belong. Of a group of `step` the one at `offset` is looked at.
  Value most, among, step, offset;
  Value groups;
};

/// That of \p values, one for each search, that is the lane's.
Value Emitter::pick(Value which, ArrayRef<Value> values) {
  Value picked = values.back();
  if (!llvm::all_equal(values))
    for (size_t i = values.size() - 1; i-- > 0;)
      picked = select(equal(which, i), values[i], picked);
  return picked;
}

Value Emitter::pick(Value which, ArrayRef<int64_t> numbers) {
  if (llvm::all_equal(numbers))
    return i32(numbers.front());
  return pick(which, llvm::map_to_vector(numbers, [&](int64_t number) { return i32(number); }));
}

/// Where the elements are that \p ops look at.
Emitter::ElementPlace Emitter::searchedRow(Value which, ArrayRef<SearchOp> ops) {
  auto view = cast<BlockArgument>(ops.front()->getOperand(0));
  unsigned axes = cast<ViewType>(view.getType()).getRank() - 1;
  auto indices = [](SearchOp op) { return op.getIndices(); };
  Registers addresses, insides;
  for (auto [i, op] : llvm::enumerate(ops)) {
    bool isKnown = i > 0 && llvm::equal(indices(op), indices(ops[i - 1]));
    ElementPlace place = isKnown ? ElementPlace{addresses.back(), insides.back(), {}}
                                 : placeOf(view, indices(op), axes);
    addresses.push_back(place.address);
    insides.push_back(place.inside);
  }
  if (!llvm::all_equal(insides)) // whether there is something to check is the same for all
    for (Value &inside : insides)
      if (!inside)
        inside = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
  Type i64 = b.getI64Type();
  unsigned parameter = pointerParameter.lookup(view.getArgNumber());
  ElementPlace row;
  // One register from here on, not what LLVM would make it of in each round.
  row.address = pureAssembly("mov.b64 $0, $1;", "=l,l", i64, pick(which, addresses));
  row.inside = insides.front() ? pick(which, insides) : Value();
  row.step = arith::MulIOp::create(b, function.getArgument(parameter + 1 + axes),
                                   arith::ConstantIntOp::create(b, i64, 4));
  return row;
}

Emitter::LaneSearch Emitter::beginSearch(ArrayRef<SearchOp> ops) {
  LaneSearch search;
  search.lanes = 32 / llvm::PowerOf2Ceil(ops.size());
  search.number = mask(lane, search.lanes - 1);
  search.which = divide(lane, i32(search.lanes));
  search.row = searchedRow(search.which, ops);
  auto wide = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  SmallVector<Value> lasts, amongs;
  SmallVector<int64_t> steps, offsets;
  for (SearchOp op : ops) {
    Value last = get(op.getValue());
    lasts.push_back(op.getThrough() ? last : arith::AddIOp::create(b, last, wide(-1)));
    amongs.push_back(get(op.getAmong()));
    steps.push_back(op.getStep());
    offsets.push_back(op.getWhole() ? op.getStep() - 1 : 0);
  }
  search.among = pick(search.which, amongs);
  search.step = pick(search.which, steps);
  search.offset = pick(search.which, offsets);
  // The value in 32 bits, and no group where it is less than any number.
  Value last = pick(search.which, lasts), least = wide(std::numeric_limits<int32_t>::min());
  Value none = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, last, least);
  last = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, last, wide(std::numeric_limits<int32_t>::max())), least);
  search.most = pureAssembly("mov.b32 $0, $1;", "=r,r", b.getI32Type(),
                             arith::TruncIOp::create(b, b.getI32Type(), last).getResult());
  Value groups = divide(add(search.among, sub(search.step, i32(1))), search.step);
  search.groups = select(none, i32(0), groups);
  return search;
}

// Of `count` groups as many are looked at as lanes search, each the last one of its part. Those
// that belong come first: less than a part is left.
std::pair<Value, Value> Emitter::narrowSearch(const LaneSearch &search, Value low, Value count) {
  Type i64 = b.getI64Type();
  Value stride = add(divide(count, i32(search.lanes + 1)), 1);
  Value group = sub(add(low, mul(add(search.number, 1), stride)), i32(1));
  Value exists = less(group, add(low, count));
  Value place = arith::MinSIOp::create(b, add(mul(group, search.step), search.offset),
                                       sub(search.among, i32(1)));
  Value offset = arith::MulIOp::create(b, arith::ExtUIOp::create(b, i64, place), search.row.step);
  Value inside = exists;
  if (search.row.inside)
    inside = arith::AndIOp::create(b, exists, search.row.inside);
  Value element =
      readElement(b.getI32Type(), arith::AddIOp::create(b, search.row.address, offset), inside);
  Value belongs = arith::AndIOp::create(
      b, exists, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, element, search.most));
  Value votes = assembly("{\n.reg .pred belongs;\nsetp.ne.u32 belongs, $1, 0;\n"
                         "vote.sync.ballot.b32 $0, belongs, -1;\n}",
                         "=r,r", b.getI32Type(),
                         arith::ExtUIOp::create(b, b.getI32Type(), belongs).getResult())
                    .front();
  if (search.lanes < 32)
    votes = mask(arith::ShRUIOp::create(b, votes, mul(search.which, search.lanes)),
                 (int64_t(1) << search.lanes) - 1);
  Value passed = intrinsic("llvm.ctpop.i32", b.getI32Type(), votes);
  Value past = mul(passed, stride), left = sub(count, past);
  return {add(low, past), arith::MinSIOp::create(b, sub(stride, i32(1)), left)};
}

LogicalResult Emitter::emitSearches(SearchOp first) {
  if (searched.erase(first))
    return success();
  if (inProducer && !isNeeded(first.getResult())) {
    scalars.map(first.getResult(), i32(0));
    return success();
  }
  FreshPlace fresh(*this);
  SmallVector<SearchOp> together = findSearches(first);
  LaneSearch search = beginSearch(together);
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::BrOp::create(b, ValueRange{i32(0), search.groups}, header);
  Value low = header->addArgument(b.getI32Type(), b.getLoc()),
        count = header->addArgument(b.getI32Type(), b.getLoc());
  b.setInsertionPointToEnd(header);
  LLVM::CondBrOp::create(b, equal(sameForWarp(count), 0), after, body);
  b.setInsertionPointToEnd(body);
  auto [nextLow, nextCount] = narrowSearch(search, low, count);
  LLVM::BrOp::create(b, ValueRange{nextLow, nextCount}, header);
  b.setInsertionPointToEnd(after);
  Value found = arith::MinSIOp::create(b, mul(low, search.step), search.among);
  for (auto [i, op] : llvm::enumerate(together)) {
    Value its = together.size() == 1 ? found : select(equal(search.which, i), found, i32(0));
    scalars.map(op.getResult(), sameForWarp(its));
  }
  return success();
}
