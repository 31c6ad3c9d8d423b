//===- AtomicPrograms.cpp - Atomics and reductions of every operation --===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One table of operations, types, old values, operands and results, each run as an atomic or
// reduction of one thread, as a bulk reduction and, where tensors have the type, as a reduction of
// a tensor copy.
//===----------------------------------------------------------------------===//
#include "ProgramCases.h"

namespace trident::emu::test {
namespace {

constexpr int noTensor = -1;

/// 8 bytes: one, two or four elements. `dataType`: CUtensorMapDataType.
struct Operation {
  const char *op, *type;
  int dataType;
  uint64_t before, operand, after;
};

// Elements of 16 bits: 1, 2, 3 and 4 are 0x3c00, 0x4000, 0x4200, 0x4400 in f16 and 0x3f80, 0x4000,
// 0x4040, 0x4080 in bf16.
const Operation operations[] = {
    {"add", "u32", 2, 0xfffffffe00000005, 0x0000000300000007, 0x000000010000000c},
    {"min", "u32", 2, 0xffffffff00000005, 0x0000000300000007, 0x0000000300000005},
    {"max", "u32", 2, 0xffffffff00000005, 0x0000000300000007, 0xffffffff00000007},
    {"inc", "u32", 2, 0x0000000500000003, 0x0000000500000007, 0x0000000000000004},
    {"dec", "u32", 2, 0x0000000000000003, 0x0000000500000007, 0x0000000500000002},
    {"and", "b32", 2, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0x0f000f0000f00f00},
    {"or", "b32", 2, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0xff0fff0f0ffffff0},
    {"xor", "b32", 2, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0xf00ff00f0f0ff0f0},
    {"add", "s32", 3, 0x7fffffff00000005, 0x00000001fffffff9, 0x80000000fffffffe},
    {"min", "s32", 3, 0xffffffff00000005, 0x0000000300000007, 0xffffffff00000005},
    {"max", "s32", 3, 0xffffffff00000005, 0x0000000300000007, 0x0000000300000007},
    {"add", "u64", 4, 0x00000001ffffffff, 0x0000000000000002, 0x0000000200000001},
    {"min", "u64", 4, 0x8000000000000000, 0x0000000000000001, 0x0000000000000001},
    {"max", "u64", 4, 0x8000000000000000, 0x0000000000000001, 0x8000000000000000},
    {"min", "s64", 5, 0x8000000000000000, 0x0000000000000001, 0x8000000000000000},
    {"max", "s64", 5, 0x8000000000000000, 0x0000000000000001, 0x0000000000000001},
    {"and", "b64", 4, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0x0f000f0000f00f00},
    {"or", "b64", 4, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0xff0fff0f0ffffff0},
    {"xor", "b64", 4, 0xff00ff000ff00ff0, 0x0f0f0f0f00ffff00, 0xf00ff00f0f0ff0f0},
    {"add", "f32", 7, 0x3fc00000c0000000, 0x4010000040000000, 0x4070000000000000},
    {"add", "f64", noTensor, 0x3ff8000000000000, 0x4002000000000000, 0x400e000000000000},
    {"add", "f16", 6, 0x3c003c00c0004000, 0x3c00400040004000, 0x4000420000004400},
    {"min", "f16", 6, 0x3c00c00044004000, 0x40003c0042004000, 0x3c00c00042004000},
    {"max", "f16", 6, 0x3c00c00044004000, 0x40003c0042004000, 0x40003c0044004000},
    {"add", "bf16", 9, 0x3f803f80c0004000, 0x3f80400040004000, 0x4000404000004080},
    {"min", "bf16", 9, 0x3f80c00040804000, 0x40003f8040404000, 0x3f80c00040404000},
    {"max", "bf16", 9, 0x3f80c00040804000, 0x40003f8040404000, 0x40003f8040804000},
};

bool startsWith(const std::string &text, const char *prefix) { return text.rfind(prefix, 0) == 0; }

/// 16 elements of 8 bytes: `in` holds them as they are before, then the operands.
ProgramCase withValues(const std::string &name, const Operation &operation) {
  ProgramCase one;
  one.name = name + "." + operation.op + "." + operation.type;
  for (uint64_t value : {operation.before, operation.operand})
    for (unsigned i = 0; i < 16; ++i) {
      one.in.push_back(static_cast<uint32_t>(value));
      one.in.push_back(static_cast<uint32_t>(value >> 32));
    }
  for (unsigned i = 0; i < 16; ++i) {
    one.expected.push_back(static_cast<uint32_t>(operation.after));
    one.expected.push_back(static_cast<uint32_t>(operation.after >> 32));
  }
  return one;
}

const std::string begin = "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+128]; "
                          "st.global.u32 [%o], %r1;\n";
const std::string pointers = "mul.wide.u32 %rd1, %t, 4; add.u64 %rd1, %rd1, %in;\n";

/// cp.reduce.async.bulk, of a tensor or plain.
ProgramCase bulk(const Operation &operation, bool tensor) {
  ProgramCase one =
      withValues(tensor ? "cp.reduce.async.bulk.tensor" : "cp.reduce.async.bulk", operation);
  bool rounds = *operation.op == 'a' && std::string(operation.type).find("f16") < 2;
  std::string reduce =
      std::string("cp.reduce.async.bulk.") +
      (tensor ? "tensor.1d.global.shared::cta." : "global.shared::cta.bulk_group.") + operation.op;
  if (tensor)
    reduce += ".bulk_group [%map, {0}], [tile];";
  else
    reduce += std::string(rounds ? ".noftz." : ".") + operation.type + " [%out], [tile], 128;";
  one.ptx = program(pointers + begin +
                        "mov.u32 %r3, tile; shl.b32 %r4, %t, 2; add.u32 %r3, %r3, %r4; "
                        "st.shared.u32 [%r3], %r2; fence.proxy.async; bar.sync 0; "
                        "setp.ne.u32 %p1, %t, 0; @%p1 bra DONE;\n" +
                        reduce + "\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE:",
                    ".shared .align 128 .b8 tile[128];", tensor);
  if (tensor) {
    static const unsigned bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2};
    uint32_t elements = 128 / bytes[operation.dataType];
    one.map.dataType = operation.dataType;
    one.map.rank = 1;
    one.map.dimensions[0] = elements;
    one.map.box[0] = elements;
    one.map.overOut = true;
  }
  return one;
}

/// atom (and red) on `space`, one element a thread.
ProgramCase atomic(const Operation &operation, bool shared, bool result) {
  std::string type = operation.type, space = shared ? "shared" : "global";
  ProgramCase one = withValues((result ? "atom." : "red.") + space, operation);
  bool wide = type.find("64") != std::string::npos, half = type.find("16") != std::string::npos;
  if (wide)
    one.threads = 16;
  if (half)
    type = "noftz." + type + "x2";
  std::string at = shared ? "[%r3]" : "[%rd2]", value = wide ? "%rd5" : "%r2";
  std::string old = wide ? "%rd6" : "%r5", width = wide ? "b64" : "b32";
  std::string body = "mul.wide.u32 %rd1, %t, " + std::string(wide ? "8" : "4") +
                     "; add.u64 %rd2, %rd1, %out; add.u64 %rd1, %rd1, %in; mov.u32 %r3, tile; "
                     "mul.lo.u32 %r4, %t, 8; add.u32 %r3, %r3, %r4;\nld.global." +
                     width + " " + old + ", [%rd1]; ld.global." + width + " " + value +
                     ", [%rd1+128]; st." + space + "." + width + " " + at + ", " + old + ";\n" +
                     (result ? "atom." : "red.") + space + "." + operation.op + "." + type +
                     (result ? " " + old + ", " : " ") + at + ", " + value + ";\n";
  if (result) // what was there, added to a copy of itself, must be twice as much
    body += "ld.global." + width + " " + (wide ? "%rd7" : "%r6") + ", [%rd1]; setp.eq." + width +
            " %p1, " + old + ", " + (wide ? "%rd7" : "%r6") + "; @!%p1 trap;\n";
  if (shared)
    body +=
        "ld.shared." + width + " " + old + ", [%r3]; st.global." + width + " [%rd2], " + old + ";";
  one.ptx = program(body, ".shared .align 16 .b8 tile[256];");
  return one;
}

ProgramCase words(const std::string &name, const std::string &body, std::vector<uint32_t> in,
                  std::vector<uint32_t> expected) {
  ProgramCase one;
  one.name = name;
  one.ptx = program(body, ".shared .align 16 .b8 tile[16];");
  one.threads = 1;
  one.in = std::move(in);
  one.expected = std::move(expected);
  return one;
}

} // namespace

