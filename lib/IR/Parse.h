//===- Parse.h - loop nests written as text ---------------------*- C++ -*-===//
//
// The semantics of a machine's primitives, and IR in tests, are written as the
// body of a leaf would be:
//
//   for (int i = 0; i < 16; ++i)
//     for (int k = 0; k < 2; ++k)
//       C(i) += int32_t(A(i, k)) * int32_t(B(i, k));
//
// Accepted: counted loops (i < hi, i <= hi, i != hi; ++i, i += constant), if/else,
// `if (c) continue;` directly in a loop, local scalars, (compound) assignments to
// elements and scalars, and expressions with all of C++'s arithmetic operators,
// casts to the types of Type.h (short or C++ names), min, max and the functions of
// isMathFunction, with or without std::. `A.extent(0)` and `A.origin(0)` as usual.
//
// The result is in the front end's normal form: implicit conversions of operands
// are casts, indices and bounds are computed in 64 bits, updates are recognised.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Support/Diagnostics.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace septran::compiler {

/// The names that a text may use.
struct ParseNames {
  std::map<std::string, TensorRef, std::less<>> Tensors; ///< Const ones cannot be assigned
  /// Scalars: parameters, symbolic sizes, values. They cannot be assigned.
  std::map<std::string, Expr, std::less<>> Scalars;
  std::map<std::string, ScalarType, std::less<>> Types; ///< template parameters and aliases
};

/// Where the text's first character stands. Later lines begin in the same column, as they do in a
/// block of YAML.
struct TextOrigin {
  FileName File;
  unsigned Line = 1;
  unsigned Column = 1;
};

/// The statements of `Text`; none after an error, which is reported.
std::optional<Block> parseLoopNest(std::string_view Text, const ParseNames &Names,
                                   const TextOrigin &Origin, Diagnostics &D);

/// A single expression; null after an error.
Expr parseExpr(std::string_view Text, const ParseNames &Names, const TextOrigin &Origin,
               Diagnostics &D);

} // namespace septran::compiler
