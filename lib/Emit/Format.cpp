//===- Format.cpp - generated code in the project's style -----------------===//
#include "Emit/Format.h"

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"

namespace septran::compiler {

std::string formatCxx(const std::string &Text) {
  clang::format::FormatStyle Style = clang::format::getLLVMStyle();
  Style.ColumnLimit = 100;
  std::vector<clang::tooling::Range> All{{0, unsigned(Text.size())}};
  auto Changed = clang::tooling::applyAllReplacements(
      Text, clang::format::reformat(Style, Text, All, "out.cpp"));
  if (!Changed) {
    llvm::consumeError(Changed.takeError());
    return Text;
  }
  return *Changed;
}

} // namespace septran::compiler
