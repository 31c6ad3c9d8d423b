//===- AttentionCall.cpp - Calls the generated attention function ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AttentionCall.h"
#include "GeneratedCall.h"
#include "attention_fwd.h"

namespace trident::test {

CallResult callAttention(const AttentionCall &call, cu::Handle stream) {
  return callGenerated<attention_fwd::Arguments, attention_fwd::Causal>(
      call, stream,
      [](const auto &arguments, auto *on) { return attention_fwd::launch(arguments, on); });
}

CallResult prepareAttention() {
  Status status = attention_fwd::prepare();
  return {status.ok(), status.message()};
}

} // namespace trident::test
