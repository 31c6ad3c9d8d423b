// RUN: trident-opt %s --trident-to-pipe --verify-roundtrip | FileCheck %s
// A choice that whole rows make is a branch, for warps where some row makes it; one of single elements is a choice still.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!B = tensor<64x64xi1, #trident.accumulator<warpgroups = 1>>
!R = tensor<64xi1, #trident.row<warpgroups = 1>>
// CHECK-LABEL: trident.kernel @choices
trident.kernel @choices schedule #schedule (%x: f32) {
  // CHECK: %[[IN:.*]]:4 = builtin.unrealized_conversion_cast
  %a, %b, %rows, %elements = builtin.unrealized_conversion_cast to !C, !C, !R, !B
  // CHECK: %[[ALONG:.*]] = trident.broadcast %[[IN]]#2
  %along = trident.broadcast %rows along "cols" : !R -> !B
  // CHECK: %[[ANY:.*]] = pipe.vote_any %[[IN]]#2
  // CHECK-NEXT: %[[CHOSEN:.*]] = pipe.if %[[ANY]] else(%[[IN]]#1 : {{.*}}) {
  // CHECK-NEXT: %[[INNER:.*]] = arith.select %[[ALONG]], %[[IN]]#0, %[[IN]]#1
  // CHECK-NEXT: trident.yield %[[INNER]]
  // CHECK-NEXT: } ->
  %chosen = arith.select %along, %a, %b : !B, !C
  // CHECK-NEXT: arith.select %[[IN]]#3, %[[CHOSEN]], %[[IN]]#1
  %mixed = arith.select %elements, %chosen, %b : !B, !C
}
