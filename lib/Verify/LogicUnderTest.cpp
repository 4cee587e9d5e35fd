//===- LogicUnderTest.cpp - one logic file, many mappings -----------------===//
#include "Verify/LogicUnderTest.h"

#include "Mapping/ReadMapping.h"
#include "Plan/Passes.h"
#include "Verify/ElementRange.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

/// The smallest value of every tunable, since more blocks mean more roundings; the significant bits
/// of factors where a primitive has few, and whether it flushes subnormal numbers, also for the
/// function in whose place the leaf stands, which the reference runs. Names are those of the
/// functions without namespaces, as in the reference.
std::map<std::string, std::int64_t> settingsOf(const Program &P) {
  std::map<std::string, std::int64_t> Values;
  auto Add = [&](const std::string &Name, std::int64_t Value) {
    auto [At, New] = Values.try_emplace(Name, Value);
    if (!New)
      At->second = std::min(At->second, Value);
  };
  for (const InstanceRef &I : P.Instances) {
    const std::string Prefix = I->Task->Name + ".";
    if (I->Settings)
      for (const auto &T : I->Settings->Tunables)
        if (const Extent &Value = T.Value.Value; !Value.Full)
          Add(Prefix + T.Name.Value, Value.Value);
    if (const Primitive *Bound = P.Target->findPrimitive(I->Binding))
      for (const std::string &Name : std::set<std::string>{I->Task->Name, I->Called->Name}) {
        if (const std::int64_t Bits = Bound->MultiplicandBits.Value)
          Add(Name + ".multiplicand_bits", Bits);
        if (Bound->FlushesSubnormals.Value)
          Add(Name + ".flushes_subnormals", 1);
      }
  }
  return Values;
}

} // namespace

std::optional<MappedSource> LogicUnderTest::map(std::shared_ptr<const Mapping> Map,
                                                std::shared_ptr<const Machine> Target,
                                                const std::string &MappingName,
                                                Diagnostics &D) const {
  std::optional<ShapeRelations> Relations;
  std::optional<Program> P =
      runPasses(*Result.Graph, Map, Target, D, [&](std::string_view Pass, const Program &After) {
        if (Pass != "resolve")
          return;
        const std::optional<Program> AsWritten =
            resolveAsWritten(*Result.Graph, *After.Entry, Target);
        Relations = shapeRelations(After, AsWritten ? &*AsWritten : nullptr);
      });
  if (!P)
    return std::nullopt;
  for (const ShapeSpec &S : Stated)
    stateValues(*Relations, S.Name, S.Values);
  std::optional<std::string> Text = emitSource(
      *P, Result, {Settings.LogicFile, Settings.Scratch + "/mapped.cpp", MappingName}, D);
  if (!Text || D.hasErrors())
    return std::nullopt;
  std::map<std::string, std::int64_t> Reference = settingsOf(*P);
  const bool Clips = std::any_of(P->Instances.begin(), P->Instances.end(), [](const InstanceRef &I) {
    return I->Settings && !I->Settings->Clip.empty();
  });
  return MappedSource{std::move(*P), std::move(*Relations), std::move(*Text),
                      {Map->Nondeterministic.Value, Clips}, std::move(Reference)};
}

std::optional<MappedSource> LogicUnderTest::map(const std::string &MappingText,
                                                std::shared_ptr<const Machine> Target,
                                                Diagnostics &D) const {
  std::optional<Mapping> Map = readMappingText(MappingText, "mapping.yaml", D);
  if (!Map)
    return std::nullopt;
  return map(std::make_shared<const Mapping>(std::move(*Map)), std::move(Target), "mapping.yaml",
             D);
}

std::optional<ProgramForms> LogicUnderTest::build(const MappedSource &Source, bool WithChecked,
                                                  unsigned Jobs, std::string &Problem) {
  const Function &Entry = *Source.P.Entry;
  if (Entry.QualifiedName != EntryName) {
    Forms = {};
    Note.clear();
    EntryName = Entry.QualifiedName;
  }
  struct Part {
    std::string ProgramForms::*File;
    PendingForm Form;
  };
  std::vector<Part> Parts;
  // A new name every time: a loaded library keeps its file.
  Parts.push_back({&ProgramForms::Mapped, mappedForm(Settings, Source.P, Source.Text,
                                                     "mapped" + std::to_string(Builds++))});
  if (Forms.Plain.empty()) {
    Parts.push_back({&ProgramForms::Plain, plainForm(Settings, Entry)});
    ReferenceText Reference = referenceSource(Result, Entry);
    if (Reference.Reason.empty())
      Parts.push_back({&ProgramForms::Reference, referenceForm(Settings, Entry, Reference)});
    Note = Reference.Reason;
  }
  if (Forms.Checked.empty() && WithChecked)
    Parts.push_back({&ProgramForms::Checked, checkedForm(Settings, Entry)});
  std::vector<Command> Commands;
  for (const Part &P : Parts)
    Commands.push_back(P.Form.Compile);
  std::vector<CommandResult> Results = runCommands(Commands, Jobs);
  ProgramForms All = Forms;
  All.Settings = Source.Settings;
  for (size_t I = 0; I < Parts.size(); ++I) {
    if (Results[I].Good) {
      All.*Parts[I].File = Parts[I].Form.Library;
    } else if (Parts[I].File == &ProgramForms::Reference) {
      Note = referenceDoesNotCompile(Results[I]);
    } else {
      Problem = Settings.Compiler + " does not compile " + Parts[I].Form.Source + ":\n" +
                Results[I].Output;
      return std::nullopt;
    }
  }
  Forms = All;
  Forms.Mapped.clear();
  return All;
}

} // namespace septran::compiler
