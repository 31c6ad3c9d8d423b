//===- Files.cpp - Kernels in, artifacts out -------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Files.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace trident;

static llvm::Error cannot(const char *what, llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot %s '%s': %s", what, path.str().c_str(),
                                 code.message().c_str());
}

static std::string listNames(llvm::StringRef folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator file(folder, code), end; !code && file != end;
       file.increment(code))
    if (llvm::sys::path::extension(file->path()) == ".mlir")
      names.push_back(llvm::sys::path::stem(file->path()).str());
  llvm::sort(names);
  return names.empty() ? "of which there are none here" : llvm::join(names, ", ");
}

// The file of that path, else the one of that name in `folder`, which holds `what`.
static llvm::Expected<std::string> findFile(llvm::StringRef name, llvm::StringRef folder,
                                            llvm::StringRef what) {
  if (llvm::sys::fs::is_regular_file(name))
    return name.str();
  llvm::SmallString<128> known(folder);
  llvm::sys::path::append(known, name + ".mlir");
  if (llvm::sys::fs::is_regular_file(known))
    return known.str().str();
  return llvm::createStringError("'" + name + "' is neither a file nor a " + what +
                                 " that comes with Trident: expected a path, or one of " +
                                 listNames(folder));
}

llvm::Error trident::readKernel(llvm::StringRef kernel, llvm::StringRef folder,
                                CompileOptions &options) {
  std::string path = kernel.str();
  if (kernel != "-") {
    llvm::Expected<std::string> found = findFile(kernel, folder, "kernel");
    if (!found)
      return found.takeError();
    path = *found;
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return cannot("read", path, buffer.getError());
  options.source = (*buffer)->getBuffer().str();
  options.sourceName = kernel == "-" ? "<stdin>" : llvm::sys::path::filename(path).str();
  return llvm::Error::success();
}

static llvm::Error readFile(llvm::StringRef path, std::vector<NameAndValue> &files) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return cannot("read", path, buffer.getError());
  files.emplace_back(llvm::sys::path::filename(path).str(), (*buffer)->getBuffer().str());
  return llvm::Error::success();
}

llvm::Error trident::readFunctions(llvm::ArrayRef<std::string> files, llvm::StringRef folder,
                                   std::vector<NameAndValue> &functions) {
  for (const std::string &file : files) {
    llvm::Expected<std::string> path = findFile(file, folder, "function of scores, masks or sinks");
    if (!path)
      return path.takeError();
    if (llvm::Error error = readFile(*path, functions))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error trident::readTables(llvm::ArrayRef<std::string> paths, CompileOptions &options) {
  for (const std::string &path : paths)
    if (llvm::Error error = readFile(path, options.scheduleTables))
      return error;
  return llvm::Error::success();
}

namespace {
// A file under a temporary name, with the name it is to have.
struct Pending {
  llvm::sys::fs::TempFile file;
  std::string path;
};
} // namespace

static std::error_code write(llvm::raw_fd_ostream &stream, llvm::StringRef bytes) {
  stream << bytes;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

static llvm::Expected<Pending> stage(llvm::StringRef path, llvm::StringRef bytes) {
  if (llvm::sys::fs::is_directory(path))
    return cannot("write", path, std::make_error_code(std::errc::is_a_directory));
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                                                 llvm::sys::fs::all_all))
      return cannot("make the folder of", path, code);
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(path + ".%%%%%%%%.part");
  if (!file)
    return cannot("write", path, llvm::errorToErrorCode(file.takeError()));
  Pending pending{std::move(*file), path.str()};
  llvm::raw_fd_ostream stream(pending.file.FD, /*shouldClose=*/false);
  std::error_code code = write(stream, bytes);
  if (!code)
    return pending;
  llvm::consumeError(pending.file.discard());
  return cannot("write", path, code);
}

// A pipe, a terminal or /dev/null: it is written to, where a file is replaced.
static bool isDevice(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) && llvm::sys::fs::is_other(status);
}

static llvm::Error writeDevice(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code)
    code = write(stream, bytes);
  return code ? cannot("write", path, code) : llvm::Error::success();
}

llvm::Error trident::writeArtifacts(llvm::ArrayRef<Artifact> artifacts, llvm::StringRef output) {
  bool single = artifacts.size() == 1 && artifacts.front().name.empty();
  if (single && output == "-") {
    llvm::StringRef bytes = artifacts.front().bytes;
    if (llvm::outs().is_displayed() && bytes.contains('\0'))
      return llvm::createStringError("the result is not text: name a file for it with -o");
    std::error_code code = write(llvm::outs(), bytes);
    return code ? cannot("write", "the standard output", code) : llvm::Error::success();
  }
  if (single && isDevice(output))
    return writeDevice(output, artifacts.front().bytes);
  std::vector<Pending> pending;
  auto discard = llvm::scope_exit([&] {
    for (Pending &file : pending)
      llvm::consumeError(file.file.discard());
  });
  for (const Artifact &artifact : artifacts) {
    llvm::SmallString<128> path(output);
    if (!artifact.name.empty())
      llvm::sys::path::append(path, artifact.name);
    llvm::Expected<Pending> file = stage(path, artifact.bytes);
    if (!file)
      return file.takeError();
    pending.push_back(std::move(*file));
  }
  while (!pending.empty()) {
    if (llvm::Error error = pending.back().file.keep(pending.back().path))
      return cannot("write", pending.back().path, llvm::errorToErrorCode(std::move(error)));
    pending.pop_back();
  }
  return llvm::Error::success();
}
