//===- parse_fuzzer.cpp - libFuzzer's entry: any bytes as PTX ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The parser and the decoder must refuse what they do not understand, and never crash. Built when
// the compiler is clang:
//
//     build/bin/parse_fuzzer -max_total_time=600 -dict=test/Emulator/Fuzz/ptx.dict
//     test/Emulator/Fuzz/corpus
//===----------------------------------------------------------------------===//
#include "trident/Emulator/Executor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  trident::emu::ParseError error;
  auto module =
      trident::emu::parse(std::string_view(reinterpret_cast<const char *>(data), size), error);
  if (!module && error.message.empty())
    __builtin_trap(); // a refusal says why
  return 0;
}
