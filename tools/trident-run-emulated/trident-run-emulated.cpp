//===- trident-run-emulated.cpp - Run a program on the driver stand-in ----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

static const char usage[] =
    "usage: trident-run-emulated PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs PROGRAM with TRIDENT_LIBCUDA naming the driver stand-in, libtrident_emu.so: the "
    "program's\n"
    "generated launchers then execute the PTX that they ship on the CPU, and every access is "
    "checked.\n"
    "\n"
    "  TRIDENT_EMU_SEED=N      order warps and completions by N (0)\n"
    "  TRIDENT_EMU_CHECKS=0    run without the strict checks\n"
    "  TRIDENT_EMU_DEVICES=N   show N devices (1)\n"
    "  TRIDENT_EMU_ARCH=N      show compute capability N: 80, 90, 100 or 120 (90)\n";

/// The stand-in, beside this program in the build tree or in its installed place; empty when it is
/// in neither.
static std::string findLibrary() {
  char self[PATH_MAX] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
    return {};
  std::string folder(self);
  folder.resize(folder.rfind('/'));
  for (const char *place : {"/../lib/", "/../" TRIDENT_LIBDIR "/", "/"}) {
    std::string path = folder + place + "libtrident_emu.so";
    char resolved[PATH_MAX];
    if (access(path.c_str(), R_OK) == 0 && realpath(path.c_str(), resolved))
      return resolved;
  }
  return {};
}

int main(int argc, char **argv) {
  if (argc < 2 || std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0) {
    std::fputs(usage, argc < 2 ? stderr : stdout);
    return argc < 2 ? 2 : 0;
  }
  std::string library = findLibrary();
  if (library.empty()) {
    std::fputs(
        "trident-run-emulated: libtrident_emu.so is neither in ../lib nor in ../" TRIDENT_LIBDIR
        " beside this program\n",
        stderr);
    return 1;
  }
  setenv("TRIDENT_LIBCUDA", library.c_str(), 1);
  execvp(argv[1], argv + 1);
  std::perror(("trident-run-emulated: " + std::string(argv[1])).c_str());
  return 127;
}