std::vector<ProgramCase> atomicPrograms() {
  std::vector<ProgramCase> all;
  for (const Operation &operation : operations) {
    all.push_back(bulk(operation, false));
    if (operation.dataType != noTensor)
      all.push_back(bulk(operation, true));
    // One element at a time there is no minimum of halves.
    if (startsWith(operation.op, "m") && std::string(operation.type).find("16") < 3)
      continue;
    all.push_back(atomic(operation, false, true));
    all.push_back(atomic(operation, true, true));
    all.push_back(atomic(operation, false, false));
  }
  all.push_back(words("atom.exch and atom.cas of 64 bits",
                      "st.global.u64 [%out], 5; atom.global.exch.b64 %rd1, [%out], 0x100000002; "
                      "atom.global.cas.b64 %rd2, [%out], 0x100000002, 9; "
                      "atom.global.cas.b64 %rd3, [%out], 1, 7; st.global.u64 [%out+8], %rd1; "
                      "st.global.u64 [%out+16], %rd2; st.global.u64 [%out+24], %rd3;",
                      {}, {9, 0, 5, 0, 2, 1, 9, 0}));
  all.push_back(words("atom.cas of 16 bits",
                      "st.global.u32 [%out], 0x00050003; mov.b16 %h1, 5; mov.b16 %h2, 9; "
                      "atom.global.cas.b16 %h3, [%out+2], %h1, %h2; cvt.u32.u16 %r1, %h3; "
                      "st.global.u32 [%out+4], %r1;",
                      {}, {0x00090003, 5}));
  all.push_back(words("atom with orders and scopes",
                      "st.global.u32 [%out], 1; atom.acquire.cta.global.add.u32 %r1, [%out], 1; "
                      "atom.release.gpu.global.add.u32 %r2, [%out], 1; "
                      "atom.acq_rel.sys.add.u32 %r3, [%out], 1; "
                      "atom.relaxed.cluster.global.add.u32 %r4, [%out], 1; "
                      "red.release.gpu.global.add.u32 [%out], 1; st.global.v4.u32 [%out+16], {%r1, "
                      "%r2, %r3, %r4};",
                      {}, {6, 0, 0, 0, 1, 2, 3, 4}));
  all.push_back(words("red of four f32",
                      "mov.b32 %f0, 0f3F800000; mov.b32 %f1, 0f40000000; st.global.v4.b32 [%out], "
                      "{%f0, %f1, %f0, %f1}; red.global.v4.f32.add [%out], {%f1, %f1, %f0, %f0}; "
                      "atom.global.v2.f32.add {%f2, %f3}, [%out], {%f0, %f0}; "
                      "st.global.v2.b32 [%out+16], {%f2, %f3};",
                      {},
                      {0x40800000, 0x40a00000, 0x40000000, 0x40400000, 0x40400000, 0x40800000}));
  // On global memory the sum of two subnormal floats is zero, on shared memory it is not.
  all.push_back(words("atom.add of subnormal f32",
                      "st.global.b32 [%out], 3; st.shared.b32 [tile], 3; "
                      "atom.global.add.f32 %f0, [%out], 0f00000004; "
                      "atom.shared.add.f32 %f1, [tile], 0f00000004; ld.shared.b32 %f2, [tile]; "
                      "st.global.b32 [%out+4], %f2;",
                      {}, {0, 7}));
  return all;
}

} // namespace trident::emu::test
