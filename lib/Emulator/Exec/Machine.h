//===- Machine.h - The state of a launch while it runs -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Launch > cluster > block > warp > split. One host thread runs one cluster at a time; its warps
// take turns in an order drawn from the seed. A split is a set of lanes with one program counter: a
// warp has one until its lanes branch apart.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXEC_MACHINE_H
#define TRIDENT_EMULATOR_EXEC_MACHINE_H

#include "Exec/Program.h"
#include "Exec/Shadow.h"

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace trident::emu {

class Block;
class Cluster;
struct Split;

/// Thrown by anything that finds a fault; ends the launch.
struct Finding {
  Report report;
};

/// splitmix64: small, seedable, good enough to shuffle.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>((next() >> 32) * bound >> 32); }
  bool oneIn(uint32_t bound) { return below(bound) == 0; }

private:
  uint64_t state;
};

/// A reason to stand still: when it ends, and how to say it.
struct WaitType {
  bool (*ready)(Warp &, const Split &);
  std::string (*describe)(Warp &, const Split &);
};

struct Split {
  uint32_t mask = 0;
  uint32_t pc = 0;
  const WaitType *wait = nullptr;
  uint64_t w0 = 0, w1 = 0; ///< what the wait is about
  bool yielded = false;    ///< polls for something: others go first
};

/// Lanes that come to one place in several splits: bar.warp.sync, and barriers that are not
/// aligned.
struct Meeting {
  uint64_t key = 0; ///< what is the same for all who meet
  uint32_t arrived = 0, left = 0;
  bool complete = false;
  std::optional<uint32_t> phase; ///< of the barrier at which the warp arrived when it was complete
  View view;                     ///< what those who arrived have released
};

enum class Access : uint8_t { read, write, atomic };
/// Bits of a load's, store's or atomic's order; none: weak.
enum Order : uint8_t { strongOrder = 1, acquireOrder = 2, releaseOrder = 4 };

/// How a wgmma in flight uses a register.
enum Flight : uint8_t { notInFlight, accumulatorInFlight, operandInFlight };

/// What is the same for all blocks of a launch.
struct Launch {
  const LaunchRequest &request;
  const Program &program;
  const ModuleImpl &module;
  Dim3 clusterSize{1, 1, 1};
  Dim3 clusterGrid{1, 1, 1};
  uint32_t blocksPerCluster = 1;
  uint32_t threads = 0;
  uint32_t warps = 0;
  uint32_t sharedEnd = 0;      ///< end of the block's shared window
  uint32_t entryRegisters = 0; ///< a thread, before setmaxnreg
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> instructions{0};
};

//===----------------------------------------------------------------------===//
// Groups of asynchronous copies
//===----------------------------------------------------------------------===//

/// cp.async.bulk operations committed together.
struct BulkGroup {
  uint32_t number = 0; ///< count of the warp's bulk agent
  unsigned outstanding = 0;
  uint32_t line = 0; ///< of its last operation, 0: it has none
};
struct BulkGroups {
  std::shared_ptr<BulkGroup> open;
  std::deque<std::shared_ptr<BulkGroup>> committed; ///< oldest first
};

/// One cp.async of a warp; it runs once.
struct CopyOperation {
  std::function<void()> work;
  bool done = false;
  void run() {
    if (!done)
      work();
    done = true;
  }
};
struct CopyGroups {
  std::vector<std::shared_ptr<CopyOperation>> open;
  std::deque<std::vector<std::shared_ptr<CopyOperation>>> committed; ///< oldest first
  uint32_t closed = 0; ///< groups ever committed: the count of the warp's copy agent
};

//===----------------------------------------------------------------------===//
// Warp
//===----------------------------------------------------------------------===//

class Warp {
public:
  Warp(Block &block, unsigned index);

  //===--- For the scheduler ------------------------------------------------===//
  /// Executes up to `quantum` instructions; returns how many.
  unsigned run(unsigned quantum);
  bool finished() const { return live == 0; }
  bool canRun();
  /// A line for each waiting split.
  std::string describeWaits();

