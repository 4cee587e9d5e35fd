//===- Support/YamlReader.cpp ----------------------------------*- C++ -*-===//
#include "Support/YamlReader.h"
#include "Support/DidYouMean.h"

#include <charconv>
#include <cmath>

namespace septran::compiler {

namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isLetter(char C) { return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_'; }

bool looksLikeInteger(std::string_view Text) {
  if (!Text.empty() && Text[0] == '-')
    Text.remove_prefix(1);
  if (Text.empty() || (Text.size() > 1 && Text[0] == '0'))
    return false;
  for (char C : Text)
    if (!isDigit(C))
      return false;
  return true;
}

std::string_view trim(std::string_view Text) {
  while (!Text.empty() && Text.front() == ' ')
    Text.remove_prefix(1);
  while (!Text.empty() && Text.back() == ' ')
    Text.remove_suffix(1);
  return Text;
}

/// The text of a scalar that must be a word, or nothing after a report.
const std::string *scalarText(const YamlNode &N, std::string_view What, std::string_view Expected,
                              Diagnostics &D) {
  if (N.isScalar() && !N.Text.empty())
    return &N.Text;
  reportAt(N, D, DiagID::WrongType, What, Expected, describe(N));
  return nullptr;
}

} // namespace

bool isIdentifier(std::string_view Text) {
  if (Text.empty() || !isLetter(Text[0]))
    return false;
  for (char C : Text)
    if (!isLetter(C) && !isDigit(C))
      return false;
  return true;
}

bool isQualifiedName(std::string_view Text) {
  for (size_t At = 0;;) {
    size_t End = Text.find("::", At);
    if (!isIdentifier(Text.substr(At, End == std::string_view::npos ? End : End - At)))
      return false;
    if (End == std::string_view::npos)
      return true;
    At = End + 2;
  }
}

std::optional<int64_t> parseInteger(std::string_view Text) {
  int64_t Value = 0;
  if (!looksLikeInteger(Text))
    return std::nullopt;
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::optional<std::string> readString(const YamlNode &N, std::string_view What, Diagnostics &D) {
  const std::string *Text = scalarText(N, What, "a text", D);
  return Text ? std::optional(*Text) : std::nullopt;
}

std::optional<std::string> readIdentifier(const YamlNode &N, std::string_view What,
                                          Diagnostics &D) {
  const std::string *Text = scalarText(N, What, "a name", D);
  if (Text && isIdentifier(*Text))
    return *Text;
  if (Text)
    reportAt(N, D, DiagID::NotIdentifier, What, *Text);
  return std::nullopt;
}

std::optional<std::string> readQualifiedName(const YamlNode &N, std::string_view What,
                                             Diagnostics &D) {
  const std::string *Text = scalarText(N, What, "a name", D);
  if (Text && isQualifiedName(*Text))
    return *Text;
  if (Text)
    reportAt(N, D, DiagID::NotIdentifier, What, *Text);
  return std::nullopt;
}

std::optional<bool> readBool(const YamlNode &N, std::string_view What, Diagnostics &D) {
  if (N.isScalar() && !N.Quoted && (N.Text == "true" || N.Text == "false"))
    return N.Text == "true";
  reportAt(N, D, DiagID::WrongType, What, "'true' or 'false'", describe(N));
  return std::nullopt;
}

std::optional<double> readNumber(const YamlNode &N, std::string_view What, Diagnostics &D) {
  double Value = 0;
  if (N.isScalar() && !N.Quoted) {
    const char *Begin = N.Text.data(), *End = Begin + N.Text.size();
    auto [Stop, Error] = std::from_chars(Begin, End, Value);
    if (Error == std::errc() && Stop == End && std::isfinite(Value))
      return Value;
  }
  reportAt(N, D, DiagID::WrongType, What, "a number", describe(N));
  return std::nullopt;
}

std::optional<int64_t> readInteger(const YamlNode &N, std::string_view What, Diagnostics &D,
                                   int64_t Min, int64_t Max) {
  if (!N.isScalar()) {
    reportAt(N, D, DiagID::WrongType, What, "an integer", describe(N));
    return std::nullopt;
  }
  if (N.Quoted || !looksLikeInteger(N.Text)) {
    std::string Shown = N.Quoted ? "\"" + N.Text + "\"" : N.Text;
    reportAt(N, D, DiagID::IntegerFormat, What, Shown);
    return std::nullopt;
  }
  std::optional<int64_t> Value = parseInteger(N.Text);
  if (Value && *Value >= Min && *Value <= Max)
    return Value;
  reportAt(N, D, DiagID::IntegerRange, What, Min, Max, N.Text);
  return std::nullopt;
}

std::string listAlternatives(const std::vector<std::string> &Names) {
  if (Names.empty())
    return "no value";
  std::string Result;
  for (size_t I = 0; I < Names.size(); ++I) {
    if (I > 0)
      Result += I + 1 == Names.size() ? " or " : ", ";
    Result += "'" + Names[I] + "'";
  }
  return Result;
}

void reportUnknownValue(const YamlNode &N, std::string_view What,
                        const std::vector<std::string> &Names, Diagnostics &D) {
  std::string Expected = listAlternatives(Names);
  if (!N.isScalar()) {
    reportAt(N, D, DiagID::WrongType, What, Expected, describe(N));
    return;
  }
  std::string Suggestion = didYouMean(N.Text, Names);
  Diagnostic &Diag = D.report(DiagID::UnknownValue, N.Loc, What, N.Text, Expected, Suggestion);
  Diag.fix(N.Loc, Suggestion);
  if (N.AliasUse.isValid())
    Diag.note(DiagID::NoteAliasUse, N.AliasUse);
}

std::optional<WordWithInts> parseWordWithInts(std::string_view Text) {
  WordWithInts Result;
  size_t Open = Text.find('(');
  Result.Word = std::string(trim(Text.substr(0, Open)));
  if (!isIdentifier(Result.Word))
    return std::nullopt;
  if (Open == std::string_view::npos)
    return Result;
  Text = trim(Text.substr(Open + 1));
  if (Text.empty() || Text.back() != ')')
    return std::nullopt;
  Text.remove_suffix(1);
  for (;;) {
    size_t Comma = Text.find(',');
    std::optional<int64_t> Value = parseInteger(trim(Text.substr(0, Comma)));
    if (!Value)
      return std::nullopt;
    Result.Ints.push_back(*Value);
    if (Comma == std::string_view::npos)
      return Result;
    Text.remove_prefix(Comma + 1);
  }
}

bool expectMap(const YamlNode &N, std::string_view What, Diagnostics &D) {
  auto Accept = [](const YamlNode &Value, std::string_view Name,
                   Diagnostics &Diags) -> std::optional<bool> {
    if (Value.isMap())
      return true;
    reportAt(Value, Diags, DiagID::WrongType, Name, "a map", describe(Value));
    return std::nullopt;
  };
  return readValue(N, What, D, Accept).has_value();
}

YamlMap::YamlMap(const YamlNode &N, std::string Name, Diagnostics &D)
    : N(N), What(std::move(Name)), D(D) {
  // Messages about values put the key in quotes themselves.
  std::string_view Key = What;
  if (Key.size() > 2 && Key.front() == '\'')
    Key = Key.substr(1, Key.size() - 2);
  IsMap = expectMap(N, Key, D);
  for (const YamlEntry &E : N.Entries)
    Left.emplace(E.Key.Value, &E);
}

const YamlEntry *YamlMap::take(std::string_view Key) {
  Known.emplace_back(Key);
  auto It = Left.find(Key);
  if (It == Left.end())
    return nullptr;
  const YamlEntry *E = It->second;
  Left.erase(It);
  return E;
}

const YamlEntry *YamlMap::require(std::string_view Key) {
  const YamlEntry *E = take(Key);
  if (!E && IsMap)
    D.report(DiagID::MissingKey, N.Loc, What, Key);
  return E;
}

void YamlMap::finish() {
  for (const YamlEntry &E : N.Entries) {
    if (!Left.count(E.Key.Value))
      continue;
    std::string Suggestion = didYouMean(E.Key.Value, Known);
    D.report(DiagID::UnknownKey, E.Key.Loc, E.Key.Value, What, Suggestion)
        .fix(E.Key.Loc, Suggestion);
  }
}

} // namespace septran::compiler
