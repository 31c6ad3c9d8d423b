// RUN: trident-opt %s --split-input-file --verify-diagnostics
// The rules of the ops, a rejected program each.

!K = !trident.view<in cols x depth : bf16>
trident.kernel @copy_async_1(%k: !K) {
  %n = arith.constant 0 : i32
  // expected-error @below {{'pipe.copy_async' op result is 'tensor<64xbf16>': expected layout #trident.shared and the element type of '!trident.view<in cols x depth : bf16>'}}
  %f = pipe.copy_async 0, %k[%n, %n] : !K[i32, i32] -> !pipe.async<tensor<64xbf16>>
}

// -----
!K = !trident.view<in cols x depth : bf16>
trident.kernel @copy_async_1_element_type(%k: !K) {
  %n = arith.constant 0 : i32
  // expected-error @below {{'pipe.copy_async' op result is 'tensor<64xf16, #trident.shared<swizzle = 128>>': expected layout #trident.shared and the element type of '!trident.view<in cols x depth : bf16>'}}
  %f = pipe.copy_async 0, %k[%n, %n] : !K[i32, i32] -> !pipe.async<tensor<64xf16, #trident.shared<swizzle = 128>>>
}

// -----
#acc = #trident.accumulator<warpgroups = 1>
%a, %b = builtin.unrealized_conversion_cast to tensor<64x64xbf16, #acc>, tensor<64x64xbf16, #trident.shared<swizzle = 128>>
// expected-error @below {{'pipe.dot_async' op operands are 'tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>' and 'tensor<64x64xbf16, #trident.shared<swizzle = 128>>': expected 'a' in #trident.shared or #trident.operand and 'b' in #trident.shared}}
%dot_async_1 = pipe.dot_async %a, %b : tensor<64x64xbf16, #acc>, tensor<64x64xbf16, #trident.shared<swizzle = 128>> -> !pipe.async<tensor<64x64xf32, #acc>>

// -----
#operand = #trident.operand<warpgroups = 1>
%a = builtin.unrealized_conversion_cast to tensor<64x64xbf16, #operand>
// expected-error @below {{'pipe.dot_async' op operands are 'tensor<64x64xbf16, #trident.operand<warpgroups = 1>>' and 'tensor<64x64xbf16, #trident.operand<warpgroups = 1>>': expected 'a' in #trident.shared or #trident.operand and 'b' in #trident.shared}}
%dot_async_1_second = pipe.dot_async %a, %a : tensor<64x64xbf16, #operand>, tensor<64x64xbf16, #operand> -> !pipe.async<tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>>

// -----
!A = tensor<64x64xf32, #trident.operand<warpgroups = 1, pair = true>>
!B = tensor<64x64xf32, #trident.shared<swizzle = 128>>
%a, %b = builtin.unrealized_conversion_cast to !A, !B
// expected-error @below {{'pipe.dot_async' op operands are 'tensor<64x64xf32, #trident.operand<warpgroups = 1, pair = true>>' and 'tensor<64x64xf32, #trident.shared<swizzle = 128>>': expected both to be pairs, or neither}}
%dot_async_1_pair = pipe.dot_async %a, %b : !A, !B -> !pipe.async<tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>>

// -----
#shared = #trident.shared<swizzle = 128>
%a = builtin.unrealized_conversion_cast to tensor<64x64xbf16, #shared>
// expected-error @below {{'pipe.dot_async' op result is 'tensor<64x64xf32, #trident.shared<swizzle = 128>>': expected layout #trident.accumulator, the same as the accumulator's}}
%dot_async_2 = pipe.dot_async %a, %a : tensor<64x64xbf16, #shared>, tensor<64x64xbf16, #shared> -> !pipe.async<tensor<64x64xf32, #shared>>

