//===- Images.cpp - Loading PTX and placing its variables -----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Images.h"

#include "AddressSpace.h"
#include "Devices.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace trident::emu {
namespace {

constexpr int newestPtxVersion = 90;
constexpr uint32_t elfMagic = 0x464c457f;           // "\x7fELF"
constexpr uint16_t elfMachine = 190;                // EM_CUDA
constexpr uint32_t fatbinMagic = 0xba55ed50;        // of the container itself
constexpr uint32_t fatbinWrapperMagic = 0x466243b1; // of the structure that points to it

/// The first four bytes, as far as there is no NUL: behind one the rest may not be readable.
uint32_t magicOf(const void *code) {
  const auto *bytes = static_cast<const unsigned char *>(code);
  uint32_t magic = 0;
  for (int i = 0; i < 4 && bytes[i] != 0; ++i)
    magic |= uint32_t(bytes[i]) << (8 * i);
  return magic;
}

/// Whether the header that begins at `code`, after the magic number, is of a GPU's machine code:
/// 64 bits, little-endian, version 1, and the machine.
bool isCubin(const void *code) {
  const auto *bytes = static_cast<const unsigned char *>(code);
  return bytes[4] == 2 && bytes[5] == 1 && bytes[6] == 1 &&
         (bytes[18] | bytes[19] << 8) == elfMachine;
}

/// 10 * major + minor of the `.version` directive, which is the first of a PTX text; 0 when another
/// thing is first.
int versionOf(const char *text) {
  for (;;) {
    text += std::strspn(text, " \t\r\n");
    const char *end = nullptr;
    if (std::strncmp(text, "//", 2) == 0)
      end = std::strchr(text, '\n');
    else if (std::strncmp(text, "/*", 2) == 0)
      end = std::strstr(text, "*/");
    else
      break;
    if (!end)
      return 0;
    text = end + (*end == '\n' ? 1 : 2);
  }
  int major = 0, minor = 0;
  return std::sscanf(text, ".version %d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

} // namespace

JitLogs::JitLogs(unsigned count, CUjit_option *options, void **values) {
  for (unsigned i = 0; options && values && i < count; ++i) {
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      buffer = static_cast<char *>(values[i]);
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
      capacity = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
      sizeValue = &values[i];
    }
    if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
      infoSizeValue = &values[i];
  }
}

void JitLogs::write(const std::string &text) {
  size_t length = buffer && capacity ? std::min(text.size(), capacity - 1) : 0;
  if (buffer && capacity) {
    std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
  }
  if (sizeValue)
    *sizeValue = reinterpret_cast<void *>(length);
  if (infoSizeValue)
    *infoSizeValue = nullptr;
}

CUresult loadImage(const Call &call, const void *code, JitLogs &logs,
                   std::shared_ptr<Image> &image) {
  if (!code)
    return CUDA_ERROR_INVALID_VALUE;
  logs.write("");
  uint32_t magic = magicOf(code);
  if (magic == elfMagic && !isCubin(code)) {
    logs.write("the image is an ELF file, but not of machine code for a GPU");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (magic == elfMagic || magic == fatbinMagic || magic == fatbinWrapperMagic) {
    logs.write("the driver stand-in runs PTX, not machine code");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  int version = versionOf(static_cast<const char *>(code));
  if (version > newestPtxVersion) {
    logs.write("PTX version " + std::to_string(version / 10) + "." + std::to_string(version % 10) +
               " is newer than this driver's 9.0");
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  }
  ParseError error;
  auto loaded = std::make_shared<Image>();
  loaded->module = parse(static_cast<const char *>(code), error);
  if (!loaded->module) {
    logs.write(error.str());
    return call.refuse(version ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE,
                       "PTX " + error.str());
  }
  const std::string &target = loaded->module->target();
  if (!runsTarget(target)) {
    std::string why =
        "PTX for " + target + " does not run on sm_" + std::to_string(deviceRow().architecture);
    logs.write(why);
    return call.refuse(CUDA_ERROR_INVALID_PTX, why);
  }
  image = std::move(loaded);
  return CUDA_SUCCESS;
}

CUresult readFile(const char *path, std::string &text) {
  std::FILE *file = path ? std::fopen(path, "rb") : nullptr;
  if (!file)
    return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  char chunk[1 << 16];
  while (size_t count = std::fread(chunk, 1, sizeof chunk, file))
    text.append(chunk, count);
  std::fclose(file);
  return CUDA_SUCCESS;
}

CUresult placeGlobals(Image &image, CUcontext context) {
  if (image.globalAddresses.count(context))
    return CUDA_SUCCESS;
  AddressSpace &space = AddressSpace::get();
  std::vector<uint64_t> addresses;
  for (const GlobalInfo &global : image.module->globals()) {
    uint64_t size = std::max<uint64_t>(global.size, 1);
    std::optional<uint64_t> address = space.allocate(size, context->device, context);
    if (!address) {
      for (uint64_t placed : addresses)
        space.release(placed, {MemoryKind::device});
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    std::byte *bytes = space.translate(*address, size);
    std::memset(bytes, 0, size);
    std::copy(global.initial.begin(), global.initial.end(), bytes);
    addresses.push_back(*address);
  }
  for (size_t i = 0; i < addresses.size(); ++i)
    for (const GlobalInfo::Relocation &relocation : image.module->globals()[i].relocations) {
      uint64_t value = addresses[relocation.target] + static_cast<uint64_t>(relocation.addend);
      std::memcpy(space.translate(addresses[i] + relocation.offset, sizeof value), &value,
                  sizeof value);
    }
  image.globalAddresses[context] = std::move(addresses);
  return CUDA_SUCCESS;
}

CUfunction functionIn(Call &call, CUmodule module, const std::string &name,
                      std::shared_ptr<FunctionSettings> settings) {
  auto known = module->functions.find(name);
  if (known != module->functions.end())
    return known->second;
  const EntryInfo *entry = module->image->module->findEntry(name);
  if (!entry)
    return nullptr;
  auto *function = new CUfunc_st;
  function->module = module;
  function->context = module->context;
  function->image = module->image;
  function->entry = entry;
  function->settings = settings ? std::move(settings) : std::make_shared<FunctionSettings>();
  call.driver.functions.insert(function);
  module->functions[name] = function;
  return function;
}

CUmodule moduleOf(Call &call, CUlibrary library, CUcontext context) {
  auto known = library->modules.find(context);
  if (known != library->modules.end())
    return known->second;
  if (placeGlobals(*library->image, context) != CUDA_SUCCESS)
    return nullptr;
  auto *module = new CUmod_st;
  module->context = context;
  module->image = library->image;
  module->library = library;
  call.driver.modules.insert(module);
  library->modules[context] = module;
  return module;
}

std::shared_ptr<FunctionSettings> settingsOf(CUkernel kernel, int device) {
  std::shared_ptr<FunctionSettings> &settings = kernel->settings[device];
  if (!settings)
    settings = std::make_shared<FunctionSettings>();
  return settings;
}

CUfunction resolveFunction(Call &call, CUfunction handle) {
  if (call.driver.functions.count(handle))
    return handle;
  auto *kernel = reinterpret_cast<CUkernel>(handle);
  if (!call.context || !call.driver.kernels.count(kernel))
    return nullptr;
  CUmodule module = moduleOf(call, kernel->library, call.context);
  return module ? functionIn(call, module, kernel->entry->name,
                             settingsOf(kernel, call.context->device))
                : nullptr;
}

} // namespace trident::emu
