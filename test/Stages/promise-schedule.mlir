// RUN: trident-opt %s --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=schedule})'
// After schedule the kernel has one.

// expected-error @+1 {{stage 'schedule' promises that the kernel names its target and one schedule that fits it; nothing has moved: expected attribute 'schedule'}}
trident.kernel @k (%x: f32) {
}
