// Sink: a logit for each head that joins the softmax's denominator, and LSE, and weighs no value.
trident.sink_mod @sink(%batch: i32, %head: i32, %sinks: !trident.view<in heads : f32>) {
  %logit = trident.element %sinks[%head] : !trident.view<in heads : f32> -> f32
  trident.yield %logit : f32
}
