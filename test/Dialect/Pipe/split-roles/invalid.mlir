// RUN: trident-opt %s --split-input-file --pipe-split-roles --verify-diagnostics
// Kernels whose copies cannot be told from the rest.

// expected-error @below {{'trident.kernel' op has no schedule: expected trident-select-schedule to run first}}
trident.kernel @no_schedule(%x: f32) {
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in rows x cols : bf16>
!A = tensor<64x64xbf16, #trident.shared<swizzle = 128>>
!j = !trident.tile_index<"cols">
trident.kernel @carried schedule #schedule (%x: !X, %n: i32) {
  %ring = pipe.ring : !pipe.ring<2 x !A>
  %last = trident.for_tiles "cols" bounds(%n, %n) classes ["full"] init(%n : i32) {
  ^bb0(%j: !j, %row: i32):
    // expected-error @below {{'arith.addi' op makes where a copy reads depend on a carried value: expected the loop's tile index and values from outside the loop}}
    %next = arith.addi %row, %n : i32
    pipe.produce %ring[%n], %x[%next, %j] : !pipe.ring<2 x !A>, !X[i32, !j]
    trident.yield %next : i32
  } -> i32
}
