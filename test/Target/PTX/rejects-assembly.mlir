// REQUIRES: ptxas
// RUN: not trident-compile %s --from=nvvm --emit=cubin -o %t.cubin 2>&1 | FileCheck %s
// RUN: not ls %t.cubin
// What ptxas rejects is an error of ours, with the line of the PTX, and leaves no file.

// CHECK: error: rejects-assembly.mlir (sm_90a) fails at stage cubin: ptxas rejects rejects-assembly.ptx for sm_90a:
// CHECK-NEXT: rejects-assembly.ptx, line {{[0-9]+}}; error   : Not a name of any known instruction: 'frobnicate'
llvm.func @k(%x: i32) attributes {nvvm.kernel} {
  llvm.inline_asm has_side_effects "frobnicate $0;", "r" %x : (i32) -> ()
  llvm.return
}
