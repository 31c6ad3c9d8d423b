//===- PipeOps.cpp - rules of the ops -------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trident/Dialect/Pipe/IR/PipeDialect.h"

using namespace mlir;
using namespace trident;
using namespace trident::pipe;

static ParseResult parseWorkBody(OpAsmParser &parser, Region &body) {
  return parser.parseRegion(body);
}
static void printWorkBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/true);
}

#define GET_OP_CLASSES
#include "trident/Dialect/Pipe/IR/PipeOps.cpp.inc"

LogicalResult CopyAsyncOp::verify() {
  RankedTensorType tile = getType().getTile();
  if (!isa_and_nonnull<SharedAttr>(tile.getEncoding()) ||
      tile.getElementType() != getView().getType().getElementType()) // copy_async.1
    return emitOpError() << "result is " << tile
                         << ": expected layout #trident.shared and the element type of "
                         << getView().getType();
  return success();
}

int64_t CopyElementsOp::pitchOf(RankedTensorType type) {
  // Lanes read 16 bytes of a row of 16-bit elements, 32 of one of f32: then rows side by side begin
  // an odd number of those apart.
  int64_t bytes = type.getElementTypeBitWidth() / 8, read = 8 * bytes;
  int64_t reads = llvm::divideCeil(type.getDimSize(1) * bytes, read);
  return (reads | 1) * read;
}

bool CopyElementsOp::isAlongRows(Region &body, unsigned &rowAxis) {
  Block &block = body.front();
  ValueRange indices = block.getTerminator()->getOperands();
  BlockArgument row = block.getArgument(0);
  if (!ElementTileOp::isAlongColumns(indices, block.getArgument(1)))
    return false;
  unsigned found = 0;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    if (ElementTileOp::countAdded(index, row) == 0)
      continue;
    if (ElementTileOp::countAdded(index, row) != 1 || axis + 1 == indices.size())
      return false;
    rowAxis = axis;
    ++found;
  }
  return found == 1;
}

LogicalResult CopyElementsOp::verify() {
  RankedTensorType tile = getType().getTile();
  if (!isa_and_nonnull<AccumulatorAttr>(tile.getEncoding()) ||
      tile.getElementType() != getView().getType().getElementType() ||
      tile.getDimSize(1) * tile.getElementTypeBitWidth() % 256 != 0) // copy_elements.1
    return emitOpError() << "result is " << tile
                         << ": expected layout #trident.accumulator, rows of a multiple of 32 "
                            "bytes, and the element type of "
                         << getView().getType();
  Block &body = getBody().front();
  Type i32 = IntegerType::get(getContext(), 32);
  unsigned rowAxis;
  if (body.getArgumentTypes() != TypeRange({i32, i32}) ||
      static_cast<int64_t>(body.getTerminator()->getNumOperands()) !=
          getView().getType().getRank() ||
      !isAlongRows(getBody(), rowAxis)) // copy_elements.2
    return emitOpError() << "region yields other coordinates than one for each dimension of "
                         << getView().getType()
                         << ", of which the last one is the column and another one the row, plus "
                            "what depends on neither";
  return success();
}

LogicalResult ReadElementsOp::verify() {
  if (getType() != getAsync().getType().getTile()) // read_elements.1
    return emitOpError() << "result is " << getType() << ": expected "
                         << getAsync().getType().getTile();
  return success();
}

LogicalResult DotAsyncOp::verify() {
  Attribute a = cast<RankedTensorType>(getA().getType()).getEncoding();
  Attribute b = cast<RankedTensorType>(getB().getType()).getEncoding();
  if (!isa_and_nonnull<SharedAttr, OperandAttr>(a) ||
      !isa_and_nonnull<SharedAttr>(b)) // dot_async.1
    return emitOpError()
           << "operands are " << getA().getType() << " and " << getB().getType()
           << ": expected 'a' in #trident.shared or #trident.operand and 'b' in #trident.shared";
  auto operand = dyn_cast<OperandAttr>(a);
  if ((operand ? operand.getPair() : cast<SharedAttr>(a).getPair()) !=
      cast<SharedAttr>(b).getPair()) // dot_async.1
    return emitOpError() << "operands are " << getA().getType() << " and " << getB().getType()
                         << ": expected both to be pairs, or neither";
  RankedTensorType result = getType().getTile();
  if (!isa_and_nonnull<AccumulatorAttr>(result.getEncoding()) ||
      (getAccumulator() && getAccumulator().getType() != result)) // dot_async.2
    return emitOpError() << "result is " << result
                         << ": expected layout #trident.accumulator, the same as the accumulator's";
  return success();
}

