// A temperature for each head: scores are divided by it.
trident.score_mod @temperature(%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32,
    %temperatures: !trident.view<in heads : f32>) {
  %one = arith.constant 1.0 : f32
  %temperature = trident.element %temperatures[%head] : !trident.view<in heads : f32> -> f32
  %inverse = arith.divf %one, %temperature : f32
  %cooled = arith.mulf %score, %inverse : f32
  trident.yield %cooled : f32
}
