//===- ShapeSpec.cpp - extents and arguments that the user says -----------===//
#include "Plan/ShapeSpec.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace septran::compiler {

namespace {

constexpr std::int64_t MostValues = 100000;

bool parseNumber(std::string_view Text, std::int64_t &Value) {
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Error == std::errc() && End == Text.data() + Text.size() && !Text.empty();
}

} // namespace

std::string toString(const ShapeSpec &S) {
  std::string Text;
  for (std::int64_t Value : S.Values)
    Text += (Text.empty() ? S.Name + "=" : ",") + std::to_string(Value);
  return Text;
}

std::optional<ShapeSpec> parseShapeSpec(const std::string &Text, std::string &Problem) {
  size_t Equals = Text.find('=');
  ShapeSpec S{Text.substr(0, Equals), {}};
  auto Fail = [&] {
    Problem = "expected NAME=VALUES, such as M=64, M=1..300 or M=1,63,64, found '" + Text + "'";
    return std::nullopt;
  };
  if (Equals == std::string::npos || S.Name.empty())
    return Fail();
  std::string_view Rest = std::string_view(Text).substr(Equals + 1);
  while (true) {
    std::string_view Item = Rest.substr(0, Rest.find(','));
    size_t Dots = Item.find("..");
    std::int64_t Low = 0, High = 0;
    if (!parseNumber(Item.substr(0, Dots), Low))
      return Fail();
    High = Low;
    if (Dots != std::string_view::npos && !parseNumber(Item.substr(Dots + 2), High))
      return Fail();
    if (Low > High || High - Low >= MostValues) {
      Problem = "'" + std::string(Item) + "' is " +
                (Low > High ? "empty" : "more than " + std::to_string(MostValues) + " values");
      return std::nullopt;
    }
    for (std::int64_t V = Low; V <= High; ++V)
      S.Values.push_back(V);
    if (Rest.size() == Item.size())
      break;
    Rest.remove_prefix(Item.size() + 1);
  }
  std::sort(S.Values.begin(), S.Values.end());
  S.Values.erase(std::unique(S.Values.begin(), S.Values.end()), S.Values.end());
  return S;
}

} // namespace septran::compiler
