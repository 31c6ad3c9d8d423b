//===- Control.cpp - Branches, ends and hints --------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Decode.h"
#include "Exec/Machine.h"
#include "Exec/WgmmaUnit.h"

#include <algorithm>

namespace trident::emu {
namespace {

void bra(Warp &warp, const Instr &instr) { warp.jump(static_cast<uint32_t>(instr.imm)); }

/// Lanes that choose the same target go together; the others are asked again.
void brxIdx(Warp &warp, const Instr &instr) {
  const auto &targets = warp.program.branchTables[instr.imm];
  const auto *index = warp.reg<uint32_t>(instr.a);
  unsigned first = warp.firstLane();
  uint32_t chosen = index[first];
  if (chosen >= targets.size())
    warp.fail(ReportKind::badOperand,
              "branch index " + std::to_string(chosen) + ", expected less than " +
                  std::to_string(targets.size()),
              static_cast<int>(first));
  uint32_t together = 0;
  warp.lanes([&](unsigned lane) { together |= uint32_t(index[lane] == chosen) << lane; });
  uint32_t all = warp.active;
  warp.active = together;
  Split rest = warp.split();
  warp.jump(targets[chosen]);
  // jump() sent the other lanes to the next instruction: those that are active too come back here.
  if (all != together)
    warp.redirect(all & ~together, rest.pc);
}

void exitThread(Warp &warp, const Instr &) { warp.exit(); }

void trap(Warp &warp, const Instr &) {
  warp.fail(ReportKind::trap, "the kernel trapped", static_cast<int>(warp.firstLane()));
}

void nothing(Warp &, const Instr &) {}

void yieldOnly(Warp &warp, const Instr &) { warp.yield(); }

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

bool registersReady(Warp &warp, const Split &split) { return warp.block.freeRegisters >= split.w0; }
std::string registersWait(Warp &warp, const Split &split) {
  return std::to_string(split.w0) + " free registers for setmaxnreg, " +
         std::to_string(warp.block.freeRegisters) + " are free";
}
const WaitType registersWaitType = {registersReady, registersWait};

/// `imm`: registers a thread; `kind`: 1 for .inc.
/// All warps of a warpgroup execute the same ones.
void judgeChange(Warp &warp, const Instr &instr) {
  auto &changes = warp.block.wgmma[warp.index / 4]->registerChanges;
  if (warp.registerChanges == changes.size())
    changes.push_back(&instr);
  const Instr *other = changes[warp.registerChanges];
  if (other != &instr)
    warp.fail(ReportKind::divergence,
              "another warp of the warpgroup executes the setmaxnreg of line " +
                  std::to_string(other->line) + " instead");
  for (unsigned i = warp.index / 4 * 4; i < std::min(warp.index / 4 * 4 + 4, warp.launch.warps);
       ++i)
    if (warp.block.warps[i]->finished() && warp.block.warps[i]->registerChanges < changes.size())
      warp.fail(ReportKind::divergence, "warp " + std::to_string(i) +
                                            " of the warpgroup has ended without this setmaxnreg");
}

void setmaxnreg(Warp &warp, const Instr &instr) {
  uint32_t wanted = static_cast<uint32_t>(instr.imm);
  bool up = instr.kind;
  if (warp.checks())
    judgeChange(warp, instr);
  if (up ? wanted < warp.registers : wanted > warp.registers)
    warp.fail(ReportKind::resource, std::string(up ? "increases" : "decreases") + " to " +
                                        std::to_string(wanted) + " registers a thread from " +
                                        std::to_string(warp.registers));
  if (up) {
    uint32_t more = (wanted - warp.registers) * 32;
    if (warp.block.freeRegisters < more)
      return warp.suspend(registersWaitType, more);
    warp.block.freeRegisters -= more;
  } else {
    warp.block.freeRegisters += (warp.registers - wanted) * 32;
  }
  warp.registers = wanted;
  ++warp.registerChanges;
}

} // namespace

void buildBra(Builder &build) {
  build.take("uni");
  build.expectOperands(1);
  build.instr.imm = build.label(0);
  build.facts.targets = {static_cast<uint32_t>(build.instr.imm)};
  build.facts.fallsThrough = build.instr.predicate != noSlot;
  build.finish(bra);
}

void buildBrx(Builder &build) {
  if (!build.take("idx"))
    build.fail("expected .idx");
  build.take("uni");
  build.expectOperands(2);
  build.instr.a = build.source(0, 32);
  build.instr.imm = build.label(1);
  build.facts.targets = build.tableTargets(static_cast<uint32_t>(build.instr.imm));
  build.facts.fallsThrough = build.instr.predicate != noSlot;
  build.finish(brxIdx);
}

void buildExit(Builder &build) {
  build.take("uni");
  build.expectOperands(0);
  build.facts.fallsThrough = build.instr.predicate != noSlot;
  build.finish(exitThread);
}

void buildTrap(Builder &build) {
  build.expectOperands(0);
  build.finish(trap);
}

void buildNothing(Builder &build) {
  build.expectOperands(0);
  build.finish(nothing);
}

void buildNanosleep(Builder &build) {
  build.takeType();
  build.expectOperands(1);
  build.instr.a = build.source(0, 32);
  build.finish(yieldOnly);
}

void buildGriddepcontrol(Builder &build) {
  if (build.takeOneOf({"wait", "launch_dependents"}) < 0)
    build.fail("expected .wait or .launch_dependents");
  build.expectOperands(0);
  build.finish(nothing);
}

void buildSetmaxnreg(Builder &build) {
  int direction = build.takeOneOf({"dec", "inc"});
  if (direction < 0 || !build.take("sync") || !build.take("aligned") ||
      build.takeType() != Type::u32)
    build.fail("expected setmaxnreg.{inc,dec}.sync.aligned.u32");
  if (build.targetNumber() < 90 || !build.targetIsSpecific())
    build.fail("needs target sm_90a or a later architecture-specific one");
  build.expectOperands(1);
  int64_t count = build.immediate(0);
  if (count < 24 || count > 256 || count % 8)
    build.fail(build.operand(0),
               "expected a multiple of 8 from 24 to 256, got " + std::to_string(count));
  build.instr.imm = static_cast<uint64_t>(count);
  build.instr.kind = static_cast<uint8_t>(direction);
  build.instr.together = Together::warp;
  build.finish(setmaxnreg);
}

} // namespace trident::emu
