// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=3" | FileCheck %s --check-prefix=THREE
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=rows=192" | FileCheck %s --check-prefix=ROWS
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=stages=4" | FileCheck %s --check-prefix=STAGES
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=cols=64,turns=true,overlap=1,group=8,rescale=stale,cols=48" | FileCheck %s --check-prefix=OTHERS
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true" | FileCheck %s --check-prefix=PERSISTENT
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true,persistent=false" | FileCheck %s --check-prefix=BLOCK-EACH
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true" --trident-select-schedule="fields=stages=1" | FileCheck %s --check-prefix=STAYS
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true,group=4" | FileCheck %s --check-prefix=GROUP
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=narrow=false" --trident-select-schedule="fields=stages=1" --verify-roundtrip | FileCheck %s --check-prefix=WIDE
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true,dynamic=true" --trident-select-schedule="fields=stages=1" --verify-roundtrip | FileCheck %s --check-prefix=DYNAMIC
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=true,dynamic=true,copies=threads" --trident-select-schedule="fields=stages=1" --verify-roundtrip | FileCheck %s --check-prefix=THREADS
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=copies=engine" | FileCheck %s --check-prefix=ENGINE
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=dynamic=true" | FileCheck %s --check-prefix=NOT-PERSISTENT
// RUN: trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule --trident-select-schedule="fields=stages=1" | FileCheck %s --check-prefix=AGAIN
// What `fields` fix, the rest follows; a later field wins, and a schedule that is there gives all other fields.

// THREE: schedule <tiles = {cols = 80 : i64, rows = 192 : i64}, warpgroups = 3, stages = 2, {{.*}} producer_registers = 32, consumer_registers = 160
// ROWS: schedule <tiles = {cols = 80 : i64, rows = 192 : i64}, warpgroups = 3,
// STAGES: schedule <tiles = {cols = 96 : i64, rows = 128 : i64}, warpgroups = 2, stages = 4,
// OTHERS: schedule <tiles = {cols = 48 : i64, rows = 128 : i64}, warpgroups = 2, stages = 2, overlap = 1, turns = true, {{.*}} rescale = "stale", group = 8>
// AGAIN: schedule <tiles = {cols = 128 : i64, rows = 128 : i64}, warpgroups = 2, stages = 1,
// Blocks that persist group items by the cache.
// PERSISTENT: schedule <tiles = {cols = 128 : i64, rows = 128 : i64}, {{.*}}, group = 0, persistent = true>
// GROUP: schedule <tiles = {{{.*}} group = 4, persistent = true>
// WIDE: schedule <tiles = {{{.*}} stages = 1, {{.*}} group = 8, narrow = false>
// DYNAMIC: schedule <tiles = {{{.*}}, stages = 1, {{.*}} persistent = true, dynamic = true>
// Threads that copy need registers, and ask for no item.
// THREADS: schedule <tiles = {{{.*}}, stages = 1, {{.*}} producer_registers = 88, {{.*}} persistent = true, copies = "threads">
// ENGINE: schedule <tiles = {{{.*}} group = 8>
// There is nothing to take where each block has one item.
// NOT-PERSISTENT: schedule <tiles = {{{.*}} group = 8>
// BLOCK-EACH: schedule <tiles = {{{.*}} group = 8>
// STAYS: schedule <tiles = {{{.*}}, stages = 1, {{.*}}, persistent = true>
