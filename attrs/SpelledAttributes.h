//===- SpelledAttributes.h - where [[septran::...]] is written ------*- C++ -*-===//
//
// Watches the preprocessed tokens of a translation unit for attributes of scope septran. Two things
// need the tokens and not the AST:
//
//   - a misspelt name: clang drops an unknown attribute with a warning that users switch off (other
//     compilers know none of ours) and that neither names the scope nor suggests the right name;
//   - the extent of the brackets, which a rewriter replaces: an AST attribute ends at its name.
//
// Both spellings count, [[septran::task]] and [[using septran: task]].
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_ATTRS_SPELLEDATTRIBUTES_H
#define SEPTRAN_ATTRS_SPELLEDATTRIBUTES_H

#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace clang {
class IdentifierInfo;
class Preprocessor;
class Token;
} // namespace clang

namespace septran::compiler {

class SpelledAttributes {
public:
  /// One `[[...]]` that holds an attribute of ours.
  struct Group {
    clang::SourceRange Brackets;          ///< first `[` to last `]`
    std::vector<clang::SourceRange> Ours; ///< each attribute of ours, arguments included
    bool OnlyOurs = true;
  };
  struct Unknown {
    clang::SourceLocation Loc; ///< of the name
    std::string Name;
  };

  /// Starts to watch. The object must live as long as the preprocessor lexes.
  void attachTo(clang::Preprocessor &PP);

  const std::vector<Group> &groups() const { return Groups; }
  const std::vector<Unknown> &unknown() const { return Unknowns; }

private:
  void see(const clang::Token &T);
  void seeInside(const clang::Token &T);
  void endAttribute();

  enum class State {
    Outside,   ///< no bracket open
    Bracket,   ///< after one `[`
    Start,     ///< an attribute may begin
    Using,     ///< after `using`
    UsingName, ///< after `using name`
    Scope,     ///< after a name that may be a scope
    Colons,    ///< after `septran::`
    Rest,      ///< in an attribute, after its name
    Closing,   ///< after the first `]`
  };
  State Now = State::Outside;
  unsigned Depth = 0; ///< parentheses, brackets and braces inside an attribute
  bool UsingOurs = false;
  bool IsOurs = false;
  clang::SourceLocation First, Last; ///< of the attribute
  const clang::IdentifierInfo *Name = nullptr;
  clang::SourceLocation Open, NameLoc;
  Group Current;

  std::vector<Group> Groups;
  std::vector<Unknown> Unknowns;
};

} // namespace septran::compiler

#endif // SEPTRAN_ATTRS_SPELLEDATTRIBUTES_H
