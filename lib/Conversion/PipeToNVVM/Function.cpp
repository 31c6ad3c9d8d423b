//===- Function.cpp - the function, its parameters and its prologue -------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "trident/Analysis/TileExtents.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace trident;

// One panel, also where the tile ends inside it.
SmallVector<int64_t> Emitter::boxOf(pipe::ProduceOp produce) const {
  RankedTensorType tile = cast<pipe::RingType>(produce.getRing().getType()).getTile();
  SmallVector<int64_t> box;
  unsigned next = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(produce.getView().getType().getRank()); ++i) {
    bool tiled =
        i >= produce.getIndices().size() || isa<TileIndexType>(produce.getIndices()[i].getType());
    box.push_back(tiled ? tile.getDimSize(next++) : 1);
  }
  box.back() = cast<SharedAttr>(tile.getEncoding()).getPanelColumns(tile.getElementType());
  return box;
}

static StringAttr sequencesOf(pipe::ProduceOp produce) {
  auto sequence = produce.getView().getDefiningOp<SequenceOp>();
  return sequence ? sequence.getDimAttr() : StringAttr();
}

const Emitter::MapOperand *Emitter::findMap(pipe::ProduceOp produce) const {
  unsigned argument = getViewArgument(produce.getView()).getArgNumber();
  SmallVector<int64_t> box = boxOf(produce);
  for (const MapOperand &map : maps)
    if (map.argument == argument && map.box == box && map.sequences == sequencesOf(produce))
      return &map;
  return nullptr;
}

void Emitter::collectOperands() {
  Type i64 = b.getI64Type();
  auto operand = [&](Type type, ArrayRef<NamedAttribute> fields) {
    parameterTypes.push_back(type);
    operands.push_back(b.getDictionaryAttr(fields));
    return static_cast<unsigned>(parameterTypes.size() - 1);
  };
  auto field = [&](StringRef name, StringRef value) {
    return b.getNamedAttr(name, b.getStringAttr(value));
  };

  kernel.walk([&](pipe::ProduceOp produce) {
    if (isByThreads(produce) || findMap(produce))
      return;
    unsigned argument = getViewArgument(produce.getView()).getArgNumber();
    SmallVector<int64_t> box = boxOf(produce);
    RankedTensorType tile = cast<pipe::RingType>(produce.getRing().getType()).getTile();
    SmallVector<NamedAttribute> fields = {
        field("kind", "tensor_map"), field("argument", kernel.getArgumentName(argument)),
        b.getNamedAttr("box", b.getDenseI64ArrayAttr(box)),
        b.getNamedAttr("swizzle",
                       b.getI64IntegerAttr(cast<SharedAttr>(tile.getEncoding()).getSwizzle()))};
    if (auto sequence = produce.getView().getDefiningOp<SequenceOp>()) {
      fields.push_back(field("dimension", sequence.getDim()));
      fields.push_back(b.getNamedAttr("axis", b.getI64IntegerAttr(sequence.getAxis())));
    }
    unsigned parameter = operand(LLVM::LLVMPointerType::get(b.getContext()), fields);
    maps.push_back({argument, box, sequencesOf(produce), parameter});
  });
  auto addPointer = [&](Value view) {
    unsigned argument = getViewArgument(view).getArgNumber();
    StringRef name = kernel.getArgumentName(argument);
    if (pointerParameter.count(argument))
      return;
    pointerParameter[argument] = operand(i64, {field("kind", "pointer"), field("argument", name)});
    int64_t strides = cast<ViewType>(view.getType()).getRank() - (hasAllStrides(view) ? 0 : 1);
    for (int64_t axis = 0; axis < strides; ++axis)
      operand(i64, {field("kind", "stride"), field("argument", name),
                    b.getNamedAttr("axis", b.getI64IntegerAttr(axis))});
  };
  kernel.walk([&](Operation *op) {
    if (auto produce = dyn_cast<pipe::ProduceOp>(op); produce && isByThreads(produce))
      addPointer(produce.getView());
    if (auto store = dyn_cast<StoreOp>(op))
      addPointer(store.getView());
    if (auto load = dyn_cast<LoadOp>(op))
      addPointer(load.getView());
    if (auto element = dyn_cast<ElementOp>(op))
      addPointer(element.getView());
    if (auto tile = dyn_cast<ElementTileOp>(op))
      addPointer(tile.getView());
    if (auto copy = dyn_cast<pipe::CopyElementsOp>(op))
      addPointer(copy.getView());
    if (auto search = dyn_cast<SearchOp>(op))
      addPointer(search.getView());
  });
  auto addExtent = [&](StringAttr dim) {
    if (!kernel.getStaticExtent(dim) && !extentParameter.count(dim))
      extentParameter[dim] =
          operand(b.getI32Type(), {field("kind", "extent"), field("dimension", dim)});
  };
  for (BlockArgument argument : kernel.getArguments()) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (auto extent = dyn_cast<ExtentType>(argument.getType())) {
      addExtent(extent.getDim());
      continue;
    }
    if (!view) {
      unsigned parameter = operand(
          argument.getType(), {field("kind", "scalar"),
                               field("argument", kernel.getArgumentName(argument.getArgNumber()))});
      pointerParameter[argument.getArgNumber()] = parameter;
      continue;
    }
    llvm::for_each(view.getDims(), addExtent);
  }
  if (findHandover()) {
    workspaceParameter = operand(i64, field("kind", "workspace"));
    ticketParameter = operand(b.getI32Type(), field("kind", "ticket"));
  }
}

