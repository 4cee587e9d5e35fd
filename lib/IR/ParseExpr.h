//===- ParseExpr.h - expressions of loop nests written as text --*- C++ -*-===//
//
// Precedence climbing over a TokenStream. Private to lib/IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Lex.h"

#include <optional>

namespace septran::compiler {

class ExprParser {
  TokenStream &Tokens;
  const ParseNames &Known;
  /// Innermost scope last; a name hides those of outer scopes and of Known.
  std::vector<std::map<std::string, VarRef, std::less<>>> Scopes;
  unsigned Depth = 0;

public:
  ExprParser(TokenStream &Tokens, const ParseNames &Known) : Tokens(Tokens), Known(Known) {}

  void enterScope() { Scopes.emplace_back(); }
  void leaveScope() { Scopes.pop_back(); }
  /// False, and an error, if the innermost scope has the name already.
  bool declare(const VarRef &V);

  /// All of these return null after an error.
  Expr expression();
  /// An integer, computed in 64 bits.
  Expr index();
  /// A value that C++ converts to bool.
  Expr condition();
  /// `name` or `name(indices)`, for an assignment: a Var or Load.
  Expr target();

  VarRef findVar(std::string_view Name) const;
  /// Takes a type if one stands here; Const tells whether `const` did too.
  std::optional<ScalarType> acceptType(bool *Const = nullptr);

private:
  Expr binaryFrom(Expr Left, unsigned MinPrecedence);
  Expr prefix();
  Expr primary();
  Expr number();
  Expr named();
  Expr element(const TensorRef &T, const Location &Loc);
  Expr member(const TensorRef &T, const Location &Loc);
  Expr function(std::string_view Name, const Location &Loc);
  Expr conversion(ScalarType Type);
  bool arguments(std::vector<Expr> &Args);
  std::size_t typeLength(std::size_t Ahead, std::optional<ScalarType> &Type) const;
  void failUnknown(std::string_view Name, const Location &Loc);
  const TensorRef *findTensor(std::string_view Name) const;
};

/// E as C++ converts it to Type: to bool by comparison with 0, else by value.
Expr convertTo(ScalarType Type, const Expr &E);
/// A Op B, with the conversions that C++ makes implicitly.
Expr convertedBinary(BinaryOp Op, const Expr &A, const Expr &B);

} // namespace septran::compiler
