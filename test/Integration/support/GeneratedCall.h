//===- GeneratedCall.h - Fills in a generated function's arguments --------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_SUPPORT_GENERATEDCALL_H
#define TRIDENT_TEST_INTEGRATION_SUPPORT_GENERATEDCALL_H

#include "AttentionCall.h"
#include "trident/launch.h"

#include <type_traits>

namespace trident::test {

inline Tensor generatedTensor(const TensorArgument &argument) {
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

template <typename Arguments, typename = void> struct WorkspaceSetter {
  static void set(Arguments &, DevicePtr) {}
};
template <typename Arguments>
struct WorkspaceSetter<Arguments, std::void_t<decltype(Arguments::workspace)>> {
  static void set(Arguments &arguments, DevicePtr workspace) {
    arguments.workspace = reinterpret_cast<void *>(workspace);
  }
};

/// Calls `launch`, a generated function with the arguments of attention_fwd; `fill` sets others.
template <typename Arguments, typename Choice, typename Launch, typename Fill>
CallResult callGenerated(const AttentionCall &call, cu::Handle stream, Launch launch, Fill fill) {
  const Choice causal[] = {Choice::none, Choice::top_left, Choice::bottom_right};
  Arguments arguments;
  arguments.q = generatedTensor(call.q);
  arguments.k = generatedTensor(call.k);
  arguments.v = generatedTensor(call.v);
  arguments.o = generatedTensor(call.o);
  if (call.lse)
    arguments.lse = generatedTensor(*call.lse);
  arguments.scale = call.scale;
  arguments.causal = causal[static_cast<int>(call.causal)];
  WorkspaceSetter<Arguments>::set(arguments, call.workspace);
  fill(arguments);
  Status status = launch(arguments, static_cast<CUstream_st *>(stream));
  return {status.ok(), status.message()};
}

template <typename Arguments, typename Choice, typename Launch>
CallResult callGenerated(const AttentionCall &call, cu::Handle stream, Launch launch) {
  return callGenerated<Arguments, Choice>(call, stream, launch, [](Arguments &) {});
}

} // namespace trident::test

/// Defines `name`: what makes an AttentionFunction of the generated function in namespace `scope`,
/// given what fills in its other arguments.
#define TRIDENT_FILLED_FUNCTION(name, scope)                                                       \
  trident::test::AttentionFunction name(const std::function<void(scope::Arguments &)> &fill) {     \
    return [fill](const trident::test::AttentionCall &call, cu::Handle stream) {                   \
      namespace kernel = scope;                                                                    \
      return trident::test::callGenerated<kernel::Arguments, kernel::Causal>(                      \
          call, stream,                                                                            \
          [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); }, fill);    \
    };                                                                                             \
  }

#endif // TRIDENT_TEST_INTEGRATION_SUPPORT_GENERATEDCALL_H
