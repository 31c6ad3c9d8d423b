// RUN: trident-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(verify-stage{stage=pipeline})' --allow-unregistered-dialect
// After pipeline every ring has its place, each role its own code, and what is in flight is waited for.

// expected-error @+1 {{stage 'pipeline' promises that producer and consumers have their own code, and each asynchronous value is waited for before it is read: this ring has no place in shared memory}}
%0 = pipe.ring : !pipe.ring<2 x tensor<64x64xbf16, #trident.shared<swizzle = 128>>>

// -----

// expected-error @+1 {{expected attribute 'shared_bytes'}}
trident.kernel @k (%x: f32) {
}

// -----

%a = "test.make"() : () -> tensor<64x64xbf16>
// expected-error @+1 {{no 'trident.dot' is expected any more}}
%s = trident.dot %a, %a : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xf32>

// -----

trident.kernel @k shared_bytes 0 (%x: !trident.view<in rows x cols : f32>, %y: !trident.view<in rows : f32>) {
  %i = trident.program "rows" : !trident.tile_index<"rows">
  %j = trident.program "cols" : !trident.tile_index<"cols">
  %row = trident.load %y[%i] : !trident.view<in rows : f32>[!trident.tile_index<"rows">] -> tensor<64xf32>
  // expected-error @+1 {{no 'trident.load' is expected any more}}
  %t = trident.load %x[%i, %j] : !trident.view<in rows x cols : f32>[!trident.tile_index<"rows">, !trident.tile_index<"cols">] -> tensor<64x64xf32>
}

// -----

%a = "test.make"() : () -> tensor<64x64xbf16, #trident.shared<swizzle = 128>>
// expected-error @+1 {{nothing waits for what this starts}}
%s = pipe.dot_async %a, %a : tensor<64x64xbf16, #trident.shared<swizzle = 128>>, tensor<64x64xbf16, #trident.shared<swizzle = 128>> -> !pipe.async<tensor<64x64xf32, #trident.accumulator<warpgroups = 1>>>

// -----

%s = "test.make"() : () -> !pipe.async<tensor<64xf32>>
// expected-error @+1 {{this reads what is still in flight}}
"test.use"(%s) : (!pipe.async<tensor<64xf32>>) -> ()

// -----

%ring, %n = "test.make"() : () -> (!pipe.ring<2 x tensor<64xf32, #trident.shared<swizzle = 128>>>, i32)
pipe.roles warpgroups 1 registers 24, 240 producer {
  // expected-error @+1 {{'pipe.consume' is expected in the code of the consumers}}
  %t = pipe.consume %ring[%n] : !pipe.ring<2 x tensor<64xf32, #trident.shared<swizzle = 128>>> -> tensor<64xf32, #trident.shared<swizzle = 128>>
} consumer {
}

// -----

trident.kernel @k shared_bytes 0 (%x: !trident.view<in cols : f32>, %n: i32) {
  %ring = pipe.ring at 0 barriers 1024 : !pipe.ring<2 x tensor<64xf32, #trident.shared<swizzle = 128>>>
  pipe.roles warpgroups 1 registers 24, 240 producer {
  } consumer {
    // expected-error @+1 {{'pipe.produce' is expected in the code of the producer}}
    pipe.produce %ring[%n], %x[%n] : !pipe.ring<2 x tensor<64xf32, #trident.shared<swizzle = 128>>>, !trident.view<in cols : f32>[i32]
  }
}
