//===- AttentionCall.h - Calls the generated attention function -----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The only file of the test programs that knows the generated interface is AttentionCall.cpp.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCALL_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCALL_H

#include "AttentionCase.h"
#include "Driver.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trident::test {

using namespace host;

enum class TensorType { bf16, f16, f32 };

inline TensorType tensorType(Element element) {
  return element == Element::bf16  ? TensorType::bf16
         : element == Element::f16 ? TensorType::f16
                                   : TensorType::f32;
}

/// A tensor as a caller hands it over; strides in elements.
struct TensorArgument {
  DevicePtr data = 0;
  TensorType type = TensorType::bf16;
  std::vector<int64_t> extents, strides;
};

struct AttentionCall {
  TensorArgument q, k, v, o;
  std::optional<TensorArgument> lse;
  Causal causal = Causal::none;
  float scale = 1.0f;
  DevicePtr workspace = 0; ///< 8 bytes, or none; a function without such an argument takes none
};

/// What the generated function answered.
struct CallResult {
  bool ok = false;
  std::string message;
};

/// Enqueues the call on `stream`, in the context that is current.
CallResult callAttention(const AttentionCall &call, cu::Handle stream);

/// A function that answers for attention: the generated one, or one from an edited kernel.
using AttentionFunction = std::function<CallResult(const AttentionCall &call, cu::Handle stream)>;

/// Loads the kernels ahead of the first call.
CallResult prepareAttention();

/// Calls and throws the message when the call is refused.
void mustCallAttention(const AttentionCall &call, cu::Handle stream,
                       const AttentionFunction &function = callAttention);

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_ATTENTIONCALL_H
