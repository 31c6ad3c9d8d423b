// RUN: trident-opt %s --canonicalize | FileCheck %s
// A change of layout that changes nothing, or is undone, is none.

#acc = #trident.accumulator<warpgroups = 2>
#operand = #trident.operand<warpgroups = 2>
!A = tensor<128x64xf16, #acc>
!B = tensor<128x64xf16, #operand>
!V = !trident.view<out rows x cols : f16>
!i = !trident.tile_index<"rows">
!j = !trident.tile_index<"cols">
trident.kernel @kernel(%y: !V) {
  // CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast
  %a = builtin.unrealized_conversion_cast to !A
  %i = trident.program "rows" : !i
  %j = trident.program "cols" : !j
  // CHECK-NOT: trident.convert_layout
  %same = trident.convert_layout %a : !A -> !A
  %there = trident.convert_layout %same : !A -> !B
  %back = trident.convert_layout %there : !B -> !A
  // CHECK: trident.store %[[A]], %y
  trident.store %back, %y[%i, %j] : !A, !V[!i, !j]
}
