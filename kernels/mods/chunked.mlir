// Chunks: a query sees the keys of its own chunk. Rows and columns count from the start of their sequences.
trident.mask_mod @chunked parameters [#trident.parameter<"chunk", [64, 128, 256, 512, 1024, 2048, 4096, 8192], 1024>]
    (%batch: i32, %head: i32, %row: i32, %col: i32) {
  %chunk = trident.param "chunk" : i32
  %of_row = arith.divui %row, %chunk : i32
  %of_col = arith.divui %col, %chunk : i32
  %visible = arith.cmpi eq, %of_row, %of_col : i32
  trident.yield %visible : i1
}
