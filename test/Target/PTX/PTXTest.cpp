//===- PTXTest.cpp - LLVM IR to PTX to a cubin, and all that goes wrong on the way -===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../Unit/Check.h"
#include "trident/Target/PTX/AssembleCubin.h"
#include "trident/Target/PTX/EmitPTX.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <thread>

using namespace trident;
using namespace trident::test;

static const HardwareTarget &hopper() { return *lookupHardwareTarget("sm_90a"); }

// A kernel that stores `value`, an expression of the float %x, computed by `line`.
static std::string kernel(llvm::StringRef line, llvm::StringRef declarations = "") {
  return (declarations + R"(
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  )" + line +
          R"(
  store float %y, ptr addrspace(1) %p
  ret void
}
)")
      .str();
}

static llvm::Expected<std::string> compile(llvm::StringRef text) {
  auto device = parseLLVM(text, "test.ll");
  if (!device)
    return device.takeError();
  return emitPTX(std::move(*device), hopper());
}

static std::string textOf(llvm::Expected<std::string> result) {
  return result ? *result : llvm::toString(result.takeError());
}

static void emits() {
  llvm::StringRef add = "%y = fadd float %x, 1.0";
  std::string ptx = textOf(compile(kernel(add)));
  EXPECT_EQUAL(llvm::StringRef(ptx).contains(".version 8.7\n.target sm_90a\n"), true);
  EXPECT_EQUAL(llvm::StringRef(ptx).contains(".visible .entry k("), true);
  EXPECT_EQUAL(textOf(compile(kernel(add))), ptx);
}

static void assemblyIsConvergent() {
  auto device = parseLLVM(R"(
define ptx_kernel void @k() {
  call void asm sideeffect "bar.sync 1;", ""()
  %n = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  ret void
}
)",
                          "test.ll");
  makeAssemblyConvergent(*device->module);
  std::vector<bool> convergent;
  for (llvm::Instruction &instruction : device->module->begin()->front())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      convergent.push_back(call->isConvergent());
  EXPECT_EQUAL(convergent == std::vector<bool>({true, false}), true);
}

static void rejects() {
  EXPECT_EQUAL(messageOf(compile(kernel("%y = call float @llvm.nvvm.lg2.aprox.ftz.f(float %x)",
                                        "declare float @llvm.nvvm.lg2.aprox.ftz.f(float)"))),
               "function 'llvm.nvvm.lg2.aprox.ftz.f' is called and not defined: expected the name "
               "of an intrinsic of this LLVM");
  EXPECT_EQUAL(
      messageOf(compile(kernel("%y = call float @logf(float %x)", "declare float @logf(float)"))),
      "function 'logf' is called and not defined: expected code that needs no library, since a "
      "kernel has none");
  EXPECT_EQUAL(
      messageOf(compile("define void @k() {\n  ret void\n}\n")),
      "the module has no entry point: expected a function marked as a kernel (nvvm.kernel)");
  EXPECT_EQUAL(messageOf(compile("define void @k(")),
               "test.ll:1:16: error: expected type\ndefine void @k(\n               ^");
}

// Instruction selection ends the process when it finds no instruction; here it must end only this
// kernel, in whichever thread it happens, and the next one must compile.
static void survivesAborts() {
  auto abortOnce = [] {
    std::string message = messageOf(compile(
        kernel("%y = call float @llvm.log2.f32(float %x)", "declare float @llvm.log2.f32(float)")));
    EXPECT_EQUAL(
        llvm::StringRef(message).starts_with("LLVM gave up generating PTX: Cannot select: "), true);
  };
  std::thread first(abortOnce), second(abortOnce);
  first.join();
  second.join();
  emits();
}

