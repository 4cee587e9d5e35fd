//===- MappedLogic.cpp - logic + mapping + machine ------------------------===//
#include "Driver/MappedLogic.h"

#include "Derive/DeriveMapping.h"
#include "Derive/TypicalSizes.h"
#include "Emit/Emit.h"
#include "Emit/Library.h"
#include "Emit/Splice.h"
#include "Logic/InternalNames.h"
#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"
#include "Plan/ChooseVariant.h"
#include "Plan/Passes.h"
#include "Support/Installed.h"
#include "Support/JoinNames.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>

namespace septran::compiler {

std::vector<std::string> shippedMachineFolders() {
  const std::string Installed = installedPath("share/septran/machines");
  return {Installed.empty() ? SEPTRAN_SOURCE_MACHINES : Installed};
}

namespace {

std::optional<Mapping> readTheMapping(const MappingRequest &Request, Diagnostics &D,
                                      std::vector<std::string> &Files) {
  ReadMappingOptions Reading;
  Reading.Files = &Files;
  for (const std::string &T : Request.Tune) {
    size_t Equals = T.find('=');
    Reading.Choices[T.substr(0, Equals)] = Equals == std::string::npos ? "" : T.substr(Equals + 1);
  }
  return readMapping(Request.Mapping, D, Reading);
}

std::shared_ptr<const Machine> findMachine(const LocatedName &Name, const MappingRequest &Request,
                                           Diagnostics &D, std::vector<std::string> *Files) {
  std::vector<std::string> Folders = Request.MachinePath;
  if (!Request.Mapping.empty()) {
    // A mapping may name a machine file by a path relative to itself.
    llvm::StringRef Own = llvm::sys::path::parent_path(Request.Mapping);
    Folders.push_back(Own.empty() ? "." : Own.str());
  }
  for (std::string &F : shippedMachineFolders())
    Folders.push_back(std::move(F));
  std::optional<Machine> Found = readMachine(Name.Value, Folders, D, Name.Loc, Files);
  return Found ? std::make_shared<const Machine>(std::move(*Found)) : nullptr;
}

} // namespace

MappedInputs readInputs(const MappingRequest &Request, Diagnostics &D,
                        std::vector<std::string> &Files) {
  MappedInputs Inputs;
  std::optional<Mapping> Map = readTheMapping(Request, D, Files);
  if (!Map)
    return Inputs;
  if (!Request.Machine.empty())
    Inputs.Target = findMachine({Request.Machine}, Request, D, &Files);
  else if (Map->Machine)
    Inputs.Target = findMachine(*Map->Machine, Request, D, &Files);
  else
    D.report(DiagID::NoMachine, Map->Loc);
  Inputs.Map = std::make_shared<const Mapping>(std::move(*Map));
  return Inputs;
}

namespace {

bool hasTasks(const TaskGraph &G) {
  return std::any_of(G.Functions.begin(), G.Functions.end(),
                     [](const FunctionRef &F) { return F->Kind == FunctionKind::Task; });
}

/// The first leaf of the main file; null if it has none.
FunctionRef firstLeaf(const TaskGraph &G) {
  for (const FunctionRef &F : G.Functions)
    if (F->InMainFile && !F->IsImplied)
      return F;
  return nullptr;
}

/// `C, A, B`
std::string argumentsOf(const Function &F) {
  std::string Text;
  for (const Parameter &P : F.Params)
    Text += (Text.empty() ? "" : ", ") + P.Name;
  return Text;
}

/// The task that the request names, or the only one that can be an entry point.
FunctionRef entryToDerive(const TaskGraph &G, const std::string &Name, Diagnostics &D) {
  if (!Name.empty())
    return chooseEntry(G, {Name}, D);
  FunctionRef Only;
  std::vector<std::string> Names;
  for (const FunctionRef &F : G.Functions)
    if (F->IsEntryCandidate && !F->BodyText.File.empty()) {
      Names.push_back(F->Name);
      Only = F;
    }
  if (Names.size() == 1)
    return Only;
  if (Names.empty() && !hasTasks(G)) {
    const FunctionRef Leaf = firstLeaf(G);
    D.report(DiagID::DeriveNoTask, Leaf ? Leaf->Loc : Location{G.MainFile, 1, 1, 0, 0},
             Leaf ? Leaf->Name : "", Leaf ? argumentsOf(*Leaf) : "");
    return nullptr;
  }
  D.report(DiagID::DeriveEntry, Location{G.MainFile, 1, 1, 0, 0},
           Names.empty() ? "none" : joinNames(Names));
  return nullptr;
}

} // namespace

MappedInputs deriveInputs(const MappingRequest &Request, const FrontendResult &Result, Diagnostics &D,
                          std::vector<std::string> &Files,
                          const std::function<void(unsigned)> &Progress) {
  MappedInputs Inputs;
  std::shared_ptr<const Machine> Target = findMachine({Request.Machine}, Request, D, &Files);
  if (!Target || !Result.Graph)
    return Inputs;
  const FunctionRef Entry = entryToDerive(*Result.Graph, Request.Entry, D);
  if (!Entry)
    return Inputs;
  if (!canDeriveFor(*Target)) {
    D.report(DiagID::DeriveMachine, Target->Loc, Target->Name.Value);
    return Inputs;
  }
  DeriveRequest Derive;
  Derive.Relations.Params = Entry->Params;
  if (const std::optional<Program> AsWritten = resolveAsWritten(*Result.Graph, *Entry, Target))
    Derive.Relations = shapeRelations(*AsWritten);
  Derive.Shapes = Request.Shapes;
  if (const std::string Problem = problemOf(Derive.Shapes, Derive.Relations); !Problem.empty()) {
    D.report(DiagID::DeriveShape, Entry->Loc, Problem);
    return Inputs;
  }
  Derive.Progress = Progress;
  Derive.CanEmit = canEmitOpenMP; // of the machines that mappings are derived for
  std::optional<Mapping> Found = deriveMapping(*Result.Graph, Entry, Target, Derive);
  if (!Found) {
    D.report(DiagID::DeriveNone, Entry->Loc, Entry->Name, Target->Name.Value);
    return Inputs;
  }
  Inputs.Target = std::move(Target);
  Inputs.Map = std::make_shared<const Mapping>(*std::move(Found));
  return Inputs;
}

std::shared_ptr<const Machine> readRequestedMachine(const MappingRequest &Request, Diagnostics &D,
                                                    std::vector<std::string> *Files) {
  return findMachine({Request.Machine}, Request, D, Files);
}

std::string mainFileText(const FrontendResult &Result) {
  clang::SourceManager &SM = Result.CI.getSourceManager();
  return SM.getBufferData(SM.getMainFileID()).str();
}

namespace {

EmitRequest emitRequest(const Program &P, const FrontendResult &Result, const OutputNames &Names) {
  EmitRequest Request;
  Request.MainText = mainFileText(Result);
  Request.MainName = Names.Source;
  Request.OutputName = Names.Output;
  Request.MappingName = Names.Mapping;
  Request.MachineName = P.Target->Name.Value;
  Request.HasInternalNames = hasInternalNames(Result.CI);
  return Request;
}

std::string sha256(const std::string &Text) {
  const auto Bytes = llvm::SHA256::hash(
      llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(Text.data()), Text.size()));
  return llvm::toHex(Bytes, /*LowerCase=*/true);
}

} // namespace

