// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=cols=128,stages=4" 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=2,cols=208,stages=1" 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=2,consumer_registers=248" 2>&1 | FileCheck %s --check-prefix=POOL
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=1,consumer_registers=240" 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=2,producer_registers=176" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=2,producer_registers=0" 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=rows=96" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=cols=40" 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=cols=272" 2>&1 | FileCheck %s --check-prefix=BOX
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize --trident-select-schedule="fields=warpgroups=8" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not trident-opt %S/Inputs/product.mlir --trident-specialize="set=depth=512" --trident-select-schedule 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: not trident-opt %kernels/row_softmax.mlir --trident-specialize --trident-select-schedule="fields=cols=80" 2>&1 | FileCheck %s --check-prefix=PANEL
// A schedule that the target cannot hold is refused with the numbers.

// SHARED: error: 'trident.kernel' op has no schedule that fits sm_90a: 295936 bytes of shared memory ('x' 1 x 128 x 128 x 2 bytes = 32768; 'y' 4 x 128 x 128 x 2 bytes = 131072; 'z' 4 x 128 x 128 x 2 bytes = 131072; 1024 beside them): expected at most 232448
// SHARED: note: use fewer stages, smaller tiles, or more warpgroups
// REGISTERS: error: 'trident.kernel' op has no schedule that fits sm_90a: a consumer thread needs 220 registers for tiles (128 x 208 of f32: 104; 128 x 128 of f32: 64; 128 x 208 of f16: 52) and 25 beside them, 245: expected at most 240 with 2 warpgroups
// POOL: error: 'trident.kernel' op has no schedule that fits sm_90a: 24 + 2 x 248 = 520 registers for one thread of each warpgroup: expected at most 504, which is 3 x 168 at launch
// FEWER: error: 'trident.kernel' op has no schedule that fits sm_90a: consumer_registers is 240: expected 0, or at least 256, which a thread has at launch with 1 warpgroups
// MORE: error: 'trident.kernel' op has no schedule that fits sm_90a: producer_registers is 176: expected at most 168, which a thread has at launch with 2 warpgroups
// KEPT: error: 'trident.kernel' op has no schedule that fits sm_90a: 168 + 2 x 240 = 648 registers for one thread of each warpgroup: expected at most 504, which is 3 x 168 at launch
// ROWS: error: 'trident.kernel' op has no schedule that fits sm_90a: tile of 'rows' is 96: expected a multiple of 128, 64 rows for each of 2 warpgroups
// DEPTH: error: 'trident.kernel' op has no schedule that fits sm_90a: tile of 'cols' is 40: expected a multiple of 16, the depth of one instruction
// PANEL: error: 'trident.kernel' op has no schedule that fits sm_90a: tile of 'cols' is 80: expected a multiple of 64, 128 bytes of contiguous elements
// BOX: error: 'trident.kernel' op has no schedule that fits sm_90a: tile of 'cols' is 272: expected at most 256, the largest box of one copy
// THREADS: error: 'trident.kernel' op has no schedule that fits sm_90a: 8 consumer warpgroups and a producer are 1152 threads: expected at most 1024
// DEFAULT: error: 'trident.kernel' op has no schedule that fits sm_90a: a consumer thread needs 268 registers for tiles (128 x 512 of f32: 256;
