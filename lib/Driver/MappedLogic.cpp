//===- MappedLogic.cpp - logic + mapping + machine ------------------------===//
#include "Driver/MappedLogic.h"

#include "Emit/Emit.h"
#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace septran::compiler {

std::vector<std::string> shippedMachineFolders() {
  static const char Anchor = 0;
  llvm::SmallString<256> Installed(llvm::sys::path::parent_path(
      llvm::sys::fs::getMainExecutable("", const_cast<char *>(&Anchor))));
  llvm::sys::path::append(Installed, "..", "share", "septran", "machines");
  llvm::sys::path::remove_dots(Installed, true);
  return {Installed.str().str(), SEPTRAN_SOURCE_MACHINES};
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

std::optional<Machine> readTheMachine(const MappingRequest &Request, const Mapping &Map,
                                      Diagnostics &D, std::vector<std::string> &Files) {
  std::string Name = Request.Machine;
  Location Use;
  if (Name.empty() && Map.Machine) {
    Name = Map.Machine->Value;
    Use = Map.Machine->Loc;
  }
  if (Name.empty()) {
    D.report(DiagID::NoMachine, Map.Loc);
    return std::nullopt;
  }
  std::vector<std::string> Folders = Request.MachinePath;
  // A mapping may name a machine file by a path relative to itself.
  llvm::SmallString<256> Own(llvm::sys::path::parent_path(Request.Mapping));
  Folders.push_back(Own.empty() ? "." : Own.str().str());
  for (std::string &F : shippedMachineFolders())
    Folders.push_back(std::move(F));
  return readMachine(Name, Folders, D, Use, &Files);
}

} // namespace

MappedInputs readInputs(const MappingRequest &Request, Diagnostics &D,
                        std::vector<std::string> &Files) {
  MappedInputs Inputs;
  std::optional<Mapping> Map = readTheMapping(Request, D, Files);
  if (!Map)
    return Inputs;
  if (std::optional<Machine> Target = readTheMachine(Request, *Map, D, Files))
    Inputs.Target = std::make_shared<const Machine>(std::move(*Target));
  Inputs.Map = std::make_shared<const Mapping>(std::move(*Map));
  return Inputs;
}

std::optional<Machine> readTheMachine(const MappingRequest &Request, Diagnostics &D) {
  std::vector<std::string> Folders = Request.MachinePath;
  for (std::string &F : shippedMachineFolders())
    Folders.push_back(std::move(F));
  return readMachine(Request.Machine, Folders, D);
}

std::string mainFileText(const FrontendResult &Result) {
  clang::SourceManager &SM = Result.CI.getSourceManager();
  return SM.getBufferData(SM.getMainFileID()).str();
}

std::optional<std::string> emitSource(const Program &P, const FrontendResult &Result,
                                      const OutputNames &Names, Diagnostics &D) {
  if (P.Target->Language.Value != OutputLanguage::Cxx) {
    D.report(DiagID::NoEmitter, P.Target->Loc, P.Target->Name.Value,
             toString(P.Target->Language.Value));
    return std::nullopt;
  }
  EmitRequest Request;
  Request.MainText = mainFileText(Result);
  Request.MainName = Names.Source;
  Request.OutputName = Names.Output;
  Request.MappingName = Names.Mapping;
  Request.MachineName = P.Target->Name.Value;
  return emitOpenMP(P, *Result.Graph, Request, D);
}

} // namespace septran::compiler