/// Where items are handed over in shared memory, if they are.
std::optional<int64_t> Emitter::findHandover() {
  std::optional<int64_t> offset;
  kernel.walk([&](pipe::ForWorkOp work) { offset = work.getHandover(); });
  return offset;
}

void Emitter::createFunction() {
  MLIRContext *context = b.getContext();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), parameterTypes);
  // Dynamic shared memory is one array without a size, as in CUDA.
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0), /*isConstant=*/false,
                         LLVM::Linkage::External, "shared_memory", Attribute(), /*alignment=*/1024,
                         /*addrSpace=*/3);
  function = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), type);
  auto map = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
  for (MapOperand &operand : maps) {
    // Without grid_constant the map would be copied to local memory, where the copy engine cannot
    // read it.
    function.setArgAttr(operand.parameter, "llvm.byval", TypeAttr::get(map));
    function.setArgAttr(operand.parameter, "llvm.align", b.getI64IntegerAttr(64));
    function.setArgAttr(operand.parameter, "nvvm.grid_constant", b.getUnitAttr());
  }
  int32_t threads = 128 * (warpgroups + 1);
  function->setAttr("nvvm.kernel", b.getUnitAttr());
  function->setAttr("nvvm.reqntid", b.getDenseI32ArrayAttr({threads}));
  // setmaxnreg is ignored without a least number of blocks.
  function->setAttr("nvvm.minctasm", b.getI32IntegerAttr(1));
  function.setPassthroughAttr(b.getArrayAttr(
      b.getArrayAttr({b.getStringAttr("denormal-fp-math-f32"), b.getStringAttr("preserve-sign")})));
  b.setInsertionPointToStart(function.addEntryBlock(b));
}

