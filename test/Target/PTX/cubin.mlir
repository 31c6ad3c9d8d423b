// REQUIRES: ptxas
// RUN: trident-compile %s --from=nvvm --emit=cubin -o %t.cubin --explain 2>&1 | FileCheck %s
// RUN: trident-compile %s --from=nvvm --emit=cubin -o %t.again
// RUN: cmp %t.cubin %t.again
// A cubin is the same bytes each time, and ptxas's figures are reported.

// CHECK: sm_90a
// CHECK-NEXT: registers {{[0-9]+}} a thread
// CHECK-NEXT: spills none
// CHECK-NEXT: image {{[0-9]+}} bytes of PTX, {{[0-9]+}} bytes of cubin
// CHECK-NEXT: time (ms) ptx {{[0-9.]+}}, cubin {{[0-9.]+}}, total
llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  llvm.store %x, %p : f32, !llvm.ptr<1>
  llvm.return
}
