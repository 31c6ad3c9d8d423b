//===- Machine.h - A machine with memory for one test ------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_EMULATOR_MACHINE_MACHINE_H
#define TRIDENT_TEST_EMULATOR_MACHINE_MACHINE_H

#include "trident/Emulator/Executor.h"
#include "trident/Emulator/TensorMap.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>

namespace trident::emu::test {

/// Device memory whose bytes are vectors of the test.
class TestMemory : public Memory {
public:
  /// The device address of `values`' bytes.
  template <typename T> uint64_t add(std::vector<T> &values) {
    uint64_t base = next;
    allocations[base] = {base, values.size() * sizeof(T),
                         reinterpret_cast<std::byte *>(values.data()), true};
    next += (values.size() * sizeof(T) + 0x1fff) / 0x1000 * 0x1000;
    return base;
  }
  const Allocation *find(uint64_t address) const override {
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin())
      return nullptr;
    const Allocation &candidate = std::prev(after)->second;
    return address - candidate.base < candidate.size ? &candidate : nullptr;
  }
  std::string describe(uint64_t) const override { return "no allocation is there"; }

private:
  std::map<uint64_t, Allocation> allocations;
  uint64_t next = 0x10000000000;
};

/// Parses a text, throws what is wrong with it, and launches one of its kernels, by default the
/// first.
class Machine {
public:
  explicit Machine(const std::string &ptx, const std::string &entry = {}) {
    ParseError error;
    request.module = parse(ptx, error);
    if (!request.module)
      throw std::runtime_error(error.str());
    request.entry = entry.empty() ? request.module->entries().at(0).name : entry;
    request.parameters.resize(request.module->findEntry(request.entry)->parameterBytes);
    request.memory = &memory;
    request.hostThreads = 1;
    for (const GlobalInfo &global : request.module->globals()) {
      globals.emplace_back(std::max<size_t>(global.size, 1));
      std::copy(global.initial.begin(), global.initial.end(), globals.back().begin());
      request.globalAddresses.push_back(memory.add(globals.back()));
    }
    for (size_t i = 0; i < globals.size(); ++i)
      for (const GlobalInfo::Relocation &relocation : request.module->globals()[i].relocations) {
        uint64_t address =
            request.globalAddresses[relocation.target] + static_cast<uint64_t>(relocation.addend);
        std::memcpy(globals[i].data() + relocation.offset, &address, sizeof(address));
      }
  }

  /// Passes the next parameter.
  template <typename T> Machine &pass(const T &value) {
    const EntryParameter &parameter =
        request.module->findEntry(request.entry)->parameters.at(passed++);
    std::memcpy(request.parameters.data() + parameter.offset, &value, sizeof(T));
    return *this;
  }
  Machine &threads(uint32_t count) {
    request.block = {count, 1, 1};
    return *this;
  }
  Machine &blocks(uint32_t count) {
    request.grid = {count, 1, 1};
    return *this;
  }
  LaunchResult launch() { return run(request); }

  TestMemory memory;
  LaunchRequest request;

private:
  size_t passed = 0;
  std::deque<std::vector<std::byte>> globals;
};

/// `body` in a kernel for sm_90a with parameters `in` and `out`, their addresses in %in and %out,
/// and %r, %rd, %p, %f and %h registers declared.
inline std::string kernel(const std::string &body, const std::string &shared = "",
                          const std::string &directives = "") {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n" + shared +
         "\n.visible .entry k(.param .u64 in, .param .u64 out)" + directives +
         "\n{\n.reg .b16 %h<16>; .reg .b32 %r<64>; .reg .b32 %f<64>; .reg .b64 %rd<32>; .reg .pred "
         "%p<16>; .reg .b64 %in, %out;\nld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" +
         body + "\nret;\n}\n";
}

} // namespace trident::emu::test

#endif // TRIDENT_TEST_EMULATOR_MACHINE_MACHINE_H