int64_t AwaitOp::countLaterDots() {
  Operation *start = getAsync().getDefiningOp();
  int64_t dots = 0;
  if (start && start->getBlock() == getOperation()->getBlock())
    for (Operation *op = start->getNextNode(); op && op != getOperation(); op = op->getNextNode())
      dots += isa<DotAsyncOp>(op);
  return dots;
}

LogicalResult AwaitOp::verify() {
  if (getResult().getType() != getAsync().getType().getTile()) // await.1
    return emitOpError() << "result is " << getResult().getType() << ": expected the tile of "
                         << getAsync().getType();
  if (getCarried().getTypes() != getCarry().getTypes()) // await.2
    return emitOpError() << "carries (" << getCarry().getTypes() << ") to ("
                         << getCarried().getTypes() << "): expected the same types";
  return success();
}

LogicalResult ConsumeOp::verify() {
  if (getResult().getType() != getRing().getType().getTile()) // consume.1
    return emitOpError() << "result is " << getResult().getType() << ": expected the tile of "
                         << getRing().getType();
  return success();
}

LogicalResult IfOp::verify() {
  TypeRange yielded = getBody().front().getTerminator()->getOperandTypes();
  if (yielded != getOtherwise().getTypes() || getResultTypes() != getOtherwise().getTypes()) // if.1
    return emitOpError() << "yields (" << yielded << ") for results (" << getResultTypes()
                         << "): expected (" << getOtherwise().getTypes() << ")";
  return success();
}

LogicalResult VoteExceedsOp::verify() {
  auto x = cast<ShapedType>(getX().getType());
  auto hasRows = [&](Value rows) {
    return cast<ShapedType>(rows.getType()).getDimSize(0) == x.getDimSize(0);
  };
  if (!hasRows(getOffset())) // vote_exceeds.1
    return emitOpError() << "offset is " << getOffset().getType() << ": expected the rows of " << x;
  if (getOrRows() && !hasRows(getOrRows())) // vote_exceeds.1
    return emitOpError() << "or_rows is " << getOrRows().getType() << ": expected the rows of "
                         << x;
  return success();
}

LogicalResult ForWorkOp::verify() {
  TypeRange expected = getInits().getTypes(), taken = getBlock().getArgumentTypes();
  TypeRange yielded = getBlock().back().getOperandTypes();
  if (taken != expected || yielded != expected) // for_work.1
    return emitOpError() << "takes (" << taken << ") and yields (" << yielded << "): expected ("
                         << expected << ") of both";
  return success();
}

LogicalResult SkewedWorkOp::verify() {
  Block &first = getFirst().front(), &steps = getSteps().front(), &next = getNext().front(),
        &last = getLast().front();
  auto check = [&](StringRef what, TypeRange given, StringRef taker, Block &block) {
    if (given == TypeRange(block.getArgumentTypes()))
      return success();
    InFlightDiagnostic error = emitOpError();
    error << what << " (" << given << ") and " << taker << " takes (" << block.getArgumentTypes()
          << "): expected the same";
    return LogicalResult(error);
  };
  if (failed(check("begins with", getInits().getTypes(), "'first'", first))) // skewed_work.1
    return failure();
  for (Block *block : {&first, &next}) // skewed_work.2
    if (failed(check(block == &first ? "yields from 'first'" : "yields from 'next'",
                     block->back().getOperandTypes(), "'steps'", steps)))
      return failure();
  TypeRange done = steps.back().getOperandTypes(); // skewed_work.3
  if (failed(check("yields from 'steps'", done, "'next'", next)))
    return failure();
  return check("yields from 'steps'", done, "'last'", last);
}
