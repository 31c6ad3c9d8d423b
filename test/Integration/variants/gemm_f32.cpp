//===- gemm_f32.cpp - A product of f32 matrices that is not attention -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The columns of both operands are tiled and end anywhere, so their last pieces are read element by
// element; what lies behind a row is NaN.
//===----------------------------------------------------------------------===//
#include "GemmCase.h"

using namespace trident;
using namespace trident::test;

static void check(int64_t m, int64_t n, int64_t k) {
  checkGemm(placeMatrix(m, k), placeMatrix(k, n), placeMatrix(m, n));
}

TRIDENT_TEST(lengths_around_every_tile) {
  Context context;
  for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                         {127, 65, 63},
                         {129, 64, 64},
                         {200, 133, 201},
                         {64, 3, 330},
                         {128, 130, 66}})
    check(m, n, k);
}

TRIDENT_TEST(nothing) {
  Context context;
  check(0, 64, 64);
  check(64, 64, 0);
}

int main(int argc, char **argv) { return runNamedTests("gemm_f32", parseRunOptions(argc, argv)); }