static void readsTheReport() {
  PtxasReport report = parsePtxasReport(R"(ptxas info    : 0 bytes gmem
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized in /tmp/a/kernel.ptx
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    64 bytes stack frame, 48 bytes spill stores, 52 bytes spill loads
ptxas info    : Used 168 registers, used 9 barriers, 64 bytes cumulative stack size, 1024 bytes smem
ptxas info    : Compile time = 253.792 ms
)",
                                        "/tmp/a/kernel.ptx", "k.ptx");
  EXPECT_EQUAL(report.registers, 168u);
  EXPECT_EQUAL(report.barriers, 9u);
  EXPECT_EQUAL(report.stackBytes, 64u);
  EXPECT_EQUAL(report.sharedBytes, 1024u);
  EXPECT_EQUAL(report.spillStoreBytes, 48u);
  EXPECT_EQUAL(report.spillLoadBytes, 52u);
  EXPECT_EQUAL(report.spills(), true);
  EXPECT_EQUAL(report.listProblems().size(), 2u);
  std::vector<std::string> problems = report.listProblems(/*registerBudget=*/128);
  EXPECT_EQUAL(problems.size(), 3u);
  EXPECT_EQUAL(problems[0], "48 bytes of spill stores and 52 of spill loads: expected 0");
  EXPECT_EQUAL(problems[1], "168 registers a thread at entry: expected at most 128, which a block "
                            "of its size has");
  EXPECT_EQUAL(problems[2], report.warnings.front());
  EXPECT_EQUAL(PtxasReport().listProblems(8).empty(), true);
  EXPECT_EQUAL(report.warnings.size(), 1u);
  EXPECT_EQUAL(report.warnings.front(), "ptxas info    : (C7510) Potential Performance Loss: "
                                        "wgmma.mma_async instructions are serialized in k.ptx");
}

static void runsPtxas(const std::string &ptxas) {
  AssembleOptions options;
  options.ptxas = ptxas;
  options.name = "k.ptx";
  std::string ptx = textOf(compile(kernel("%y = fadd float %x, 1.0")));
  auto first = assembleCubin(ptx, hopper(), options),
       second = assembleCubin(ptx, hopper(), options);
  if (!first || !second) {
    EXPECT_EQUAL(messageOf(std::move(first)) + messageOf(std::move(second)), "");
    return;
  }
  EXPECT_EQUAL(llvm::StringRef((const char *)first->bytes.data(), 4), "\x7f"
                                                                      "ELF");
  EXPECT_EQUAL(first->bytes == second->bytes, true);
  EXPECT_EQUAL(first->report.registers > 0 && first->report.registers < 255, true);
  EXPECT_EQUAL(first->report.listProblems().empty(), true);

  ptx =
      textOf(compile(kernel("%y = call float asm sideeffect \"foo $0, $1;\", \"=f,f\"(float %x)")));
  size_t line = llvm::StringRef(ptx).take_front(ptx.find("foo")).count('\n') + 1;
  EXPECT_EQUAL(messageOf(assembleCubin(ptx, hopper(), options)),
               "ptxas rejects k.ptx for sm_90a:\n  k.ptx, line " + std::to_string(line) +
                   "; error   : Not a name of any known instruction: 'foo'\n  fatal   : Ptx "
                   "assembly aborted due to errors");

  // 300 values that live across a store of all: more than a thread has registers.
  std::string body, sum = "%x";
  for (int i = 1; i <= 300; ++i) {
    std::string n = std::to_string(i);
    body += "  %a" + n + " = getelementptr float, ptr addrspace(1) %p, i64 " + n + "\n  %v" + n +
            " = load volatile float, ptr addrspace(1) %a" + n + "\n";
  }
  for (int i = 1; i <= 300; ++i) {
    std::string n = std::to_string(i);
    body +=
        "  store volatile float %v" + n + ", ptr addrspace(1) %a" + std::to_string(301 - i) + "\n";
  }
  ptx = textOf(compile(kernel(body + "  %y = fadd float %x, 1.0")));
  auto spilled = assembleCubin(ptx, hopper(), options);
  EXPECT_EQUAL(spilled && spilled->report.spills(), true);
}

static void missingPtxas() {
  AssembleOptions options;
  options.ptxas = "no-such-folder/ptxas";
  std::string message = messageOf(assembleCubin("", hopper(), options));
  EXPECT_EQUAL(llvm::StringRef(message).starts_with("cannot run ptxas 'no-such-folder/ptxas': "),
               true);
}

int main() {
  emits();
  assemblyIsConvergent();
  rejects();
  survivesAborts();
  readsTheReport();
  missingPtxas();
  if (auto ptxas = findPtxas({}))
    runsPtxas(*ptxas);
  else
    llvm::errs() << "skipped: runsPtxas, since there is no ptxas on PATH\n";
  return finish();
}
