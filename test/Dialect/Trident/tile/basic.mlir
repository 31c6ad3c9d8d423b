// RUN: trident-opt %s --trident-tile --verify-roundtrip | FileCheck %s
// Shapes follow the names of dimensions through every kind of op; `depth` is a parameter and one tile.

!Q = !trident.view<in batch x rows x depth : bf16>
!K = !trident.view<in batch x cols x depth : bf16>
!r = !trident.tile_index<"rows">
!c = !trident.tile_index<"cols">
// CHECK-LABEL: trident.kernel @shapes
trident.kernel @shapes parameters [#trident.parameter<"depth", [48, 64], 64>] variant {depth = 48}
    schedule <tiles = {cols = 80, rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
    (%q: !Q, %k: !K, %o: !trident.view<out batch x rows x depth : bf16>, %scale: f32) {
  %b = trident.program "batch" : i32
  %i = trident.program "rows" : !r
  %zero = arith.constant 0.0 : f32
  // CHECK: trident.load {{.*}} -> tensor<64x48xbf16>
  %qt = trident.load %q[%b, %i] : !Q[i32, !r] -> tensor<?x?xbf16>
  %acc0 = trident.full %zero ["rows", "depth"] : f32 -> tensor<?x?xf32>
  %m0 = trident.full %scale ["rows"] : f32 -> tensor<?xf32>
  // CHECK: ^bb0(%{{.*}}: !trident.tile_index<"cols">, %{{.*}}: tensor<64x48xf32>, %{{.*}}: tensor<64xf32>)
  %acc, %m = trident.for_tiles "cols" init(%acc0, %m0 : tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%j: !c, %acc1: tensor<?x?xf32>, %m1: tensor<?xf32>):
    // CHECK: trident.load {{.*}} -> tensor<80x48xbf16>
    %kt = trident.load %k[%b, %j] : !K[i32, !c] -> tensor<?x?xbf16>
    // CHECK: trident.dot {{.*}} -> tensor<64x80xf32>
    %s = trident.dot %qt, %kt transpose_b : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    // CHECK: trident.mask {{.*}} : tensor<64x80xf32>
    %x = trident.mask %s at rows(%i : !r) cols(%j : !c) : tensor<?x?xf32> {
    ^bb0(%row: i32, %col: i32):
      %true = arith.constant true
      trident.yield %true : i1
    }
    // CHECK: math.exp2 {{.*}} : tensor<64x80xf32>
    %e = math.exp2 %x : tensor<?x?xf32>
    // CHECK: trident.reduce sum {{.*}} -> tensor<64xf32>
    %sum = trident.reduce sum %e : tensor<?x?xf32> -> tensor<?xf32>
    // CHECK: trident.broadcast {{.*}} -> tensor<64x80xf32>
    %wide = trident.broadcast %sum along "cols" : tensor<?xf32> -> tensor<?x?xf32>
    // CHECK: arith.cmpf {{.*}} : tensor<64x80xf32>
    %low = arith.cmpf olt, %e, %wide : tensor<?x?xf32>
    // CHECK: arith.select {{.*}} : tensor<64x80xi1>, tensor<64x80xf32>
    %p = arith.select %low, %e, %wide : tensor<?x?xi1>, tensor<?x?xf32>
    // CHECK: trident.convert {{.*}} -> tensor<64x80xbf16>
    %pt = trident.convert %p : tensor<?x?xf32> -> tensor<?x?xbf16>
    // CHECK: trident.dot {{.*}} -> tensor<64x48xf32>
    %acc2 = trident.dot %pt, %kt into %acc1 : tensor<?x?xf32>, : tensor<?x?xbf16>, tensor<?x?xbf16> -> tensor<?x?xf32>
    trident.yield %acc2, %sum : tensor<?x?xf32>, tensor<?xf32>
  } -> tensor<?x?xf32>, tensor<?xf32>
  // CHECK: -> tensor<64x48xf32>, tensor<64xf32>
  %ot = trident.convert %acc : tensor<?x?xf32> -> tensor<?x?xbf16>
  // CHECK: trident.store {{.*}} : tensor<64x48xbf16>
  trident.store %ot, %o[%b, %i] : tensor<?x?xbf16>, !trident.view<out batch x rows x depth : bf16>[i32, !r]
}
