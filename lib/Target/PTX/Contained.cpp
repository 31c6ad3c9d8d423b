//===- Contained.cpp - Survive LLVM giving up ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// LLVM reports what it cannot compile ("Cannot select") through one handler of the process, which
// must not return. The handler here leaves through the crash recovery context of its thread, LLVM's
// own means for that.
//===----------------------------------------------------------------------===//
#include "Contained.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

using namespace trident;

static thread_local std::string *currentReason = nullptr;

static void leaveThread(void *, const char *reason, bool) {
  if (currentReason)
    *currentReason = reason;
  if (llvm::CrashRecoveryContext *context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

namespace {
// The handler is installed while any thread is in `runContained`, and crash recovery is enabled
// with it.
class HandlerInstalled {
public:
  HandlerInstalled() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ == 0) {
      llvm::CrashRecoveryContext::Enable();
      llvm::install_fatal_error_handler(leaveThread);
    }
  }
  ~HandlerInstalled() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users == 0) {
      llvm::remove_fatal_error_handler();
      llvm::CrashRecoveryContext::Disable();
    }
  }

private:
  static std::mutex mutex;
  static unsigned users;
};
std::mutex HandlerInstalled::mutex;
unsigned HandlerInstalled::users = 0;
} // namespace

bool trident::runContained(llvm::function_ref<void()> work, std::string &reason) {
  HandlerInstalled installed;
  reason = "it crashed";
  currentReason = &reason;
  llvm::CrashRecoveryContext context;
  bool finished = context.RunSafely(work);
  currentReason = nullptr;
  return finished;
}
