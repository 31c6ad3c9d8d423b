// RUN: trident-opt %s --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=nvvm})'
// After nvvm only the LLVM and NVVM dialects are left.

llvm.func @f(%x: i32) -> i32 {
  // expected-error @+1 {{stage 'nvvm' promises that the kernel is per-thread code in the LLVM and NVVM dialects: expected an operation of the llvm or nvvm dialect}}
  %0 = arith.addi %x, %x : i32
  llvm.return %0 : i32
}
