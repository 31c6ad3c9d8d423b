//===- AssembleCubin.cpp - Runs ptxas --------------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "trident/Target/PTX/AssembleCubin.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace trident;

std::optional<std::string> trident::findPtxas(llvm::ArrayRef<std::string> folders) {
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  for (const std::string &folder : folders)
    if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas", {folder}))
      return *found;
  return std::nullopt;
}

static llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    file << text;
    file.close();
    code = file.error();
    file.clear_error();
  }
  return code ? llvm::createStringError(code, "cannot write '%s': %s", path.str().c_str(),
                                        code.message().c_str())
              : llvm::Error::success();
}

static std::string readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

// The lines of ptxas that say what is wrong, one after another, with the name that people know in
// place of the file's.
static std::string errorLines(llvm::StringRef text, llvm::StringRef path, llvm::StringRef name,
                              int status) {
  std::vector<std::string> lines;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (!line.contains("error") && !line.contains("fatal"))
      continue;
    llvm::StringRef message = line.trim();
    message.consume_front("ptxas ");
    std::string kept = message.str();
    if (size_t at = kept.find(path); at != std::string::npos)
      kept.replace(at, path.size(), name);
    lines.push_back(kept);
  }
  if (lines.empty())
    lines.push_back(text.trim().empty()
                        ? "exit status " + std::to_string(status) + ", and not a word"
                        : text.trim().str());
  return llvm::join(lines, "\n  ");
}

llvm::Expected<Cubin> trident::assembleCubin(llvm::StringRef ptx, const HardwareTarget &target,
                                             const AssembleOptions &options) {
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("trident", folder))
    return llvm::createStringError(code, "cannot create a temporary folder: %s",
                                   code.message().c_str());
  llvm::scope_exit removeFolder([&] { llvm::sys::fs::remove_directories(folder.str()); });
  auto inFolder = [&](llvm::StringRef file) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file);
    return path.str().str();
  };
  std::string input = inFolder("kernel.ptx"), output = inFolder("kernel.cubin"),
              log = inFolder("log");
  if (llvm::Error error = writeText(input, ptx))
    return error;

  std::string architecture = "-arch=" + target.name.str(), message;
  llvm::StringRef arguments[] = {options.ptxas, "-v", "-O3", architecture, input, "-o", output};
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log),
                                                llvm::StringRef(log)};
  int status = llvm::sys::ExecuteAndWait(options.ptxas, arguments, /*Env=*/std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status < 0)
    return llvm::createStringError("cannot run ptxas '%s': %s", options.ptxas.c_str(),
                                   message.c_str());
  std::string text = readText(log);
  if (status != 0)
    return llvm::createStringError("ptxas rejects %s for %s:\n  %s", options.name.c_str(),
                                   target.name.data(),
                                   errorLines(text, input, options.name, status).c_str());

  Cubin cubin;
  cubin.report = parsePtxasReport(text, input, options.name);
  auto bytes = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return llvm::createStringError("ptxas '%s' left no cubin: %s", options.ptxas.c_str(),
                                   bytes.getError().message().c_str());
  cubin.bytes.assign((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
  return cubin;
}
