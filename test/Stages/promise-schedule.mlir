// RUN: trident-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=schedule})'
// After schedule the kernel has one, and a target.

// expected-error @+1 {{stage 'schedule' promises that the kernel names its target and one schedule that fits it; nothing has moved: expected attribute 'schedule'}}
trident.kernel @k (%x: f32) {
}

// -----

// expected-error @+1 {{expected attribute 'target'}}
trident.kernel @k schedule <tiles = {cols = 64}, warpgroups = 1, stages = 2, overlap = 0, turns = false, producer_registers = 24,
    consumer_registers = 240, rescale = "always", group = 0> (%x: f32) {
}
