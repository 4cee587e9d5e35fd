//===- EngineCommands.cpp --------------------------------------------------===//
#include "Plan/EngineCommands.h"

#include "IR/Rewrite.h"
#include "Plan/ElementCode.h"
#include "Support/StableSort.h"

#include <algorithm>

namespace septran::compiler {

EngineCommands::EngineCommands(const Machine &Target, const TensorTable &Tensors)
    : Target(Target), Tensors(Tensors) {
  for (const Processor &Level : Target.Processors)
    if (!Level.Engine.Value.empty())
      Own = add(Level.Engine.Value);
  for (const Copy &C : Target.Copies)
    if (!C.Engine.Value.empty())
      add(C.Engine.Value);
  for (const Primitive &Prim : Target.Primitives)
    if (!Prim.Engine.Value.empty())
      add(Prim.Engine.Value);
}

unsigned EngineCommands::add(const std::string &Name) {
  auto It = std::find(Names.begin(), Names.end(), Name);
  if (It == Names.end())
    It = Names.insert(Names.end(), Name);
  return unsigned(It - Names.begin());
}

/// What a command without an engine runs on: the processor itself.
std::optional<unsigned> EngineCommands::engineOr(const LocatedName &Name) const {
  if (Name.Value.empty())
    return Own;
  return unsigned(std::find(Names.begin(), Names.end(), Name.Value) - Names.begin());
}

EngineAction EngineCommands::actionOf(const Stmt &S, unsigned Engine) const {
  Effects E = effectsOf(S, Tensors);
  DefinedSymbols Inside = definedIn(S);
  EngineAction A{Engine, {}, {}};
  for (const TensorRef &T : E.Reads)
    if (!Inside.Tensors.count(T))
      A.Reads.push_back(T);
  for (const TensorRef &T : E.Writes)
    if (!Inside.Tensors.count(T))
      A.Writes.push_back(T);
  auto ByName = [](const TensorRef &X, const TensorRef &Y) { return X->Name < Y->Name; };
  stableSort(A.Reads, ByName);
  stableSort(A.Writes, ByName);
  return A;
}

std::optional<EngineAction> EngineCommands::command(const Stmt &S) const {
  std::optional<unsigned> Engine;
  if (const auto *C = S.getIf<CopyStmt>()) {
    if (const Copy *Way = Target.findCopy(C->Src.Base->Memory, C->Dst.Base->Memory))
      Engine = engineOr(Way->Engine);
  } else if (const auto *Call = S.getIf<PrimitiveCall>()) {
    Engine = engineOr(Target.findPrimitive(Call->Primitive)->Engine);
  } else if (Own && isElements(S) && !elements(S).empty()) {
    Engine = Own;
  }
  return Engine ? std::optional(actionOf(S, *Engine)) : std::nullopt;
}

} // namespace septran::compiler
