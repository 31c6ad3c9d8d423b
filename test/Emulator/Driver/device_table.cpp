//===- device_table.cpp - What a driver says of its first device ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Prints `question -> answer` for each device attribute by number, the memory size and the
// context's limits, asked of the driver library named by the first argument, else by
// TRIDENT_LIBCUDA, else of libcuda.so.1. What an H200 answered is in device_table.h200.txt; a test
// holds the stand-in to it, but for the cases in device_table.exceptions.txt, each with its reason:
//   c++ -std=c++17 device_table.cpp -o device_table -ldl && ./device_table
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <utility>

namespace {
void *library = nullptr;

template <typename... Arguments> int call(const char *name, Arguments... arguments) {
  auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  return function ? function(arguments...) : -1;
}
} // namespace

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : std::getenv("TRIDENT_LIBCUDA");
  library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "device_table: %s\n", dlerror());
    return 1;
  }
  void *context = nullptr;
  if (call("cuInit", 0u) || call("cuDevicePrimaryCtxRetain", &context, 0) ||
      call("cuCtxSetCurrent", context)) {
    std::fprintf(stderr, "device_table: the driver library has no usable device\n");
    return 1;
  }
  char name[128] = {};
  size_t bytes = 0, free = 0, total = 0;
  int value = 0, least = 0, greatest = 0, unused = 0;
  std::printf("cuDeviceGetName -> %d", call("cuDeviceGetName", name, 128, 0));
  std::printf(" %s\n", name);
  int result = call("cuDriverGetVersion", &value);
  std::printf("cuDriverGetVersion -> %d %d\n", result, value);
  result = call("cuDeviceTotalMem_v2", &bytes, 0);
  std::printf("cuDeviceTotalMem_v2 -> %d %zu\n", result, bytes);
  result = call("cuMemGetInfo_v2", &free, &total);
  std::printf("cuMemGetInfo_v2 total -> %d %zu\n", result, total);
  for (int attribute = 1; attribute <= 150; ++attribute) {
    value = 0;
    result = call("cuDeviceGetAttribute", &value, attribute, 0);
    std::printf("attribute %d -> %d %d\n", attribute, result, value);
  }
  for (int limit = 0; limit <= 10; ++limit) {
    bytes = 0;
    result = call("cuCtxGetLimit", &bytes, limit);
    std::printf("limit %d -> %d %zu\n", limit, result, bytes);
  }
  result = call("cuCtxGetStreamPriorityRange", &least, &greatest);
  std::printf("priorities -> %d %d %d\n", result, least, greatest);
  unsigned long long pointers[2] = {};
  for (size_t size : {size_t(1), size_t(512), size_t(1) << 20, size_t(1) << 24}) {
    result = call("cuMemAlloc_v2", &pointers[0], size) | call("cuMemAlloc_v2", &pointers[1], size);
    std::printf("alignment of two allocations of %zu -> %d %llu %llu\n", size, result,
                pointers[0] & -pointers[0], pointers[1] & -pointers[1]);
  }
  std::printf("cuMemAlloc_v2 of 0 bytes -> %d\n", call("cuMemAlloc_v2", &pointers[0], size_t(0)));
  std::printf("cuMemFree_v2 of null -> %d\n", call("cuMemFree_v2", 0ull));
  std::printf("cuMemFree_v2 of an unknown address -> %d\n", call("cuMemFree_v2", 4096ull));
  std::printf("cuPointerGetAttribute(context) of null -> %d\n",
              call("cuPointerGetAttribute", &context, 1, 0ull));
  std::printf("cuPointerGetAttribute(type) of a stack address -> %d\n",
              call("cuPointerGetAttribute", &unused, 2, (unsigned long long)(size_t)&unused));
  std::printf("cuPointerGetAttribute(ordinal) of a stack address -> %d\n",
              call("cuPointerGetAttribute", &unused, 9, (unsigned long long)(size_t)&unused));
  static char elf[4096] = "\x7f"
                          "ELF";
  const std::pair<const char *, const char *> images[] = {
      {"empty", ""},
      {"not PTX", "not ptx"},
      {"malformed PTX",
       ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry f() { oops; }\n"},
      {"PTX of a later version",
       ".version 99.0\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }\n"},
      {"PTX of sm_100a",
       ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry f() { ret; }\n"},
      {"PTX of sm_100",
       ".version 9.0\n.target sm_100\n.address_size 64\n.visible .entry f() { ret; }\n"},
      {"PTX of sm_80",
       ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f() { ret; }\n"},
      {"PTX of sm_90a",
       ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry f() { ret; }\n"},
      {"an empty ELF file", elf}};
  for (const auto &[what, image] : images) {
    void *loaded = nullptr, *kernel = nullptr, *function = nullptr;
    int module = call("cuModuleLoadData", &loaded, image);
    int libraryResult = call("cuLibraryLoadData", &loaded, image, (void *)nullptr, (void *)nullptr,
                             0u, (void *)nullptr, (void *)nullptr, 0u);
    int kernelResult = libraryResult ? -1 : call("cuLibraryGetKernel", &kernel, loaded, "f");
    int functionResult = kernelResult ? -1 : call("cuKernelGetFunction", &function, kernel);
    std::printf("%s -> module %d library %d kernel %d function %d\n", what, module, libraryResult,
                kernelResult, functionResult);
    std::fflush(stdout);
  }
  return 0;
}
