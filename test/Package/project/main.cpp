//===- main.cpp - A program that links two generated kernels --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Calls both without tensors: each must refuse with a sentence, whatever driver there is or is not.
//===----------------------------------------------------------------------===//
#include "attention_fwd.h"
#include "own_attention.h"

#include <cstdio>

static bool refuses(const trident::Status &status) {
  std::printf("%s\n", status.message().c_str());
  return !status.ok() && !status.message().empty();
}

int main() {
  const bool first = refuses(trident::attention_fwd::launch({}, nullptr));
  const bool second = refuses(trident::own_attention::launch({}, nullptr));
  return first && second ? 0 : 1;
}
