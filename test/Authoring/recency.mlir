// Recency: a score loses `decay` for each doubling of the distance between query and key, counted from the ends of their
// sequences, and each head has a gain.
trident.score_mod @recency(%score: f32, %batch: i32, %head: i32, %row: i32, %col: i32, %decay: f32,
    %gains: !trident.view<in heads : f32>) {
  %seq_q = trident.dim "seq_q" : i32    %seq_k = trident.dim "seq_k" : i32
  %shift = arith.subi %seq_k, %seq_q : i32
  %own = arith.addi %row, %shift : i32
  %far = arith.subi %own, %col : i32
  %distance = arith.sitofp %far : i32 to f32
  %size = math.absf %distance : f32
  %one = arith.constant 1.0 : f32
  %counted = arith.addf %size, %one : f32
  %doublings = math.log2 %counted : f32
  %loss = arith.mulf %doublings, %decay : f32
  %gain = trident.element %gains[%head] : !trident.view<in heads : f32> -> f32
  %scaled = arith.mulf %score, %gain : f32
  %result = arith.subf %scaled, %loss : f32
  trident.yield %result : f32
}
// RUN: trident-compile attention_fwd --score %s --set head_dim=64 --sizes seq_k=512 --sizes batch*heads*seq_q=512 --ptxas none --name recent -o %t
// RUN: FileCheck %s < %t/recent.h
// CHECK: Recency: a score loses `decay` for each doubling
// CHECK: decay f32
// CHECK: gains [heads] of f32, an extent of 1 stands for all
