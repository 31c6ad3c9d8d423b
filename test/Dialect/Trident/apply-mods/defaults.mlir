// RUN: trident-opt %s --trident-apply-mods --trident-specialize="set=rows=32" | FileCheck %s
// A parameter of a function may follow one of the kernel.

// CHECK: trident.kernel @kernel
// CHECK-SAME: variant {rows = 32 : i64, window = 32 : i64}
trident.kernel @kernel parameters [#trident.parameter<"rows", [32, 64], 64>]
    (%x: !trident.view<in rows x cols : f32>, %y: !trident.view<out rows x cols : f32>) {
  %c0 = arith.constant 0 : i32
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : f32>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<?x?xf32>
  %m = trident.apply_mods %t batch(%c0) head(%c0) at rows(%i : !trident.tile_index<"rows">) cols(%j : !trident.tile_index<"cols">) : tensor<?x?xf32>
  trident.store %m, %y[%i, %j] : tensor<?x?xf32>, !trident.view<out rows x cols : f32>[!trident.tile_index<"rows">, !trident.tile_index<"cols">]
}

trident.mask_mod @near parameters [#trident.parameter<"window", [32, 64], #trident.param<"rows">>] (%batch: i32, %head: i32, %row: i32, %col: i32) {
  %window = trident.param "window" : i32
  %visible = arith.cmpi slt, %col, %window : i32
  trident.yield %visible : i1
}
