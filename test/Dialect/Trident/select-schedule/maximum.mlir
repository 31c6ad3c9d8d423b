// RUN: trident-opt %s --split-input-file --trident-select-schedule | FileCheck %s
// A maximum that is stored apart from the sum is renewed with every tile; one that only goes with it may lag behind.

!X = !trident.view<in rows x cols : f32>
!L = !trident.view<out rows : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @stored
// CHECK-SAME: rescale = "always"
trident.kernel @stored (%x: !X, %top: !L) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  %m, %l = trident.for_tiles "cols" init(%m0, %m0 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>, %l1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %p, %m2, %l2, %alpha = trident.softmax_step %s, %m1, %l1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    trident.yield %m2, %l2 : tensor<?xf32>, tensor<?xf32>
  } -> tensor<?xf32>, tensor<?xf32>
  %twice = arith.addf %m, %m : tensor<?xf32>
  trident.store %twice, %top[%i] : tensor<?xf32>, !L[!r]
}

// -----
!X = !trident.view<in rows x cols : f32>
!L = !trident.view<out rows : f32>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @with_the_sum
// CHECK-SAME: rescale = "stale"
trident.kernel @with_the_sum (%x: !X, %lse: !L) {
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  %m0 = trident.full %zero ["rows"] : f32 -> tensor<?xf32>
  %m, %l = trident.for_tiles "cols" init(%m0, %m0 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%j: !c, %m1: tensor<?xf32>, %l1: tensor<?xf32>):
    %s = trident.full %zero ["rows", "cols"] : f32 -> tensor<?x?xf32>
    %p, %m2, %l2, %alpha = trident.softmax_step %s, %m1, %l1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    trident.yield %m2, %l2 : tensor<?xf32>, tensor<?xf32>
  } -> tensor<?xf32>, tensor<?xf32>
  %log = math.log %l : tensor<?xf32>
  %sum = arith.addf %m, %log : tensor<?xf32>
  trident.store %sum, %lse[%i] : tensor<?xf32>, !L[!r]
}
