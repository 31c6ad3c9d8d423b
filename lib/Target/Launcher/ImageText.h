//===- ImageText.h - Images as string literals ----------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TRIDENT_LIB_TARGET_LAUNCHER_IMAGETEXT_H
#define TRIDENT_LIB_TARGET_LAUNCHER_IMAGETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace trident {

/// PTX without comments and indentation. Lines keep their numbers, so a message of the driver or of
/// the stand-in about a line is about that line of `--emit=ptx` too.
std::string compactPTX(llvm::StringRef ptx);

/// A C string literal over several lines that holds exactly `bytes` (and the zero that C adds).
std::string imageLiteral(llvm::ArrayRef<uint8_t> bytes);

} // namespace trident

#endif // TRIDENT_LIB_TARGET_LAUNCHER_IMAGETEXT_H
