// RUN: not trident-compile %s 2>&1 | FileCheck %s
// A mistake in a kernel is shown where it is, under the file's name without its folder.

// CHECK: {{^}}diagnostics.mlir:8:8: error: {{.*}}nowhere
// CHECK-NEXT: trident.dim "nowhere"
// CHECK: trident-compile: error: diagnostics.mlir (sm_90a) fails at stage source
trident.kernel @k (%x: !trident.view<in rows x cols : f32>) {
  %0 = trident.dim "nowhere" : i32
}
