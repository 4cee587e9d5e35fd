//===- TokenMutator.cpp - mutations of source text by tokens --------------===//
//
// Random bytes are rarely C++. Here tokens are deleted, repeated, exchanged and inserted, so that
// more inputs get past the lexer, and many past the parser. Every fourth mutation is libFuzzer's
// own, of bytes.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *Data, std::size_t Size, std::size_t MaxSize);

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
  std::minstd_rand Random;
  Tokens &List;

public:
  Mutation(unsigned Seed, Tokens &List) : Random(Seed), List(List) {}

  std::size_t below(std::size_t N) { return N ? Random() / 7 % N : 0; }

  std::string word() {
    if (!List.empty() && below(2))
      return List[below(List.size())];
    return std::string(Words[below(std::size(Words))]);
  }

  void once() {
    const std::size_t From = below(List.size() + 1);
    const std::size_t Length = std::min(List.size() - From, 1 + below(below(4) ? 3 : 20));
    const auto Begin = List.begin() + static_cast<std::ptrdiff_t>(From);
    const auto End = Begin + static_cast<std::ptrdiff_t>(Length);
    switch (below(5)) {
    case 0:
      List.erase(Begin, End);
      break;
    case 1: {
      const Tokens Run(Begin, End);
      const std::size_t To = below(List.size() + 1);
      List.insert(List.begin() + static_cast<std::ptrdiff_t>(To), Run.begin(), Run.end());
      break;
    }
    case 2:
      if (From < List.size())
        std::swap(List[From], List[below(List.size())]);
      break;
    case 3:
      if (From < List.size())
        List[From] = word();
      break;
    default:
      List.insert(Begin, word());
    }
  }
};

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *Data, std::size_t Size,
                                               std::size_t MaxSize, unsigned Seed) {
  Tokens List = split({reinterpret_cast<const char *>(Data), Size});
  Mutation M(Seed, List);
  if (M.below(4) == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  for (std::size_t N = 1 + M.below(3); N > 0; --N)
    M.once();
  std::string Text;
  for (const std::string &Token : List)
    Text += Token;
  const std::size_t Taken = std::min(Text.size(), MaxSize);
  std::memcpy(Data, Text.data(), Taken);
  return Taken;
}
