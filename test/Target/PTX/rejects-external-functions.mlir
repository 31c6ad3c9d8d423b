// RUN: not trident-compile %s --from=nvvm --emit=ptx 2>&1 | FileCheck %s
// A misspelt intrinsic is an external function to LLVM; a kernel has nothing to link with.

// CHECK: error: rejects-external-functions.mlir (sm_90a) fails at stage ptx: function 'llvm.nvvm.lg2.aprox.ftz.f' is called and not defined: expected the name of an intrinsic of this LLVM
llvm.func @llvm.nvvm.lg2.aprox.ftz.f(f32) -> f32
llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %y = llvm.call @llvm.nvvm.lg2.aprox.ftz.f(%x) : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}
