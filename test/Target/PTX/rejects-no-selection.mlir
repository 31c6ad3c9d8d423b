// RUN: not trident-compile %s --from=nvvm --emit=ptx 2>&1 | FileCheck %s
// LLVM ends the process on what it has no instruction for; here it ends the compilation with a message.

// CHECK: error: rejects-no-selection.mlir (sm_90a) fails at stage ptx: LLVM gave up generating PTX: Cannot select
// CHECK-NOT: Stack dump
llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %y = llvm.intr.log2(%x) : (f32) -> f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}
