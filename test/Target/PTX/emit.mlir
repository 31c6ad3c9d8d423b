// RUN: trident-compile %s --from=nvvm --emit=ptx | FileCheck %s
// A function of the LLVM dialect becomes an entry point, with what its attributes say of the launch.

// CHECK: .version 8.7
// CHECK-NEXT: .target sm_90a
// CHECK: .visible .entry twice(
// CHECK: .reqntid 128
// CHECK: .minnctapersm 1
llvm.func @twice(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  // CHECK: add.rn.f32
  %y = llvm.fadd %x, %x : f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}
