//===- Images.h - Loading PTX and placing its variables -------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_EMULATOR_DRIVER_IMAGES_H
#define TRIDENT_LIB_EMULATOR_DRIVER_IMAGES_H

#include "Call.h"

namespace trident::emu {

/// The log buffers that a program passes with its just-in-time options.
class JitLogs {
public:
  JitLogs(unsigned count, CUjit_option *options, void **values);
  /// Puts `text` into the error log, cut to its size, and says in the size options how much is
  /// there.
  void write(const std::string &text);

private:
  char *buffer = nullptr;
  size_t capacity = 0;
  void **sizeValue = nullptr, **infoSizeValue = nullptr;
};

/// Parses the image at `code`, PTX that ends with a NUL. Machine code is refused with
/// NO_BINARY_FOR_GPU, the rest as an H200's driver does: what is neither machine code nor begins
/// like PTX with INVALID_IMAGE, a later version with UNSUPPORTED_PTX_VERSION, malformed PTX and PTX
/// for another architecture with INVALID_PTX. Line and column are in the log and on stderr.
CUresult loadImage(const Call &call, const void *code, JitLogs &logs,
                   std::shared_ptr<Image> &image);

/// Reads a whole file, for the forms that take a path.
CUresult readFile(const char *path, std::string &text);

/// Gives each variable of `image` an address in `context`, filled with its initial value. Does
/// nothing the second time.
CUresult placeGlobals(Image &image, CUcontext context);

/// The function called `name` in `module`, made on first use; null when there is none.
CUfunction functionIn(Call &call, CUmodule module, const std::string &name,
                      std::shared_ptr<FunctionSettings> settings = nullptr);

/// The module of `library`, which was not refused, in `context`, made on first use. Null when its
/// variables find no room.
CUmodule moduleOf(Call &call, CUlibrary library, CUcontext context);

/// What `handle`, a CUfunction or a CUkernel in its place, means in the current context; null for
/// neither.
CUfunction resolveFunction(Call &call, CUfunction handle);

/// The settings of `kernel` on `device`, made on first use.
std::shared_ptr<FunctionSettings> settingsOf(CUkernel kernel, int device);

} // namespace trident::emu

#endif // TRIDENT_LIB_EMULATOR_DRIVER_IMAGES_H
