//===- FormLaunches.cpp - what a started processor runs -------------------===//
//
// A loop that spreads over processors that are started is a launch of them. A mapping may also
// place a single call there: its scope, and the buffers and copies around it, become a spread loop
// of one iteration.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Scratchpads.h"

namespace septran::compiler {

namespace {

class Former {
  const Machine &Target;
  const Processor *Level = nullptr; ///< the outermost one that is started
  size_t Depth = 0;

  bool isOnLevel(const std::string &MemoryName) const {
    const Memory *M = Target.findMemory(MemoryName);
    return M && Target.depthOf(M->Owner.Value).value_or(0) >= Depth;
  }

  /// The statement itself works on the level, or in its memories.
  bool belongs(const Stmt &S) const {
    if (const auto *Sc = S.getIf<Scope>())
      return Sc->Instance->Depth >= Depth;
    if (const auto *A = S.getIf<Alloc>())
      return isOnLevel(A->Memory);
    if (const auto *C = S.getIf<CopyStmt>())
      return isOnLevel(C->Src.Base->Memory) || isOnLevel(C->Dst.Base->Memory);
    if (const auto *D = S.getIf<Define>())
      return isOnLevel(D->T->Memory);
    return false;
  }

  /// Loops and conditions in which nothing but buffers of the level is at work, such as a copy
  /// below a condition.
  bool belongsWholly(const Stmt &S) const {
    if (S.getIf<For>() && !S.getIf<For>()->Spread.empty())
      return false;
    if (!S.getIf<For>() && !S.getIf<If>())
      return belongs(S);
    bool Any = false, All = true;
    for (const Block *Nested : nestedBlocks(S))
      for (const Stmt &Inner : *Nested) {
        const bool Here = belongsWholly(Inner);
        Any |= Here;
        All &= Here;
      }
    return Any && All;
  }

public:
  explicit Former(const Machine &Target) : Target(Target) {
    for (const Processor &P : Target.Processors)
      if (!Level && !P.Launch.Value.empty()) {
        Level = &P;
        Depth = *Target.depthOf(P.Name.Value);
      }
  }

  void run(Block &B) {
    if (!Level)
      return;
    Block Out, Group;
    auto Close = [&] {
      if (Group.empty())
        return;
      For F;
      F.V = makeVar("only", ScalarType::I64, VarKind::Loop);
      F.Lo = intLit(0);
      F.Hi = intLit(1);
      F.Kind = LoopKind::Parallel;
      F.Spread = Level->Name.Value;
      const Location Loc = Group.front().Loc;
      F.Body = std::move(Group);
      Out.push_back({std::move(F), Loc});
      Group.clear();
    };
    for (Stmt &S : B) {
      if (belongsWholly(S)) {
        Group.push_back(std::move(S));
        continue;
      }
      Close();
      if (const auto *F = S.getIf<For>(); !F || F->Spread.empty())
        for (Block *Nested : nestedBlocks(S))
          run(*Nested);
      Out.push_back(std::move(S));
    }
    Close();
    B = std::move(Out);
  }
};

} // namespace

void formLaunches(Program &P) { Former(*P.Target).run(P.Body); }

} // namespace septran::compiler
