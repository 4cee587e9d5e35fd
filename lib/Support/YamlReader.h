//===- Support/YamlReader.h - Typed, strict reading of a YAML tree -*- C++ -*-===//
//
// Readers turn a node into a value or report what was expected and return nothing. A `YamlMap`
// hands out the entries of a map by key and remembers which keys were asked for: whatever is left
// at `finish` is an unknown key, and the keys asked for are what "did you mean" chooses from. So
// the code that reads a struct is the only list of its keys.
//
//   YamlMap Map(Node, "instance 'gemm'", D);
//   Map.read("pipeline", Instance.Pipeline, integerReader(1, 64));
//   Map.readList("resident", Instance.Resident, readIdentifier);
//   Map.finish();
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_YAMLREADER_H
#define SEPTRAN_SUPPORT_YAMLREADER_H

#include "Support/Yaml.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

namespace septran::compiler {

/// Reports at a node; if an alias brought it in, adds where.
template <class... Ts>
void reportAt(const YamlNode &N, Diagnostics &D, DiagID ID, const Ts &...Args) {
  Diagnostic &Diag = D.report(ID, N.Loc, Args...);
  if (N.AliasUse.isValid())
    Diag.note(DiagID::NoteAliasUse, N.AliasUse);
}

// Each reader takes the node and what the value is called in messages, usually its key.

std::optional<std::string> readString(const YamlNode &N, std::string_view What, Diagnostics &D);
/// A C++ identifier.
std::optional<std::string> readIdentifier(const YamlNode &N, std::string_view What, Diagnostics &D);
/// Identifiers joined by `::`.
std::optional<std::string> readQualifiedName(const YamlNode &N, std::string_view What,
                                             Diagnostics &D);
std::optional<bool> readBool(const YamlNode &N, std::string_view What, Diagnostics &D);
std::optional<double> readNumber(const YamlNode &N, std::string_view What, Diagnostics &D);
std::optional<int64_t> readInteger(const YamlNode &N, std::string_view What, Diagnostics &D,
                                   int64_t Min = std::numeric_limits<int64_t>::min(),
                                   int64_t Max = std::numeric_limits<int64_t>::max());

/// A reader of integers in a range.
inline auto integerReader(int64_t Min, int64_t Max = std::numeric_limits<int64_t>::max()) {
  return [=](const YamlNode &N, std::string_view What, Diagnostics &D) {
    return readInteger(N, What, D, Min, Max);
  };
}

/// The spelling of an enumerator.
template <class E> struct Spelling {
  const char *Text;
  E Value;
};

/// "'a', 'b' or 'c'", "no value".
std::string listAlternatives(const std::vector<std::string> &Names);

/// Reports a word that is not among `Names`.
void reportUnknownValue(const YamlNode &N, std::string_view What,
                        const std::vector<std::string> &Names, Diagnostics &D);

/// A reader of one of a table of words.
template <class E, size_t Size> auto enumReader(const Spelling<E> (&Table)[Size]) {
  return [&Table](const YamlNode &N, std::string_view What, Diagnostics &D) -> std::optional<E> {
    std::vector<std::string> Names;
    for (const Spelling<E> &S : Table) {
      if (N.isScalar() && N.Text == S.Text)
        return S.Value;
      Names.push_back(S.Text);
    }
    reportUnknownValue(N, What, Names, D);
    return std::nullopt;
  };
}

/// The spelling of `Value` in a table.
template <class E, size_t Size> std::string spell(const Spelling<E> (&Table)[Size], E Value) {
  for (const Spelling<E> &S : Table)
    if (S.Value == Value)
      return S.Text;
  return {};
}

/// `word` or `word(1, 2)`.
struct WordWithInts {
  std::string Word;
  std::vector<int64_t> Ints;
};
std::optional<WordWithInts> parseWordWithInts(std::string_view Text);

bool isIdentifier(std::string_view Text);
/// Identifiers joined by `::`.
bool isQualifiedName(std::string_view Text);
/// A decimal integer in the range of int64_t, without leading zeros or plus sign.
std::optional<int64_t> parseInteger(std::string_view Text);

/// Runs `Read` on a node and on everything that a tuner may put in its place, after the checks that
/// are the same for every value: it is there and carries no tag.
template <class Reader>
auto readValue(const YamlNode &N, std::string_view What, Diagnostics &D, const Reader &Read)
    -> decltype(Read(N, What, D)) {
  if (!N.Tag.empty()) {
    reportAt(N, D, DiagID::YamlTag, N.Tag, "");
    return std::nullopt;
  }
  if (N.isNull()) {
    reportAt(N, D, DiagID::EmptyValue, What);
    return std::nullopt;
  }
  for (const YamlPtr &Other : N.Alternatives)
    Read(*Other, What, D);
  return Read(N, What, D);
}

/// True for an untagged map; reports anything else. `What` is a key.
bool expectMap(const YamlNode &N, std::string_view What, Diagnostics &D);

/// The items of a list; nothing if it is none.
template <class T, class Reader>
std::optional<std::vector<Located<T>>> readItems(const YamlNode &N, std::string_view What,
                                                 Diagnostics &D, const Reader &Read) {
  if (!N.isSequence()) {
    reportAt(N, D, DiagID::WrongType, What, "a list", describe(N));
    return std::nullopt;
  }
  std::vector<Located<T>> Result;
  for (const YamlPtr &Item : N.Items)
    if (auto Value = readValue(*Item, What, D, Read))
      Result.emplace_back(std::move(*Value), Item->Loc);
  return Result;
}

class YamlMap {
  const YamlNode &N;
  std::string What;
  Diagnostics &D;
  bool IsMap;
  std::unordered_map<std::string_view, const YamlEntry *> Left;
  std::vector<std::string> Known;

public:
  /// `What` names the map in messages: "the mapping", "instance 'gemm'", "'toolchain'".
  YamlMap(const YamlNode &N, std::string What, Diagnostics &D);

