//===- EngineCommands.h - which statement is a command to which engine -*- C++ -*-===//
//
// Copies and primitives are commands to the engine that the machine names with them, or to the
// processor itself, which waits for those. What the processor does element by element is a command,
// too, of the engine that its program is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Machine/Machine.h"
#include "Plan/TensorTable.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// One engine's use of tensors in a statement, by their roots, in the order of their names.
struct EngineAction {
  unsigned Engine = 0;
  std::vector<TensorRef> Reads, Writes;
};

class EngineCommands {
public:
  EngineCommands(const Machine &Target, const TensorTable &Tensors);

  unsigned count() const { return unsigned(Names.size()); }
  const std::string &name(unsigned Engine) const { return Names[Engine]; }
  /// The engine that gives the commands.
  std::optional<unsigned> own() const { return Own; }

  /// The statement as one command; nothing if it is none, or several.
  std::optional<EngineAction> command(const Stmt &S) const;

private:
  unsigned add(const std::string &Name);
  std::optional<unsigned> engineOr(const LocatedName &Name) const;
  EngineAction actionOf(const Stmt &S, unsigned Engine) const;

  const Machine &Target;
  const TensorTable &Tensors;
  std::vector<std::string> Names;
  std::optional<unsigned> Own;
};

} // namespace septran::compiler
