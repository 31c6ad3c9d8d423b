// RUN: trident-opt %s --pipe-overlap-items --verify-roundtrip | FileCheck %s
// What each region has of its own, what is handed on, and what the end waits with.

#schedule = #trident.schedule<tiles = {cols = 64, rows = 64}, warpgroups = 1, stages = 2, overlap = 1, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true, overlap_items = true>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
!j = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @parts
trident.kernel @parts schedule #schedule (%x: !trident.view<in rows x cols : bf16>, %n: i32) {
  %a = builtin.unrealized_conversion_cast to !A
  // Whether items weigh the same stays known.
  // CHECK: pipe.skewed_work balanced first {
  // CHECK: %[[TWO:.*]] = arith.addi %n, %n
  // CHECK: %[[S:.*]] = pipe.await
  // CHECK: %[[SUM:.*]] = arith.addf %[[S]], %[[S]]
  // What only the end reads goes past the loop; what is the same for every item is computed anew.
  // CHECK: trident.yield %[[S]], %[[SUM]], %{{[0-9]+}} :
  // CHECK-NEXT: } steps {
  // CHECK-NEXT: ^bb0(%[[S1:.*]]: tensor{{.*}}, %[[SUM1:.*]]: tensor{{.*}}, %[[I1:.*]]: !trident.tile_index<"rows">):
  // CHECK: %[[TWO1:.*]] = arith.addi %n, %n
  // CHECK: %[[ACC:.*]] = trident.for_tiles "cols" bounds(%n, %[[TWO1]]) classes ["full"] init(%[[S1]] :
  // CHECK: trident.yield %[[ACC]], %[[SUM1]], %[[I1]] :
  // CHECK-NEXT: } next {
  // CHECK-NEXT: ^bb0(%[[ACC1:.*]]: tensor{{.*}}, %[[SUM2:.*]]: tensor{{.*}}, %[[I2:.*]]: !trident.tile_index<"rows">):
  // Two dots of the end are in flight beside the next item's first: the wait for that lets both run on.
  // CHECK: %[[F:.*]] = pipe.dot_async %{{.*}} transpose_b
  // CHECK: %[[G:.*]] = pipe.dot_async %{{.*}} into %[[ACC1]]
  // CHECK: %[[H:.*]] = pipe.dot_async %{{.*}} into %[[SUM2]]
  // CHECK: pipe.await %[[F]] pending 2
  // CHECK: %[[O:.*]] = pipe.await %[[G]] pending 1
  // CHECK-NEXT: %[[P:.*]] = pipe.await %[[H]] :
  // CHECK: arith.addf %[[O]], %[[P]]
  // CHECK: trident.tile_number %[[I2]]
  // CHECK: } last {
  pipe.for_work balanced {
    %i = trident.program "rows" : !trident.tile_index<"rows">
    %two = arith.addi %n, %n : i32
    %f = pipe.dot_async %a, %a transpose_b : !A, !A -> !pipe.async<!C>
    %s = pipe.await %f : !pipe.async<!C> -> !C
    %sum = arith.addf %s, %s : !C
    %acc = trident.for_tiles "cols" bounds(%n, %two) classes ["full"] init(%s : !C) {
    ^bb0(%j: !j, %acc1: !C):
      trident.yield %acc1 : !C
    } -> !C
    %g = pipe.dot_async %a, %a into %acc : !C, : !A, !A -> !pipe.async<!C>
    %h = pipe.dot_async %a, %a into %sum : !C, : !A, !A -> !pipe.async<!C>
    %o = pipe.await %g : !pipe.async<!C> -> !C
    %p = pipe.await %h : !pipe.async<!C> -> !C
    %both = arith.addf %o, %p : !C
    %number = trident.tile_number %i : !trident.tile_index<"rows"> -> i32
    trident.yield
  }
}
