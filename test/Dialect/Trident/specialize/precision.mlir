// RUN: trident-opt %s --trident-specialize="set=dtype=f32,precision=bf16x3" --verify-roundtrip | FileCheck %s --check-prefix=F32
// RUN: trident-opt %s --trident-specialize --verify-roundtrip | FileCheck %s --check-prefix=BF16
// RUN: not trident-opt %s --trident-specialize="set=dtype=f32" 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not trident-opt %s --trident-specialize="set=precision=bf16x3" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not trident-opt %s --trident-specialize="set=dtype=f32,precision=tf32" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// The precision of a dot follows a parameter; conversions between types that turn out to be one are gone.

!T = !trident.param<"dtype">
!X = !trident.view<in rows x cols : !T>
!i = !trident.tile_index<"rows">
// UNKNOWN: error: 'trident.kernel' op parameter 'precision' is set to 'tf32': expected one of input, bf16x3
// F32: #trident.parameter<"precision", ["input", "bf16x3"], "input", fixed>
// F32-SAME: variant {{.*}}precision = "bf16x3"
trident.kernel @kernel
    parameters [#trident.parameter<"dtype", [bf16, f32], bf16>, #trident.parameter<"cols", [64], 64>,
                #trident.parameter<"precision", ["input", "bf16x3"], "input", fixed>]
    (%x: !X, %y: !trident.view<out rows x cols : f32>) {
  %i = trident.program "rows" : !i
  %a = trident.load %x[%i] : !X[!i] -> tensor<?x?x!T>
  // F32: %[[S:.*]] = trident.dot %{{.*}}, %{{.*}} transpose_b precision("bf16x3") : tensor<?x?xf32>, tensor<?x?xf32>
  // BF16: %[[S:.*]] = trident.dot %{{.*}}, %{{.*}} transpose_b : tensor<?x?xbf16>
  // UNNAMED: error: 'trident.dot' op multiplies 'f32' with precision = input: expected a way that tensor cores have for f32; set precision = bf16x3, three products of bf16 halves
  // OTHER: error: 'trident.dot' op multiplies 'bf16' with precision = bf16x3, which is for f32: expected precision = input
  %s = trident.dot %a, %a transpose_b precision(#trident.param<"precision">) : tensor<?x?x!T>, tensor<?x?x!T> -> tensor<?x?xf32>
  // F32-NOT: trident.convert
  // F32: trident.dot %[[S]],
  // BF16: %[[P:.*]] = trident.convert %[[S]]
  // BF16: trident.dot %[[P]], %{{.*}} : tensor<?x?xbf16>
  %p = trident.convert %s : tensor<?x?xf32> -> tensor<?x?x!T>
  %o = trident.dot %p, %a precision(#trident.param<"precision">) : tensor<?x?x!T>, tensor<?x?x!T> -> tensor<?x?xf32>
  trident.store %o, %y[%i] : tensor<?x?xf32>, !trident.view<out rows x cols : f32>[!i]
}