void Emitter::addInterface() {
  SmallVector<Attribute> types;
  for (BlockArgument argument : kernel.getArguments())
    types.push_back(TypeAttr::get(argument.getType()));
  SmallVector<Attribute> grid;
  llvm::StringSet<> seen; // both roles of a persistent kernel have their own
  kernel.walk([&](pipe::FindSequenceOp find) {
    if (!findSlots(*find->getBlock()).find || !seen.insert(find.getDim()).second)
      return;
    seen.insert(find.getBy());
    grid.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("dimension", find.getRowsAttr()), b.getNamedAttr("plus", find.getByAttr()),
         b.getNamedAttr("tile",
                        b.getI64IntegerAttr(kernel.getTileExtent(find.getDim()).value_or(1)))}));
  });
  kernel.walk([&](ProgramOp program) {
    if (!seen.insert(program.getDim()).second)
      return;
    int64_t tile = isa<TileIndexType>(program.getType())
                       ? kernel.getTileExtent(program.getDim()).value_or(1)
                       : 1;
    grid.push_back(b.getDictionaryAttr({b.getNamedAttr("dimension", program.getDimAttr()),
                                        b.getNamedAttr("tile", b.getI64IntegerAttr(tile))}));
  });
  NamedAttrList interface;
  interface.set("kernel", kernel.getSymNameAttr());
  interface.set("arg_names", kernel.getArgNames());
  interface.set("arg_types", b.getArrayAttr(types));
  for (StringRef name : {"parameters", "requirements", "sequences", "variant", "contract",
                         "source_types", "schedule", "target"})
    if (Attribute value = kernel->getAttr(name))
      interface.set(name, value);
  interface.set("operands", b.getArrayAttr(operands));
  // By what the code does, not by what the schedule asks for: a launcher clamps the grid for it.
  bool loopsOverItems = kernel
                            .walk([](Operation *op) {
                              return isa<pipe::ForWorkOp, pipe::SkewedWorkOp>(op)
                                         ? WalkResult::interrupt()
                                         : WalkResult::advance();
                            })
                            .wasInterrupted();
  if (loopsOverItems)
    interface.set("persistent", b.getUnitAttr());
  interface.set("grid", b.getArrayAttr(grid));
  interface.set("threads", b.getI64IntegerAttr(128 * (warpgroups + 1)));
  interface.set("shared_bytes", kernel.getSharedBytesAttr());
  function->setAttr("trident.interface", interface.getDictionary(b.getContext()));
}

Value Emitter::extent(StringRef dim) {
  if (std::optional<int64_t> value = kernel.getStaticExtent(dim))
    return i32(*value);
  return function.getArgument(extentParameter.lookup(dim));
}

Value Emitter::mapOf(pipe::ProduceOp produce) {
  return function.getArgument(findMap(produce)->parameter); // every produce was collected
}

Value Emitter::endOf(Value view, unsigned axis) {
  if (auto sequence = view.getDefiningOp<SequenceOp>(); sequence && sequence.getAxis() == axis)
    return get(sequence.getLength());
  return extent(cast<ViewType>(view.getType()).getDim(axis));
}

Value Emitter::mostRows(SequenceOp sequence) {
  return arith::MaxSIOp::create(b, extent(sequence.getDim()), i32(1));
}

void Emitter::emitLength(LengthOp op) {
  Value natural = arith::MaxSIOp::create(b, get(op.getValue()), i32(0));
  Value length = arith::MinSIOp::create(b, natural, extent(op.getDim()));
  scalars.map(op.getResult(), sameForWarp(length));
}

void Emitter::emitPrologue() {
  Type i32Type = b.getI32Type();
  thread = intrinsic("llvm.nvvm.read.ptx.sreg.tid.x", i32Type, {});
  linearBlock = intrinsic("llvm.nvvm.read.ptx.sreg.ctaid.x", i32Type, {});
  auto pointer =
      LLVM::AddressOfOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), 3), "shared_memory");
  shared = LLVM::PtrToIntOp::create(b, i32Type, pointer);
  // Broadcast, so that the compiler knows that it is the same for the whole warp.
  warp = assembly("shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "=r,r", i32Type, shiftRight(thread, 5))
             .front();
  warpgroup = shiftRight(warp, 2);
  lane = mask(thread, 31);
  quadLane = mask(lane, 3);
  consumer = sub(warpgroup, i32(1));

  emitIf(equal(thread, 0), [&] {
    for (MapOperand &map : maps)
      assembly("prefetch.tensormap [$0];", "l", function.getArgument(map.parameter));
    kernel.walk([&](pipe::RingOp ring) {
      for (int64_t i = 0; i < 2 * ring.getType().getStages(); ++i) {
        // A slot is full when the producer's bytes are there, or every warp of it has arrived,
        // empty when every consumer warp has.
        bool full = i < ring.getType().getStages(),
             byThreads = kernel.getSchedule()->takesAnyLayout() ||
                         cast<SharedAttr>(ring.getType().getTile().getEncoding()).getPair();
        assembly("mbarrier.init.shared::cta.b64 [$0], " +
                     std::to_string(full ? (byThreads ? 4 : 1) : 4 * warpgroups) + ";",
                 "r", add(shared, *ring.getBarriers() + 8 * i));
      }
    });
    if (std::optional<int64_t> handover = findHandover())
      for (bool full : {true, false})
        assembly("mbarrier.init.shared::cta.b64 [$0], " +
                     std::to_string(full ? 1 : 4 * warpgroups + !handed.empty()) + ";",
                 "r", add(shared, *handover + (full ? 0 : 8)));
    assembly("fence.mbarrier_init.release.cluster;", "", {});
  });
  assembly("bar.sync 0;", "", {});
}