  //===--- For handlers -----------------------------------------------------===//
  template <typename T> T *reg(Slot slot) {
    return reinterpret_cast<T *>(file.get() + size_t(slot) * 32);
  }
  uint32_t &predicate(Slot slot) { return file[size_t(slot) * 32]; }
  /// Calls f(lane) for every active lane.
  template <typename F> void lanes(F f) {
    if (active == ~0u) {
      for (unsigned lane = 0; lane < 32; ++lane)
        f(lane);
      return;
    }
    for (uint32_t rest = active; rest; rest &= rest - 1)
      f(static_cast<unsigned>(__builtin_ctz(rest)));
  }
  uint64_t lane(Slot slot, unsigned laneBytes, unsigned lane) {
    return laneBytes == 4 ? reg<uint32_t>(slot)[lane] : reg<uint64_t>(slot)[lane];
  }
  void setLane(Slot slot, unsigned laneBytes, unsigned lane, uint64_t value) {
    if (laneBytes == 4)
      reg<uint32_t>(slot)[lane] = static_cast<uint32_t>(value);
    else
      reg<uint64_t>(slot)[lane] = value;
  }
  Split &split() { return splits[current]; }
  unsigned firstLane() const { return static_cast<unsigned>(__builtin_ctz(active)); }

  /// The active lanes go to `target`, the split's others to the next instruction.
  void jump(uint32_t target);
  /// `lanes`, which jump() has just sent to the next instruction, go to `target` instead.
  void redirect(uint32_t lanes, uint32_t target);
  /// The active lanes end.
  void exit();
  /// The split stands still and executes this instruction again when `type` is ready.
  void suspend(const WaitType &type, uint64_t w0 = 0, uint64_t w1 = 0);
  /// This execution follows a suspend on `type`.
  bool resumed(const WaitType &type) { return split().wait == &type; }
  void yield() { split().yielded = true; }
  /// The active lanes come to the meeting `key` of the live lanes among `members`. Null: suspended
  /// until all have come. Those who got it leave it.
  Meeting *meet(uint64_t key, uint32_t members);
  void leave(Meeting &meeting);
  bool inMeeting();
  /// The split's lanes but `lanes` go their own way: the active ones to this instruction, the
  /// others to the next.
  void separate(uint32_t lanes);

  [[noreturn]] void fail(ReportKind kind, const std::string &message, int lane = -1);

  /// The host address of `bytes` bytes at `address` of `space`, after all checks.
  std::byte *access(ptx::Space space, uint64_t address, unsigned bytes, unsigned lane,
                    Access access, uint8_t order = 0);
  std::byte *global(uint64_t address, uint64_t bytes, int lane, Access access);
  /// The block and offset that a shared (or generic) address means.
  Block &sharedBlock(ptx::Space space, uint64_t address, uint64_t bytes, int lane,
                     uint32_t &offset);

  bool checks() const;
  //===--- Order of accesses (Checks.cpp) -----------------------------------===//
  // What all lanes have seen; a lane that has seen more has a view of its own until the lanes meet
  // again.
  View view;
  std::unique_ptr<View> ownViews[32];
  View beforeFence;     ///< what is before the last fence: its strong writes release it
  View strongReads;     ///< what was released to strong reads: the next fence acquires it
  bool fenced = false;  ///< beforeFence holds something
  bool learned = false; ///< strongReads holds something
  uint32_t count = 1;   ///< of the program agent
  Agent agent = 0;      ///< first of this warp's agents
  const View &viewOf(int lane) const {
    return lane >= 0 && ownViews[lane] ? *ownViews[lane] : view;
  }
  /// The active lanes release to `into`, acquire `from`, meet, fence for the async proxy.
  void release(View &into);
  void acquire(const View &from, uint32_t lanes);
  void syncLanes();
  void fenceProxy();
  /// fence.{sc,acq_rel}: orders what is before with the strong accesses after, and the reverse.
  void fenceMemory();
  /// A strong access to shared memory learns from, or tells, those to the same address.
  void synchronize(Block &owner, uint32_t offset, unsigned lane, Access access, uint8_t order);
  /// `lanes` now know of what `agent` did up to `count`.
  void learn(Agent agent, uint32_t count, uint32_t lanes);
  Observer observer(int lane) const { return {&viewOf(lane), agent, lane}; }
  Stamp stamp(int lane) const;
  void judge(const Conflict &conflict, const char *what, uint32_t bytes, int lane, Block &owner);

  Block &block;
  Launch &launch;
  const Program &program;
  const unsigned index;
  uint32_t live = 0;
  uint32_t active = 0;
  const Instr *now = nullptr;
  std::unique_ptr<uint32_t[]> file;
  std::vector<uint32_t> initialized; ///< lanes, per unit of the file
  std::vector<uint32_t>
      touched; ///< per unit: step of the last read or write but by wgmma, for wgmma.fence
  uint32_t steps = 0;
  std::vector<uint8_t> inFlight;    ///< per unit: Flight
  std::vector<uint32_t> flightLine; ///< per unit: line of the wgmma that last used it

