//===- CudaAgreement.cpp - Our declarations against NVIDIA's --------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Compiled where the toolkit's cuda.h is: every number and layout that CudaTypes.h states must be
// that of cuda.h. The signatures are compared by compiling the driver's sources themselves against
// cuda.h (see CMakeLists.txt).
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cstdint>
#include <cuda.h>

#undef CU_LAUNCH_PARAM_END
#undef CU_LAUNCH_PARAM_BUFFER_POINTER
#undef CU_LAUNCH_PARAM_BUFFER_SIZE
namespace ours {
#include "CudaTypes.h"
}

#define CU_RESULT(name, number, text) static_assert(int(::name) == number, #name);
#include "CudaErrors.def"

#define CU_DEVICE_ATTRIBUTE(name, number, value)                                                   \
  static_assert(int(::CU_DEVICE_ATTRIBUTE_##name) == number, #name);
#include "DeviceAttributes.def"

#define CU_ENUM(type) static_assert(sizeof(ours::type) == sizeof(::type), #type);
#define CU_VALUE(name, number) static_assert(int(::name) == number, #name);
#define CU_END(type)
#include "CudaEnums.def"

#define SAME_SIZE(type)                                                                            \
  static_assert(sizeof(ours::type) == sizeof(::type) && alignof(ours::type) == alignof(::type),    \
                #type);
#define SAME_PLACE(type, member)                                                                   \
  static_assert(offsetof(ours::type, member) == offsetof(::type, member), #type "." #member);
SAME_SIZE(CUdeviceptr)
SAME_SIZE(CUmemGenericAllocationHandle)
SAME_SIZE(CUuuid)
SAME_SIZE(CUtensorMap)
SAME_SIZE(CUctxCreateParams)
SAME_PLACE(CUctxCreateParams, cigParams)
SAME_SIZE(CUlaunchAttributeValue)
SAME_SIZE(CUlaunchAttribute)
SAME_PLACE(CUlaunchAttribute, value)
SAME_SIZE(CUlaunchConfig)
SAME_PLACE(CUlaunchConfig, blockDimX)
SAME_PLACE(CUlaunchConfig, sharedMemBytes)
SAME_PLACE(CUlaunchConfig, hStream)
SAME_PLACE(CUlaunchConfig, attrs)
SAME_PLACE(CUlaunchConfig, numAttrs)
SAME_SIZE(CUDA_KERNEL_NODE_PARAMS_v2)
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, sharedMemBytes)
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams)
SAME_PLACE(CUDA_KERNEL_NODE_PARAMS_v2, kern)
SAME_SIZE(CUDA_MEMSET_NODE_PARAMS)
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, elementSize)
SAME_PLACE(CUDA_MEMSET_NODE_PARAMS, height)
SAME_SIZE(CUDA_MEMCPY2D)
SAME_PLACE(CUDA_MEMCPY2D, srcHost)
SAME_PLACE(CUDA_MEMCPY2D, srcPitch)
SAME_PLACE(CUDA_MEMCPY2D, dstHost)
SAME_PLACE(CUDA_MEMCPY2D, dstPitch)
SAME_PLACE(CUDA_MEMCPY2D, Height)
SAME_SIZE(CUmemAllocationProp)
SAME_PLACE(CUmemAllocationProp, location)
SAME_PLACE(CUmemAllocationProp, allocFlags)
SAME_SIZE(CUmemAccessDesc)
SAME_PLACE(CUmemAccessDesc, flags)
SAME_SIZE(CUgraphEdgeData)
SAME_SIZE(CUDA_GRAPH_INSTANTIATE_PARAMS)
SAME_PLACE(CUDA_GRAPH_INSTANTIATE_PARAMS, result_out)
