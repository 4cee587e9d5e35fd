//===- TokenMutator.cpp - mutations of source text by tokens --------------===//
//
// Random bytes are rarely C++. Here tokens are deleted, repeated, exchanged and inserted, so that
// more inputs get past the lexer, and many past the parser. Crossing over carries runs of tokens
// from one input to another.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/Mutate.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

using septran::fuzz::Draw;

namespace {

using Tokens = std::vector<std::string>;

const std::string_view Words[] = {"for",
                                  "if",
                                  "else",
                                  "continue",
                                  "break",
                                  "return",
                                  "const",
                                  "auto",
                                  "int",
                                  "long",
                                  "float",
                                  "double",
                                  "unsigned",
                                  "bool",
                                  "char",
                                  "std::",
                                  "size_t",
                                  "int32_t",
                                  "std::int64_t",
                                  "min",
                                  "max",
                                  "std::min",
                                  "std::exp",
                                  "sqrt",
                                  "abs",
                                  "pow",
                                  "isnan",
                                  "ceil_div",
                                  "float16",
                                  "bfloat16",
                                  "f32",
                                  "i8",
                                  "0",
                                  "1",
                                  "-1",
                                  "2",
                                  "7",
                                  "16",
                                  "2147483647",
                                  "-2147483648",
                                  "9223372036854775807",
                                  "0x80000000",
                                  "1.5f",
                                  "1e300",
                                  "0.0",
                                  "1u",
                                  "3ul",
                                  "true",
                                  "false",
                                  "(",
                                  ")",
                                  "{",
                                  "}",
                                  "[",
                                  "]",
                                  ";",
                                  ",",
                                  ":",
                                  "?",
                                  "=",
                                  "+=",
                                  "-=",
                                  "*=",
                                  "/=",
                                  "%=",
                                  "<<=",
                                  ">>=",
                                  "&=",
                                  "|=",
                                  "^=",
                                  "+",
                                  "-",
                                  "*",
                                  "/",
                                  "%",
                                  "<<",
                                  ">>",
                                  "&",
                                  "|",
                                  "^",
                                  "~",
                                  "!",
                                  "&&",
                                  "||",
                                  "<",
                                  "<=",
                                  ">",
                                  ">=",
                                  "==",
                                  "!=",
                                  "++",
                                  "--",
                                  ".",
                                  "::",
                                  "->",
                                  "A",
                                  "B",
                                  "C",
                                  "D",
                                  "S",
                                  "N",
                                  "n",
                                  "alpha",
                                  "i",
                                  "j",
                                  "k",
                                  "T",
                                  ".extent(0)",
                                  ".origin(1)",
                                  "for (int i = 0; i < 4; ++i) ",
                                  "if (i == 2) continue; ",
                                  "while",
                                  "static",
                                  "using",
                                  "template",
                                  "[&]",
                                  "struct",
                                  "new",
                                  "\"+\"",
                                  "\"f\"",
                                  "\"\"",
                                  "septran::task",
                                  "septran::leaf",
                                  "septran::write",
                                  "septran::reduce",
                                  "septran::tunable",
                                  "septran::partition(A, {2, 2})",
                                  "septran::parallel(Cp.shape())",
                                  "septran::fill(D, 0)",
                                  "septran::window",
                                  "septran::subtensor",
                                  "septran::local<float, 4, 4> L",
                                  "septran::all",
                                  "leaf(A, C, D, R, n, alpha)"};

bool inWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '.'; }

/// Words, runs of spaces, and single other characters; together they are the text.
Tokens split(std::string_view Text) {
  Tokens List;
  for (std::size_t I = 0; I < Text.size();) {
    std::size_t End = I + 1;
    if (inWord(Text[I]))
      while (End < Text.size() && inWord(Text[End]))
        ++End;
    else if (Text[I] == ' ')
      while (End < Text.size() && Text[End] == ' ')
        ++End;
    List.emplace_back(Text.substr(I, End - I));
    I = End;
  }
  return List;
}

class Mutation {
  Draw &Random;
  Tokens &List;
  const Tokens &Other; ///< where runs of tokens come from: this input or another

  std::string word() {
    if (!Other.empty() && Random.below(2))
      return Other[Random.below(Other.size())];
    return std::string(Words[Random.below(std::size(Words))]);
  }

  std::size_t length(std::size_t AtMost) {
    return std::min(AtMost, 1 + Random.below(Random.below(4) ? 3 : 20));
  }

public:
  Mutation(Draw &Random, Tokens &List, const Tokens &Other)
      : Random(Random), List(List), Other(Other) {}

  void once() {
    const std::size_t At = Random.below(List.size() + 1);
    const auto Here = List.begin() + static_cast<std::ptrdiff_t>(At);
    switch (Random.below(5)) {
    case 0:
      List.erase(Here, Here + static_cast<std::ptrdiff_t>(length(List.size() - At)));
      break;
    case 1: {
      const std::size_t From = Random.below(Other.size());
      const auto Begin = Other.begin() + static_cast<std::ptrdiff_t>(From);
      const Tokens Run(Begin, Begin + static_cast<std::ptrdiff_t>(length(Other.size() - From)));
      List.insert(Here, Run.begin(), Run.end());
      break;
    }
    case 2:
      if (At < List.size())
        std::swap(List[At], List[Random.below(List.size())]);
      break;
    case 3:
      if (At < List.size())
        List[At] = word();
      break;
    default:
      List.insert(Here, word());
    }
  }
};

} // namespace

std::string septran::fuzz::mutate(std::string_view Text, std::string_view Other, Draw &Random) {
  Tokens List = split(Text);
  const Tokens Source = split(Other);
  Mutation M(Random, List, Source);
  for (std::size_t N = 1 + Random.below(3); N > 0; --N)
    M.once();
  std::string Result;
  for (const std::string &Token : List)
    Result += Token;
  return Result;
}
