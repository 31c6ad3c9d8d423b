// Soft cap: cap * tanh(score / cap), which stays between -cap and cap; a cap of 0 is none. tanh is the instruction
// (approx: a relative error of 2^-11), or made of an exponential (accurate: an absolute error below 2^-22).
trident.score_mod @soft_cap parameters [#trident.parameter<"tanh", ["approx", "accurate"], "approx">]
    (%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %soft_cap: f32) {
  %approx = trident.param "tanh" is("approx") : i1
  %zero = arith.constant 0.0 : f32    %one = arith.constant 1.0 : f32    %two = arith.constant 2.0 : f32
  %off = arith.cmpf oeq, %soft_cap, %zero : f32
  %cap = arith.select %off, %one, %soft_cap : f32
  %inverse = arith.divf %one, %cap : f32
  %x = arith.mulf %score, %inverse : f32
  %fast = math.tanh %x : f32
  %twice = arith.mulf %x, %two : f32
  %e = math.exp %twice : f32
  %below = arith.addf %e, %one : f32
  %part = arith.divf %one, %below : f32
  %double = arith.mulf %part, %two : f32
  %exact = arith.subf %one, %double : f32
  %tanh = arith.select %approx, %fast, %exact : f32
  %bent = arith.select %off, %x, %tanh : f32
  %capped = arith.mulf %bent, %cap : f32
  trident.yield %capped : f32
}
