// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-infer-contract --trident-select-schedule="fields=copies=threads" | FileCheck %s
// Copies by threads ask for no contiguous axis, and of addresses and strides no more than the element's size.

// CHECK-NOT: contiguous
// CHECK: #trident.check<alignment, argument = "{{[a-z]+}}", expected = {{[24]}} : i64>
// CHECK-NOT: expected = 16 : i64
// CHECK: copies = "threads"
