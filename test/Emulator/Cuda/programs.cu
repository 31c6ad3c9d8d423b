//===- programs.cu - CUDA programs whose PTX the machine must run ---------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// programs.ptx is what `nvcc -arch=sm_90 -ptx programs.cu` of CUDA 13.0 makes of this file: PTX that neither we nor LLVM wrote.
//===----------------------------------------------------------------------===//
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void

/// out[i] = a * x[i] + y[i], in a grid-stride loop.
KERNEL saxpy(float a, const float *x, const float *y, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a * x[i] + y[i];
}

/// The sum of a block by shuffles, of the grid by an atomic.
KERNEL reduce(const int *in, int *out, int n) {
  __shared__ int partial[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x == 0)
      atomicAdd(out, sum);
  }
}

/// c = a * b for n x n matrices, n a multiple of 16.
KERNEL matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[16][16], tileB[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Row-wise softmax, a warp a row.
KERNEL softmax(const float *in, float *out, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float largest = -INFINITY, sum = 0;
  for (int i = lane; i < columns; i += 32)
    largest = fmaxf(largest, in[row * columns + i]);
  for (int mask = 16; mask; mask /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, mask));
  for (int i = lane; i < columns; i += 32)
    sum += __expf(in[row * columns + i] - largest);
  for (int mask = 16; mask; mask /= 2)
    sum += __shfl_xor_sync(~0u, sum, mask);
  for (int i = lane; i < columns; i += 32)
    out[row * columns + i] = __expf(in[row * columns + i] - largest) / sum;
}

/// Counts bytes in shared memory, then in global memory.
KERNEL histogram(const unsigned char *in, unsigned *counts, int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i])
      atomicAdd(&counts[i], local[i]);
}

/// Inclusive prefix sums of one block of 256.
KERNEL scan(const int *in, int *out) {
  __shared__ int values[2][256];
  int current = 0;
  values[0][threadIdx.x] = in[threadIdx.x];
  for (int offset = 1; offset < 256; offset *= 2) {
    __syncthreads();
    int value = values[current][threadIdx.x];
    if (threadIdx.x >= offset)
      value += values[current][threadIdx.x - offset];
    values[current ^= 1][threadIdx.x] = value;
  }
  out[threadIdx.x] = values[current][threadIdx.x];
}

/// Steps of the Collatz sequence: every lane loops as long as it must.
KERNEL collatz(unsigned *out) {
  unsigned long long value = blockIdx.x * blockDim.x + threadIdx.x + 1;
  unsigned steps = 0;
  for (; value != 1; ++steps)
    value = value % 2 ? 3 * value + 1 : value / 2;
  out[blockIdx.x * blockDim.x + threadIdx.x] = steps;
}

/// Doubles and the functions of the mathematics library; sin and cos of doubles are calls.
KERNEL functions(const double *in, double *out, float *outFloat, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  double x = in[i];
  out[i] = sqrt(x) + exp(-x) / (1 + log(x + 1)) + sin(x) * cos(x) + floor(x) + fmod(x, 0.75);
  float y = (float)x;
  outFloat[i] = powf(y, 1.25f) + atan2f(y, 2.0f) + rsqrtf(y + 1) + truncf(y) + erff(y) + sinf(y) * cosf(y * 1e6f);
}

/// A switch, a table of pointers in local memory, and 64-bit multiplication.
KERNEL mixed(const unsigned *in, unsigned long long *out, int n) {
  int i = threadIdx.x;
  unsigned long long values[8];
  for (int j = 0; j < 8; ++j)
    values[j] = in[(i + j) % n] * 0x9e3779b97f4a7c15ull;
  unsigned long long result;
  switch (in[i] % 8) {
  case 0: result = values[in[i] % 5]; break;
  case 1: result = __umul64hi(values[1], values[2]); break;
  case 2: result = __popcll(values[in[i] % 3]); break;
  case 3: result = values[3] / (values[in[i] % 7] | 1); break;
  case 4: result = values[4] % 1000003; break;
  case 5: result = __brevll(values[5]); break;
  case 6: result = __clzll(values[6] >> (in[i] % 64)); break;
  default: result = values[7] << (in[i] % 64);
  }
  out[i] = result;
}

/// Half and bfloat16 arithmetic in pairs.
KERNEL halves(const __half2 *a, const __nv_bfloat162 *b, __half2 *outA, __nv_bfloat162 *outB) {
  int i = threadIdx.x;
  outA[i] = __hfma2(a[i], a[i], __float2half2_rn(0.5f));
  outB[i] = __hmax2(__hmul2(b[i], b[i]), __float2bfloat162_rn(1.5f));
}
