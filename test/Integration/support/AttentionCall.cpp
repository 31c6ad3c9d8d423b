//===- AttentionCall.cpp - Calls the generated attention function ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AttentionCall.h"
#include "attention_fwd.h"

namespace trident::test {

namespace {
Tensor convert(const TensorArgument &argument) {
  Tensor tensor;
  tensor.data = reinterpret_cast<void *>(argument.data);
  const Type types[] = {Type::bf16, Type::f16, Type::f32};
  tensor.type = static_cast<int32_t>(types[static_cast<int>(argument.type)]);
  tensor.rank = static_cast<int32_t>(argument.extents.size());
  for (std::size_t axis = 0; axis < argument.extents.size(); ++axis) {
    tensor.shape[axis] = argument.extents[axis];
    tensor.strides[axis] = argument.strides.at(axis);
  }
  return tensor;
}

CallResult answer(const Status &status) { return {status.ok(), status.message()}; }
} // namespace

CallResult callAttention(const AttentionCall &call, cu::Handle stream) {
  const attention_fwd::Causal causal[] = {attention_fwd::Causal::none,
                                          attention_fwd::Causal::top_left,
                                          attention_fwd::Causal::bottom_right};
  attention_fwd::Arguments arguments;
  arguments.q = convert(call.q);
  arguments.k = convert(call.k);
  arguments.v = convert(call.v);
  arguments.o = convert(call.o);
  if (call.lse)
    arguments.lse = convert(*call.lse);
  arguments.scale = call.scale;
  arguments.causal = causal[static_cast<int>(call.causal)];
  return answer(attention_fwd::launch(arguments, static_cast<CUstream_st *>(stream)));
}

CallResult prepareAttention() { return answer(attention_fwd::prepare()); }

} // namespace trident::test
