//===- ApiGraph.cpp - Graphs: building, instantiating, launching ----------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Images.h"

#include <algorithm>

using namespace trident::emu;

namespace {

CUgraphNode findNode(Call &call, CUgraphNode node) {
  for (CUgraph graph : call.driver.graphs)
    for (const auto &known : graph->nodes)
      if (known.get() == node)
        return node;
  return nullptr;
}

bool isKernel(CUgraphNode node) { return std::holds_alternative<KernelOperation>(node->operation); }

/// Adds a node with the operation that `make` fills in; every dependency must be of the same graph.
template <typename F>
CUresult addNode(const char *name, CUgraphNode *phGraphNode, CUgraph hGraph,
                 const CUgraphNode *dependencies, size_t count, F make) {
  return inContext(name, [&](Call &call) {
    if (!phGraphNode || (count && !dependencies))
      return CUDA_ERROR_INVALID_VALUE;
    if (!call.driver.graphs.count(hGraph))
      return CUDA_ERROR_INVALID_VALUE;
    auto node = std::make_unique<CUgraphNode_st>();
    node->graph = hGraph;
    for (size_t i = 0; i < count; ++i) {
      if (!findNode(call, dependencies[i]) || dependencies[i]->graph != hGraph)
        return CUDA_ERROR_INVALID_VALUE;
      node->dependencies.push_back(dependencies[i]);
    }
    if (CUresult result = make(call, node->operation))
      return result;
    *phGraphNode = node.get();
    hGraph->nodes.push_back(std::move(node));
    return CUDA_SUCCESS;
  });
}

CUresult makeKernel(Call &call, const CUDA_KERNEL_NODE_PARAMS_v2 *params, KernelOperation &kernel) {
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  CUfunction function = resolveFunction(
      call, params->func ? params->func : reinterpret_cast<CUfunction>(params->kern));
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  CUlaunchConfig config = {};
  config.gridDimX = params->gridDimX;
  config.gridDimY = params->gridDimY;
  config.gridDimZ = params->gridDimZ;
  config.blockDimX = params->blockDimX;
  config.blockDimY = params->blockDimY;
  config.blockDimZ = params->blockDimZ;
  config.sharedMemBytes = params->sharedMemBytes;
  return prepareLaunch(call, function, config, params->kernelParams, params->extra, kernel);
}

CUresult instantiate(const char *name, CUgraphExec *phGraphExec, CUgraph hGraph,
                     unsigned long long flags) {
  return inContext(name, [&](Call &call) {
    constexpr unsigned long long known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                         CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                         CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    if (!phGraphExec || !call.driver.graphs.count(hGraph))
      return CUDA_ERROR_INVALID_VALUE;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH)
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED,
                         "launching graphs from kernels is not supported");
    if (flags & ~known)
      return CUDA_ERROR_INVALID_VALUE;
    auto *exec = new CUgraphExec_st;
    exec->context = call.context;
    exec->flags = flags;
    for (const auto &node : hGraph->nodes)
      exec->steps.push_back({node.get(), node->operation});
    call.driver.graphExecs.insert(exec);
    *phGraphExec = exec;
    return CUDA_SUCCESS;
  });
}

/// Lists handles the way the interface wants it: the count alone when there is no array, null past
/// the last.
CUresult list(const std::vector<CUgraphNode> &found, CUgraphNode *nodes, size_t *count) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  if (nodes)
    for (size_t i = 0; i < *count; ++i)
      nodes[i] = i < found.size() ? found[i] : nullptr;
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return CUDA_SUCCESS;
}

CUgraphExec_st::Step *findStep(Call &call, CUgraphExec exec, CUgraphNode node) {
  if (call.driver.graphExecs.count(exec))
    for (CUgraphExec_st::Step &step : exec->steps)
      if (step.node == node)
        return &step;
  return nullptr;
}

} // namespace

EMU_EXPORT CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags) {
  return initialized(__func__, [&](Call &call) {
    if (!phGraph || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    *phGraph = new CUgraph_st;
    call.driver.graphs.insert(*phGraph);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphDestroy(CUgraph hGraph) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.graphs.erase(hGraph))
      return CUDA_ERROR_INVALID_VALUE;
    delete hGraph;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                        const CUgraphNode *dependencies, size_t numDependencies) {
  return addNode(__func__, phGraphNode, hGraph, dependencies, numDependencies,
                 [](Call &, Operation &) { return CUDA_SUCCESS; });
}

EMU_EXPORT CUresult cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
                                            const CUgraphNode *dependencies, size_t numDependencies,
                                            const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  return addNode(__func__, phGraphNode, hGraph, dependencies, numDependencies,
                 [&](Call &call, Operation &operation) {
                   return makeKernel(call, nodeParams, operation.emplace<KernelOperation>());
                 });
}

EMU_EXPORT CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
                                         const CUgraphNode *dependencies, size_t numDependencies,
                                         const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext) {
  return addNode(__func__, phGraphNode, hGraph, dependencies, numDependencies,
                 [&](Call &call, Operation &operation) {
                   if (!memsetParams ||
                       (memsetParams->elementSize != 1 && memsetParams->elementSize != 2 &&
                        memsetParams->elementSize != 4))
                     return CUDA_ERROR_INVALID_VALUE;
                   operation = FillOperation{memsetParams->dst,         memsetParams->value,
                                             memsetParams->elementSize, memsetParams->width,
                                             memsetParams->height,      memsetParams->pitch};
                   std::string why = whyUnusable(operation);
                   return why.empty() ? CUDA_SUCCESS : call.refuse(CUDA_ERROR_INVALID_VALUE, why);
                 });
}

