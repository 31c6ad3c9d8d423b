// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=depths=64" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=stages=two" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=rows=all" 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=turns=1" 2>&1 | FileCheck %s --check-prefix=BOOL
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=persistent=x" 2>&1 | FileCheck %s --check-prefix=PERSISTENT
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=overlap_items=true" 2>&1 | FileCheck %s --check-prefix=ITEMS
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=overlap_items=2" 2>&1 | FileCheck %s --check-prefix=ITEMS_BOOL
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=narrow=no" 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=hold_operands=true,overlap=0" 2>&1 | FileCheck %s --check-prefix=HELD
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=rescale=never" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=copies=thread" 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="target=sm_42" 2>&1 | FileCheck %s --check-prefix=TARGET
// What `fields` and `target` may not say.

// NAME: error: 'trident.kernel' op has no schedule field 'depths': expected warpgroups, stages, overlap, turns, persistent, overlap_items, narrow, hold_operands, dynamic, stage_elements, producer_registers, consumer_registers, rescale, copies, group, or a tiled dimension (rows, cols)
// NUMBER: error: 'trident.kernel' op schedule field 'stages' is 'two': expected an integer
// TILE: error: 'trident.kernel' op tile of 'rows' is 'all': expected an integer
// BOOL: error: 'trident.kernel' op schedule field 'turns' is '1': expected true or false
// PERSISTENT: error: 'trident.kernel' op schedule field 'persistent' is 'x': expected true or false
// ITEMS: error: 'trident.kernel' op schedule: overlap_items is true: expected persistent true and overlap 1 with it
// ITEMS_BOOL: error: 'trident.kernel' op schedule field 'overlap_items' is '2': expected true or false
// NARROW: error: 'trident.kernel' op schedule field 'narrow' is 'no': expected true or false
// HELD: error: 'trident.kernel' op schedule: hold_operands is true: expected overlap 1 with it
// ZERO: error: 'trident.kernel' op schedule: warpgroups is 0: expected at least 1
// VALUE: error: 'trident.kernel' op schedule: rescale is "never": expected "always", "lazy" or "stale"
// COPIES: error: 'trident.kernel' op schedule: copies is "thread": expected "engine" or "threads"
// TARGET: error: 'trident.kernel' op target 'sm_42' is unknown: expected one of sm_90a
