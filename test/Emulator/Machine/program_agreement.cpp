//===- program_agreement.cpp - The small kernels on a CUDA driver ------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// As instruction_agreement, for the programs: prints `equal NAME` or the first difference of each.
// Arguments choose those whose name contains one of them. The programs run in a child process;
// after a fault, which leaves a device's context of no use, or when one hangs, another child goes
// on with the next.
//===----------------------------------------------------------------------===//
#include "AnyDriver.h"
#include "ProgramCases.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trident::emu::test;

namespace {

struct alignas(64) Map {
  char bytes[128];
};

void encode(Map &map, const TensorMapCase &from, uint64_t address) {
  uint64_t dimensions[5], strides[4];
  uint32_t box[5], elementStrides[5];
  for (unsigned axis = 0; axis < 5; ++axis) {
    dimensions[axis] = from.dimensions[axis];
    box[axis] = from.box[axis];
    elementStrides[axis] = std::max(from.elementStrides[axis], 1u);
    if (axis < 4)
      strides[axis] = from.strides[axis];
  }
  call("cuTensorMapEncodeTiled", &map, from.dataType, uint32_t(from.rank),
       reinterpret_cast<void *>(address), static_cast<const uint64_t *>(dimensions),
       static_cast<const uint64_t *>(strides), static_cast<const uint32_t *>(box),
       static_cast<const uint32_t *>(elementStrides), 0, from.swizzle, 0, from.oobFill);
}

std::string runOne(const ProgramCase &one) {
  void *module = nullptr, *function = nullptr;
  call("cuModuleLoadData", &module, static_cast<const void *>(one.ptx.c_str()));
  call("cuModuleGetFunction", &function, module, "k");
  if (one.dynamicShared)
    call("cuFuncSetAttribute", function, 8, int(one.dynamicShared));
  size_t inBytes = std::max<size_t>(one.in.size() * 4, 16), outBytes = one.expected.size() * 4;
  uint64_t in = 0, out = 0;
  call("cuMemAlloc_v2", &in, inBytes);
  call("cuMemAlloc_v2", &out, outBytes);
  if (!one.in.empty())
    call("cuMemcpyHtoD_v2", in, static_cast<const void *>(one.in.data()), one.in.size() * 4);
  call("cuMemsetD8_v2", out, static_cast<unsigned char>(0), outBytes);
  Map map = {};
  if (one.map.rank)
    encode(map, one.map, one.map.overOut ? out : in);
  void *parameters[] = {&in, &out, &map};
  call("cuLaunchKernel", function, one.blocks, 1u, 1u, one.threads, 1u, 1u, one.dynamicShared,
       static_cast<void *>(nullptr), static_cast<void **>(parameters),
       static_cast<void **>(nullptr));
  std::vector<uint32_t> got(one.expected.size());
  call("cuMemcpyDtoH_v2", static_cast<void *>(got.data()), out, outBytes);
  call("cuMemFree_v2", in);
  call("cuMemFree_v2", out);
  call("cuModuleUnload", module);
  return compare(one, got);
}

/// What the children have come to.
struct Progress {
  size_t next = 0; ///< the program that runs, or would
  unsigned different = 0;
};

void runFrom(const std::vector<ProgramCase> &programs, volatile Progress &progress) {
  openDriver(progress.next == 0);
  for (; progress.next < programs.size(); progress.next = progress.next + 1) {
    const ProgramCase &one = programs[progress.next];
    std::string difference = runOne(one);
    std::printf("%s %s\n", difference.empty() ? "equal" : "DIFFERENT",
                difference.empty() ? one.name.c_str() : difference.c_str());
    std::fflush(stdout);
    progress.different = progress.different + !difference.empty();
  }
}

/// Waits for a child, or ends it when it has been at one program for too long. Null: it did well.
const char *watch(pid_t child, const volatile Progress &progress) {
  constexpr unsigned pollsPerSecond = 20, longest = 30 * pollsPerSecond;
  size_t last = progress.next;
  int status = 0;
  for (unsigned still = 0; waitpid(child, &status, WNOHANG) == 0; ++still) {
    if (progress.next != last) {
      last = progress.next;
      still = 0;
    }
    if (still == longest) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return "does not end";
    }
    usleep(1000000 / pollsPerSecond);
  }
  return status == 0 ? nullptr : "fails, see above";
}

} // namespace

int main(int count, char **arguments) {
  std::vector<ProgramCase> programs;
  for (ProgramCase &one : allPrograms())
    if (count < 2 ||
        std::any_of(
            arguments + 1, arguments + count,
            [&](const char *part) { return one.name.find(part) != std::string::npos; }))
      programs.push_back(std::move(one));
  auto *progress = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *progress = Progress();
  while (progress->next < programs.size()) {
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      runFrom(programs, *progress);
      std::_Exit(0);
    }
    if (const char *what = watch(child, *progress)) {
      std::printf("DIFFERENT %s: %s\n", programs[progress->next].name.c_str(), what);
      ++progress->next;
      ++progress->different;
    }
  }
  std::printf("%zu programs, %u different\n", programs.size(), progress->different);
  return progress->different != 0;
}
