//===- mutating_driver.cpp - The stand-in, with one line of the PTX changed ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Named by TRIDENT_LIBCUDA in place of the stand-in, which it links: every name is the stand-in's
// but two. What loads images replaces line TRIDENT_MUTANT_LINE of the PTX by TRIDENT_MUTANT_TEXT;
// with TRIDENT_MUTANT_DUMP it writes the PTX to that file instead. TRIDENT_MUTANT_MULTIPROCESSORS
// is the number of multiprocessors that the device claims, so that few blocks run many work items.
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <string>

extern "C" __attribute__((visibility("default"))) int
cuDeviceGetAttribute(int *value, int attribute, int device) {
  constexpr int multiprocessorCount = 16;
  auto get =
      reinterpret_cast<decltype(&cuDeviceGetAttribute)>(dlsym(RTLD_NEXT, "cuDeviceGetAttribute"));
  const char *claimed = std::getenv("TRIDENT_MUTANT_MULTIPROCESSORS");
  int result = get(value, attribute, device);
  if (result == 0 && claimed && attribute == multiprocessorCount)
    *value = static_cast<int>(std::strtol(claimed, nullptr, 10));
  return result;
}

extern "C" __attribute__((visibility("default"))) int
cuLibraryLoadData(void **library, const void *code, int *options, void **values, unsigned count,
                  int *libraryOptions, void **libraryValues, unsigned libraryCount) {
  auto load = reinterpret_cast<decltype(&cuLibraryLoadData)>(dlsym(RTLD_NEXT, "cuLibraryLoadData"));
  std::string text;
  const char *start = static_cast<const char *>(code);
  start += std::strspn(start, " \t\r\n");
  if (*start == '/' || *start == '.') {
    text = static_cast<const char *>(code);
    if (const char *dump = std::getenv("TRIDENT_MUTANT_DUMP"))
      std::ofstream(dump) << text;
    const char *line = std::getenv("TRIDENT_MUTANT_LINE");
    const char *replacement = std::getenv("TRIDENT_MUTANT_TEXT");
    if (line && replacement) {
      size_t begin = 0;
      for (long i = std::strtol(line, nullptr, 10); i > 1; --i)
        begin = text.find('\n', begin) + 1;
      text.replace(begin, text.find('\n', begin) - begin, replacement);
    }
    code = text.c_str();
  }
  return load(library, code, options, values, count, libraryOptions, libraryValues, libraryCount);
}