  bool isMap() const { return IsMap; }
  Diagnostics &diagnostics() const { return D; }

  bool has(std::string_view Key) const { return N.find(Key) != nullptr; }
  /// The entry of a key, or null. From now on the key is known.
  const YamlEntry *take(std::string_view Key);
  /// The same, and an error if it is missing.
  const YamlEntry *require(std::string_view Key);

  template <class T, class Reader>
  bool read(std::string_view Key, std::optional<Located<T>> &Out, const Reader &Read) {
    const YamlEntry *E = take(Key);
    return E && assign(*E, Out, Read);
  }
  template <class T, class Reader>
  bool read(std::string_view Key, Located<T> &Out, const Reader &Read) {
    const YamlEntry *E = take(Key);
    return E && assign(*E, Out, Read);
  }
  template <class T, class Reader>
  bool readRequired(std::string_view Key, Located<T> &Out, const Reader &Read) {
    const YamlEntry *E = require(Key);
    return E && assign(*E, Out, Read);
  }
  template <class T, class Reader>
  void readList(std::string_view Key, std::vector<Located<T>> &Out, const Reader &Read) {
    const YamlEntry *E = take(Key);
    if (!E)
      return;
    auto ReadAll = [&](const YamlNode &Value, std::string_view Name, Diagnostics &Diags) {
      return readItems<T>(Value, Name, Diags, Read);
    };
    if (auto Values = readValue(*E->Value, Key, D, ReadAll))
      Out = std::move(*Values);
  }
  /// A map from names to values; the keys go through `readKey`, a test of their spelling.
  template <class T, class Reader>
  void readNamed(std::string_view Key, NamedList<T> &Out, const Reader &Read,
                 bool (*IsKey)(std::string_view) = isIdentifier) {
    const YamlEntry *E = take(Key);
    if (!E)
      return;
    auto ReadAll = [&](const YamlNode &Value, std::string_view Name,
                       Diagnostics &Diags) -> std::optional<NamedList<T>> {
      return readNamedList<T>(Value, Name, Diags, Read, IsKey);
    };
    if (auto Values = readValue(*E->Value, Key, D, ReadAll))
      Out = std::move(*Values);
  }

  /// Reports the keys nobody asked for.
  void finish();

  template <class T, class Reader>
  static std::optional<NamedList<T>> readNamedList(const YamlNode &Value, std::string_view Name,
                                                   Diagnostics &Diags, const Reader &Read,
                                                   bool (*IsKey)(std::string_view) = isIdentifier) {
    if (!expectMap(Value, Name, Diags))
      return std::nullopt;
    NamedList<T> Result;
    for (const YamlEntry &E : Value.Entries) {
      if (!IsKey(E.Key.Value)) {
        Diags.report(DiagID::NotIdentifier, E.Key.Loc, Name, E.Key.Value);
        continue;
      }
      if (auto V = readValue(*E.Value, E.Key.Value, Diags, Read))
        Result.Entries.push_back({E.Key, {std::move(*V), E.Value->Loc}});
    }
    return Result;
  }

private:
  template <class Target, class Reader>
  bool assign(const YamlEntry &E, Target &Out, const Reader &Read) {
    auto Value = readValue(*E.Value, E.Key.Value, D, Read);
    if (Value)
      Out = {std::move(*Value), E.Value->Loc};
    return Value.has_value();
  }
};

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_YAMLREADER_H
