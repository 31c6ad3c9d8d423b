// RUN: trident-opt %s --split-input-file --trident-read-ahead --verify-roundtrip | FileCheck %s
// Where columns do not read neighbours, or the score says which element, it stays one element; so does what is one for all rows.

!T = !trident.view<in rows x cols : f32>
!tile = tensor<16x32xf32>
// CHECK-LABEL: trident.kernel @transposed
trident.kernel @transposed(%t: !T) {
  %x = builtin.unrealized_conversion_cast to !tile
  // CHECK-NOT: trident.element_tile
  // CHECK: trident.element %t[
  %y = trident.score %x at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %e = trident.element %t[%col, %row] : !T -> f32
    trident.yield %e : f32
  }
}

// -----
!T = !trident.view<in rows x cols : f32>
!tile = tensor<16x32xf32>
// CHECK-LABEL: trident.kernel @twice
trident.kernel @twice(%t: !T) {
  %x = builtin.unrealized_conversion_cast to !tile
  // CHECK-NOT: trident.element_tile
  %y = trident.score %x at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %place = arith.addi %col, %col : i32
    %e = trident.element %t[%row, %place] : !T -> f32
    trident.yield %e : f32
  }
}

// -----
!T = !trident.view<in rows x cols : f32>
!tile = tensor<16x32xf32>
// CHECK-LABEL: trident.kernel @of_the_score
trident.kernel @of_the_score(%t: !T) {
  %x = builtin.unrealized_conversion_cast to !tile
  // CHECK-NOT: trident.element_tile
  %y = trident.score %x at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %bucket = arith.fptosi %score : f32 to i32
    %e = trident.element %t[%bucket, %col] : !T -> f32
    trident.yield %e : f32
  }
}

// -----
!T = !trident.view<in cols : f32>
!tile = tensor<16x32xf32>
// CHECK-LABEL: trident.kernel @for_all_rows
trident.kernel @for_all_rows(%t: !T) {
  %x = builtin.unrealized_conversion_cast to !tile
  // CHECK-NOT: trident.element_tile
  %y = trident.score %x at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %e = trident.element %t[%col] : !T -> f32
    trident.yield %e : f32
  }
}

// -----
!T = !trident.view<in cols : f32>
!tile = tensor<16x32xf32>
// A relative one, at the column less the row, is along the columns.
// CHECK-LABEL: trident.kernel @relative
trident.kernel @relative(%t: !T) {
  %x = builtin.unrealized_conversion_cast to !tile
  // CHECK: trident.element_tile
  // CHECK: %[[DISTANCE:.*]] = arith.subi
  // CHECK-NEXT: trident.yield %[[DISTANCE]]
  %y = trident.score %x at : !tile {
  ^bb0(%score: f32, %row: i32, %col: i32):
    %distance = arith.subi %col, %row : i32
    %e = trident.element %t[%distance] : !T -> f32
    trident.yield %e : f32
  }
}
