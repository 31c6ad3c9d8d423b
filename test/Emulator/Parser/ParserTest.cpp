//===- ParserTest.cpp - What the parser takes and refuses, and where ---===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Emulator/Executor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace trident::emu::test {
namespace {

const std::string head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

std::string inKernel(const std::string &body) {
  return head +
         ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred "
         "%p<2>;\n" +
         body + "\n}\n";
}

struct Refusal {
  std::string text;
  unsigned line, column;
  const char *words;
};

TEST(Parser, RefusesWithLineAndColumn) {
  const Refusal refusals[] = {
      {"", 1, 1, "expected .version"},
      {".version 8.0\n", 2, 1, "expected a .target directive"},
      {head + ".address_size 32", 4, 17, "expected .address_size 64"},
      {head + "kernel", 4, 1, "expected a directive, got 'kernel'"},
      {head + ".global .u32 x = {1, 2};", 4, 14, "initializer of 'x' has 8 bytes"},
      {head + ".global .u32 x;\n.global .u32 x;", 5, 14, "'x' is declared twice"},
      {head + ".global .u64 x = y;", 4, 18, "'y' is not a global variable"},
      {head + ".global .u64 x[99999999999];", 4, 27, "an array smaller than 4 GiB"},
      {head + ".func f() { call f; ret; }", 4, 7, "'f' calls itself"},
      {inKernel("call elsewhere;"), 7, 6, "function 'elsewhere' has no body"},
      {inKernel("call %rd0;"), 7, 6, "calls through a register"},
      {head + ".func f(.param .b32 a) { ret; }\n.entry k() { call f; }", 5, 14,
       "0 results and 0 arguments, expected 0 and 1"},
      {head + ".entry k() .speed 3 { ret; }", 4, 19, "unknown performance directive '.speed'"},
      {head + ".entry k() { ret;", 4, 18, "expected an instruction, a directive or '}'"},
      {inKernel("add.u32 %r1, %r2"), 8, 1, "expected ';', got '}'"},
      {inKernel("add.u32 %r1, %r2,;"), 7, 18, "expected an operand"},
      {inKernel("add.u32 %r1, %r9, 1;"), 7, 14, "'%r9' is not declared"},
      {inKernel("add.u32 %r1, %rd1, 1;"), 7, 14, "register '%rd1' has 64 bits, expected 32"},
      {inKernel("add.u32 %r1, 1;"), 7, 1, "'add': expected 3 operands, got 2"},
      {inKernel("add.hasty.u32 %r1, 1, 2;"), 7, 1, "modifier '.hasty' is not supported"},
      {inKernel("frobnicate.u32 %r1;"), 7, 1, "instruction 'frobnicate' is not supported"},
      {inKernel("@%r1 ret;"), 7, 2, "'%r1' is not a predicate"},
      {inKernel("@%q1 ret;"), 7, 2, "'%q1' is not declared"},
      {inKernel("bra NOWHERE;"), 7, 5, "'NOWHERE' is not declared"},
      {inKernel("L: ret;\nL: ret;"), 8, 1, "label 'L' is defined twice"},
      {inKernel("{ IN: ret; }\nbra IN;"), 8, 5, "'IN' is not declared"},
      {inKernel("mov.b32 %r1, 0x;"), 7, 14, "expected digits of an integer"},
      {inKernel("mov.b32 %r1, 0f3F80;"), 7, 14, "expected 8 hexadecimal digits after 0f, got 4"},
      {inKernel("mov.b32 %r1, 99999999999999999999;"), 7, 14, "does not fit 64 bits"},
      {inKernel("mov.b32 %r1, 089;"), 7, 14, "in an octal integer"},
      {inKernel("mov.b32 %r1, \x01;"), 7, 14, "unexpected character"},
      {inKernel("/* never closed"), 7, 1, "comment is not closed"},
      {inKernel(".pragma \"open"), 7, 9, "string is not closed"},
      {inKernel(".reg .b32 %r<9999999>;"), 7, 11, "more than 262144 registers"},
      {inKernel("ld.global.v4.u64 {%rd0, %rd1, %rd2, %rd3}, [%rd0];"), 7, 1, "at most 16 bytes"},
      {inKernel("ld.global.v2.u32 {%r0, %r1, %r2}, [%rd0];"), 7, 18, "expected 2 elements, got 3"},
      {inKernel("ld.global.u32 %r0, %rd0;"), 7, 20, "expected an address in brackets"},
      {inKernel("wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%r0}, %rd0, %rd1, %p0, 1, "
                "1, 0, 0;"),
       7, 1, "n is 12, expected a multiple of 8"},
      {inKernel("wgmma.wait_group.sync.aligned 9;"), 7, 31, "expected 0 to 7, got 9"},
      {inKernel("setmaxnreg.inc.sync.aligned.u32 100;"), 7, 33, "a multiple of 8 from 24 to 256"},
      {inKernel("{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"), 7, 66,
       "at most 64 nested scopes"},
      {".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { wgmma.fence.sync.aligned; ret; "
       "}",
       4, 14, "needs target sm_90a"},
      {".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { wgmma.fence.sync.aligned; ret; "
       "}",
       4, 14, "needs target sm_90a"},
      {".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { cp.async.commit_group; ret; }",
       4, 14, "needs target sm_80"},
  };
  for (const Refusal &refusal : refusals) {
    ParseError error;
    ASSERT_EQ(parse(refusal.text, error), nullptr) << refusal.text;
    EXPECT_NE(error.message.find(refusal.words), std::string::npos) << refusal.text << "\n"
                                                                    << error.str();
    EXPECT_EQ(error.line, refusal.line) << refusal.text << "\n" << error.str();
    EXPECT_EQ(error.column, refusal.column) << refusal.text << "\n" << error.str();
  }
}

TEST(Parser, RefusesEveryPrefixOfTheCorpusWithALine) {
  unsigned files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TRIDENT_EMU_CORPUS)) {
    std::ifstream file(entry.path());
    std::stringstream content;
    content << file.rdbuf();
    std::string text = content.str();
    ParseError error;
    EXPECT_NE(parse(text, error), nullptr) << entry.path() << ": " << error.str();
    size_t end = text.rfind('}');
    for (size_t size = 0; size < end; size += 1 + size % 13) {
      ParseError refused;
      if (!parse(std::string_view(text).substr(0, size), refused))
        EXPECT_GT(refused.line, 0u) << entry.path() << ", " << size << " bytes";
    }
    ++files;
  }
  EXPECT_GE(files, 3u);
}

