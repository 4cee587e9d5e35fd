//===- unit/Support/Mutate.h - Damaged copies of a text ---------------------===//
//
// For tests that a reader survives anything. Seeds are fixed: a failure can be repeated.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_UNIT_SUPPORT_MUTATE_H
#define SEPTRAN_UNIT_SUPPORT_MUTATE_H

#include <algorithm>
#include <random>
#include <string>

namespace septran::compiler {

/// One to eight random changes: bytes, structural characters, deleted, doubled and swapped pieces.
inline std::string mutate(std::string Text, std::mt19937 &Random) {
  static const std::string Structure[] = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ":",
                                          ",",
                                          "#",
                                          "&a ",
                                          "*a",
                                          "!tune ",
                                          "!x ",
                                          "|\n",
                                          ">\n",
                                          "- ",
                                          "? ",
                                          "<<: ",
                                          "\n",
                                          "\n---\n",
                                          "\n...\n",
                                          "\t",
                                          "\"",
                                          "'",
                                          "%",
                                          "~",
                                          "\r\n",
                                          std::string(1, '\0'),
                                          "\xff",
                                          "-1",
                                          "99999999999999999999",
                                          "full",
                                          "  ",
                                          "\xEF\xBB\xBF",
                                          "@",
                                          "`",
                                          "\\",
                                          "\\u",
                                          "é",
                                          ": ",
                                          "{}",
                                          "[]"};
  auto Pick = [&](size_t Bound) { return Bound ? Random() % Bound : 0; };
  for (size_t Changes = 1 + Pick(8); Changes > 0; --Changes) {
    size_t At = Pick(Text.size() + 1);
    size_t Length = std::min(Text.size() - At, 1 + Pick(20));
    switch (Pick(5)) {
    case 0:
      if (At < Text.size())
        Text[At] = static_cast<char>(Random());
      break;
    case 1:
      Text.insert(At, Structure[Pick(std::size(Structure))]);
      break;
    case 2:
      Text.erase(At, Length);
      break;
    case 3:
      Text.insert(Pick(Text.size() + 1), Text.substr(At, Length));
      break;
    case 4:
      Text.replace(At, Length, Structure[Pick(std::size(Structure))]);
      break;
    }
  }
  return Text;
}

} // namespace septran::compiler

#endif // SEPTRAN_UNIT_SUPPORT_MUTATE_H
