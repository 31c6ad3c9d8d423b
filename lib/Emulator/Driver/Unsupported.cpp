//===- Unsupported.cpp - Exports that say that they are not supported -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Every other name that libcuda exports exists here too, so that a program which looks it up gets
// an answer that fails and names itself, rather than a null pointer. On the platforms of this
// library a function may be called with more arguments than it takes.
//===----------------------------------------------------------------------===//
#include "CudaTypes.h"

#include <cstdio>

#define CU_UNSUPPORTED(name)                                                                       \
  EMU_EXPORT CUresult name() {                                                                     \
    std::fprintf(stderr, "trident-emu: " #name ": not supported by the driver stand-in\n");        \
    return CUDA_ERROR_NOT_SUPPORTED;                                                               \
  }
#include "Unsupported.def"