  std::vector<std::byte> localMemory;
  uint32_t clusterArrived = 0; ///< lanes that arrived in the cluster barrier's open phase
  uint32_t clusterOwes = 0;    ///< lanes that arrived and have not waited
  uint32_t registers = 0;      ///< a thread, setmaxnreg
  size_t registerChanges = 0;  ///< setmaxnregs executed
  uint64_t clock = 0;          ///< what %clock64 last showed
  uint32_t carry = 0;          ///< a bit a lane, of add.cc and sub.cc

  BulkGroups bulk[32];     ///< cp.async.bulk groups belong to one thread
  uint32_t bulkIssued = 0; ///< groups ever opened, all lanes
  CopyGroups copies;       ///< cp.async groups, all lanes together

private:
  void fillPresets();
  bool select();
  void merge();
  void step();
  bool gather(const Instr &instr, uint32_t mask);
  void checkReads(const Instr &instr);
  /// What the active lanes have started and not waited for.
  void checkExit();
  /// That a warp which ends has executed each setmaxnreg of its warpgroup.
  void checkRegisterChanges();
  void checkWrites(const Instr &instr);

  std::vector<Split> splits;
  size_t current = 0;
  std::list<Meeting> meetings;
  unsigned roundsAlone = 0; ///< backward branches taken while other splits stand
  enum class Outcome : uint8_t { next, jumped, suspended } outcome = Outcome::next;
  const Allocation *lastAllocation = nullptr;
};

//===----------------------------------------------------------------------===//
// Block, cluster
//===----------------------------------------------------------------------===//

struct Barrier {
  uint32_t expected = 0; ///< threads, 0 while nobody has arrived
  uint32_t arrived = 0;
  uint32_t phase = 0;
  uint32_t arrivedWarps = 0;
  uint8_t reducing = 0; ///< how those who have arrived reduce; 0: they do not
  View collecting, completed;
  uint32_t reduction[3] = {0, ~0u, 0}; ///< popc, and, or of barrier.red
  uint32_t reduced[3] = {0, 0, 0};
};

struct Mbarrier {
  uint32_t count = 0;   ///< arrivals a phase needs
  uint32_t pending = 0; ///< still missing in this phase
  int64_t bytes = 0;    ///< expected minus completed in this phase
  uint32_t phase = 0;   ///< completed phases
  Agent agent = noAgent;
  uint32_t initLine = 0;
  Stamp init;
  bool fenced = false; ///< visible to the async proxy
  // Bytes that no thread waits for may come after the block has ended.
  uint32_t bytesPhase =
      0;                  ///< completed phases once the last phase to which a copy belonged is over
  uint32_t bytesLine = 0; ///< of that copy
  uint32_t waited = 0;    ///< completed phases that some thread has waited for
  View collecting, completed;
};

struct WgmmaUnit; ///< Wgmma.cpp: what one warpgroup has issued

class Block {
public:
  Block(Cluster &cluster, uint32_t rank, Dim3 index);
  ~Block();

  Cluster &cluster;
  Launch &launch;
  const uint32_t rank;
  const Dim3 index;
  std::vector<std::byte> shared; ///< the window from reservedSharedBytes on
  Shadow shadow;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<Barrier, 16> barriers;
  std::map<uint32_t, Mbarrier> mbarriers; ///< by offset in the window
  std::map<uint32_t, View> releases;      ///< what strong writes have released there
  uint32_t freeRegisters = 0;
  std::vector<std::unique_ptr<WgmmaUnit>> wgmma;

  bool finished() const;
  std::byte *at(uint32_t offset) { return shared.data() + (offset - reservedSharedBytes); }
};

/// An operation that completes some time after it was issued.
struct AsyncOperation {
  std::function<void()> complete;
  std::string what; ///< for the deadlock report
};

class Cluster {
public:
  Cluster(Launch &launch, uint64_t number);
  ~Cluster();
  /// Runs all warps to their end. Throws Finding.
  void run();

  Launch &launch;
  Random random;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<AsyncOperation> pending;
  Barrier clusterBarrier;
  Agent nextAgent = 0;
  Agent inFlight = 0; ///< asynchronous operations ever issued
  uint64_t idle = 0;  ///< instructions since something last changed that others can see
  void progressed() { idle = 0; }
  /// Completes the cluster's barrier if all live threads have arrived.
  void tryClusterBarrier();

private:
  void completeOne();
  [[noreturn]] void deadlock();
  void checkEnd();
};

/// "0x400".
std::string hex(uint64_t value);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXEC_MACHINE_H
