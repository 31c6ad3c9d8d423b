// RUN: trident-opt %s --pipe-persist --verify-diagnostics
// A kernel of one item has nothing to loop over.

#schedule = #trident.schedule<tiles = {rows = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false,
    producer_registers = 24, consumer_registers = 240, rescale = "always", group = 0, persistent = true>
// expected-error @below {{'trident.kernel' op is persistent and has no 'trident.program': expected a grid of items}}
trident.kernel @no_program schedule #schedule (%x: f32) {
}
