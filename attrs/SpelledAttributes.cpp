//===- SpelledAttributes.cpp ---------------------------------------*- C++ -*-===//
#include "attrs/SpelledAttributes.h"

#include "attrs/Attributes.h"

#include "clang/Lex/Preprocessor.h"

#include <algorithm>

using namespace clang;

namespace septran::compiler {

void SpelledAttributes::attachTo(Preprocessor &PP) {
  PP.setTokenWatcher([this](const Token &T) { see(T); });
}

void SpelledAttributes::see(const Token &T) {
  switch (Now) {
  case State::Outside: // nearly every token of a program ends here
    if (T.is(tok::l_square)) {
      Now = State::Bracket;
      Open = T.getLocation();
    }
    return;
  case State::Bracket:
    if (T.is(tok::l_square)) {
      Now = State::Start;
      Depth = 0;
      UsingOurs = IsOurs = false;
      Current = Group();
      Current.Brackets.setBegin(Open);
    } else {
      Now = State::Outside;
    }
    return;
  default:
    seeInside(T);
  }
}

void SpelledAttributes::endAttribute() {
  if (IsOurs) {
    Current.Ours.push_back({First, Last});
    if (Name && !std::ranges::binary_search(attributeNames(), Name->getName()))
      Unknowns.push_back({NameLoc, Name->getName().str()});
  } else if (First.isValid()) {
    Current.OnlyOurs = false;
  }
  IsOurs = false;
  Name = nullptr;
  First = SourceLocation();
  Now = State::Start;
}

void SpelledAttributes::seeInside(const Token &T) {
  if (T.is(tok::eof) || T.isAnnotation()) {
    Now = State::Outside;
    return;
  }
  if (Now == State::Closing) {
    if (T.is(tok::r_square) && !Current.Ours.empty()) {
      Current.Brackets.setEnd(T.getLocation());
      Groups.push_back(std::move(Current));
    }
    Now = State::Outside;
    return;
  }
  if (Depth == 0 && T.is(tok::comma)) {
    endAttribute();
    return;
  }
  if (Depth == 0 && T.is(tok::r_square)) {
    endAttribute();
    Now = State::Closing;
    return;
  }
  if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
    ++Depth;
  else if (T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && Depth > 0)
    --Depth;

  const IdentifierInfo *Id = T.getIdentifierInfo();
  switch (Now) {
  case State::Start:
    if (T.is(tok::kw_using)) {
      Now = State::Using;
      return;
    }
    First = T.getLocation();
    NameLoc = First;
    Name = Id;
    IsOurs = UsingOurs;
    Now = State::Scope;
    break;
  case State::Using:
    UsingOurs = Id && Id->isStr("septran");
    Now = State::UsingName;
    return;
  case State::UsingName: // the colon
    Now = State::Start;
    return;
  case State::Scope:
    if (T.is(tok::coloncolon)) {
      IsOurs = Name && Name->isStr("septran");
      Name = nullptr;
      Now = State::Colons;
    } else {
      Now = State::Rest;
    }
    break;
  case State::Colons:
    Name = Id;
    NameLoc = T.getLocation();
    Now = State::Rest;
    break;
  default:
    break;
  }
  Last = T.getLocation();
}

} // namespace septran::compiler
