// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=40" --trident-select-schedule | FileCheck %s --check-prefix=D40
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=40,causal=top_left" --trident-select-schedule | FileCheck %s --check-prefix=MASKED40
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=80" --trident-select-schedule | FileCheck %s --check-prefix=D80
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=88,causal=top_left" --trident-select-schedule | FileCheck %s --check-prefix=MASKED88
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=112,causal=top_left" --trident-select-schedule | FileCheck %s --check-prefix=MASKED112
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=160" --trident-select-schedule | FileCheck %s --check-prefix=D160
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=160,causal=top_left" --trident-select-schedule | FileCheck %s --check-prefix=MASKED
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=160" --trident-select-schedule="fields=overlap=0" | FileCheck %s --check-prefix=APART
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=248,causal=top_left" --trident-select-schedule | FileCheck %s --check-prefix=D248
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=80" --trident-select-schedule="fields=seq_k=64" | FileCheck %s --check-prefix=SMALL
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=40,head_dim_v=160" --trident-select-schedule | FileCheck %s --check-prefix=WIDE_V
// RUN: trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=160,head_dim_v=40" --trident-select-schedule | FileCheck %s --check-prefix=NARROW_V
// RUN: not trident-opt %kernels/attention_fwd.mlir --trident-apply-mods --trident-specialize="set=head_dim=200" --trident-select-schedule="fields=warpgroups=2,seq_k=96" 2>&1 | FileCheck %s --check-prefix=MISFIT
// The default of a loop with an online softmax, for a head_dim without a row in the tables: three warpgroups where they hold
// tiles of 96, persistent blocks, items that overlap where shared memory holds two of Q beside 64 keys or more, and under a mask multiples of 32.

// D40:    schedule <tiles = {seq_k = 128 : i64, seq_q = 192 : i64}, warpgroups = 3, {{.*}} consumer_registers = 160, rescale = "stale", {{.*}} persistent = true, overlap_items = true>
// MASKED40: schedule <tiles = {seq_k = 128 : i64, seq_q = 192 : i64}, warpgroups = 3,
// D80:    schedule <tiles = {seq_k = 112 : i64, seq_q = 192 : i64}, warpgroups = 3,
// MASKED88: schedule <tiles = {seq_k = 96 : i64, seq_q = 192 : i64}, warpgroups = 3, {{.*}} persistent = true, overlap_items = true>
// MASKED112: schedule <tiles = {seq_k = 96 : i64, seq_q = 192 : i64}, warpgroups = 3, {{.*}} persistent = true, overlap_items = true>
// D160:   schedule <tiles = {seq_k = 80 : i64, seq_q = 128 : i64}, warpgroups = 2, {{.*}} consumer_registers = 240, rescale = "stale", {{.*}} persistent = true, overlap_items = true>
// MASKED: schedule <tiles = {seq_k = 64 : i64, seq_q = 128 : i64}, warpgroups = 2, {{.*}} persistent = true, overlap_items = true>
// APART:  schedule <tiles = {seq_k = 112 : i64, {{.*}} overlap = 0, {{.*}} persistent = true>
// D248:   schedule <tiles = {seq_k = 64 : i64, seq_q = 128 : i64}, warpgroups = 2, {{.*}} persistent = true>
// SMALL:  schedule <tiles = {seq_k = 64 : i64, seq_q = 128 : i64}, warpgroups = 2,
// The result's rows are as long as V's: they take registers, those of Q and K do not.
// WIDE_V: schedule <tiles = {seq_k = 128 : i64, seq_q = 128 : i64}, warpgroups = 2,
// NARROW_V: schedule <tiles = {seq_k = 128 : i64, seq_q = 192 : i64}, warpgroups = 3,
// Whole panels count: 256 columns for 200.
// MISFIT: error: 'trident.kernel' op has no schedule that fits sm_90a: 263168 bytes of shared memory ('q' 1 x 128 x 256 x 2 bytes = 65536; 'k' 2 x 96 x 256 x 2 bytes = 98304; 'v' 2 x 96 x 256 x 2 bytes = 98304; 1024 beside them)
