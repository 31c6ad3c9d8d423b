//===- trident-lsp-server.cpp - Help an editor with kernels ----------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "trident/Stages/Stages.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  trident::registerDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
