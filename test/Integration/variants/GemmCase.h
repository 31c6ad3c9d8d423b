//===- GemmCase.h - One product of f32 matrices against float64 -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_VARIANTS_GEMMCASE_H
#define TRIDENT_TEST_INTEGRATION_VARIANTS_GEMMCASE_H

#include "gemm_f32.h"
#include "support/Checks.h"
#include "support/MatrixCase.h"

namespace trident::test {

/// C [m, n] = A [m, k] B [k, n] by the program's kernel `gemm_f32`: each product may be off by
/// 2^-15 of itself. `layout` is said of what is wrong.
inline void checkGemm(const Placement &placeA, const Placement &placeB, const Placement &placeC,
                      const std::string &layout = "") {
  const int64_t m = placeA.extents[2], k = placeA.extents[3], n = placeB.extents[3];
  std::vector<float> a = normalMatrix(1, m, k), b = normalMatrix(2, k, n);
  DeviceMemory bufferA = inputBuffer(placeA, a), bufferB = inputBuffer(placeB, b);
  OutputBuffer<float> output("c", placeC);
  gemm_f32::Arguments arguments;
  arguments.a = matrixTensor(tensorAddress(bufferA, placeA, 4), Type::f32, placeA);
  arguments.b = matrixTensor(tensorAddress(bufferB, placeB, 4), Type::f32, placeB);
  arguments.c = matrixTensor(output.address(), Type::f32, placeC);
  output.poison();
  mustSucceed(gemm_f32::launch(arguments, nullptr));
  cu::synchronize();
  std::vector<float> c = output.read();
  parallelFor(m, [&](int64_t row) {
    for (int64_t column = 0; column < n; ++column) {
      double want = 0, absolute = 0;
      for (int64_t i = 0; i < k; ++i) {
        double product = static_cast<double>(a[static_cast<std::size_t>(row * k + i)]) *
                         static_cast<double>(b[static_cast<std::size_t>(i * n + column)]);
        want += product;
        absolute += std::abs(product);
      }
      double got = static_cast<double>(c[static_cast<std::size_t>(row * n + column)]);
      expect(std::abs(got - want) <= 0x1p-15 * absolute)
          << m << " x " << n << " x " << k << layout << ": c[" << row << ", " << column << "] is "
          << got << ", expected " << want;
    }
  });
}

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_VARIANTS_GEMMCASE_H
