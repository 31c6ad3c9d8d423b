//===- mutating_driver.cpp - The stand-in, with one line of the PTX changed ===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Named by TRIDENT_LIBCUDA in place of the stand-in, which it links: every name is the stand-in's
// but the one that loads images. It replaces line TRIDENT_MUTANT_LINE of the PTX by
// TRIDENT_MUTANT_TEXT; with TRIDENT_MUTANT_DUMP it writes the PTX to that file instead.
//===----------------------------------------------------------------------===//
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <string>

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