TEST(Parser, ReadsWhatCompilersWrite) {
  ParseError error;
  auto module =
      parse("//\n// Generated by a compiler\n//\n\n.version 8.7\n.target sm_90a, "
            "debug\n.address_size 64\n"
            ".file 1 \"kernel.cu\"\n.extern .shared .align 1024 .b8 smem[];\n"
            ".global .align 4 .f32 weights[2] = {1.5, 0f40000000};\n.const .align 1 .b8 "
            "name[3] = {97, 98, 0};\n"
            ".func unused(.param .b32 a);\n"
            ".visible .entry first(\n\t.param .align 64 .b8 map[128],\n\t.param .u64 "
            ".ptr .global .align 16 out,\n"
            "\t.param .u32 n,\n\t.param .f32 scale\n)\n.reqntid 384, 1, 1\n.minnctapersm "
            "1\n.maxnreg 168\n"
            "{\n\t.loc 1 5 3\n\t.reg .pred %p<2>;\n\t.reg .b32 %tid_;\n\t.shared .align 16 .b8 "
            "buffer[64];\n\t.pragma \"nounroll\";\n"
            "$L__BB0_1: // a label\n\tmov.u32 \t%tid_, %tid.x;\n\tret;\n}\n"
            ".entry second() { exit; }\n.section .debug_abbrev { .b8 1, 2 }\n",
            error);
  ASSERT_NE(module, nullptr) << error.str();
  EXPECT_EQ(module->entries().size(), 2u);
  std::string text = inKernel("mov.u32 %r0, %tid.x; ret;");
  text.push_back('\0');
  EXPECT_NE(parse(text, error), nullptr) << error.str();
}

TEST(Parser, DescribesEntriesAndVariables) {
  ParseError error;
  auto module = parse(
      head +
          ".extern .shared .align 1024 .b8 smem[];\n.shared .align 16 .b8 fixed[24];\n"
          ".global .align 8 .u64 pointer = generic(weights)+4;\n.global .align 4 .f32 weights[2] = "
          "{1.5};\n"
          ".const .u8 name[3] = {97, 98};\n"
          ".visible .entry first(.param .u8 flag, .param .align 64 .b8 map[128], .param .u64 .ptr "
          ".global "
          ".align 16 out, .param .u32 n)\n.reqntid 384\n.minnctapersm 1\n.maxnreg 168\n{\n"
          ".reg .b32 %r<4>; .local .align 8 .b8 stack[40]; mov.u32 %r0, smem; mov.u32 %r1, fixed; "
          "st.local.u32 [stack], %r0; ret; }\n.entry second() { exit; }\n",
      error);
  ASSERT_NE(module, nullptr) << error.str();
  EXPECT_EQ(module->target(), "sm_90a");
  ASSERT_EQ(module->entries().size(), 2u);
  const EntryInfo &first = *module->findEntry("first");
  EXPECT_EQ(first.requiredThreads, (Dim3{384, 1, 1}));
  EXPECT_EQ(first.maxRegisters, 168u);
  EXPECT_EQ(first.minBlocksPerSM, 1u);
  EXPECT_EQ(first.staticSharedBytes, 24u);
  EXPECT_EQ(first.localBytes, 40u);
  ASSERT_EQ(first.parameters.size(), 4u);
  EXPECT_EQ(first.parameters[1].offset, 64u);
  EXPECT_EQ(first.parameters[2].offset, 192u);
  EXPECT_EQ(first.parameterBytes, 204u);
  ASSERT_EQ(module->globals().size(), 3u);
  const GlobalInfo &pointer = module->globals()[0];
  ASSERT_EQ(pointer.relocations.size(), 1u);
  EXPECT_EQ(pointer.relocations[0].target, 1u);
  EXPECT_EQ(pointer.relocations[0].addend, 4);
  EXPECT_EQ(module->globals()[1].initial.size(), 4u);
  EXPECT_TRUE(module->globals()[2].isConstant);
  EXPECT_EQ(module->findEntry("third"), nullptr);
}

} // namespace
} // namespace trident::emu::test
