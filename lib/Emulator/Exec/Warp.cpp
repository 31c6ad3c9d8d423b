//===- Warp.cpp - One warp: splits, steps and waits --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Exec/Machine.h"
#include "Exec/WgmmaUnit.h"

#include <cinttypes>
#include <cstring>

namespace trident::emu {

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%" PRIx64, value);
  return text;
}

namespace {

std::string laneList(uint32_t mask) {
  std::string text;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    unsigned last = lane;
    while (last < 31 && (mask >> (last + 1) & 1))
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    lane = last;
  }
  return text;
}

bool neverReady(Warp &, const Split &) { return false; }

std::string describeGather(Warp &warp, const Split &split) {
  uint32_t missing = static_cast<uint32_t>(split.w0) & warp.live & ~split.mask;
  return "lanes " + laneList(missing) + " to reach the same instruction";
}

/// Ends only when other splits arrive at the same instruction and are merged.
const WaitType gatherWait = {neverReady, describeGather};

/// w0: the meeting, w1: its members.
uint32_t missingFrom(const Warp &warp, const Split &split) {
  const Meeting &meeting = *reinterpret_cast<const Meeting *>(split.w0);
  return static_cast<uint32_t>(split.w1) & warp.live & ~meeting.arrived;
}
bool meetingReady(Warp &warp, const Split &split) {
  return reinterpret_cast<const Meeting *>(split.w0)->complete || !missingFrom(warp, split);
}
std::string describeMeeting(Warp &warp, const Split &split) {
  return "lanes " + laneList(missingFrom(warp, split)) + " to arrive too";
}
const WaitType meetingWait = {meetingReady, describeMeeting};

} // namespace

Warp::Warp(Block &block, unsigned index)
    : block(block), launch(block.launch), program(launch.program), index(index) {
  uint32_t first = index * 32;
  uint32_t count = std::min<uint32_t>(32, launch.threads - first);
  live = count == 32 ? ~0u : (1u << count) - 1;
  file.reset(new uint32_t[size_t(program.units) * 32]());
  initialized.assign(program.units, 0);
  touched.assign(program.units, 0);
  inFlight.assign(program.units, notInFlight);
  flightLine.assign(program.units, 0);
  localMemory.resize(size_t(program.info.localBytes) * 32);
  registers = launch.entryRegisters;
  agent = (block.rank * launch.warps + index) * agents::perWarp;
  splits.push_back({live, 0, nullptr, 0, 0, false});
  fillPresets();
}

bool Warp::checks() const { return launch.request.checks; }

//===----------------------------------------------------------------------===//
// Presets
//===----------------------------------------------------------------------===//

namespace {

const char *const axisNames[] = {".x", ".y", ".z"};

/// Splits "%tid.x" into "%tid" and 0; axis 3 is `.w`, -1 none.
int axisOf(std::string &name) {
  for (int axis = 0; axis < 3; ++axis)
    if (name.size() > 2 && name.compare(name.size() - 2, 2, axisNames[axis]) == 0) {
      name.resize(name.size() - 2);
      return axis;
    }
  return -1;
}

} // namespace

/// The value of a special register that does not change while the warp runs.
static uint64_t specialValue(const Warp &warp, std::string name, unsigned lane) {
  const Launch &launch = warp.launch;
  const Dim3 &block = launch.request.block;
  int axis = axisOf(name);
  size_t a = axis < 0 ? 0 : static_cast<size_t>(axis);
  uint32_t linear = warp.index * 32 + lane;
  uint32_t bit = 1u << lane;
  const Dim3 &cluster = launch.clusterSize;
  const Dim3 &index = warp.block.index;
  if (name == "%tid")
    return a == 0   ? linear % block[0]
           : a == 1 ? linear / block[0] % block[1]
                    : linear / block[0] / block[1];
  if (name == "%ntid")
    return block[a];
  if (name == "%ctaid")
    return index[a];
  if (name == "%nctaid")
    return launch.request.grid[a];
  if (name == "%clusterid")
    return index[a] / cluster[a];
  if (name == "%nclusterid")
    return launch.clusterGrid[a];
  if (name == "%cluster_ctaid")
    return index[a] % cluster[a];
  if (name == "%cluster_nctaid")
    return cluster[a];
  if (name == "%cluster_ctarank")
    return warp.block.rank;
  if (name == "%cluster_nctarank")
    return launch.blocksPerCluster;
  if (name == "%is_explicit_cluster")
    return launch.blocksPerCluster > 1 || launch.program.info.requiredCluster[0] != 0;
  if (name == "%laneid")
    return lane;
  // A place in the multiprocessor: on an H200 too, warp 0 of a block may be in any.
  constexpr uint32_t warpPlaces = 64;
  if (name == "%warpid")
    return (warp.index + 1 + 5 * index[0]) % warpPlaces;
  if (name == "%nwarpid")
    return warpPlaces;
  if (name == "%nsmid")
    return 132;
  if (name == "%smid")
    return index[0] % 132;
  if (name == "%gridid")
    return 1;
  if (name == "WARP_SZ")
    return 32;
  if (name == "%lanemask_eq")
    return bit;
  if (name == "%lanemask_lt")
    return bit - 1;
  if (name == "%lanemask_le")
    return bit | (bit - 1);
  if (name == "%lanemask_gt")
    return ~(bit | (bit - 1));
  if (name == "%lanemask_ge")
    return ~(bit - 1);
  if (name == "%dynamic_smem_size")
    return launch.request.dynamicSharedBytes;
  if (name == "%total_smem_size" || name == "%aggr_smem_size")
    return launch.sharedEnd - reservedSharedBytes;
  return 0;
}

