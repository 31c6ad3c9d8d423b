//===- ApiModule.cpp - Modules and libraries ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSpace.h"
#include "Images.h"

using namespace trident::emu;

namespace {

CUresult loadModule(const char *name, CUmodule *module, const void *image, unsigned count,
                    CUjit_option *options, void **values) {
  return inContext(name, [&](Call &call) {
    if (!module)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = call.refuseDuringCapture())
      return result;
    JitLogs logs(count, options, values);
    std::shared_ptr<Image> loaded;
    if (CUresult result = loadImage(call, image, logs, loaded))
      return result;
    if (CUresult result = placeGlobals(*loaded, call.context))
      return result;
    *module = new CUmod_st;
    (*module)->context = call.context;
    (*module)->image = std::move(loaded);
    call.driver.modules.insert(*module);
    return CUDA_SUCCESS;
  });
}

CUresult loadLibrary(const char *name, CUlibrary *library, const void *code, unsigned count,
                     CUjit_option *options, void **values) {
  return initialized(name, [&](Call &call) {
    if (!library)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = call.refuseDuringCapture())
      return result;
    JitLogs logs(count, options, values);
    if (!code)
      return CUDA_ERROR_INVALID_VALUE;
    auto *created = new CUlib_st;
    created->refusal = loadImage(call, code, logs, created->image);
    if (created->image)
      for (const EntryInfo &entry : created->image->module->entries()) {
        auto *kernel = new CUkern_st;
        kernel->library = created;
        kernel->entry = &entry;
        created->kernels[entry.name] = kernel;
        call.driver.kernels.insert(kernel);
      }
    call.driver.libraries.insert(created);
    *library = created;
    return CUDA_SUCCESS;
  });
}

/// Refuses what is no live handle, and a library whose image was refused.
CUresult check(const Call &call, CUlibrary library) {
  return call.driver.libraries.count(library) ? library->refusal : CUDA_ERROR_INVALID_HANDLE;
}

/// Ends `module` and its functions; its variables' addresses become invalid.
void unload(Call &call, CUmodule module) {
  for (auto &[name, function] : module->functions) {
    call.driver.functions.erase(function);
    delete function;
  }
  std::vector<uint64_t> addresses = module->image->globalAddresses[module->context];
  module->image->globalAddresses.erase(module->context);
  call.driver.modules.erase(module);
  delete module;
  call.exclusively([&] {
    for (uint64_t address : addresses)
      AddressSpace::get().release(address, {MemoryKind::device});
  });
}

CUresult findGlobal(const Image &image, CUcontext context, const char *name, CUdeviceptr *dptr,
                    size_t *bytes) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  const std::vector<GlobalInfo> &globals = image.module->globals();
  for (size_t i = 0; i < globals.size(); ++i) {
    if (globals[i].name != name)
      continue;
    if (dptr)
      *dptr = image.globalAddresses.at(context)[i];
    if (bytes)
      *bytes = globals[i].size;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

} // namespace

EMU_EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return loadModule(__func__, module, image, 0, nullptr, nullptr);
}

EMU_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                                       CUjit_option *options, void **optionValues) {
  return loadModule(__func__, module, image, numOptions, options, optionValues);
}

EMU_EXPORT CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  return loadModule(__func__, module, fatCubin, 0, nullptr, nullptr);
}

EMU_EXPORT CUresult cuModuleLoad(CUmodule *module, const char *fname) {
  std::string text;
  if (CUresult result = readFile(fname, text))
    return result;
  return loadModule(__func__, module, text.c_str(), 0, nullptr, nullptr);
}

EMU_EXPORT CUresult cuModuleUnload(CUmodule hmod) {
  return inContext(__func__, [&](Call &call) {
    if (!call.driver.modules.count(hmod) || hmod->library)
      return CUDA_ERROR_INVALID_HANDLE;
    unload(call, hmod);
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name) {
  return inContext(__func__, [&](Call &call) {
    if (!hfunc || !name)
      return CUDA_ERROR_INVALID_VALUE;
    if (!call.driver.modules.count(hmod))
      return CUDA_ERROR_INVALID_HANDLE;
    *hfunc = functionIn(call, hmod, name);
    return *hfunc ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

EMU_EXPORT CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod) {
  return initialized(__func__, [&](Call &call) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    if (!call.driver.modules.count(mod))
      return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(mod->image->module->entries().size());
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod,
                                         const char *name) {
  return inContext(__func__, [&](Call &call) {
    if (!call.driver.modules.count(hmod))
      return CUDA_ERROR_INVALID_HANDLE;
    return findGlobal(*hmod->image, hmod->context, name, dptr, bytes);
  });
}

EMU_EXPORT CUresult cuLibraryLoadData(CUlibrary *library, const void *code,
                                      CUjit_option *jitOptions, void **jitOptionsValues,
                                      unsigned int numJitOptions, CUlibraryOption *, void **,
                                      unsigned int) {
  return loadLibrary(__func__, library, code, numJitOptions, jitOptions, jitOptionsValues);
}

EMU_EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName,
                                          CUjit_option *jitOptions, void **jitOptionsValues,
                                          unsigned int numJitOptions, CUlibraryOption *, void **,
                                          unsigned int) {
  std::string text;
  if (CUresult result = readFile(fileName, text))
    return result;
  return loadLibrary(__func__, library, text.c_str(), numJitOptions, jitOptions, jitOptionsValues);
}

EMU_EXPORT CUresult cuLibraryUnload(CUlibrary library) {
  return initialized(__func__, [&](Call &call) {
    if (!call.driver.libraries.erase(library))
      return CUDA_ERROR_INVALID_HANDLE;
    while (!library->modules.empty()) {
      CUmodule module = library->modules.begin()->second;
      library->modules.erase(library->modules.begin());
      unload(call, module);
    }
    for (auto &[name, kernel] : library->kernels) {
      call.driver.kernels.erase(kernel);
      delete kernel;
    }
    delete library;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  return initialized(__func__, [&](Call &call) {
    if (!pKernel || !name)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, library))
      return result;
    auto it = library->kernels.find(name);
    if (it == library->kernels.end())
      return CUDA_ERROR_NOT_FOUND;
    *pKernel = it->second;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib) {
  return initialized(__func__, [&](Call &call) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, lib))
      return result;
    *count = static_cast<unsigned>(lib->kernels.size());
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels,
                                              CUlibrary lib) {
  return initialized(__func__, [&](Call &call) {
    if (!kernels)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, lib))
      return result;
    unsigned written = 0;
    for (auto &[name, kernel] : lib->kernels)
      if (written < numKernels)
        kernels[written++] = kernel;
    return CUDA_SUCCESS;
  });
}

EMU_EXPORT CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library) {
  return inContext(__func__, [&](Call &call) {
    if (!pMod)
      return CUDA_ERROR_INVALID_VALUE;
    if (CUresult result = check(call, library))
      return result;
    *pMod = moduleOf(call, library, call.context);
    return *pMod ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  });
}

EMU_EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library,
                                       const char *name) {
  return inContext(__func__, [&](Call &call) {
    if (CUresult result = check(call, library))
      return result;
    if (!moduleOf(call, library, call.context))
      return CUDA_ERROR_OUT_OF_MEMORY;
    return findGlobal(*library->image, call.context, name, dptr, bytes);
  });
}
