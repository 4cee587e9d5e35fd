//===- LogicUnderTest.h - one logic file, many mappings -----------*- C++ -*-===//
//
// What verifying several mappings of one entry point shares: the parsed logic, and its plain,
// reference and checked programs, which are built once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Driver/MappedLogic.h"
#include "Verify/BuildForms.h"
#include "Verify/VerifyMapping.h"

#include <map>
#include <optional>
#include <string>

namespace septran::compiler {

/// A mapping that the compiler accepts, and the source it gives.
struct MappedSource {
  Program P;
  ShapeRelations Relations;
  std::string Text;
  CompareOptions Compare;
  std::map<std::string, std::int64_t> Settings; ///< of the reference, see ProgramForms
};

class LogicUnderTest {
  FrontendResult &Result;
  BuildSettings Settings;
  std::vector<ShapeSpec> Stated;
  std::string EntryName;
  ProgramForms Forms; ///< of the entry, but for the mapped one
  std::string Note;
  unsigned Builds = 0;

public:
  /// While the front end's action runs. What the Specs say of elements goes into the relations.
  LogicUnderTest(FrontendResult &Result, BuildSettings Settings, std::vector<ShapeSpec> Specs = {})
      : Result(Result), Settings(std::move(Settings)), Stated(std::move(Specs)) {}

  const BuildSettings &settings() const { return Settings; }
  const TaskGraph &graph() const { return *Result.Graph; }

  /// Nothing if the compiler refuses the mapping; D then says why. `MappingName` stands in messages
  /// and in the generated file.
  std::optional<MappedSource> map(std::shared_ptr<const Mapping> Map,
                                  std::shared_ptr<const Machine> Target,
                                  const std::string &MappingName, Diagnostics &D) const;
  std::optional<MappedSource> map(const std::string &MappingText,
                                  std::shared_ptr<const Machine> Target, Diagnostics &D) const;

  /// Compiles the mapped program, and with the first one of an entry its other forms. Nothing, with
  /// what the compiler says in Problem, if one of them does not compile.
  std::optional<ProgramForms> build(const MappedSource &Source, bool WithChecked, unsigned Jobs,
                                    std::string &Problem);

  /// Why there is no reference program; empty if there is one.
  const std::string &referenceNote() const { return Note; }
};

} // namespace septran::compiler
