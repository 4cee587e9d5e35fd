//===- ShrinkText.h - the smallest text that still fails ----------*- C++ -*-===//
//
// Takes away lines and makes numbers smaller as long as a predicate holds: a mapping file, or a
// logic file, of which only what matters for a failure is left. The predicate says no to what is
// not valid any more, so nothing needs to be known of the language.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace septran::compiler {

/// The result, and how often the predicate was asked, at most Budget times. `Text` itself must
/// fail. The same arguments give the same result.
struct ShrunkText {
  std::string Text;
  unsigned Asked = 0;
};
ShrunkText shrinkText(std::string Text, unsigned Budget,
                      llvm::function_ref<bool(const std::string &)> Fails);

} // namespace septran::compiler
