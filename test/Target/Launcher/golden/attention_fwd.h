//===- attention_fwd.h - Launcher of the kernel attention_fwd ------------===//
//
// Do not edit. Made by trident-compile 0.1.0:
//
//   trident-compile attention_fwd --target sm_90a --set dtype=bf16,f16 --set head_dim=64,128 --set
//   causal=none,top_left,bottom_right
//
//===----------------------------------------------------------------------===//
// Attention, forward: o = softmax(scale * q k^T + mask) v for each query head, with one key head
// for each group of heads / kv_heads query heads. A row that sees no key gives o = 0 and lse =
// -inf.
//
//   q [batch, seq_q, heads, head_dim] of dtype: queries
//   k [batch, seq_k, kv_heads, head_dim] of dtype: keys
//   v [batch, seq_k, kv_heads, head_dim_v] of dtype: values
//   o (output) [batch, seq_q, heads, head_dim_v] of dtype: the result
//   lse (output) [batch, heads, seq_q] of f32, may be left out: natural logarithm of each row's sum
//   of exponentials
//   scale f32: factor of the scores, often 1 / sqrt(head_dim)
//   causal none, top_left or bottom_right
//
// Dimensions of one name have one extent. heads is a multiple of kv_heads. Tensors may have any
// strides, inputs also 0. The last axis of q, k, v and o is contiguous. Address and other strides
// of q, k, v and o are multiples of 16 bytes. Compiled for sm_90a: dtype = bf16 or f16; head_dim =
// head_dim_v = 64 or 128; causal = none, top_left or bottom_right.
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_KERNEL_ATTENTION_FWD_H
#define TRIDENT_KERNEL_ATTENTION_FWD_H

#include "trident/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The arguments of the C functions. `type` and `device` of a tensor: see struct trident_tensor.
struct attention_fwd_arguments {
  struct trident_tensor q;
  struct trident_tensor k;
  struct trident_tensor v;
  struct trident_tensor o;
  struct trident_tensor lse;
  float scale;
  /// 0 none, 1 top_left or 2 bottom_right
  int32_t causal;
};

/// Checks the whole call, then launches it on `stream` (null: the legacy default stream) and
/// returns without waiting. Returns 0, or a trident::StatusCode with a sentence in `message`;
/// nothing was launched then. `message` may be null. May be called from many threads at once.
int attention_fwd_launch(const struct attention_fwd_arguments *arguments,
                         struct CUstream_st *stream, char *message, size_t message_bytes);

/// Loads the kernel's images for the device of the current CUDA context, so that no call has to.
int attention_fwd_prepare(char *message, size_t message_bytes);

#ifdef __cplusplus
} // extern "C"

#include <limits>

