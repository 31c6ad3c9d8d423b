// RUN: trident-opt %s --verify-roundtrip | FileCheck %s
// Copies of elements and their reads are printed as they are read.

!V = !trident.view<in rows x cols : f32>
!T = tensor<64x8xf32, #trident.accumulator<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @elements
trident.kernel @elements(%v: !V, %j: i32) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %t = trident.tile_at %j : i32 -> <"cols">
  // CHECK: %[[F:.*]] = pipe.copy_elements at 512 %v rows(%{{.*}} : !trident.tile_index<"rows">) cols(%{{.*}} : !trident.tile_index<"cols">) : <in rows x cols : f32> -> <tensor<64x8xf32, {{.*}}>> {
  // CHECK-NEXT: ^bb0(%[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  // CHECK-NEXT:   trident.yield %[[ROW]], %[[COL]] : i32, i32
  %f = pipe.copy_elements at 512 %v rows(%i : !trident.tile_index<"rows">) cols(%t : !trident.tile_index<"cols">) : !V -> !pipe.async<!T> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
  // CHECK: pipe.read_elements %[[F]] at 512 : <tensor<64x8xf32, {{.*}}>> -> tensor<64x8xf32
  %x = pipe.read_elements %f at 512 : !pipe.async<!T> -> !T
}
