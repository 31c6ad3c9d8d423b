//===- Executor.h - Runs PTX on the CPU: the driver stand-in's machine ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Two calls: `parse` turns PTX text into a module, `run` executes one launch of one of its kernels
// and judges every access on the way. The driver API (lib/Emulator/Driver) owns device memory,
// modules and streams and reaches the machine only through this header. Nothing here depends on the
// compiler, on LLVM or on CUDA's headers.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_EMULATOR_EXECUTOR_H
#define TRIDENT_EMULATOR_EXECUTOR_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trident::emu {

using Dim3 = std::array<uint32_t, 3>;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Where and why a PTX text was refused. Lines and columns count from 1.
struct ParseError {
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  /// "line 12, column 3: expected ...".
  std::string str() const;
};

/// One kernel parameter; `offset` is where its bytes start in LaunchRequest::parameters.
struct EntryParameter {
  std::string name;
  uint32_t size = 0;
  uint32_t alignment = 1;
  uint32_t offset = 0;
};

/// What the directives of one `.entry` say; zero where a directive is absent.
struct EntryInfo {
  std::string name;
  std::vector<EntryParameter> parameters;
  uint32_t parameterBytes = 0;
  Dim3 requiredThreads{0, 0, 0};  ///< .reqntid (missing axes are 1)
  Dim3 maxThreads{0, 0, 0};       ///< .maxntid
  Dim3 requiredCluster{0, 0, 0};  ///< .reqnctapercluster
  uint32_t minBlocksPerSM = 0;    ///< .minnctapersm
  uint32_t maxRegisters = 0;      ///< .maxnreg
  uint32_t staticSharedBytes = 0; ///< shared variables with a size
  uint32_t localBytes = 0;        ///< local variables, per thread
};

/// A `.global` or `.const` variable. The driver allocates it when it loads the module, copies
/// `initial` (shorter than `size`: the rest is zero) into it and passes the address with every
/// launch.
struct GlobalInfo {
  std::string name;
  uint64_t size = 0;
  uint64_t alignment = 1;
  bool isConstant = false;
  std::vector<std::byte> initial;
  /// Pointers inside `initial` that are known only once variables have addresses: at byte `offset`
  /// the 8-byte address of variable number `target`, plus `addend`.
  struct Relocation {
    uint64_t offset;
    size_t target;
    int64_t addend;
  };
  std::vector<Relocation> relocations;
};

/// A parsed and decoded PTX text, immutable and shared between threads.
class Module {
public:
  virtual ~Module() = default;
  virtual const std::string &target() const = 0; ///< "sm_90a"
  virtual const std::vector<EntryInfo> &entries() const = 0;
  virtual const std::vector<GlobalInfo> &globals() const = 0;
  const EntryInfo *findEntry(std::string_view name) const;
};

/// Parses and decodes `ptx` (a terminating NUL may be included). Returns null and fills `error`
/// when the text is malformed, or uses an instruction the machine does not execute or the text's
/// own target does not have.
std::shared_ptr<const Module> parse(std::string_view ptx, ParseError &error);

//===----------------------------------------------------------------------===//
// Device memory, owned by the driver
//===----------------------------------------------------------------------===//

/// Generic addresses from here to `endOfWindows` mean shared, local and parameter memory: no
/// allocation may lie there.
inline constexpr uint64_t beginOfWindows = 0x7000'0000'0000'0000;
inline constexpr uint64_t endOfWindows = 0x7fff'ffff'ffff'ffff;

/// One live allocation: device addresses [base, base + size) are the bytes at `host`.
struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;
  std::byte *host = nullptr;
  bool writable = true;
};

/// The driver's table of allocations. Called from several threads during a launch; an allocation
/// returned once must stay valid until `run` returns.
class Memory {
public:
  virtual ~Memory() = default;
  /// The live allocation that contains `address`, or null.
  virtual const Allocation *find(uint64_t address) const = 0;
  /// A sentence for a report about an address outside all allocations or past the end of one: which
  /// allocation is nearest, how far, whether it was freed, e.g. "12 bytes past the end of the
  /// 4096-byte allocation at 0x7f0000001000".
  virtual std::string describe(uint64_t address) const = 0;
};

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What one device allows; the defaults are Hopper's (compute capability 9.0).
struct DeviceLimits {
  uint32_t threadsPerBlock = 1024;
  uint32_t registersPerBlock = 65536;
  uint32_t sharedBytesPerBlock = 232448; ///< static and dynamic together, opted in
  uint32_t blocksPerCluster = 8;
};

struct LaunchRequest {
  std::shared_ptr<const Module> module;
  std::string entry;
  Dim3 grid{1, 1, 1};
  Dim3 block{1, 1, 1};
  Dim3 cluster{0, 0, 0}; ///< zero: the kernel's own, else 1 x 1 x 1
  uint32_t dynamicSharedBytes = 0;
  /// The parameters' bytes at EntryParameter::offset, EntryInfo::parameterBytes in all.
  std::vector<std::byte> parameters;
  /// Device address of each of Module::globals(), in that order.
  std::vector<uint64_t> globalAddresses;
  const Memory *memory = nullptr;
  DeviceLimits limits;
  uint64_t seed = 0; ///< orders warps and completions; the same seed repeats them
  bool checks =
      true; ///< off: only what would stop hardware too (bad addresses, deadlock) is reported
  unsigned hostThreads = 0; ///< zero: all cores; one: repeatable even across blocks
};

enum class ReportKind {
  badLaunch,
  outOfBounds,
  misaligned,
  uninitializedRegister,
  uninitializedShared,
  asyncRegister, ///< a register of a wgmma in flight was touched
  proxyFence,    ///< a generic write reached the async proxy without a fence
  race,          ///< shared memory, unordered accesses
  mbarrierMisuse,
  barrierMisuse,
  divergence, ///< an .aligned or .sync instruction without all its threads
  deadlock,
  resource,   ///< registers or shared memory over the limits
  badOperand, ///< descriptor, tensor map, shape or immediate that hardware refuses
  trap,
};
/// "out-of-bounds", "race", ...
const char *name(ReportKind kind);

/// One finding, in words and in parts.
struct Report {
  ReportKind kind = ReportKind::trap;
  std::string message;     ///< what happened, with the values
  unsigned line = 0;       ///< of the PTX text, 0 when no single instruction is to blame
  std::string instruction; ///< that line, trimmed
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  /// "out-of-bounds: ... at PTX line 12 `ld.global ...`, block (0,0,0), thread (3,0,0)".
  std::string str() const;
};

struct LaunchStatistics {
  uint64_t warpInstructions = 0;
  uint64_t blocks = 0;
};

struct LaunchResult {
  bool ok = false;
  std::vector<Report>
      reports; ///< the first finding of each block that was running when the launch stopped
  LaunchStatistics statistics;
};

/// Executes the whole grid before it returns. Never throws for what the program does: that is a
/// report.
LaunchResult run(const LaunchRequest &request);

} // namespace trident::emu

#endif // TRIDENT_EMULATOR_EXECUTOR_H