std::optional<std::string> emitSource(const Program &P, const FrontendResult &Result,
                                      const OutputNames &Names, Diagnostics &D) {
  const OutputLanguage Language = P.Target->Language.Value;
  if (Language != OutputLanguage::Cxx && !isGpuLanguage(Language)) {
    D.report(DiagID::NoEmitter, P.Target->Loc, P.Target->Name.Value,
             toString(P.Target->Language.Value));
    return std::nullopt;
  }
  return (isGpuLanguage(Language) ? emitCuda : emitOpenMP)(
      P, *Result.Graph, emitRequest(P, Result, Names), D);
}

std::optional<LibraryFiles> emitLibrary(const Program &P, const ShapeRelations &Shapes,
                                        const FrontendResult &Result, const OutputNames &Names,
                                        const std::string &Library, Diagnostics &D) {
  const bool Gpu = isGpuLanguage(P.Target->Language.Value);
  if (!Gpu && P.Target->Language.Value != OutputLanguage::Cxx) {
    D.report(DiagID::LibraryLanguage, P.Target->Loc, P.Target->Name.Value,
             toString(P.Target->Language.Value));
    return std::nullopt;
  }
  EmitRequest Request = emitRequest(P, Result, Names);
  Request.Headers = {Gpu ? "<septran/library/gpu.h>" : "<septran/library/library.h>"};
  Request.KeepsPlain = !Gpu;
  // NAME.h stands beside NAME.cpp, and may be called as a header of the logic is.
  for (const WrittenInclude &Include : Result.IncludesBeside)
    if (std::optional<std::string> Text = includeOf(Include.Beside, Names.OutputFolder))
      Request.Edits.push_back({Include.Begin, Include.End, *Text, Edit::Inline});
  std::optional<std::string> Source =
      (Gpu ? emitCuda : emitOpenMP)(P, *Result.Graph, Request, D);
  if (!Source)
    return std::nullopt;
  const LibraryRequest Parts{Library, sha256(printMapping(*P.Map)), Names.Source, Names.Mapping};
  // The logic's last line may end in a backslash, or not at all.
  *Source += "\n\n";
  *Source += lineDirective(lineAt(*Source, unsigned(Source->size())) + 1, Names.Output) +
             libraryFunctions(P, Shapes, Parts);
  return LibraryFiles{libraryHeader(P, Shapes, Parts), std::move(*Source)};
}

} // namespace septran::compiler
