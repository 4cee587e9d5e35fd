//===- Reference.h - the logic, computed with error bounds ---------*- C++ -*-===//
//
// The reference of a verification is the user's own text, in which every floating-point type is
// replaced by septran::verify::real<T> (septran/verify/real.h): it computes in a wider format and
// bounds what rounding may do in any evaluation of the same expressions. It is made from clang's
// AST and the source text alone and knows nothing of the compiler's IR, so that it is independent
// of all passes, and covers opaque leaves, too.
//
// Copied are the declarations that the entry point reaches: the user's own functions, classes,
// aliases, constants, and the standard leaves. What cannot be copied faithfully is a reason to have
// no reference; a wrong one there never is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/Frontend.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct ReferenceText {
  /// To stand after `#include "<the logic file>"`; defines EntryName. Each copy is preceded by a
  /// #line directive for the original. Valid if Reason is empty.
  std::string Text;
  /// Why there is no reference: "'f' reads the bits of a floating-point number".
  std::string Reason;
  Location ReasonLoc;
  /// `septran_reference::ns::matmul`. Takes tensor<real<T>, R> and real<T> where the entry point
  /// takes tensor<T, R> and T; integers stay as they are.
  std::string EntryName;
  /// The tunables in the copy, "function.name": what septran::verify::settings() may hold.
  std::vector<std::string> Tunables;
};

/// Retypes what `Entry`, a task of the main file, reaches. While the front end's action runs.
ReferenceText referenceSource(FrontendResult &R, const Function &Entry);

} // namespace septran::compiler
