//===- IdleSettings.cpp - what a mapping says in vain ---------------------===//
#include "Plan/IdleSettings.h"

#include "IR/Rewrite.h"
#include "Plan/LoopOrder.h"

#include <algorithm>

namespace septran::compiler {

std::vector<RewriteRecord> idleSettings(const Block &B, const InstanceInfo &I) {
  std::vector<RewriteRecord> Log;
  if (!I.Settings)
    return Log;
  size_t Most = 0;
  bool Spread = false;
  auto Visit = [&](const Block &Inner, auto &Self) -> void {
    for (const Stmt &S : Inner) {
      if (S.getIf<Scope>())
        continue; // loops of another instance
      if (const auto *F = S.getIf<For>(); F && F->Kind == LoopKind::Parallel) {
        Most = std::max(Most, parallelGroup(*F).size());
        Spread |= !F->Spread.empty();
      }
      for (const Block *Nested : nestedBlocks(S))
        Self(*Nested, Self);
    }
  };
  Visit(B, Visit);
  auto Record = [&](const char *Key, const std::string &Why, const Location &Loc) {
    Log.push_back({"resolve", "no effect", std::string(Key) + " of " + I.Name + ": " + Why, Loc});
  };
  if (const auto &O = I.Settings->Order; O && O->Value.K != Order::Kind::Row && Most < 2)
    Record("order", Most ? "its parallel loop has one index" : "its task has no parallel loop",
           O->Loc);
  if (const auto &Par = I.Settings->Parallelize) {
    const Parallelize &Wanted = Par->Value;
    const bool Details = Wanted.Kind || Wanted.Chunk || Wanted.Threads || Wanted.Collapse;
    if (Details && !Spread)
      Record("parallelize",
             Most ? "no launch in its parallel loop is on a level further inside"
                  : "its task has no parallel loop",
             Par->Loc);
    else if (Wanted.Collapse && size_t(Wanted.Collapse->Value) > Most)
      Record("collapse", "its parallel loop has fewer indices", Wanted.Collapse->Loc);
  }
  if (const auto &V = I.Settings->Vectorize; V && I.Task->Kind != FunctionKind::Leaf)
    Record("vectorize", "only the loops of leaves run in lanes", V->Loc);
  return Log;
}

} // namespace septran::compiler