// -----
#shared = #trident.shared<swizzle = 128>
!C = tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>
%a, %c = builtin.unrealized_conversion_cast to tensor<64x64xbf16, #shared>, tensor<64x64xf32>
// expected-error @below {{'pipe.dot_async' op result is 'tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>': expected layout #trident.accumulator, the same as the accumulator's}}
%dot_async_2_accumulator = pipe.dot_async %a, %a into %c : tensor<64x64xf32>, : tensor<64x64xbf16, #shared>, tensor<64x64xbf16, #shared> -> !pipe.async<!C>

// -----
%f = builtin.unrealized_conversion_cast to !pipe.async<tensor<64xf32>>
// expected-error @below {{'pipe.await' op result is 'tensor<32xf32>': expected the tile of '!pipe.async<tensor<64xf32>>'}}
%await_1 = pipe.await %f : !pipe.async<tensor<64xf32>> -> tensor<32xf32>

// -----
%f, %p = builtin.unrealized_conversion_cast to !pipe.async<tensor<64xf32>>, tensor<32xf32>
// expected-error @below {{'pipe.await' op carries ('tensor<32xf32>') to (): expected the same types}}
%await_2 = pipe.await %f carry(%p : tensor<32xf32>) : !pipe.async<tensor<64xf32>> -> tensor<64xf32>

// -----
%ring, %n = builtin.unrealized_conversion_cast to !pipe.ring<2 x tensor<64xbf16, #trident.shared<swizzle = 128>>>, i32
// expected-error @below {{'pipe.consume' op result is 'tensor<64xf16>': expected the tile of '!pipe.ring<2 x tensor<64xbf16, #trident.shared<swizzle = 128>>>'}}
%consume_1 = pipe.consume %ring[%n] : !pipe.ring<2 x tensor<64xbf16, #trident.shared<swizzle = 128>>> -> tensor<64xf16>

// -----
%x, %slope, %offset = builtin.unrealized_conversion_cast to tensor<64x32xf32>, f32, tensor<32xf32>
// expected-error @below {{'pipe.vote_exceeds' op offset is 'tensor<32xf32>': expected the rows of 'tensor<64x32xf32>'}}
%vote_exceeds_1 = pipe.vote_exceeds %x, %slope, %offset limit 8.0 : tensor<64x32xf32>, tensor<32xf32>

// -----
%x, %slope, %offset, %large = builtin.unrealized_conversion_cast to tensor<64x32xf32>, f32, tensor<64xf32>, tensor<32xi1>
// expected-error @below {{'pipe.vote_exceeds' op or_rows is 'tensor<32xi1>': expected the rows of 'tensor<64x32xf32>'}}
%vote_exceeds_1_or_rows = pipe.vote_exceeds %x, %slope, %offset limit 8.0 or %large : tensor<32xi1>, : tensor<64x32xf32>, tensor<64xf32>

// -----
%any, %x, %y = builtin.unrealized_conversion_cast to i1, tensor<64xf32>, tensor<32xf32>
// expected-error @below {{'pipe.if' op yields ('tensor<32xf32>') for results ('tensor<64xf32>'): expected ('tensor<64xf32>')}}
%if_1 = pipe.if %any else(%x : tensor<64xf32>) {
  trident.yield %y : tensor<32xf32>
} -> tensor<64xf32>

// -----
%for_work_1 = arith.constant 0 : i32
// expected-error @below {{'pipe.for_work' op takes () and yields ('i32'): expected ('i32') of both}}
pipe.for_work init(%for_work_1 : i32) {
  trident.yield %for_work_1 : i32
}

// -----
%for_work_1_yield = arith.constant 0 : i32
// expected-error @below {{'pipe.for_work' op takes ('i32') and yields (): expected ('i32') of both}}
pipe.for_work init(%for_work_1_yield : i32) {
^bb0(%uses: i32):
  trident.yield
}

// -----
trident.kernel @ring_layout(%x: f32) {
  // expected-error @below {{ring of 'tensor<64x64xbf16>': expected layout #trident.shared}}
  %ring = pipe.ring : !pipe.ring<2 x tensor<64x64xbf16>>
}

