//===- ComboKernel.h - A drawn kernel and how it is called ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The rows that draw_kernels.py writes include the header of each kernel and this file. Which
// arguments a generated function has is seen from its struct.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_TEST_INTEGRATION_COMBOS_COMBOKERNEL_H
#define TRIDENT_TEST_INTEGRATION_COMBOS_COMBOKERNEL_H

#include "support/GeneratedCall.h"
#include "support/KernelMods.h"
#include "support/RaggedCase.h"

namespace trident::test {

using ComboFunction = CallResult (*)(const RaggedCall &call, const DrawnMods &mods,
                                     cu::Handle stream);

struct ComboKernel {
  std::string name;
  std::string arguments; ///< of trident-compile
  std::string refused;   ///< what the compiler said when it refused them; then there is no `call`
  ComboFunction call;
};

/// All kernels of the program, in no order.
std::vector<ComboKernel> &comboKernels();

struct RegisterCombo {
  explicit RegisterCombo(ComboKernel kernel) { comboKernels().push_back(std::move(kernel)); }
};

inline void assignArgument(Tensor &to, const DrawnMods &mods, const char *name) {
  to = mods.tensor(name);
}
/// A number, or a choice by its number.
template <typename Number>
void assignArgument(Number &to, const DrawnMods &mods, const char *name) {
  to = static_cast<Number>(mods.number(name));
}

/// assign_NAME(arguments, set) calls set(arguments.NAME) where there is such an argument.
#define TRIDENT_COMBO_ARGUMENT(name)                                                               \
  template <typename Arguments, typename Set>                                                      \
  auto assign_##name(Arguments &arguments, Set set, int) -> decltype(void(arguments.name)) {       \
    set(arguments.name);                                                                           \
  }                                                                                                \
  template <typename Arguments, typename Set> void assign_##name(Arguments &, Set, long) {}

#define TRIDENT_COMBO_MOD_ARGUMENTS(X)                                                             \
  X(slopes)                                                                                        \
  X(alibi)                                                                                         \
  X(bias)                                                                                          \
  X(soft_cap)                                                                                      \
  X(tanh)                                                                                          \
  X(temperatures)                                                                                  \
  X(mask)                                                                                          \
  X(chunk)                                                                                         \
  X(dilation)                                                                                      \
  X(document_q)                                                                                    \
  X(document_k)                                                                                    \
  X(first_key)                                                                                     \
  X(end_key)                                                                                       \
  X(prefix)                                                                                        \
  X(window_left)                                                                                   \
  X(window_right)                                                                                  \
  X(window)                                                                                        \
  X(sinks)

TRIDENT_COMBO_MOD_ARGUMENTS(TRIDENT_COMBO_ARGUMENT)
TRIDENT_COMBO_ARGUMENT(cu_seqlens_q)
TRIDENT_COMBO_ARGUMENT(cu_seqlens_k)
TRIDENT_COMBO_ARGUMENT(max_seqlen_q)
TRIDENT_COMBO_ARGUMENT(max_seqlen_k)
TRIDENT_COMBO_ARGUMENT(seqused_q)
TRIDENT_COMBO_ARGUMENT(seqused_k)
#undef TRIDENT_COMBO_ARGUMENT

/// Fills in what says where sequences lie, and what the functions take.
template <typename Arguments>
void fillCombo(Arguments &arguments, const RaggedCall &call, const DrawnMods &mods) {
  auto to = [](const auto &value) { return [&](auto &argument) { argument = value; }; };
  assign_cu_seqlens_q(arguments, to(call.sequencesQ), 0);
  assign_cu_seqlens_k(arguments, to(call.sequencesK), 0);
  assign_max_seqlen_q(arguments, to(call.maxQ), 0);
  assign_max_seqlen_k(arguments, to(call.maxK), 0);
  assign_seqused_q(arguments, to(call.sequencesQ), 0);
  assign_seqused_k(arguments, to(call.sequencesK), 0);
#define TRIDENT_COMBO_ASSIGN(name)                                                                 \
  assign_##name(arguments, [&](auto &argument) { assignArgument(argument, mods, #name); }, 0);
  TRIDENT_COMBO_MOD_ARGUMENTS(TRIDENT_COMBO_ASSIGN)
#undef TRIDENT_COMBO_ASSIGN
}
#undef TRIDENT_COMBO_MOD_ARGUMENTS

#define TRIDENT_COMBO(name, words)                                                                 \
  static const trident::test::RegisterCombo register_##name(                                       \
      {#name, words, "",                                                                           \
       [](const trident::test::RaggedCall &call, const trident::test::DrawnMods &mods,             \
          trident::test::cu::Handle stream) {                                                      \
         namespace kernel = trident::name;                                                         \
         return trident::test::callGenerated<kernel::Arguments, kernel::Causal>(                   \
             call.tensors, stream,                                                                 \
             [](const auto &arguments, auto *on) { return kernel::launch(arguments, on); },        \
             [&](kernel::Arguments &arguments) {                                                   \
               trident::test::fillCombo(arguments, call, mods);                                    \
             });                                                                                   \
       }});

#define TRIDENT_REFUSED_COMBO(name, words, why)                                                    \
  static const trident::test::RegisterCombo register_##name({#name, words, why, nullptr});

} // namespace trident::test

#endif // TRIDENT_TEST_INTEGRATION_COMBOS_COMBOKERNEL_H
