//===- ApiProcAddress.cpp - Looking up exports by name --------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Call.h"

#include <cstring>
#include <dlfcn.h>

using namespace trident::emu;

namespace {

struct VersionRow {
  const char *name;
  int version;
  const char *symbol;
};
const VersionRow versions[] = {
#define CU_VERSION(name, version, symbol) {#name, version, #symbol},
#include "Versions.def"
};

/// Whether `name` already says which version it means; those names are no answer to a program that
/// asks by version.
bool hasSuffix(const std::string &name) {
  size_t at = name.rfind('_');
  return at != std::string::npos &&
         (name.compare(at, 2, "_v") == 0 || name.compare(at, 3, "_pt") == 0);
}

/// The library that this code is in, however it was loaded.
void *ownLibrary() {
  static void *const library = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<void *>(&ownLibrary), &info) ? dlopen(info.dli_fname, RTLD_LAZY)
                                                                : nullptr;
  }();
  return library;
}

CUresult lookUp(const char *symbol, void **pfn, int version, cuuint64_t flags,
                CUdriverProcAddressQueryResult *status) {
  constexpr cuuint64_t known =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !pfn || (flags & ~known) || flags == known)
    return CUDA_ERROR_INVALID_VALUE;
  std::string name = symbol;
  bool hasRow = false;
  for (const VersionRow &row : versions)
    if (std::strcmp(row.name, symbol) == 0) {
      hasRow = true;
      if (row.version <= version)
        name = row.symbol;
    }
  void *library = ownLibrary();
  *pfn = nullptr;
  if (library && name.compare(0, 2, "cu") == 0 && !hasSuffix(symbol)) {
    if (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
      for (const char *suffix : {"_ptsz", "_ptds"})
        if (!*pfn)
          *pfn = dlsym(library, (name + suffix).c_str());
    if (!*pfn)
      *pfn = dlsym(library, name.c_str());
  }
  if (status)
    *status = *pfn     ? CU_GET_PROC_ADDRESS_SUCCESS
              : hasRow ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                       : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *pfn ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

} // namespace

EMU_EXPORT CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion,
                                     cuuint64_t flags) {
  return lookUp(symbol, pfn, cudaVersion, flags, nullptr);
}

EMU_EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion,
                                        cuuint64_t flags,
                                        CUdriverProcAddressQueryResult *symbolStatus) {
  return lookUp(symbol, pfn, cudaVersion, flags, symbolStatus);
}
