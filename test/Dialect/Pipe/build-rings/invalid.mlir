// RUN: trident-opt %s --split-input-file --pipe-build-rings --verify-diagnostics
// Kernels whose copies cannot travel through rings.

// expected-error @below {{'trident.kernel' op has no schedule: expected trident-select-schedule to run first}}
trident.kernel @no_schedule(%x: f32) {
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in cols : bf16>
!A = tensor<64xbf16, #trident.shared<swizzle = 128>>
trident.kernel @no_bounds schedule #schedule (%x: !X) {
  // expected-error @below {{'trident.for_tiles' op has no bounds: expected trident-tile to run first}}
  trident.for_tiles "cols" {
  ^bb0(%j: !trident.tile_index<"cols">):
    %f = pipe.copy_async 0, %x[%j] : !X[!trident.tile_index<"cols">] -> !pipe.async<!A>
    trident.yield
  }
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in cols : bf16>
!A = tensor<64xbf16, #trident.shared<swizzle = 128>>
trident.kernel @not_awaited schedule #schedule (%x: !X, %n: i32) {
  // expected-error @below {{'pipe.copy_async' op is used by 'builtin.unrealized_conversion_cast': expected 'pipe.await'}}
  %f = pipe.copy_async 0, %x[%n] : !X[i32] -> !pipe.async<!A>
  %t = builtin.unrealized_conversion_cast %f : !pipe.async<!A> to !A
}

// -----
#schedule = #trident.schedule<tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0>
!X = !trident.view<in cols : bf16>
!A = tensor<64xbf16, #trident.shared<swizzle = 128>>
trident.kernel @nested schedule #schedule (%x: !X, %n: i32) {
  trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
  ^bb0(%i: !trident.tile_index<"cols">):
    trident.for_tiles "cols" bounds(%n, %n) classes ["partial"] {
    ^bb0(%j: !trident.tile_index<"cols">):
      // expected-error @below {{'pipe.copy_async' op is inside 'trident.for_tiles' in 'trident.for_tiles': expected copies in the kernel's body or in a loop of it}}
      %f = pipe.copy_async 0, %x[%j] : !X[!trident.tile_index<"cols">] -> !pipe.async<!A>
      trident.yield
    }
    trident.yield
  }
}
