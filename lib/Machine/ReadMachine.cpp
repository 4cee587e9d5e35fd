//===- Machine/ReadMachine.cpp ---------------------------------*- C++ -*-===//
#include "Machine/ReadMachine.h"
#include "Machine/ReadParts.h"
#include "Support/DidYouMean.h"
#include "Support/InputFile.h"
#include "Support/YamlCompose.h"

#include <algorithm>
#include <filesystem>

namespace septran::compiler {

namespace {

namespace fs = std::filesystem;

/// Stale rules may name anything that acts.
void checkStaleRules(const Machine &M, Diagnostics &D) {
  std::vector<std::string> Names = M.primitiveNames();
  for (const Copy &C : M.Copies)
    Names.push_back(C.Name.Value);
  for (const State &S : M.States)
    Names.push_back(S.Name.Value);
  for (const State &S : M.States)
    for (const LocatedName &Name : S.StaleAfter)
      if (std::find(Names.begin(), Names.end(), Name.Value) == Names.end())
        D.report(DiagID::UnknownValue, Name.Loc, "stale_after", Name.Value,
                 "a copy, a primitive or a state", didYouMean(Name.Value, Names));
}

Machine readTree(const YamlNode &Root, const Location &File, Diagnostics &D) {
  Machine M;
  M.Loc = File;
  YamlMap Map(Root, "the machine file", D);
  auto Section = [&](const YamlEntry *E, void (*Read)(const YamlNode &, Machine &, Diagnostics &)) {
    if (E)
      Read(*E->Value, M, D);
  };
  Section(Map.require("machine"), readHeader);
  Section(Map.take("toolchain"), readToolchain);
  Section(Map.require("processors"), readProcessors);
  Section(Map.require("memories"), readMemories);
  Section(Map.take("copies"), readCopies);
  Section(Map.take("state"), readStates);
  Section(Map.take("primitives"), readPrimitives);
  Section(Map.take("sync"), readSyncs);
  Map.readNamed("limits", M.Limits, quantityReader(M, 0));
  Map.readNamed("tolerances", M.Tolerances, readNumber);
  Map.readNamed("cost", M.Cost, readNumber);
  Map.finish();
  checkStaleRules(M, D);
  return M;
}

/// What was in `D` before reading began.
struct Before {
  size_t Size;
  unsigned Errors;
  explicit Before(const Diagnostics &D) : Size(D.size()), Errors(D.errorCount()) {}
};

std::optional<Machine> finish(const YamlPtr &Root, const std::string &Name, Before Start,
                              Diagnostics &D) {
  std::optional<Machine> M;
  if (Root)
    M = readTree(*Root, Location{FileName(Name)}, D);
  D.sortFrom(Start.Size);
  if (D.errorCount() != Start.Errors)
    M.reset();
  return M;
}

bool isFile(const fs::path &P) {
  std::error_code EC;
  return fs::exists(P, EC) && !fs::is_directory(P, EC);
}

bool endsInYaml(const std::string &Name) {
  std::string Extension = fs::path(Name).extension().string();
  return Extension == ".yaml" || Extension == ".yml";
}

/// The file that `NameOrPath` stands for, or nothing. A path counts from the folder of the file
/// that names it before it counts from the current one.
std::optional<std::string> findMachine(const std::string &NameOrPath,
                                       const std::vector<std::string> &SearchDirs,
                                       const Location &Use) {
  if (endsInYaml(NameOrPath)) {
    fs::path Beside = fs::path(Use.File.str()).parent_path() / NameOrPath;
    if (!Use.File.empty() && isFile(Beside))
      return Beside.lexically_normal().string();
    return NameOrPath;
  }
  for (const std::string &Dir : SearchDirs) {
    fs::path Candidate = fs::path(Dir) / (NameOrPath + ".yaml");
    if (isFile(Candidate))
      return Candidate.lexically_normal().string();
  }
  return std::nullopt;
}

/// Files that others extend have no name of their own.
bool namesMachine(const fs::path &P) {
  Diagnostics Ignored;
  std::optional<std::string> Text =
      readInputFile(P.string(), YamlLimits::FileBytes, Location{}, Ignored);
  YamlPtr Root = Text ? parseYaml(*Text, P.string(), Ignored) : nullptr;
  const YamlEntry *Header = Root ? Root->find("machine") : nullptr;
  return Header && Header->Value->find("name");
}

} // namespace

std::optional<Machine> readMachine(const std::string &NameOrPath,
                                   const std::vector<std::string> &SearchDirs, Diagnostics &D,
                                   const Location &Use, std::vector<std::string> *Files) {
  Before Start(D);
  std::optional<std::string> Path = findMachine(NameOrPath, SearchDirs, Use);
  if (!Path) {
    std::vector<std::string> Known = availableMachines(SearchDirs);
    std::string Suggestion = didYouMean(NameOrPath, Known);
    D.report(DiagID::UnknownMachine, Use, NameOrPath, Suggestion,
             Known.empty() ? std::string() : listAlternatives(Known))
        .fix(Use, Suggestion);
    return std::nullopt;
  }
  return finish(loadYaml(*Path, "machine", D, Files, Use), *Path, Start, D);
}

std::optional<Machine> readMachineText(std::string_view Text, const std::string &Name,
                                       Diagnostics &D) {
  Before Start(D);
  return finish(loadYamlText(Text, Name, "machine", D), Name, Start, D);
}

std::vector<std::string> availableMachines(const std::vector<std::string> &SearchDirs) {
  std::vector<std::string> Names;
  for (const std::string &Dir : SearchDirs) {
    std::error_code EC;
    // The iterator is advanced by hand: a range-for would throw on a folder it may not read.
    fs::recursive_directory_iterator It(Dir, fs::directory_options::skip_permission_denied, EC),
        End;
    for (; !EC && It != End; It.increment(EC))
      if (It->path().extension() == ".yaml" && isFile(It->path()) && namesMachine(It->path()))
        Names.push_back(It->path().lexically_relative(Dir).replace_extension().generic_string());
  }
  std::sort(Names.begin(), Names.end());
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  return Names;
}

} // namespace septran::compiler
