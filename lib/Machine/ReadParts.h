//===- Machine/ReadParts.h - The sections of a machine file -----*- C++ -*-===//
//
// One function per section. References between sections are checked by the functions of the
// sections that refer, so they run in the order of the declarations: parameters, processors,
// memories, the rest. Private to lib/Machine.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MACHINE_READPARTS_H
#define SEPTRAN_MACHINE_READPARTS_H

#include "Machine/Machine.h"
#include "Support/DidYouMean.h"
#include "Support/YamlReader.h"

namespace septran::compiler {

void readHeader(const YamlNode &N, Machine &M, Diagnostics &D);
void readToolchain(const YamlNode &N, Machine &M, Diagnostics &D);
void readProcessors(const YamlNode &N, Machine &M, Diagnostics &D);
void readMemories(const YamlNode &N, Machine &M, Diagnostics &D);
void readCopies(const YamlNode &N, Machine &M, Diagnostics &D);
void readStates(const YamlNode &N, Machine &M, Diagnostics &D);
void readPrimitives(const YamlNode &N, Machine &M, Diagnostics &D);
void readSyncs(const YamlNode &N, Machine &M, Diagnostics &D);

/// Calls `Read(Map, Entry)` for every entry of a section, which maps names to maps.
template <class Function>
void forEachEntry(const YamlNode &Section, std::string_view What, Diagnostics &D, Function Read) {
  if (!expectMap(Section, What, D))
    return;
  for (const YamlEntry &E : Section.Entries) {
    if (!isIdentifier(E.Key.Value)) {
      D.report(DiagID::NotIdentifier, E.Key.Loc, What, E.Key.Value);
      continue;
    }
    YamlMap Map(*E.Value, "'" + E.Key.Value + "'", D);
    if (!Map.isMap())
      continue;
    Read(Map, E);
    Map.finish();
  }
}

/// A reader of integers that may also be written as the name of a parameter of the machine.
inline auto quantityReader(const Machine &M, int64_t Min,
                           int64_t Max = std::numeric_limits<int64_t>::max()) {
  return [&M, Min, Max](const YamlNode &N, std::string_view What,
                        Diagnostics &D) -> std::optional<int64_t> {
    if (!N.isScalar() || N.Quoted || !isIdentifier(N.Text))
      return readInteger(N, What, D, Min, Max);
    if (const int64_t *Value = M.Parameters.find(N.Text)) {
      if (*Value >= Min && *Value <= Max)
        return *Value;
      reportAt(N, D, DiagID::IntegerRange, What, Min, Max, std::to_string(*Value));
      return std::nullopt;
    }
    reportUnknownValue(N, What, M.Parameters.names(), D);
    return std::nullopt;
  };
}

/// A reader of the name of a processor level or of a memory.
inline auto nameReader(DiagID Unknown, const Machine &M, std::vector<std::string> Names) {
  return [Unknown, &M, Names = std::move(Names)](const YamlNode &N, std::string_view What,
                                                 Diagnostics &D) -> std::optional<std::string> {
    std::optional<std::string> Name = readIdentifier(N, What, D);
    if (!Name)
      return Name;
    for (const std::string &Known : Names)
      if (Known == *Name)
        return Name;
    std::string Suggestion = didYouMean(*Name, Names);
    D.report(Unknown, N.Loc, M.Name.Value, *Name, Suggestion, listAlternatives(Names))
        .fix(N.Loc, Suggestion);
    return std::nullopt;
  };
}
inline auto processorReader(const Machine &M) {
  return nameReader(DiagID::UnknownProcessor, M, M.processorNames());
}
inline auto memoryReader(const Machine &M) {
  return nameReader(DiagID::UnknownMemory, M, M.memoryNames());
}

/// A reader of one of some names.
inline auto oneOfReader(std::vector<std::string> Names) {
  return [Names = std::move(Names)](const YamlNode &N, std::string_view What,
                                    Diagnostics &D) -> std::optional<std::string> {
    for (const std::string &Known : Names)
      if (N.isScalar() && N.Text == Known)
        return Known;
    reportUnknownValue(N, What, Names, D);
    return std::nullopt;
  };
}

} // namespace septran::compiler

#endif // SEPTRAN_MACHINE_READPARTS_H