EMU_EXPORT CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.graphs.count(hGraph))
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> found;
    for (const auto &node : hGraph->nodes)
      found.push_back(node.get());
    return list(found, nodes, numNodes);
  });
}

EMU_EXPORT CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes,
                                        size_t *numRootNodes) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.graphs.count(hGraph))
      return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> found;
    for (const auto &node : hGraph->nodes)
      if (node->dependencies.empty())
        found.push_back(node.get());
    return list(found, rootNodes, numRootNodes);
  });
}

EMU_EXPORT CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type) {
  return initialized(__func__, [&](Call &call) {
    if (!type || !findNode(call, hNode))
      return CUDA_ERROR_INVALID_VALUE;
    // In the order of the alternatives of Operation.
    constexpr CUgraphNodeType types[] = {CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_KERNEL,
                                         CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET,
                                         CU_GRAPH_NODE_TYPE_HOST};
    *type = types[hNode->operation.index()];
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode hNode,
                                                  CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  return initialized(__func__, [&](Call &call) {
    if (!nodeParams || !findNode(call, hNode) || !isKernel(hNode))
      return CUDA_ERROR_INVALID_VALUE;
    KernelOperation &kernel = std::get<KernelOperation>(hNode->operation);
    LaunchRequest &request = kernel.request;
    kernel.parameterPointers.clear();
    for (const EntryParameter &parameter : request.module->findEntry(request.entry)->parameters)
      kernel.parameterPointers.push_back(request.parameters.data() + parameter.offset);
    *nodeParams = {};
    nodeParams->func = kernel.function;
    nodeParams->gridDimX = request.grid[0];
    nodeParams->gridDimY = request.grid[1];
    nodeParams->gridDimZ = request.grid[2];
    nodeParams->blockDimX = request.block[0];
    nodeParams->blockDimY = request.block[1];
    nodeParams->blockDimZ = request.block[2];
    nodeParams->sharedMemBytes = request.dynamicSharedBytes;
    nodeParams->kernelParams = kernel.parameterPointers.data();
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode hNode,
                                                  const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  return inContext(__func__, [&](Call &call) {
    if (!findNode(call, hNode) || !isKernel(hNode))
      return CUDA_ERROR_INVALID_VALUE;
    KernelOperation kernel;
    if (CUresult result = makeKernel(call, nodeParams, kernel))
      return result;
    hNode->operation = std::move(kernel);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(
    CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS_v2 *nodeParams) {
  return inContext(__func__, [&](Call &call) {
    CUgraphExec_st::Step *step = findStep(call, hGraphExec, hNode);
    if (!step || !std::holds_alternative<KernelOperation>(step->operation))
      return CUDA_ERROR_INVALID_VALUE;
    KernelOperation kernel;
    if (CUresult result = makeKernel(call, nodeParams, kernel))
      return result;
    step->operation = std::move(kernel);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          unsigned int isEnabled) {
  return inContext(__func__, [&](Call &call) {
    CUgraphExec_st::Step *step = findStep(call, hGraphExec, hNode);
    if (!step)
      return CUDA_ERROR_INVALID_VALUE;
    step->enabled = isEnabled != 0;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode,
                                          unsigned int *isEnabled) {
  return inContext(__func__, [&](Call &call) {
    CUgraphExec_st::Step *step = findStep(call, hGraphExec, hNode);
    if (!step || !isEnabled)
      return CUDA_ERROR_INVALID_VALUE;
    *isEnabled = step->enabled;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                unsigned long long flags) {
  return instantiate(__func__, phGraphExec, hGraph, flags);
}

EMU_EXPORT CUresult cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
                                                 CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  if (!instantiateParams)
    return initialized(__func__, [](Call &) { return CUDA_ERROR_INVALID_VALUE; });
  CUresult result = instantiate(__func__, phGraphExec, hGraph, instantiateParams->flags);
  instantiateParams->hErrNode_out = nullptr;
  instantiateParams->result_out =
      result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}

EMU_EXPORT CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags) {
  return initialized(__func__, [&](Call &call) {
    if (!flags || !call.driver.graphExecs.count(hGraphExec))
      return CUDA_ERROR_INVALID_VALUE;
    *flags = hGraphExec->flags;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.graphExecs.erase(hGraphExec))
      return CUDA_ERROR_INVALID_VALUE;
    delete hGraphExec;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream) {
  return inContext(__func__, [&](Call &call) {
    if (!call.driver.graphExecs.count(hGraphExec))
      return CUDA_ERROR_INVALID_VALUE;
    return call.stream(hStream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

EMU_EXPORT CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream) {
  return inContext(__func__, [&](Call &call) {
    CUstream stream = call.stream(hStream);
    if (!call.driver.graphExecs.count(hGraphExec))
      return CUDA_ERROR_INVALID_VALUE;
    if (!stream)
      return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
      stream->capture->invalidated = true;
      return call.refuse(CUDA_ERROR_NOT_SUPPORTED, "graphs inside graphs are not supported");
    }
    std::vector<Operation> operations; // the graph may change or go while it runs
    for (const CUgraphExec_st::Step &step : hGraphExec->steps)
      if (step.enabled)
        operations.push_back(step.operation);
    CUcontext owner = stream->context;
    for (const Operation &operation : operations) {
      CUresult result = call.runNow(owner, operation);
      if (result != CUDA_SUCCESS || owner->sticky != CUDA_SUCCESS)
        return result;
    }
    return CUDA_SUCCESS;
  });
}
