//===- Liveness.cpp - How many registers an instruction needs at least -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Values that are live at the same time need registers at the same time, whoever allocates them.
// What can be computed again anywhere (constants, parameters, addresses of variables, special
// registers) is not counted, nor are predicates. Values that may be the same in all lanes of a warp
// have uniform registers of their own.
//===----------------------------------------------------------------------===//
#include "Exec/Liveness.h"

#include <algorithm>

namespace trident::emu {
namespace {

constexpr uint32_t uniformRegisters = 63;

using Set = std::vector<uint64_t>;

void insert(Set &set, uint32_t bit) { set[bit / 64] |= uint64_t(1) << (bit % 64); }
void erase(Set &set, uint32_t bit) { set[bit / 64] &= ~(uint64_t(1) << (bit % 64)); }

class Analysis {
public:
  Analysis(Program &program, const std::vector<InstrFacts> &facts)
      : program(program), facts(facts), words((program.registerUnits + 63) / 64) {}

  void run() {
    findCheap();
    findVarying();
    std::vector<Set> liveIn(program.code.size() + 1, Set(words, 0));
    // Backward until nothing changes; loops need a few rounds.
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = program.code.size(); i-- > 0;) {
        Set live = liveOut(i, liveIn);
        transfer(i, live);
        if (live != liveIn[i]) {
          liveIn[i] = std::move(live);
          changed = true;
        }
      }
    }
    for (size_t i = 0; i < program.code.size(); ++i)
      program.code[i].live = static_cast<uint16_t>(std::min<uint32_t>(weight(liveIn[i]), 0xffff));
  }

private:
  /// Registers that only cheap instructions write.
  void findCheap() {
    cheap.assign(program.registerUnits, true);
    for (size_t i = 0; i < program.code.size(); ++i)
      forWrites(i, [&](Slot slot) {
        if (!facts[i].cheap)
          cheap[slot] = false;
      });
  }

  /// Registers whose lanes may differ: what flows from the thread's index, from memory and from
  /// exchanges.
  void findVarying() {
    varying.assign(program.units, false);
    for (const Preset &preset : program.presets)
      if (preset.special.compare(0, 4, "%tid") == 0 || preset.special.compare(0, 5, "%lane") == 0)
        varying[preset.slot] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < program.code.size(); ++i) {
        const Instr &instr = program.code[i];
        if (facts[i].agrees && instr.predicate == noSlot)
          continue;
        bool varies = facts[i].varies || (instr.predicate != noSlot && varying[instr.predicate]);
        for (uint32_t r = 0; r < instr.readCount && !varies; ++r)
          varies = varying[program.slots[instr.reads + r]];
        for (Slot source : {instr.a, instr.b, instr.c, instr.e})
          varies |= source < program.units && source >= program.registerUnits && varying[source];
        if (varies)
          forWrites(i, [&](Slot slot) {
            changed |= !varying[slot];
            varying[slot] = true;
          });
      }
    }
  }

  template <typename F> void forWrites(size_t i, F f) const {
    const Instr &instr = program.code[i];
    for (uint32_t w = 0; w < instr.writeCount; ++w)
      if (program.slots[instr.writes + w] < program.registerUnits)
        f(program.slots[instr.writes + w]);
    for (Slot slot : facts[i].accumulators)
      f(slot);
  }

  Set liveOut(size_t i, const std::vector<Set> &liveIn) const {
    Set live(words, 0);
    auto join = [&](size_t successor) {
      for (size_t w = 0; w < words; ++w)
        live[w] |= liveIn[successor][w];
    };
    const InstrFacts &fact = facts[i];
    if (fact.fallsThrough && i + 1 < program.code.size())
      join(i + 1);
    for (uint32_t target : fact.targets)
      join(target);
    return live;
  }

  void transfer(size_t i, Set &live) const {
    const Instr &instr = program.code[i];
    if (instr.predicate == noSlot)
      forWrites(i, [&](Slot slot) { erase(live, slot); });
    auto use = [&](Slot slot) {
      if (slot < program.registerUnits)
        insert(live, slot);
    };
    for (uint32_t r = 0; r < instr.readCount; ++r)
      use(program.slots[instr.reads + r]);
    for (Slot slot : facts[i].operands)
      use(slot);
    if (facts[i].accumulates)
      for (Slot slot : facts[i].accumulators)
        use(slot);
  }

  uint32_t weight(const Set &live) const {
    uint32_t sum = 0, uniform = 0;
    for (size_t w = 0; w < words; ++w)
      for (uint64_t rest = live[w]; rest; rest &= rest - 1) {
        size_t slot = w * 64 + static_cast<size_t>(__builtin_ctzll(rest));
        if (!cheap[slot])
          (varying[slot] ? sum : uniform) += program.registerWeights[slot];
      }
    return sum + (uniform > uniformRegisters ? uniform - uniformRegisters : 0);
  }

  Program &program;
  const std::vector<InstrFacts> &facts;
  size_t words;
  std::vector<bool> cheap, varying;
};

} // namespace

void countLiveRegisters(Program &program, const std::vector<InstrFacts> &facts) {
  Analysis(program, facts).run();
}

} // namespace trident::emu
