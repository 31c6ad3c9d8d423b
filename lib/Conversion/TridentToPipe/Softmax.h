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

/// Replaces `step` by reductions and arithmetic on its tiles.
void expandSoftmaxStep(SoftmaxStepOp step);

} // namespace trident

#endif // TRIDENT_LIB_CONVERSION_TRIDENTTOPIPE_SOFTMAX_H