Value Emitter::tileCount(StringRef dim) {
  // Without overflow where the extent is near the limit of i32.
  return add(divide(sub(extent(dim), i32(1)), i32(*kernel.getTileExtent(dim))), 1);
}

Value Emitter::programCount(ProgramOp program) {
  return isa<TileIndexType>(program.getType()) ? tileCount(program.getDim())
                                               : extent(program.getDim());
}

void Emitter::decodePrograms(ArrayRef<ProgramOp> order, Value number) {
  while (!order.empty()) {
    ProgramOp program = order.back();
    order = order.drop_back();
    Value count = programCount(program), value = number;
    if (!order.empty()) {
      number = divide(number, count);
      value = sub(value, mul(number, count));
    }
    // A tile index counts down, so that where later rows see more keys the heaviest blocks start
    // first.
    if (isa<TileIndexType>(program.getType()))
      value = sub(sub(count, i32(1)), value);
    programs[program.getDim()] = value;
  }
}

// The last `program` varies fastest. With a group, that many coordinates of the other dimensions
// share each tile index in turn.
void Emitter::emitGrid() {
  SmallVector<ProgramOp> order(kernel.getBlock().getOps<ProgramOp>());
  if (Slots slots = findSlots(kernel.getBlock()); slots.find) {
    llvm::erase(order, slots.number);
    llvm::erase(order, slots.tile);
    Value count = countSlots(slots), others = divide(linearBlock, count);
    decodePrograms(order, others);
    return decodeSlot(slots, sub(sub(count, i32(1)), sub(linearBlock, mul(others, count))));
  }
  int64_t group = kernel.getSchedule()->getGroup();
  if (group <= 1 || order.empty() || !isa<TileIndexType>(order.back().getType()))
    return decodePrograms(order, linearBlock);
  ProgramOp inner = order.pop_back_val();
  Value others = i32(1);
  for (ProgramOp program : order)
    others = mul(others, programCount(program));
  Value perGroup = mul(programCount(inner), group);
  Value number = divide(linearBlock, perGroup), within = sub(linearBlock, mul(number, perGroup));
  Value base = mul(number, group), left = sub(others, base);
  Value size = select(less(left, i32(group)), left, i32(group));
  Value tile = divide(within, size);
  decodePrograms(inner, tile);
  decodePrograms(order, add(base, sub(within, mul(tile, size))));
}

FailureOr<LLVM::LLVMFuncOp> Emitter::emit() {
  if (!kernel.getSchedule() || !kernel.getSharedBytesAttr()) {
    kernel.emitOpError() << "has no schedule or no allocation of shared memory: expected the "
                            "pipeline stage to run first";
    return failure();
  }
  warpgroups = kernel.getSchedule()->getWarpgroups();
  handed = pipe::findHandedReads(kernel);
  collectOperands();
  createFunction();
  addInterface();
  for (BlockArgument argument : kernel.getArguments())
    if (!isa<ViewType, ExtentType>(argument.getType()))
      scalars.map(argument, function.getArgument(pointerParameter.lookup(argument.getArgNumber())));
  emitPrologue();
  emitGrid();
  if (failed(emitBlock(kernel.getBlock())))
    return failure();
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}
