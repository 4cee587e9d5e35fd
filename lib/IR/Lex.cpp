//===- Lex.cpp - tokens of loop nests written as text -----------*- C++ -*-===//
#include "IR/Lex.h"

#include <algorithm>
#include <cctype>

namespace septran::compiler {

namespace {

bool isNameStart(char C) { return std::isalpha(static_cast<unsigned char>(C)) || C == '_'; }
bool isDigit(char C) { return std::isdigit(static_cast<unsigned char>(C)); }
bool isNamePart(char C) { return isNameStart(C) || isDigit(C); }

/// Longest first.
constexpr std::string_view Punctuation[] = {
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=", "++", "--", "(",  ")",  "{",  "}",  "[",  "]",  ",",  ";",  ":",  "?",
    "=",   "<",   ">",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "."};

/// A chain of operators becomes as deep a tree; walks of it must not exhaust the stack.
constexpr std::size_t MaxTokens = 8192;

class Lexer {
  std::string_view Text;
  const TextOrigin &Origin;
  std::size_t At = 0;
  unsigned Line = 0, LineStart = 0;

public:
  Lexer(std::string_view Text, const TextOrigin &Origin) : Text(Text), Origin(Origin) {}

  Token next() {
    skipSpace();
    if (At == Text.size())
      return make(Token::Kind::End, 0);
    if (isNameStart(Text[At]) || startsQualifiedName(At))
      return make(Token::Kind::Name, nameLength());
    if (isDigit(Text[At]) || (Text[At] == '.' && At + 1 < Text.size() && isDigit(Text[At + 1])))
      return make(Token::Kind::Number, numberLength());
    for (std::string_view P : Punctuation)
      if (Text.substr(At, P.size()) == P)
        return make(Token::Kind::Punctuation, P.size());
    return make(Token::Kind::Punctuation, 1); // unknown; no rule expects it
  }

private:
  Token make(Token::Kind K, std::size_t Length) {
    Location Loc = Location::span(Origin.File, Origin.Line + Line,
                                  Origin.Column + static_cast<unsigned>(At) - LineStart,
                                  static_cast<unsigned>(Length));
    Token T = {K, Text.substr(At, Length), Loc};
    At += Length;
    return T;
  }

  void newLine() {
    ++Line;
    LineStart = static_cast<unsigned>(At) + 1;
  }

  void skipSpace() {
    while (At < Text.size()) {
      if (Text.substr(At, 2) == "//") {
        At = std::min(Text.find('\n', At), Text.size());
      } else if (Text.substr(At, 2) == "/*") {
        std::size_t End = Text.find("*/", At + 2);
        End = End == std::string_view::npos ? Text.size() : End + 2;
        for (; At < End; ++At)
          if (Text[At] == '\n')
            newLine();
      } else if (std::isspace(static_cast<unsigned char>(Text[At]))) {
        if (Text[At] == '\n')
          newLine();
        ++At;
      } else {
        return;
      }
    }
  }

  bool startsQualifiedName(std::size_t I) const {
    return Text.substr(I, 2) == "::" && I + 2 < Text.size() && isNameStart(Text[I + 2]);
  }

  std::size_t nameLength() const {
    std::size_t I = At;
    while (I < Text.size() && (isNamePart(Text[I]) || startsQualifiedName(I)))
      I += isNamePart(Text[I]) ? 1 : 2;
    return I - At;
  }

  /// As the preprocessor's numbers: digits, letters, points, and signs after an exponent's letter.
  std::size_t numberLength() const {
    bool Hexadecimal = Text.substr(At, 2) == "0x" || Text.substr(At, 2) == "0X";
    std::size_t I = At;
    while (I < Text.size()) {
      char C = Text[I];
      bool Exponent = !Hexadecimal && (C == 'e' || C == 'E') && I + 1 < Text.size() &&
                      (Text[I + 1] == '+' || Text[I + 1] == '-');
      if (!Exponent && !isNamePart(C) && C != '.')
        break;
      I += Exponent ? 2 : 1;
    }
    return I - At;
  }
};

} // namespace

TokenStream::TokenStream(std::string_view Text, const TextOrigin &Origin, Diagnostics &D) : D(D) {
  Lexer L(Text, Origin);
  do {
    if (Tokens.size() == MaxTokens) {
      Location Loc = Tokens.back().Loc;
      Tokens = {{Token::Kind::End, {}, Loc}};
      fail(DiagID::NestTooLong, Loc, MaxTokens);
      return;
    }
    Tokens.push_back(L.next());
  } while (Tokens.back().K != Token::Kind::End);
}

const Token &TokenStream::peek(std::size_t Ahead) const {
  return Tokens[std::min(Next + Ahead, Tokens.size() - 1)];
}

Token TokenStream::take() {
  Token T = peek();
  if (T.K != Token::Kind::End)
    ++Next;
  return T;
}

bool TokenStream::accept(std::string_view Text) {
  if (!is(Text))
    return false;
  take();
  return true;
}

bool TokenStream::expect(std::string_view Text) {
  if (accept(Text))
    return true;
  failExpected("'" + std::string(Text) + "'");
  return false;
}

Token TokenStream::expectName(std::string_view What) {
  if (peek().K == Token::Kind::Name && peek().Text.find("::") == std::string_view::npos)
    return take();
  failExpected(What);
  return {};
}

void TokenStream::failExpected(std::string_view What) {
  const Token &T = peek();
  fail(DiagID::NestSyntax, T.Loc, What,
       T.K == Token::Kind::End ? "the end" : "'" + std::string(T.Text) + "'");
}

} // namespace septran::compiler
