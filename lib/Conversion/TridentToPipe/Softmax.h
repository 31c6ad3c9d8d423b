//===- Softmax.h - the online softmax as row and element-wise ops ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_SOFTMAX_H
#define TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_SOFTMAX_H

#include "trident/Dialect/Trident/IR/TridentDialect.h"

namespace trident {

/// Replaces `step` by reductions and arithmetic on its tiles. `rescale` is that of a schedule. With
/// `stale` the reference of the exponentials stays until a score exceeds it by a factor of 2^8:
/// between such steps no maximum crosses lanes and nothing is rescaled.
void expandSoftmaxStep(SoftmaxStepOp step, llvm::StringRef rescale);

} // namespace trident

#endif // TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_SOFTMAX_H