namespace trident::attention_fwd {

inline constexpr const char name[] = "attention_fwd";
inline constexpr const char compilerVersion[] = "0.1.0";

enum class Causal : int32_t { none = 0, top_left = 1, bottom_right = 2 };

/// One compiled kernel: the values of its parameters, the calls that it is for, and what it takes
/// of the device.
struct Variant {
  Type dtype;
  int64_t head_dim;
  int64_t head_dim_v;
  Causal causal;
  const char *sizes; ///< a condition on the extents of a call; empty: none
  const char *target;
  int threads;      ///< in a block
  int sharedBytes;  ///< dynamic shared memory of a block
  const char *name; ///< in attention_fwd.json and ATTENTION_FWD_VARIANTS
};

inline constexpr Variant variants[] = {
    {Type::bf16, 64, 64, Causal::none, "", "sm_90a", 384, 123904, "bf16_64_64_none_sm_90a"},
    {Type::bf16, 64, 64, Causal::top_left, "", "sm_90a", 384, 123904, "bf16_64_64_top_left_sm_90a"},
    {
        Type::bf16,
        64,
        64,
        Causal::bottom_right,
        "",
        "sm_90a",
        384,
        123904,
        "bf16_64_64_bottom_right_sm_90a",
    },
    {Type::bf16, 128, 128, Causal::none, "", "sm_90a", 384, 165120, "bf16_128_128_none_sm_90a"},
    {
        Type::bf16,
        128,
        128,
        Causal::top_left,
        "",
        "sm_90a",
        384,
        165120,
        "bf16_128_128_top_left_sm_90a",
    },
    {
        Type::bf16,
        128,
        128,
        Causal::bottom_right,
        "",
        "sm_90a",
        384,
        165120,
        "bf16_128_128_bottom_right_sm_90a",
    },
    {Type::f16, 64, 64, Causal::none, "", "sm_90a", 384, 123904, "f16_64_64_none_sm_90a"},
    {Type::f16, 64, 64, Causal::top_left, "", "sm_90a", 384, 123904, "f16_64_64_top_left_sm_90a"},
    {
        Type::f16,
        64,
        64,
        Causal::bottom_right,
        "",
        "sm_90a",
        384,
        123904,
        "f16_64_64_bottom_right_sm_90a",
    },
    {Type::f16, 128, 128, Causal::none, "", "sm_90a", 384, 165120, "f16_128_128_none_sm_90a"},
    {
        Type::f16,
        128,
        128,
        Causal::top_left,
        "",
        "sm_90a",
        384,
        165120,
        "f16_128_128_top_left_sm_90a",
    },
    {
        Type::f16,
        128,
        128,
        Causal::bottom_right,
        "",
        "sm_90a",
        384,
        165120,
        "f16_128_128_bottom_right_sm_90a",
    },
};

struct Arguments {
  /// [batch, seq_q, heads, head_dim] of dtype: queries
  Tensor q;
  /// [batch, seq_k, kv_heads, head_dim] of dtype: keys
  Tensor k;
  /// [batch, seq_k, kv_heads, head_dim_v] of dtype: values
  Tensor v;
  /// [batch, seq_q, heads, head_dim_v] of dtype: the result
  Tensor o;
  /// [batch, heads, seq_q] of f32, may be left out: natural logarithm of each row's sum of
  /// exponentials
  Tensor lse;
  /// f32: factor of the scores, often 1 / sqrt(head_dim)
  float scale = std::numeric_limits<float>::quiet_NaN();
  /// none, top_left or bottom_right; has to be chosen
  Causal causal = Causal{-1};
};

/// Checks the whole call, then launches it on `stream` (null: the legacy default stream) and
/// returns without waiting. On any other code than `ok` nothing was launched. It allocates nothing
/// and may be captured in a graph once the kernel is loaded.
[[nodiscard]] inline Status launch(const Arguments &arguments, Stream stream) {
  attention_fwd_arguments plain;
  plain.q = arguments.q;
  plain.k = arguments.k;
  plain.v = arguments.v;
  plain.o = arguments.o;
  plain.lse = arguments.lse;
  plain.scale = arguments.scale;
  plain.causal = static_cast<int32_t>(arguments.causal);
  char message[messageBytes];
  const int code = attention_fwd_launch(&plain, stream, message, sizeof message);
  return code == 0 ? Status() : Status(static_cast<StatusCode>(code), message);
}

/// The same for DLPack tensors, or any struct of the shape of DLTensor in <dlpack/dlpack.h>.
template <typename DLTensor>
[[nodiscard]] Status launch(const DLTensor &q,   // in
                            const DLTensor &k,   // in
                            const DLTensor &v,   // in
                            const DLTensor &o,   // out
                            const DLTensor *lse, // out, or null
                            float scale,         // scalar
                            Causal causal,       // choice
                            Stream stream) {
  Arguments arguments;
  arguments.q = fromDLPack(q);
  arguments.k = fromDLPack(k);
  arguments.v = fromDLPack(v);
  arguments.o = fromDLPack(o);
  if (lse)
    arguments.lse = fromDLPack(*lse);
  arguments.scale = scale;
  arguments.causal = causal;
  return launch(arguments, stream);
}

/// Loads the kernel's images for the device of the current CUDA context, so that no call has to.
/// Needed before a first call inside a stream capture.
[[nodiscard]] inline Status prepare() {
  char message[messageBytes];
  const int code = attention_fwd_prepare(message, sizeof message);
  return code == 0 ? Status() : Status(static_cast<StatusCode>(code), message);
}

} // namespace trident::attention_fwd
#endif // __cplusplus

#endif // TRIDENT_KERNEL_ATTENTION_FWD_H