static uint64_t variableAddress(const Warp &warp, const ptx::Variable *variable) {
  const Launch &launch = warp.launch;
  switch (variable->space) {
  case ptx::Space::shared:
    for (const Placement &placement : launch.program.shared)
      if (placement.variable == variable)
        return (uint64_t(warp.block.rank) << 24) + placement.offset;
    return 0;
  case ptx::Space::local:
    for (const Placement &placement : launch.program.local)
      if (placement.variable == variable)
        return placement.offset;
    return 0;
  case ptx::Space::param:
    for (const EntryParameter &parameter : launch.program.info.parameters)
      if (parameter.name == variable->name)
        return parameter.offset;
    return 0;
  default:
    for (size_t i = 0; i < launch.module.globalVariables.size(); ++i)
      if (launch.module.globalVariables[i] == variable)
        return launch.request.globalAddresses[i];
    return 0;
  }
}

void Warp::fillPresets() {
  for (const Preset &preset : program.presets) {
    uint64_t value = preset.bits;
    if (preset.kind == Preset::Kind::variable)
      value += variableAddress(*this, preset.variable);
    if (preset.bytes == 0) {
      if (preset.kind == Preset::Kind::special)
        value = specialValue(*this, preset.special, 0);
      predicate(preset.slot) = value ? ~0u : 0;
      continue;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (preset.kind == Preset::Kind::special)
        value = specialValue(*this, preset.special, lane);
      setLane(preset.slot, preset.bytes, lane, value);
    }
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Splits that stand at the same instruction continue as one, unless one of them waits in the
/// middle of it.
void Warp::merge() {
  for (size_t i = 0; i < splits.size(); ++i)
    for (size_t j = i + 1; j < splits.size();) {
      Split &a = splits[i], &b = splits[j];
      bool aFree = !a.wait || a.wait == &gatherWait;
      bool bFree = !b.wait || b.wait == &gatherWait;
      if (a.pc != b.pc || !aFree || !bFree) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.wait = nullptr;
      a.yielded = false;
      splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

bool Warp::select() {
  if (splits.size() > 1)
    merge();
  size_t best = splits.size();
  for (size_t i = 0; i < splits.size(); ++i) {
    Split &split = splits[i];
    if (split.wait && !split.wait->ready(*this, split))
      continue;
    if (best < splits.size()) {
      Split &other = splits[best];
      bool before = split.yielded != other.yielded ? !split.yielded : split.pc < other.pc;
      if (!before)
        continue;
    }
    best = i;
  }
  if (best == splits.size())
    return false;
  current = best;
  if (splits[best].yielded)
    for (Split &split : splits)
      split.yielded = false;
  return true;
}

bool Warp::canRun() { return live && select(); }

unsigned Warp::run(unsigned quantum) {
  unsigned executed = 0;
  while (executed < quantum && live) {
    if ((splits.size() > 1 || splits[0].wait) && !select())
      break;
    ++executed;
    step();
    if (outcome == Outcome::suspended && splits.size() == 1)
      break;
  }
  return executed;
}

void Warp::step() {
  if (splits.size() == 1)
    current = 0;
  Split *split = &splits[current];
  const Instr &instr = program.code[split->pc];
  now = &instr;
  uint32_t mask = split->mask;
  active = mask;
  if (instr.predicate != noSlot) {
    if (checks() && (initialized[instr.predicate] & mask) != mask)
      checkReads(instr);
    uint32_t value = predicate(instr.predicate);
    mask &= instr.predicateNegated ? ~value : value;
  }
  if (instr.together != Together::alone && !gather(instr, mask))
    return;
  if (!mask) {
    ++split->pc;
    split->wait = nullptr;
    outcome = Outcome::next;
    return;
  }
  active = mask;
  if (checks()) {
    const Slot *reads = program.slots.data() + instr.reads;
    for (uint32_t i = 0; i < instr.readCount; ++i) {
      if ((initialized[reads[i]] & mask) != mask)
        checkReads(instr);
      touched[reads[i]] = steps + 1;
    }
    const Slot *writes = program.slots.data() + instr.writes;
    for (uint32_t i = 0; i < instr.writeCount; ++i)
      if (inFlight[writes[i]])
        checkWrites(instr);
  }
  if (checks() && instr.live > registers)
    fail(ReportKind::resource, std::to_string(instr.live) +
                                   " registers hold values here, but a thread has " +
                                   std::to_string(registers));
  outcome = Outcome::next;
  ++steps;
  instr.run(*this, instr);
  if (outcome == Outcome::next) {
    split = &splits[current];
    ++split->pc;
    split->wait = nullptr;
  }
  if (checks() && outcome != Outcome::suspended) {
    const Slot *writes = program.slots.data() + instr.writes;
    for (uint32_t i = 0; i < instr.writeCount; ++i) {
      initialized[writes[i]] |= mask;
      touched[writes[i]] = steps;
    }
  }
}

bool Warp::gather(const Instr &instr, uint32_t mask) {
  Split &split = splits[current];
  uint32_t needed = live;
  if (instr.together == Together::members) {
    if (!mask)
      return true;
    uint32_t members = reg<uint32_t>(instr.c)[__builtin_ctz(mask)];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      uint32_t own = reg<uint32_t>(instr.c)[lane];
      if (!(own >> lane & 1))
        fail(ReportKind::divergence,
             "lane " + std::to_string(lane) + " is not in its own member mask " + hex(own),
             static_cast<int>(lane));
      if (own != members)
        needed = 0; // lanes of several groups: each names itself
    }
    if (needed)
      needed = members & live;
    else
      return true;
  } else if (!mask) {
    return true;
  }
  if ((mask & needed) == needed)
    return true;
  if ((split.mask & needed) == needed) {
    uint32_t missing = needed & ~mask;
    fail(ReportKind::divergence,
         "needs lanes " + laneList(needed) + " together, but its predicate is false in lanes " +
             laneList(missing),
         __builtin_ctz(missing));
  }
  suspend(gatherWait, needed);
  return false;
}

constexpr unsigned roundsBeforeYield = 64;

void Warp::jump(uint32_t target) {
  outcome = Outcome::jumped;
  Split &split = splits[current];
  split.wait = nullptr;
  uint32_t rest = split.mask & ~active;
  uint32_t next = split.pc + 1;
  split.mask = active;
  // Lanes that go round for long may wait for what the others do.
  if (target > split.pc || splits.size() == 1)
    roundsAlone = 0;
  else if (++roundsAlone == roundsBeforeYield)
    split.yielded = true, roundsAlone = 0;
  split.pc = target;
  if (rest)
    splits.push_back({rest, next, nullptr, 0, 0, false});
}

void Warp::redirect(uint32_t lanes, uint32_t target) {
  Split &rest = splits.back();
  uint32_t others = rest.mask & ~lanes, next = rest.pc;
  rest.mask = lanes;
  rest.pc = target;
  if (others)
    splits.push_back({others, next, nullptr, 0, 0, false});
}

void Warp::exit() {
  if (checks())
    checkExit();
  live &= ~active;
  if (checks() && !live)
    checkRegisterChanges();
  block.cluster.tryClusterBarrier();
  Split &split = splits[current];
  split.mask &= ~active;
  if (split.mask) {
    outcome = Outcome::next;
    return;
  }
  outcome = Outcome::jumped;
  splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(current));
  current = 0;
}

void Warp::suspend(const WaitType &type, uint64_t w0, uint64_t w1) {
  Split &split = splits[current];
  split.wait = &type;
  split.w0 = w0;
  split.w1 = w1;
  outcome = Outcome::suspended;
}

void Warp::checkExit() {
  lanes([&](unsigned lane) {
    BulkGroups &groups = bulk[lane];
    uint32_t line = groups.open ? groups.open->line : 0;
    for (const auto &group : groups.committed)
      line = group->line ? group->line : line;
    if (line)
      fail(ReportKind::race,
           "ends while the bulk copy of line " + std::to_string(line) +
               " may still read shared memory: expected cp.async.bulk.wait_group before",
           static_cast<int>(lane));
  });
  for (size_t slot = 0; slot < inFlight.size(); ++slot)
    if (inFlight[slot] == accumulatorInFlight)
      fail(ReportKind::asyncRegister, "ends while the wgmma of line " +
                                          std::to_string(flightLine[slot]) +
                                          " is in flight: expected wgmma.wait_group before");
}

void Warp::checkRegisterChanges() {
  const auto &changes = block.wgmma[index / 4]->registerChanges;
  if (registerChanges < changes.size())
    fail(ReportKind::divergence, "warp " + std::to_string(index) +
                                     " ends without the setmaxnreg of line " +
                                     std::to_string(changes[registerChanges]->line) +
                                     ", which another warp of its warpgroup executes");
}

void Warp::separate(uint32_t lanes) {
  Split &split = splits[current];
  uint32_t again = active & ~lanes, further = split.mask & ~active, pc = split.pc;
  split.mask = active = lanes;
  if (again)
    splits.push_back({again, pc, nullptr, 0, 0, false});
  if (further)
    splits.push_back({further, pc + 1, nullptr, 0, 0, false});
}

bool Warp::inMeeting() { return resumed(meetingWait); }

Meeting *Warp::meet(uint64_t key, uint32_t members) {
  Meeting *meeting = inMeeting() ? reinterpret_cast<Meeting *>(split().w0) : nullptr;
  if (!meeting) {
    for (Meeting &candidate : meetings)
      if (candidate.key == key && !candidate.complete)
        meeting = &candidate;
    if (!meeting) {
      meetings.emplace_back();
      meeting = &meetings.back();
      meeting->key = key;
    }
    meeting->arrived |= active;
    if (checks())
      release(meeting->view);
  }
  if (!meeting->complete && members & live & ~meeting->arrived) {
    separate(active);
    suspend(meetingWait, reinterpret_cast<uint64_t>(meeting), members);
    return nullptr;
  }
  meeting->complete = true;
  return meeting;
}

void Warp::leave(Meeting &meeting) {
  meeting.left |= active;
  if (meeting.left == meeting.arrived)
    meetings.remove_if([&](const Meeting &other) { return &other == &meeting; });
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

void Warp::fail(ReportKind kind, const std::string &message, int lane) {
  Finding finding;
  Report &report = finding.report;
  report.kind = kind;
  report.message = message;
  report.line = now ? now->line : 0;
  if (report.line && report.line <= launch.module.text.lines.size())
    report.instruction = launch.module.text.lines[report.line - 1];
  report.block = block.index;
  unsigned thread = lane >= 0 ? static_cast<unsigned>(lane) : active ? firstLane() : 0;
  uint32_t linear = index * 32 + thread;
  const Dim3 &size = launch.request.block;
  report.thread = {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
  throw finding;
}

std::string Warp::describeWaits() {
  std::string text;
  for (Split &split : splits) {
    const Instr &instr = program.code[split.pc];
    text += "\n  block (" + std::to_string(block.index[0]) + "," + std::to_string(block.index[1]) +
            "," + std::to_string(block.index[2]) + ") warp " + std::to_string(index) + " lanes " +
            laneList(split.mask) + " at line " + std::to_string(instr.line);
    text += split.wait ? " wait for " + split.wait->describe(*this, split) : " can run";
  }
  return text;
}

void Warp::checkReads(const Instr &instr) {
  std::vector<Slot> reads(program.slots.begin() + instr.reads,
                          program.slots.begin() + instr.reads + instr.readCount);
  if (instr.predicate != noSlot)
    reads.push_back(instr.predicate);
  for (Slot slot : reads) {
    uint32_t missing = active & ~initialized[slot];
    if (!missing || slot >= program.registerUnits)
      continue;
    const std::string &name = program.slotNames[slot];
    if (inFlight[slot])
      fail(ReportKind::asyncRegister,
           "register " + name + " is read while the wgmma of line " +
               std::to_string(flightLine[slot]) +
               ", which writes it, is in flight: expected wgmma.wait_group before",
           __builtin_ctz(missing));
    fail(ReportKind::uninitializedRegister, "register " + name + " is read before it is written",
         __builtin_ctz(missing));
  }
}

void Warp::checkWrites(const Instr &instr) {
  for (uint32_t i = 0; i < instr.writeCount; ++i) {
    Slot slot = program.slots[instr.writes + i];
    if (inFlight[slot])
      fail(ReportKind::asyncRegister,
           "register " + program.slotNames[slot] + " is overwritten while the wgmma of line " +
               std::to_string(flightLine[slot]) +
               ", which uses it, is in flight: expected wgmma.wait_group before");
  }
}

} // namespace trident::emu
