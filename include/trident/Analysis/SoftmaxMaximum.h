//===- SoftmaxMaximum.h - whether a kernel stores a softmax's maximum -----===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_ANALYSIS_SOFTMAXMAXIMUM_H
#define TRIDENT_ANALYSIS_SOFTMAXMAXIMUM_H

#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

/// True when what `kernel` stores is computed from the maximum of a `softmax_step` and not from its
/// sum: together the two do not tell which reference they are relative to, alone the maximum does.
bool storesMaximum(KernelOp kernel);

} // namespace trident

#endif // TRIDENT_ANALYSIS_SOFTMAXMAXIMUM_H