// -----
%skewed_work_1 = arith.constant 0 : i32
// expected-error @below {{'pipe.skewed_work' op begins with ('i32') and 'first' takes (): expected the same}}
pipe.skewed_work init(%skewed_work_1 : i32) first {
  trident.yield
} steps {
  trident.yield
} next {
  trident.yield
} last {
  trident.yield
}

// -----
%skewed_work_2 = arith.constant 0 : i32
// expected-error @below {{'pipe.skewed_work' op yields from 'first' ('i32') and 'steps' takes (): expected the same}}
pipe.skewed_work first {
  trident.yield %skewed_work_2 : i32
} steps {
  trident.yield
} next {
  trident.yield
} last {
  trident.yield
}

// -----
%skewed_work_2_next = arith.constant 0 : i32
// expected-error @below {{'pipe.skewed_work' op yields from 'next' () and 'steps' takes ('i32'): expected the same}}
pipe.skewed_work first {
  trident.yield %skewed_work_2_next : i32
} steps {
^bb0(%uses: i32):
  trident.yield
} next {
  trident.yield
} last {
  trident.yield
}

// -----
%skewed_work_3 = arith.constant 0 : i32
// expected-error @below {{'pipe.skewed_work' op yields from 'steps' ('i32') and 'next' takes (): expected the same}}
pipe.skewed_work first {
  trident.yield
} steps {
  trident.yield %skewed_work_3 : i32
} next {
  trident.yield
} last {
^bb0(%uses: i32):
  trident.yield
}

// -----
%skewed_work_3_last = arith.constant 0 : i32
// expected-error @below {{'pipe.skewed_work' op yields from 'steps' ('i32') and 'last' takes (): expected the same}}
pipe.skewed_work first {
  trident.yield
} steps {
  trident.yield %skewed_work_3_last : i32
} next {
^bb0(%uses: i32):
  trident.yield
} last {
  trident.yield
}

// -----
!V = !trident.view<in rows x cols : bf16>
trident.kernel @copy_elements_1(%v: !V) {
  // expected-error @below {{'pipe.copy_elements' op result is 'tensor<64x24xbf16, #trident.accumulator<warpgroups = 1>>': expected layout #trident.accumulator, rows of a multiple of 32 bytes, and the element type of '!trident.view<in rows x cols : bf16>'}}
  %f = pipe.copy_elements at 0 %v : !V -> !pipe.async<tensor<64x24xbf16, #trident.accumulator<warpgroups = 1>>> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %row, %col : i32, i32
  }
}

// -----
!V = !trident.view<in rows x cols : bf16>
trident.kernel @copy_elements_2(%v: !V) {
  // expected-error @below {{'pipe.copy_elements' op region yields other coordinates than one for each dimension of '!trident.view<in rows x cols : bf16>', of which the last one is the column and another one the row, plus what depends on neither}}
  %f = pipe.copy_elements at 0 %v : !V -> !pipe.async<tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>> {
  ^bb0(%row: i32, %col: i32):
    trident.yield %col, %row : i32, i32
  }
}

// -----
!V = !trident.view<in rows x cols : bf16>
trident.kernel @copy_elements_2_both(%v: !V) {
  // expected-error @below {{'pipe.copy_elements' op region yields other coordinates}}
  %f = pipe.copy_elements at 0 %v : !V -> !pipe.async<tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>> {
  ^bb0(%row: i32, %col: i32):
    %sum = arith.addi %row, %col : i32
    trident.yield %row, %sum : i32, i32
  }
}

// -----
#acc = #trident.accumulator<warpgroups = 1>
%f = builtin.unrealized_conversion_cast to !pipe.async<tensor<64x64xbf16, #acc>>
// expected-error @below {{'pipe.read_elements' op result is 'tensor<64x64xf16, #trident.accumulator<warpgroups = 1>>': expected 'tensor<64x64xbf16, #trident.accumulator<warpgroups = 1>>'}}
%read_elements_1 = pipe.read_elements %f at 0 : !pipe.async<tensor<64x64xbf16, #acc>> -> tensor<64x64xf16, #acc>
