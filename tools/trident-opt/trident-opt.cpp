//===- trident-opt.cpp - Run passes on a file ------------------------------===//
//
// Part of the Trident project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "trident/Stages/Stages.h"

int main(int argc, char **argv) {
  trident::registerPasses();
  mlir::DialectRegistry registry;
  trident::registerDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Trident: run passes on a file\n", registry));
}
