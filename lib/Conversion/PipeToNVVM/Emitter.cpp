//===- Emitter.cpp - small pieces: scalars, assembly, register counts -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace trident;

Emitter::Emitter(KernelOp kernel, OpBuilder &builder)
    : kernel(kernel), b(kernel.getLoc(), builder) {
  b.setInsertionPoint(builder.getInsertionBlock(), builder.getInsertionPoint());
}

Value Emitter::i32(int64_t value) { return arith::ConstantIntOp::create(b, b.getI32Type(), value); }
Value Emitter::f32(float value) { return arith::ConstantOp::create(b, b.getF32FloatAttr(value)); }
Value Emitter::add(Value a, Value c) { return arith::AddIOp::create(b, a, c); }
Value Emitter::sub(Value a, Value c) { return arith::SubIOp::create(b, a, c); }
Value Emitter::mul(Value a, Value c) { return arith::MulIOp::create(b, a, c); }
Value Emitter::divide(Value a, Value c) { return arith::DivUIOp::create(b, a, c); }
Value Emitter::shiftRight(Value a, int64_t bits) { return arith::ShRUIOp::create(b, a, i32(bits)); }
Value Emitter::mask(Value a, int64_t bits) { return arith::AndIOp::create(b, a, i32(bits)); }
Value Emitter::isNot(Value a) {
  return arith::XOrIOp::create(b, a, arith::ConstantIntOp::create(b, a.getType(), 1));
}
Value Emitter::less(Value a, Value c) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, a, c);
}
Value Emitter::equal(Value a, int64_t c) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, a, i32(c));
}
Value Emitter::sameForWarp(Value value) {
  if (inProducer && producerThreads == 1)
    return value;
  return assembly("redux.sync.or.b32 $0, $1, -1;", "=r,r", b.getI32Type(), value).front();
}
Value Emitter::select(Value c, Value x, Value y) { return arith::SelectOp::create(b, c, x, y); }

Value Emitter::intrinsic(StringRef name, Type type, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands).getResult(0);
}

Registers Emitter::assembly(StringRef text, StringRef constraints, TypeRange results,
                            ValueRange operands) {
  Type type;
  if (results.size() == 1)
    type = results.front();
  else if (!results.empty())
    type = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(results));
  std::string all = constraints.str() + (constraints.empty() ? "" : ",") + "~{memory}";
  auto op =
      LLVM::InlineAsmOp::create(b, type, operands, text, all, /*has_side_effects=*/true,
                                /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                LLVM::AsmDialectAttr(), ArrayAttr());
  if (results.empty())
    return {};
  if (results.size() == 1)
    return {op.getResult(0)};
  Registers values;
  for (unsigned i = 0; i < results.size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(b, op.getResult(0), i));
  return values;
}

Value Emitter::pureAssembly(StringRef text, StringRef constraints, Type result,
                            ValueRange operands) {
  return LLVM::InlineAsmOp::create(b, result, operands, text, constraints,
                                   /*has_side_effects=*/false, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
                                   ArrayAttr())
      .getResult(0);
}

Value Emitter::get(Value scalar) {
  if (Value mapped = scalars.lookupOrNull(scalar))
    return mapped;
  // A constant of the kernel's body is written where it is first used.
  if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
    return b.clone(*constant)->getResult(0);
  return {};
}

unsigned Emitter::countOf(RankedTensorType type) {
  if (type.getRank() == 1)
    return type.getDimSize(0) / (64 * warpgroups) * 2;
  // Of an operand as many columns as its instructions contract.
  int64_t columns = type.getDimSize(1);
  if (isa_and_nonnull<OperandAttr>(type.getEncoding()))
    columns = llvm::alignTo(columns, instructionDepth);
  unsigned elements = type.getDimSize(0) * columns / (128 * warpgroups);
  return type.getElementTypeBitWidth() == 16 ? elements / 2 : elements;
}

bool trident::makesPair(pipe::ProduceOp produce) {
  RankedTensorType tile = cast<pipe::RingType>(produce.getRing().getType()).getTile();
  return cast<SharedAttr>(tile.getEncoding()).getPair();
}

bool trident::isByThreads(pipe::ProduceOp produce) {
  std::optional<ScheduleAttr> schedule = produce->getParentOfType<KernelOp>().getSchedule();
  return makesPair(produce) || (schedule && schedule->takesAnyLayout());
}

Type Emitter::registerTypeOf(RankedTensorType type) {
  // Two 16-bit neighbours share a register.
  auto operand = dyn_cast_or_null<OperandAttr>(type.getEncoding());
  bool is16Bit = type.getElementTypeBitWidth() == 16 || (operand && operand.getPair());
  return is16Bit ? Type(b.getI32Type()) : type.getElementType();
}

Emitter::FreshPlace::FreshPlace(Emitter &emitter)
    : emitter(emitter), warp(emitter.warp), lane(emitter.lane), quadLane(emitter.quadLane),
      consumer(emitter.consumer) {
  Value thread = emitter.assembly("mov.u32 $0, %tid.x;", "=r", emitter.b.getI32Type(), {}).front();
  emitter.warp = emitter.shiftRight(thread, 5);
  emitter.lane = emitter.mask(thread, 31);
  emitter.quadLane = emitter.mask(thread, 3);
  emitter.consumer = emitter.sub(emitter.shiftRight(thread, 7), emitter.i32(1));
}

Emitter::FreshPlace::~FreshPlace() {
  emitter.warp = warp;
  emitter.lane = lane;
  emitter.quadLane = quadLane;
  emitter.consumer = consumer;
}

Value Emitter::rowInTile(RankedTensorType type, int64_t block, int64_t half) {
  int64_t rows = rowBlocks(type) * 64;
  Value row = add(mul(consumer, rows), add(mul(mask(warp, 3), 16), shiftRight(lane, 2)));
  return add(row, block * 64 + half * 8);
}
