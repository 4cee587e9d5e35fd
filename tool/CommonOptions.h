//===- CommonOptions.h - what all tools ask for, and how they end -*- C++ -*-===//
#pragma once

#include "Driver/MappedLogic.h"

#include "llvm/Support/CommandLine.h"

#include <initializer_list>
#include <string>

namespace septran::compiler {

enum class ToolExit {
  Success = 0,
  InputError = 1,
  UsageError = 2,
  Different = 3, ///< septran-verify: the mapped program is wrong somewhere
  InternalError = 70
};

/// The three inputs. LLVM registers options when they are made.
struct InputOptions {
  llvm::cl::OptionCategory Category{"Input options"};
  llvm::cl::list<std::string> Sources{llvm::cl::Positional, llvm::cl::desc("LOGIC.cpp"),
                                      llvm::cl::cat(Category)};
  llvm::cl::opt<std::string> BuildPath{
      "p", llvm::cl::desc("Folder of compile_commands.json (default: above the logic file)"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(Category)};
  llvm::cl::list<std::string> Mappings{"mapping", llvm::cl::desc("Mapping file (YAML)"),
                                       llvm::cl::value_desc("file"), llvm::cl::cat(Category)};
  llvm::cl::opt<std::string> Machine{
      "machine", llvm::cl::desc("Machine name or file (default: the mapping's)"),
      llvm::cl::value_desc("name"), llvm::cl::cat(Category)};
  llvm::cl::list<std::string> MachinePath{
      "machine-path", llvm::cl::desc("Folder to look for machine files in first"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(Category)};
  llvm::cl::list<std::string> Tune{
      "tune",
      llvm::cl::desc("Value of a !tune point, such as gemm.tunables.tile_m=64 "
                     "(default: what the mapping says)"),
      llvm::cl::value_desc("path=value"), llvm::cl::cat(Category)};

  /// With the first mapping.
  MappingRequest request() const;
};

/// Prints `Tool: Text`; false, for what is then returned.
bool complain(const std::string &Tool, const std::string &Text);

/// Whether options with one value have at most one: of two, one would be ignored. Complains if not.
bool areGivenOnce(const std::string &Tool, std::initializer_list<const llvm::cl::Option *> Options);

/// Whether every value of --tune names what it is for; complains if not.
bool checkTune(const std::string &Tool, const MappingRequest &Request);

/// Adds what each `--shape` says to `Shapes`; complains of the first that cannot be read.
bool readShapes(const std::string &Tool, const std::vector<std::string> &Texts,
                std::vector<ShapeSpec> &Shapes);

void printVersion(const std::string &Tool, llvm::raw_ostream &OS);

/// The rest of `main`: crashes and exceptions end with InternalError, so that scripts can tell bugs
/// of ours from errors in the input.
int runTool(const std::string &Tool, int argc, const char **argv,
            ToolExit (*Run)(int argc, const char **argv));

} // namespace septran::compiler
