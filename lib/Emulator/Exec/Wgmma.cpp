//===- Wgmma.cpp - wgmma: asynchronous products of a warpgroup ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/FloatFormat.h"
#include "Exec/Tile.h"
#include "Exec/WgmmaUnit.h"

#include <cstring>

namespace trident::emu {
namespace {

enum : uint8_t { transposeA = 1, transposeB = 2, negateA = 4, negateB = 8, halfResult = 16 };

WgmmaUnit &unitOf(Warp &warp) { return *warp.block.wgmma[warp.index / 4]; }
WgmmaUnit::PerWarp &stateOf(Warp &warp) { return unitOf(warp).warps[warp.index % 4]; }

unsigned depth(Type type) { return 256 / matrixBits(type); }

/// Warps a warpgroup has: all four, or the finding of a block that is too small.
void expectFourWarps(Warp &warp) {
  if (warp.index / 4 * 4 + 4 > warp.launch.warps || warp.live != ~0u)
    warp.fail(ReportKind::divergence, "needs four full warps: the block has " +
                                          std::to_string(warp.launch.threads) + " threads");
}

uint32_t unitAt(Warp &warp, const MatrixDescriptor &descriptor, uint32_t row, uint32_t unit,
                bool transposed, const char *operand) {
  uint32_t address = descriptor.unitAddress(row, unit, transposed);
  if (address < reservedSharedBytes || address + 16 > warp.launch.sharedEnd)
    warp.fail(ReportKind::outOfBounds, std::string("operand ") + operand +
                                           " reads 16 bytes at shared address " + hex(address) +
                                           ", expected within [" + hex(reservedSharedBytes) + ", " +
                                           hex(warp.launch.sharedEnd) + ")");
  return address;
}

/// Calls f(address, row, unit) for every 16-byte unit of an operand of `rows` x `depth` elements.
template <typename F>
void forUnits(Warp &warp, uint64_t bits, uint32_t firstRow, uint32_t rows, Type type,
              bool transposed, const char *operand, F f) {
  MatrixDescriptor descriptor(bits);
  uint32_t perUnit = 128 / matrixBits(type);
  if (transposed) {
    for (uint32_t k = 0; k < depth(type); ++k)
      for (uint32_t unit = firstRow / perUnit; unit < (firstRow + rows) / perUnit; ++unit)
        f(unitAt(warp, descriptor, k, unit, true, operand), k, unit);
    return;
  }
  for (uint32_t row = firstRow; row < firstRow + rows; ++row)
    for (uint32_t unit = 0; unit < 2; ++unit)
      f(unitAt(warp, descriptor, row, unit, false, operand), row, unit);
}

/// Fills `to`: A as [row][k], B as [k][column].
void loadOperand(Warp &warp, uint64_t bits, uint32_t rows, Type type, bool transposed, bool isB,
                 bool negate, float *to) {
  uint32_t perUnit = 128 / matrixBits(type), bytes = matrixBits(type) / 8, k = depth(type);
  float sign = negate ? -1.0f : 1.0f;
  forUnits(warp, bits, 0, rows, type, transposed, isB ? "B" : "A",
           [&](uint32_t address, uint32_t row, uint32_t unit) {
             const std::byte *from = warp.block.at(address);
             for (uint32_t i = 0; i < perUnit; ++i) {
               uint32_t value = 0;
               std::memcpy(&value, from + i * bytes, bytes);
               uint32_t outer = transposed ? unit * perUnit + i : row;
               uint32_t inner = transposed ? row : unit * perUnit + i;
               to[isB ? inner * rows + outer : outer * k + inner] =
                   sign * matrixElement(type, value);
             }
           });
}

void loadRegisters(const WgmmaIssue &issue, Type type, bool negate, float *to) {
  uint32_t width = matrixBits(type), perRegister = 32 / width, k = depth(type);
  float sign = negate ? -1.0f : 1.0f;
  for (uint32_t warp = 0; warp < 4; ++warp)
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t lane = 0; lane < 32; ++lane)
        for (uint32_t e = 0; e < perRegister; ++e) {
          uint32_t row = warp * 16 + lane / 4 + (r & 1) * 8;
          uint32_t column = (r >> 1) * 4 * perRegister + lane % 4 * perRegister + e;
          uint32_t value = issue.a[warp][r][lane] >> (width * e);
          to[row * k + column] = sign * matrixElement(type, value);
        }
}

/// Accumulators of the four warps to a dense 64 x n tile, or back.
void moveAccumulators(Block &block, unsigned group, const WgmmaIssue &issue, uint32_t n,
                      std::vector<float> &tile, bool toRegisters) {
  const Instr &instr = *issue.instr;
  const Slot *slots = block.launch.program.slots.data() + instr.list;
  bool isHalf = instr.flags & halfResult;
  for (uint32_t w = 0; w < 4; ++w) {
    Warp &warp = *block.warps[group * 4 + w];
    for (uint32_t pair = 0; pair < n / 4; ++pair)
      for (uint32_t lane = 0; lane < 32; ++lane) {
        // Registers come in pairs of columns: row lane/4, then row lane/4 + 8, then the next 8
        // columns.
        uint32_t row = w * 16 + lane / 4 + (pair & 1) * 8;
        float *at = &tile[row * n + pair / 2 * 8 + lane % 4 * 2];
        if (isHalf) {
          uint32_t &packed = warp.reg<uint32_t>(slots[pair])[lane];
          if (toRegisters) {
            packed = uint32_t(floatToHalf(at[1])) << 16 | floatToHalf(at[0]);
          } else {
            at[0] = halfToFloat(static_cast<uint16_t>(packed));
            at[1] = halfToFloat(static_cast<uint16_t>(packed >> 16));
          }
          continue;
        }
        for (uint32_t e = 0; e < 2; ++e) {
          uint32_t &bits = warp.reg<uint32_t>(slots[pair * 2 + e])[lane];
          if (toRegisters)
            bits = patternOf(canonical(at[e]));
          else
            at[e] = floatOf(bits);
        }
      }
  }
}

void execute(Warp &any, WgmmaUnit &unit, unsigned group) {
  WgmmaIssue &issue = unit.issues.front();
  const Instr &instr = *issue.instr;
  Type type = static_cast<Type>(instr.kind), typeB = static_cast<Type>(instr.width);
  uint32_t n = static_cast<uint32_t>(instr.imm), k = depth(type);
  std::vector<float> a(64 * k), b(k * n), d(64 * n, 0.0f);
  if (instr.list2Count)
    loadRegisters(issue, type, instr.flags & negateA, a.data());
  else
    loadOperand(any, issue.descriptorA, 64, type, instr.flags & transposeA, false,
                instr.flags & negateA, a.data());
  loadOperand(any, issue.descriptorB, n, typeB, instr.flags & transposeB, true,
              instr.flags & negateB, b.data());
  if (issue.accumulate)
    moveAccumulators(any.block, group, issue, n, d, false);
  multiplyTile(d.data(), a.data(), b.data(), 64, n, k);
  moveAccumulators(any.block, group, issue, n, d, true);
  unit.issues.pop_front();
  ++unit.firstIssue;
}

void executeReady(Warp &warp) {
  WgmmaUnit &unit = unitOf(warp);
  while (!unit.issues.empty() && unit.issues.front().issued == 15)
    execute(warp, unit, warp.index / 4);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

void fence(Warp &warp, const Instr &) {
  expectFourWarps(warp);
  stateOf(warp).fence = warp.steps;
}

uint64_t uniform64(Warp &warp, Slot slot, const char *what) {
  const auto *values = warp.reg<uint64_t>(slot);
  for (unsigned lane = 1; lane < 32; ++lane)
    if (values[lane] != values[0])
      warp.fail(ReportKind::badOperand,
                std::string(what) + " differs between lanes: " + hex(values[0]) + " and " +
                    hex(values[lane]),
                static_cast<int>(lane));
  return values[0];
}

void putInFlight(Warp &warp, Slot slot, Flight how) {
  WgmmaUnit::PerWarp &state = stateOf(warp);
  uint32_t group = static_cast<uint32_t>(state.groupEnds.size());
  if (!warp.inFlight[slot])
    state.registers.emplace_back(slot, group);
  else
    for (auto &[other, last] : state.registers)
      if (other == slot)
        last = group;
  warp.inFlight[slot] = how;
  warp.flightLine[slot] = warp.now->line;
  if (how == accumulatorInFlight)
    warp.initialized[slot] = 0;
}

void checkFenced(Warp &warp, Slot slot) {
  if (warp.touched[slot] > stateOf(warp).fence)
    warp.fail(ReportKind::asyncRegister,
              "register " + warp.program.slotNames[slot] +
                  " was accessed after the last wgmma.fence: expected wgmma.fence before this "
                  "wgmma");
}

void judgeRegisters(Warp &warp, const Instr &instr, bool accumulate) {
  const Slot *d = warp.program.slots.data() + instr.list;
  const Slot *a = warp.program.slots.data() + instr.list2;
  const std::string *names = warp.program.slotNames.data();
  for (uint32_t i = 0; i < instr.list2Count; ++i) {
    if (warp.inFlight[a[i]] == accumulatorInFlight)
      warp.fail(ReportKind::asyncRegister,
                "operand A reads register " + names[a[i]] + " while the wgmma of line " +
                    std::to_string(warp.flightLine[a[i]]) + ", which writes it, is in flight");
    if (~warp.initialized[a[i]])
      warp.fail(ReportKind::uninitializedRegister,
                "register " + names[a[i]] + " is read before it is written",
                __builtin_ctz(~warp.initialized[a[i]]));
    checkFenced(warp, a[i]);
  }
  for (uint32_t i = 0; i < instr.listCount; ++i) {
    if (warp.inFlight[d[i]] == operandInFlight)
      warp.fail(ReportKind::asyncRegister,
                "register " + names[d[i]] +
                    " is overwritten while it is operand A of the wgmma in flight of line " +
                    std::to_string(warp.flightLine[d[i]]));
    if (!warp.inFlight[d[i]] && accumulate && ~warp.initialized[d[i]])
      warp.fail(ReportKind::uninitializedRegister,
                "accumulator " + names[d[i]] + " is read before it is written",
                __builtin_ctz(~warp.initialized[d[i]]));
    checkFenced(warp, d[i]);
  }
  if (!stateOf(warp).fence)
    warp.fail(ReportKind::asyncRegister, "expected wgmma.fence before the first wgmma");
}

void judgeShared(Warp &warp, const Instr &instr, uint64_t a, uint64_t b) {
  Type type = static_cast<Type>(instr.kind);
  Stamp stamp;
  stamp.agent = warp.agent + agents::wgmma;
  stamp.count = static_cast<uint32_t>(stateOf(warp).groupEnds.size()) + 1;
  stamp.line = instr.line;
  stamp.async = true;
  auto check = [&](const char *what) {
    return [&warp, &stamp, what](uint32_t address, uint32_t, uint32_t) {
      Conflict conflict = warp.block.shadow.read(warp.observer(-1), stamp, address, 16);
      if (conflict)
        warp.judge(conflict, what, 16, -1, warp.block);
    };
  };
  if (!instr.list2Count)
    forUnits(warp, a, warp.index % 4 * 16, 16, type, instr.flags & transposeA, "A",
             check("read of operand A"));
  forUnits(warp, b, 0, static_cast<uint32_t>(instr.imm), type, instr.flags & transposeB, "B",
           check("read of operand B"));
}

void mmaAsync(Warp &warp, const Instr &instr) {
  expectFourWarps(warp);
  WgmmaUnit &unit = unitOf(warp);
  WgmmaUnit::PerWarp &state = stateOf(warp);
  uint32_t scale = warp.predicate(instr.c);
  if (scale != 0 && scale != ~0u)
    warp.fail(ReportKind::badOperand, "scale-d differs between lanes");
  uint64_t a = instr.list2Count ? 0 : uniform64(warp, instr.a, "the descriptor of A");
  uint64_t b = uniform64(warp, instr.b, "the descriptor of B");
  for (uint64_t descriptor : {a, b})
    if (!MatrixDescriptor::reservedBitsAreZero(descriptor))
      warp.fail(ReportKind::badOperand, "descriptor " + hex(descriptor) + " has reserved bits set");
  if (warp.checks()) {
    judgeRegisters(warp, instr, scale);
    judgeShared(warp, instr, a, b);
  }
  uint64_t number = state.issued++;
  if (number - unit.firstIssue == unit.issues.size())
    unit.issues.emplace_back();
  WgmmaIssue &issue = unit.issues[number - unit.firstIssue];
  if (issue.issued && (issue.instr != &instr || issue.descriptorA != a || issue.descriptorB != b ||
                       issue.accumulate != (scale != 0)))
    warp.fail(ReportKind::divergence,
              issue.instr != &instr
                  ? "another warp of the warpgroup issues the wgmma of line " +
                        std::to_string(issue.instr->line) + " instead"
                  : "descriptors or scale-d differ from another warp's: " + hex(a) + ", " + hex(b) +
                        " against " + hex(issue.descriptorA) + ", " + hex(issue.descriptorB));
  issue.instr = &instr;
  issue.descriptorA = a;
  issue.descriptorB = b;
  issue.accumulate = scale;
  issue.issued |= 1u << warp.index % 4;
  const Slot *registersA = warp.program.slots.data() + instr.list2;
  for (uint32_t r = 0; r < instr.list2Count; ++r)
    std::memcpy(issue.a[warp.index % 4][r], warp.reg<uint32_t>(registersA[r]), 128);
  if (!warp.checks())
    return;
  for (uint32_t r = 0; r < instr.list2Count; ++r)
    putInFlight(warp, registersA[r], operandInFlight);
  const Slot *d = warp.program.slots.data() + instr.list;
  for (uint32_t i = 0; i < instr.listCount; ++i)
    putInFlight(warp, d[i], accumulatorInFlight);
}

void commitGroup(Warp &warp, const Instr &) {
  expectFourWarps(warp);
  WgmmaUnit::PerWarp &state = stateOf(warp);
  state.groupEnds.push_back(state.issued);
  if (warp.block.cluster.random.oneIn(2))
    executeReady(warp);
  warp.block.cluster.progressed();
}

//===----------------------------------------------------------------------===//
// Wait
//===----------------------------------------------------------------------===//

/// The first issue, if any, of the first `groups` groups that some warp has not issued.
const WgmmaIssue *missing(Warp &warp, uint64_t groups) {
  WgmmaUnit &unit = unitOf(warp);
  uint64_t end = groups ? stateOf(warp).groupEnds[groups - 1] : 0;
  for (uint64_t number = unit.firstIssue; number < end; ++number)
    if (unit.issues[number - unit.firstIssue].issued != 15)
      return &unit.issues[number - unit.firstIssue];
  return nullptr;
}

bool waitReady(Warp &warp, const Split &split) { return !missing(warp, split.w0); }
std::string waitDescription(Warp &warp, const Split &split) {
  const WgmmaIssue *issue = missing(warp, split.w0);
  std::string text = "the warpgroup's wgmmas";
  if (!issue)
    return text;
  text += "; the one of line " + std::to_string(issue->instr->line) + " is not issued by warps";
  for (unsigned w = 0; w < 4; ++w)
    if (!(issue->issued >> w & 1))
      text += " " + std::to_string(warp.index / 4 * 4 + w);
  return text;
}
const WaitType wgmmaWaitType = {waitReady, waitDescription};

void waitGroup(Warp &warp, const Instr &instr) {
  expectFourWarps(warp);
  WgmmaUnit &unit = unitOf(warp);
  WgmmaUnit::PerWarp &state = stateOf(warp);
  uint64_t committed = state.groupEnds.size();
  uint64_t groups = committed > instr.imm ? committed - instr.imm : 0;
  if (missing(warp, groups))
    return warp.suspend(wgmmaWaitType, groups);
  uint64_t end = groups ? state.groupEnds[groups - 1] : 0;
  while (unit.firstIssue < end)
    execute(warp, unit, warp.index / 4);
  if (!warp.checks())
    return;
  warp.learn(warp.agent + agents::wgmma, static_cast<uint32_t>(groups), warp.active);
  size_t kept = 0;
  for (auto &[slot, group] : state.registers) {
    if (group >= groups) {
      state.registers[kept++] = {slot, group};
      continue;
    }
    if (warp.inFlight[slot] == accumulatorInFlight)
      warp.initialized[slot] = ~0u;
    warp.inFlight[slot] = notInFlight;
  }
  state.registers.resize(kept);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

void buildMma(Builder &build) {
  Instr &instr = build.instr;
  bool sp = build.take("sp");
  std::string shape = build.takePrefix("m64n");
  size_t k = shape.find('k');
  if (sp || k == std::string::npos)
    build.fail("expected a dense shape such as .m64n128k16");
  unsigned n = static_cast<unsigned>(std::strtoul(shape.c_str() + 4, nullptr, 10));
  unsigned wantedDepth = static_cast<unsigned>(std::strtoul(shape.c_str() + k + 1, nullptr, 10));
  if (n < 8 || n > 256 || n % 8)
    build.fail("n is " + std::to_string(n) + ", expected a multiple of 8 from 8 to 256");
  Type result = build.takeType(), a = build.takeType(), b = build.takeType();
  bool small = a == Type::e4m3 || a == Type::e5m2;
  bool mixed = small && (b == Type::e4m3 || b == Type::e5m2);
  if ((a != Type::f16 && a != Type::bf16 && a != Type::tf32 && !small) || (a != b && !mixed))
    build.fail(std::string("types .") + name(a) + " and ." + name(b) + " are not supported");
  if (result != Type::f32 && !(result == Type::f16 && (a == Type::f16 || small)))
    build.fail(std::string("result type .") + name(result) + " is not supported with ." + name(a));
  if (wantedDepth != depth(a))
    build.fail("k is " + std::to_string(wantedDepth) + ", expected " + std::to_string(depth(a)));
  bool canTranspose = a == Type::f16 || a == Type::bf16;
  instr.kind = static_cast<uint8_t>(a);
  instr.width = static_cast<uint8_t>(b);
  instr.imm = n;
  instr.flags |= result == Type::f16 ? halfResult : 0;
  const ptx::Operand &d = build.operand(0), &operandA = build.operand(1);
  size_t registers = result == Type::f16 ? n / 4 : n / 2;
  if (d.kind != ptx::Operand::Kind::vector || d.elements.size() != registers)
    build.fail(d, "expected " + std::to_string(registers) + " accumulators, got " +
                      std::to_string(d.elements.size()));
  std::vector<Slot> slots;
  for (const ptx::Operand &element : d.elements)
    slots.push_back(build.destination(element, 32));
  instr.list = build.list(slots);
  instr.listCount = static_cast<uint32_t>(registers);
  bool fromRegisters = operandA.kind == ptx::Operand::Kind::vector;
  if (fromRegisters) {
    if (operandA.elements.size() != 4)
      build.fail(operandA, "expected 4 registers, got " + std::to_string(operandA.elements.size()));
    std::vector<Slot> slotsA;
    for (const ptx::Operand &element : operandA.elements)
      slotsA.push_back(build.source(element, 32));
    instr.list2 = build.list(slotsA);
    instr.list2Count = 4;
  }
  build.facts.accumulators = slots;
  build.facts.operands = build.reads;
  // Accumulators and A are judged by the handler: they may be in flight already, or not read at
  // all.
  build.reads.clear();
  build.writes.clear();
  if (!fromRegisters)
    instr.a = build.source(1, 64);
  instr.b = build.source(2, 64);
  instr.c = build.predicateSource(3);
  build.facts.accumulates = build.constantPredicate(instr.c).value_or(true);
  size_t transposes = canTranspose ? (fromRegisters ? 1 : 2) : 0;
  build.expectOperands(6 + transposes);
  auto flag = [&](size_t index, uint8_t bit, int64_t set, int64_t clear) {
    int64_t value = build.immediate(index);
    if (value != set && value != clear)
      build.fail(build.operand(index), "expected " + std::to_string(clear) + " or " +
                                           std::to_string(set) + ", got " + std::to_string(value));
    instr.flags |= value == set ? bit : 0;
  };
  flag(4, negateA, -1, 1);
  flag(5, negateB, -1, 1);
  if (transposes == 2)
    flag(6, transposeA, 1, 0);
  if (transposes)
    flag(5 + transposes, transposeB, 1, 0);
  build.finish(mmaAsync);
}

} // namespace

void buildWgmma(Builder &build) {
  int op = build.takeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (op < 0 || !build.take("sync") || !build.take("aligned"))
    build.fail("expected wgmma.{mma_async,fence,commit_group,wait_group}.sync.aligned");
  if (build.targetNumber() != 90 || !build.targetIsSpecific())
    build.fail("needs target sm_90a");
  build.instr.together = Together::warp;
  if (op == 0)
    return buildMma(build);
  build.expectOperands(op == 3 ? 1 : 0);
  if (op == 3) {
    int64_t remain = build.immediate(0);
    if (remain < 0 || remain > 7)
      build.fail(build.operand(0), "expected 0 to 7, got " + std::to_string(remain));
    build.instr.imm = static_cast<uint64_t>(remain);
  }
  build.finish(op == 1 ? fence : op == 2 ? commitGroup : waitGroup);
}

} // namespace trident::emu
