// RUN: trident-opt %s --trident-specialize="set=dtype=bf16,cols=128" --verify-roundtrip | FileCheck %s
// Types, extents and conditions follow the values; what they decide is gone. `mode` takes its default.

!T = !trident.param<"dtype">
!X = !trident.view<in rows x cols : !T>
!Y = !trident.view<out rows x cols : !T>
!i = !trident.tile_index<"rows">
// CHECK: trident.kernel @kernel
// CHECK-SAME: variant {cols = 128 : i64, dtype = bf16, mode = "plain"}
// CHECK-SAME: source_types [!trident.view<in rows x cols : !trident.param<"dtype">>,
// CHECK-SAME: (%x: !trident.view<in rows x cols : bf16>, %y: !trident.view<out rows x cols : bf16>,
trident.kernel @kernel
    parameters [#trident.parameter<"dtype", [f16, bf16], f16>, #trident.parameter<"cols", [64, 128], 64>,
                #trident.parameter<"mode", ["plain", "scaled"], "plain">]
    (%x: !X, %y: !Y, %scale: f32) {
  // CHECK-DAG: %[[VISIBLE:.*]] = arith.constant true
  // CHECK-DAG: %[[COLS:.*]] = arith.constant 128 : i32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  %i = trident.program "rows" : !i
  %plain = trident.param "mode" is("plain") : i1
  %one = arith.constant 1.0 : f32
  // CHECK-NOT: trident.param "
  // CHECK-NOT: arith.select
  %factor = arith.select %plain, %one, %scale : f32
  %cols = trident.dim "cols" : i32
  %width = trident.param "cols" : i32
  // CHECK: trident.load %x[%{{.*}}] : <in rows x cols : bf16>[!trident.tile_index<"rows">] -> tensor<?x?xbf16>
  %t = trident.load %x[%i] : !X[!i] -> tensor<?x?x!T>
  %f = trident.convert %t : tensor<?x?x!T> -> tensor<?x?xf32>
  // CHECK: trident.full %[[ONE]] ["rows", "cols"]
  %c = trident.full %factor ["rows", "cols"] : f32 -> tensor<?x?xf32>
  %s = arith.mulf %f, %c : tensor<?x?xf32>
  // CHECK: trident.mask
  %m = trident.mask %s at rows(%i : !i) : tensor<?x?xf32> {
  ^bb0(%row: i32, %col: i32):
    // CHECK-NEXT: ^bb0
    // CHECK-NEXT: trident.yield %[[VISIBLE]] : i1
    %below = arith.cmpi sle, %col, %row : i32
    %visible = arith.ori %below, %plain : i1
    trident.yield %visible : i1
  }
  // CHECK: trident.score
  %b = trident.score %m at rows(%i : !i) : tensor<?x?xf32> {
  ^bb0(%score: f32, %row: i32, %col: i32):
    // CHECK: arith.muli %{{.*}}, %[[COLS]] : i32
    %left = arith.muli %row, %cols : i32
    %right = arith.addi %left, %width : i32
    %bias = arith.sitofp %right : i32 to f32
    %sum = arith.addf %score, %bias : f32
    trident.yield %sum : f32
  }
  // CHECK: trident.convert %{{.*}} : tensor<?x?xf32> -> tensor<?x?xbf16>
  %out = trident.convert %b : tensor<?x?xf32> -> tensor<?x?x!T>
  trident.store %out, %y[%i] : tensor<?x?x!T>, !Y[!i]
}
