//===- Control.cpp - roles, loops and branches ----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trident;

Block *Emitter::newBlock() {
  Region &body = function.getBody();
  return b.createBlock(&body, body.end());
}

void Emitter::emitIf(Value condition, function_ref<void()> body) {
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *inside = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, condition, inside, after);
  b.setInsertionPointToEnd(inside);
  body();
  LLVM::BrOp::create(b, after);
  b.setInsertionPointToEnd(after);
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emitOp(Operation *op) {
  auto done = [](auto) { return success(); };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<YieldOp, ReturnOp, pipe::RingOp, SequenceOp, pipe::FindSequenceOp>(done)
      .Case<ProgramOp>([&](ProgramOp program) {
        // The tile of a balanced item is known already.
        if (!decodeLater || !programs.contains(program.getDim()))
          if (auto decode = std::exchange(decodeLater, nullptr))
            decode();
        scalars.map(program.getResult(), programs[program.getDim()]);
        return success();
      })
      .Case<DimOp>([&](DimOp dim) {
        scalars.map(dim.getResult(), extent(dim.getDim()));
        return success();
      })
      .Case<LengthOp>([&](LengthOp length) { return emitLength(length), success(); })
      .Case<pipe::WarpgroupOp>([&](pipe::WarpgroupOp number) {
        scalars.map(number.getResult(), consumer);
        return success();
      })
      .Case<TileNumberOp>([&](TileNumberOp number) {
        scalars.map(number.getResult(), get(number.getTile()));
        return success();
      })
      .Case<TileAtOp>([&](TileAtOp tile) {
        scalars.map(tile.getResult(), get(tile.getNumber()));
        return success();
      })
      .Case<pipe::RolesOp>([&](pipe::RolesOp roles) { return emitRoles(roles); })
      .Case<ForTilesOp>([&](ForTilesOp loop) { return emitLoop(loop); })
      .Case<pipe::ForWorkOp>([&](pipe::ForWorkOp work) { return emitWork(work); })
      .Case<pipe::SkewedWorkOp>([&](pipe::SkewedWorkOp work) { return emitSkewedWork(work); })
      .Case<pipe::SkipUnlessOp>([&](pipe::SkipUnlessOp skip) { return emitSkip(skip), success(); })
      .Case<pipe::VoteExceedsOp>(
          [&](pipe::VoteExceedsOp vote) { return emitVoteExceeds(vote), success(); })
      .Case<pipe::VoteAnyOp>([&](pipe::VoteAnyOp vote) {
        scalars.map(vote.getResult(), voteAny(registersOf(vote.getRows())));
        return success();
      })
      .Case<pipe::IfOp>([&](pipe::IfOp branch) { return emitIf(branch); })
      .Case<NegateIfOp>([&](NegateIfOp negate) { return emitNegateIf(negate), success(); })
      .Case<FullOp>([&](FullOp full) { return emitFull(full), success(); })
      .Case<BroadcastOp>([&](BroadcastOp broadcast) { return emitBroadcast(broadcast), success(); })
      .Case<ReduceOp>([&](ReduceOp reduce) { return emitReduce(reduce), success(); })
      .Case<RescaleAddOp>([&](RescaleAddOp rescale) { return emitRescaleAdd(rescale), success(); })
      .Case<ConvertOp>([&](ConvertOp convert) { return emitConvert(convert), success(); })
      .Case<ConvertLayoutOp>([&](ConvertLayoutOp convert) { return emitConvertLayout(convert); })
      .Case<MaskOp>([&](MaskOp mask) {
        return emitCoordinates(mask, mask.getOperand(), mask.getRowTile(), mask.getColTile(),
                               mask.getBody().front(), true);
      })
      .Case<ScoreOp>([&](ScoreOp score) {
        return emitCoordinates(score, score.getOperand(), score.getRowTile(), score.getColTile(),
                               score.getBody().front(), false, score.getOthers());
      })
      .Case<pipe::ProduceOp>([&](pipe::ProduceOp produce) { return emitProduce(produce); })
      .Case<pipe::ConsumeOp>(
          [&](pipe::ConsumeOp consume) { return emitConsume(consume), success(); })
      .Case<pipe::ReleaseOp>(
          [&](pipe::ReleaseOp release) { return emitRelease(release), success(); })
      .Case<StoreOp>([&](StoreOp store) { return emitStore(store), success(); })
      .Case<ElementOp>([&](ElementOp element) { return emitElement(element), success(); })
      .Case<SearchOp>([&](SearchOp search) { return emitSearches(search); })
      .Case<ElementTileOp>([&](ElementTileOp tile) { return emitElementTile(tile), success(); })
      .Case<pipe::CopyElementsOp>(
          [&](pipe::CopyElementsOp copy) { return emitCopyElements(copy), success(); })
      .Case<pipe::ReadElementsOp>(
          [&](pipe::ReadElementsOp read) { return emitReadElements(read), success(); })
      .Case<LoadOp>([&](LoadOp load) { return emitRowLoad(load), success(); })
      .Case<pipe::DotAsyncOp>([&](pipe::DotAsyncOp dot) { return emitDot(dot), success(); })
      .Case<pipe::AwaitOp>([&](pipe::AwaitOp await) { return emitAwait(await), success(); })
      .Case<pipe::TurnWaitOp>([&](pipe::TurnWaitOp) { return emitTurn(/*wait=*/true), success(); })
      .Case<pipe::TurnPassOp>([&](pipe::TurnPassOp) { return emitTurn(/*wait=*/false), success(); })
      .Default([&](Operation *other) { return emitElementwise(other); });
}

