// RUN: trident-opt %s --pipe-to-nvvm --verify-diagnostics
// A function that the machine has no instruction for is refused by name.

#schedule = #trident.schedule<tiles = {cols = 8, rows = 64}, warpgroups = 1, stages = 1, overlap = 0, turns = false,
    producer_registers = 0, consumer_registers = 0, rescale = "always", group = 0>
trident.kernel @sine schedule #schedule shared_bytes 0 (%c: f32) {
  // expected-error @below {{'math.sin' op has no instruction: expected math.exp, exp2, log, log2, tanh, fma, absf, sqrt or rsqrt on f32, of which the others can be made}}
  %s = math.sin %c : f32
}
