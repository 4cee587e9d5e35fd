//===- Lex.h - tokens of loop nests written as text -------------*- C++ -*-===//
//
// The text of a primitive's semantics is C++: names (qualified ones are one token),
// numbers, punctuation, comments. The stream stops at the first error; from then on
// every token is the end, so that a parser need not test for errors to terminate.
// Private to lib/IR.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Parse.h"

#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

struct Token {
  enum class Kind { Name, Number, Punctuation, End };
  Kind K = Kind::End;
  std::string_view Text; ///< empty for End
  Location Loc;
};

class TokenStream {
  std::vector<Token> Tokens; ///< the last one is End
  std::size_t Next = 0;
  Diagnostics &D;
  bool Failed = false;

public:
  TokenStream(std::string_view Text, const TextOrigin &Origin, Diagnostics &D);

  const Token &peek(std::size_t Ahead = 0) const;
  Token take();
  bool is(std::string_view Text, std::size_t Ahead = 0) const { return peek(Ahead).Text == Text; }
  /// Takes the token if it is `Text`.
  bool accept(std::string_view Text);
  /// The same, and an error if it is not.
  bool expect(std::string_view Text);
  /// A name without `::`; an error and an empty token otherwise.
  Token expectName(std::string_view What);

  bool failed() const { return Failed; }
  /// Reports the first error; later ones are its consequences.
  template <class... Ts> void fail(DiagID ID, const Location &Loc, const Ts &...Args) {
    if (!Failed)
      D.report(ID, Loc, Args...);
    Failed = true;
    Next = Tokens.size() - 1;
  }
  /// "expected What, found ..." at the next token.
  void failExpected(std::string_view What);
};

} // namespace septran::compiler