/// How many threads run the producer's block. Where threads copy tiles all of the producer do;
/// those are too many to ask one counter for the next item. The lanes of a warp search together.
static FailureOr<int64_t> countProducers(pipe::RolesOp roles, const pipe::HandedReads &handed) {
  int64_t threads = 1;
  roles.getProducer().walk([&](Operation *op) {
    auto produce = dyn_cast<pipe::ProduceOp>(op);
    if (produce && isByThreads(produce))
      threads = 128;
    else if (isa<SearchOp>(op) && !handed.needless.contains(op))
      threads = std::max<int64_t>(threads, 32);
  });
  WalkResult result = roles.walk([&](pipe::ForWorkOp work) {
    if (threads <= 32 || !work.getDynamic())
      return WalkResult::advance();
    work.emitOpError() << "hands items over from a producer whose threads all copy tiles: expected "
                          "a static order; use dynamic = false";
    return WalkResult::interrupt();
  });
  return result.wasInterrupted() ? FailureOr<int64_t>() : FailureOr<int64_t>(threads);
}

// The producer is the first threads of warpgroup 0, a scout its second warp. Both sides begin with
// setmaxnreg: elsewhere ptxas ignores it.
LogicalResult Emitter::emitRoles(pipe::RolesOp roles) {
  FailureOr<int64_t> threads = countProducers(roles, handed);
  if (failed(threads))
    return failure();
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *producer = newBlock(), *works = newBlock(), *consumers = newBlock(), *exit = newBlock();
  b.restoreInsertionPoint(here);
  LLVM::CondBrOp::create(b, equal(warpgroup, 0), producer, consumers);

  b.setInsertionPointToEnd(producer);
  if (int64_t registers = roles.getProducerRegisters())
    assembly("setmaxnreg.dec.sync.aligned.u32 " + std::to_string(registers) + ";", "", {});
  if (!handed.empty()) {
    OpBuilder::InsertPoint before = b.saveInsertionPoint();
    Block *scout = newBlock(), *others = newBlock();
    b.restoreInsertionPoint(before);
    LLVM::CondBrOp::create(b, equal(warp, 1), scout, others);
    b.setInsertionPointToEnd(scout);
    emitScout(roles);
    LLVM::BrOp::create(b, exit);
    b.setInsertionPointToEnd(others);
  }
  if (*threads == 128)
    LLVM::BrOp::create(b, works);
  else
    LLVM::CondBrOp::create(b, equal(*threads == 1 ? thread : warp, 0), works, exit);
  b.setInsertionPointToEnd(works);
  inProducer = true;
  producerThreads = *threads;
  if (failed(emitBlock(roles.getProducer().front())))
    return failure();
  inProducer = false;
  producerThreads = 1;
  LLVM::BrOp::create(b, exit);

  b.setInsertionPointToEnd(consumers);
  if (int64_t registers = roles.getConsumerRegisters())
    assembly("setmaxnreg.inc.sync.aligned.u32 " + std::to_string(registers) + ";", "", {});
  bool turns = roles.getConsumer()
                   .walk([](pipe::TurnWaitOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  if (turns)
    // The last warpgroup gives the first one its first turn.
    emitIf(equal(consumer, warpgroups - 1), [&] { assembly("bar.arrive 1, 256;", "", {}); });
  if (failed(emitBlock(roles.getConsumer().front())))
    return failure();
  LLVM::BrOp::create(b, exit);
  b.setInsertionPointToEnd(exit);
  return success();
}

static StringRef getClass(ForTilesOp loop, unsigned segment) {
  return cast<StringAttr>((*loop.getClasses())[segment]).getValue();
}

/// Registers of all carried tiles and scalars, one after another.
LogicalResult Emitter::emitLoop(ForTilesOp loop) {
  Registers carried;
  for (Value init : loop.getInits())
    append(carried, init);
  SmallVector<Value> bounds =
      llvm::map_to_vector(loop.getBounds(), [&](Value bound) { return get(bound); });
  if (bounds.empty())
    return loop.emitOpError() << "has no bounds: expected trident-tile to run first";
  bool masked = loop.getBody()
                    .walk([](Operation *op) {
                      return isa<MaskOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  SmallVector<unsigned> segments = llvm::to_vector(llvm::seq<unsigned>(0, bounds.size() - 1));
  if (loop.getDescending())
    std::reverse(segments.begin(), segments.end());
  if (!masked) { // the segments do not differ
    bounds = {bounds.front(), bounds.back()};
    segments = {0};
  }
  // A few tiles at an end need no code of their own: the loop over whole tiles masks them too.
  bool merged = masked && bounds.size() == 3 && loop.getAtMost() && loop.getDescending() &&
                getClass(loop, 0) == "full" && (*loop.getAtMost())[1] > 0;
  Value firstMasked = bounds[bounds.size() - 2];
  if (merged) {
    bounds = {bounds.front(), bounds.back()};
    segments = {0};
  }
  for (unsigned segment : segments) {
    if (!merged && masked && loop.getAtMost() && (*loop.getAtMost())[segment] == 0)
      continue;
    inFullSegment = masked && getClass(loop, segment) == "full";
    maskFrom = merged ? firstMasked : Value();
    FailureOr<Registers> next = emitSegment(loop, bounds[segment], bounds[segment + 1], carried);
    if (failed(next))
      return failure();
    carried = *next;
  }
  inFullSegment = false;
  maskFrom = Value();
  ArrayRef<Value> rest = carried;
  for (Value result : loop.getResults())
    bind(result, rest);
  return success();
}

FailureOr<Registers> Emitter::emitSegment(ForTilesOp loop, Value begin, Value end,
                                          Registers carried) {
  bool down = loop.getDescending();
  Value start = down ? sub(end, i32(1)) : begin;
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *header = newBlock(), *body = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  SmallVector<Value> entry{start};
  llvm::append_range(entry, carried);
  FailureOr<Registers> slots = firstSlots(loop, start);
  if (failed(slots))
    return failure();
  llvm::append_range(entry, *slots);
  LLVM::BrOp::create(b, entry, header);
  for (Value value : entry)
    header->addArgument(value.getType(), b.getLoc());

  b.setInsertionPointToEnd(header);
  Value tile = header->getArgument(0);
  Value more =
      down ? arith::CmpIOp::create(b, arith::CmpIPredicate::sge, tile, begin) : less(tile, end);
  LLVM::CondBrOp::create(b, more, body, after);

  b.setInsertionPointToEnd(body);
  scalars.map(loop.getTileIndex(), tile);
  Registers arguments(header->getArguments().drop_front());
  ArrayRef<Value> rest = arguments;
  for (BlockArgument argument : loop.getCarried())
    bind(argument, rest);
  Registers following = bindSlots(loop, rest);
  callAtTile(loop, tile);
  if (failed(emitBlock(loop.getBlock())))
    return failure();
  SmallVector<Value> again{add(tile, down ? -1 : 1)};
  for (Value value : loop.getBlock().getTerminator()->getOperands())
    append(again, value);
  llvm::append_range(again, following);
  LLVM::BrOp::create(b, again, header);
  b.setInsertionPointToEnd(after);
  return Registers(header->getArguments().slice(1, carried.size()));
}

FailureOr<Registers> Emitter::emitBranch(Value condition, ArrayRef<Value> otherwise,
                                         function_ref<FailureOr<Registers>()> body) {
  OpBuilder::InsertPoint here = b.saveInsertionPoint();
  Block *inside = newBlock(), *after = newBlock();
  b.restoreInsertionPoint(here);
  for (Value value : otherwise)
    after->addArgument(value.getType(), b.getLoc());
  LLVM::CondBrOp::create(b, condition, inside, ValueRange(), after, otherwise);
  b.setInsertionPointToEnd(inside);
  FailureOr<Registers> computed = body();
  if (failed(computed))
    return failure();
  LLVM::BrOp::create(b, *computed, after);
  b.setInsertionPointToEnd(after);
  return Registers(after->getArguments());
}

void Emitter::emitNegateIf(NegateIfOp op) {
  Registers operand = registersOf(op.getOperand());
  auto negate = [&]() -> FailureOr<Registers> {
    Registers negated;
    for (Value value : operand)
      negated.push_back(arith::NegFOp::create(b, value));
    return negated;
  };
  tiles[op.getResult()] = *emitBranch(get(op.getCondition()), operand, negate);
}

void Emitter::emitVoteExceeds(pipe::VoteExceedsOp op) {
  Registers largest = reduceRows(op.getX(), Reduction::Max), offset = registersOf(op.getOffset());
  Registers flags;
  if (op.getOrRows())
    flags = registersOf(op.getOrRows());
  Value slope = get(op.getSlope()), limit = f32(op.getLimit().convertToFloat());
  for (auto [value, shift] : llvm::zip(largest, offset)) {
    Value excess = intrinsic("llvm.fma.f32", b.getF32Type(), {value, slope, shift});
    flags.push_back(arith::CmpFOp::create(b, arith::CmpFPredicate::UGT, excess, limit));
  }
  scalars.map(op.getResult(), voteAny(flags));
}

Value Emitter::voteAny(ArrayRef<Value> flags) {
  Value any;
  for (Value flag : flags)
    any = any ? arith::OrIOp::create(b, any, flag).getResult() : flag;
  Value number = arith::ExtUIOp::create(b, b.getI32Type(), any);
  Value vote = assembly("{\n.reg .pred p, q;\nsetp.ne.u32 p, $1, 0;\nvote.sync.any.pred q, p, "
                        "-1;\nselp.u32 $0, 1, 0, q;\n}",
                        "=r,r", b.getI32Type(), number)
                   .front();
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, vote, i32(0));
}

static bool isShared(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && isa_and_nonnull<SharedAttr>(tile.getEncoding());
}

void Emitter::append(Registers &registers, Value value) {
  if (isShared(value))
    llvm::append_range(registers, ArrayRef{addresses.lookup(value), lowWords.lookup(value)});
  else if (isa<RankedTensorType>(value.getType()))
    llvm::append_range(registers, registersOf(value));
  else
    registers.push_back(get(value));
}

void Emitter::bind(Value value, ArrayRef<Value> &registers) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  unsigned count = isShared(value) ? 2 : tile ? countOf(tile) : 1;
  if (isShared(value)) {
    addresses[value] = registers[0];
    lowWords[value] = registers[1];
  } else if (tile)
    tiles[value] = Registers(registers.take_front(count));
  else
    scalars.map(value, registers.front());
  registers = registers.drop_front(count);
}

LogicalResult Emitter::emitIf(pipe::IfOp op) {
  Registers otherwise;
  for (Value value : op.getOtherwise())
    append(otherwise, value);
  auto merged = emitBranch(get(op.getCondition()), otherwise, [&]() -> FailureOr<Registers> {
    Registers computed;
    if (failed(emitBlock(op.getBody().front())))
      return failure();
    for (Value value : op.getBody().front().getTerminator()->getOperands())
      append(computed, value);
    return computed;
  });
  if (failed(merged))
    return failure();
  ArrayRef<Value> rest = *merged;
  for (Value result : op.getResults())
    bind(result, rest);
  return success();
}
