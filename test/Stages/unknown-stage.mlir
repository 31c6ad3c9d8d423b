// RUN: not trident-opt %s --pass-pipeline='builtin.module(verify-stage{stage=tiles})' 2>&1 | FileCheck %s

// CHECK: error: stage 'tiles' is unknown: expected one of source, specialize, schedule, tile, place, pipeline, nvvm, ptx, cubin, launcher
module {}
