// Additive bias: an element for each batch, head, query and key, of any strides; an extent of 1 stands for all.
!bias = !trident.view<in batch x heads x seq_q x seq_k : !trident.param<"bias_type">>
trident.score_mod @bias parameters [#trident.parameter<"bias_type", [f32, bf16, f16], f32>]
    (%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %bias: !bias) {
  %element = trident.element %bias[%batch, %head, %row, %col] : !bias -> f32
  %sum = arith.addf %score, %element : f32
  trident.yield %sum : f32
}
