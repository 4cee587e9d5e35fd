//===- Pipeline.cpp - prefetches for streamed copies ----------------------===//
//
// `pipeline: n` of an instance asks that the blocks its sequential loop streams are under way n - 1
// iterations before they are used; `prefetch: {arg: d}` asks the same for one argument, d iterations
// ahead. Where copies into a memory are synchronous, as on a CPU, nothing overlaps by having more
// buffers: what can be under way is the fetch of the source into the caches. Such copies get
// `Prefetch = d`, and the emitter prefetches the source block of iteration k + d.
//
// Applies to copies into buffers whose source moves with the innermost loop around them, and depends on
// nothing else that this loop computes: then the source block of another iteration is a matter of
// another loop variable. Copies for which the machine has an asynchronous copy are staged instead
// (StageCopies.h). A wish that no copy could meet is recorded too.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/Passes.h"
#include "Plan/StageCopies.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

namespace {

/// One setting of the mapping: how many iterations ahead, and for which argument ("" for all).
struct Wish {
  std::string Argument;
  std::int64_t Iterations = 0;
  Location Loc;
  bool AtStart = false; ///< instead: all of it, when the instance starts

  bool wantsAny() const { return Iterations > 0 || AtStart; }
};

std::vector<Wish> wishesOf(const InstanceInfo &I) {
  std::vector<Wish> Wishes;
  if (!I.Settings)
    return Wishes;
  for (const auto &E : I.Settings->Prefetch)
    Wishes.push_back({E.Name.Value, E.Value.Value.Iterations, E.Value.Loc, E.Value.Value.AtStart});
  if (I.Settings->Pipeline && I.Settings->Pipeline->Value > 1)
    Wishes.push_back({"", I.Settings->Pipeline->Value - 1, I.Settings->Pipeline->Loc});
  return Wishes;
}

std::string iterations(std::int64_t N) {
  return std::to_string(N) + (N == 1 ? " iteration" : " iterations");
}

class Pipeliner {
  const Machine &Target;
  const TensorTable Tensors;
  const bool Grid; ///< it runs kernels
  bool Stages = false; ///< it copies ahead
  std::vector<RewriteRecord> &Log;
  Diagnostics &D;
  std::set<const InstanceMapping *> Staged, Unstaged; ///< their pipelines have stages, or none
  std::set<std::pair<const InstanceMapping *, std::string>> Said;

  /// What the innermost Scope around asks for, and which of it some copy could meet.
  struct Instance {
    const InstanceInfo *Info = nullptr;
    std::vector<Wish> Wishes;
    std::set<const Wish *> Met;
  };

  void record(std::string Rule, std::string Text, const Location &Loc) {
    Log.push_back({"pipeline", std::move(Rule), std::move(Text), Loc});
  }

  bool isAsync(const CopyStmt &C) const {
    for (const Copy &Known : Target.Copies)
      if (Known.From.Value == C.Src.Base->Memory && Known.To.Value == C.Dst.Base->Memory &&
          Known.Async.Value)
        return true;
    return false;
  }

  static const Wish *wishFor(const CopyStmt &C, const Instance &I) {
    for (const Wish &W : I.Wishes)
      if (!W.AtStart && (W.Argument.empty() || C.Reason == argumentReason(*I.Info, W.Argument)))
        return &W;
    return nullptr;
  }

  /// C stands in F's body, in no loop further inside.
  void visitCopy(CopyStmt &C, const For &F, Instance &I) {
    if (C.Dst.Base->Kind != TensorKind::Buffer || !mentions(C.Src, F.V))
      return;
    const Wish *W = wishFor(C, I);
    if (!W)
      return;
    I.Met.insert(W);
    if (W->Iterations == 0 || isAsync(C))
      return;
    if (mentionsAny(C.Src, definedIn(F.Body))) {
      record("no prefetch", C.Reason + ": its block depends on more than loop '" + F.V->Name + "'",
             W->Loc);
      return;
    }
    if (Grid) {
      record("no prefetch", C.Reason + ": kernels of " + Target.Name.Value + " prefetch nothing",
             W->Loc);
      return;
    }
    C.Prefetch = unsigned(W->Iterations);
    record("prefetch",
           C.Reason + " is fetched " + iterations(W->Iterations) + " of loop '" + F.V->Name + "' ahead",
           W->Loc);
  }

  /// The emitter fetches; here it is only said. Versions of one leaf say it once.
  void prefetchInPlace(const Scope &Sc, Instance &I) {
    std::vector<const For *> Around;
    for (const LeafPrefetch &L : leafPrefetches(Sc))
      prefetchInPlace(Sc.Body, L, Around, I);
  }

  void prefetchInPlace(const Block &B, const LeafPrefetch &L, std::vector<const For *> &Around,
                       Instance &I) {
    for (const Stmt &S : B) {
      const auto *F = S.getIf<For>();
      if (F && !F->StaticTrip)
        prefetchMovedBy(*F, L, Around, I);
      if (F)
        Around.push_back(F);
      for (const Block *Nested : nestedBlocks(S))
        prefetchInPlace(*Nested, L, Around, I);
      if (F)
        Around.pop_back();
    }
  }

  void prefetchMovedBy(const For &F, const LeafPrefetch &L, llvm::ArrayRef<const For *> Around,
                       Instance &I) {
    const AccessesAhead Ahead = accessesAhead(L, F, Around);
    if (Ahead.Accesses.empty())
      return;
    const For &Loop = *Ahead.Loop;
    const std::int64_t Step = Loop.Exec == LoopExec::Lanes ? Loop.Width : Loop.Step;
    for (const Wish &W : I.Wishes)
      if (W.Argument == L.Argument && I.Met.insert(&W).second &&
          Said.insert({I.Info->Settings, L.Argument}).second)
        record(
            "prefetch",
            argumentReason(*I.Info, L.Argument) + " is fetched " + iterations(L.Iterations) +
                " of loop '" + Loop.V->Name + "' ahead, in place" +
                (endsWithin(Loop, L.Iterations * Step, Tensors) ? ", into the second cache" : ""),
            W.Loc);
  }

  void prefetchAtStart(const Scope &Sc, Instance &I) {
    for (const Stmt &S : Sc.Body)
      if (const auto *Part = S.getIf<Define>();
          Part && fetchesAtStart(Sc, Part->T, Target, Tensors))
        for (const Wish &W : I.Wishes)
          if (W.AtStart && W.Argument == Part->T->Name && I.Met.insert(&W).second &&
              Said.insert({I.Info->Settings, W.Argument}).second)
            record("prefetch",
                   argumentReason(*I.Info, W.Argument) + " is fetched when it starts, in place",
                   W.Loc);
  }

  void visitScope(Scope &Sc) {
    Instance I{Sc.Instance.get(), wishesOf(*Sc.Instance), {}};
    visit(Sc.Body, &I, nullptr);
    prefetchInPlace(Sc, I);
    prefetchAtStart(Sc, I);
    bool HasStages = false; // then the wish for all blocks was met before
    walkStmts(Sc.Body, [&](const Stmt &S) { HasStages |= S.getIf<Stage>() != nullptr; });
    if (Stages && I.Info->Settings && I.Info->Settings->Pipeline &&
        I.Info->Settings->Pipeline->Value > 1)
      (HasStages ? Staged : Unstaged).insert(I.Info->Settings);
    for (const Wish &W : I.Wishes)
      if (!I.Met.count(&W) && W.wantsAny() && !(HasStages && W.Argument.empty()))
        record("no prefetch",
               (W.Argument.empty() ? "blocks" : "argument '" + W.Argument + "'") +
                   std::string(" of ") + I.Info->Name + ": " +
                   (W.AtStart ? "it lies behind no caches, or is stored past them"
                              : "no loop of it copies another block in every iteration"),
               W.Loc);
  }

public:
  Pipeliner(const Program &P, std::vector<RewriteRecord> &Log, Diagnostics &D)
      : Target(*P.Target), Tensors(P.Body), Grid(gridDepth(Target).has_value()), Log(Log), D(D) {
    for (const Copy &C : Target.Copies)
      Stages |= copiesAhead(Target, C.From.Value, C.To.Value);
  }

  /// Of the instances of P, in their order: each is told once, whatever versions of it there are.
  void reportUnstaged(const Program &P) {
    for (const InstanceRef &I : P.Instances)
      if (!Staged.count(I->Settings) && Unstaged.erase(I->Settings))
        D.report(DiagID::PipelineNoEffect, I->Settings->Pipeline->Loc, I->Name, I->Task->Name);
  }

  /// `Loop` is the innermost loop of instance `I` around B whose iterations one processor runs in order;
  /// null if there is none.
  void visit(Block &B, Instance *I, const For *Loop) {
    for (Stmt &S : B) {
      if (auto *Sc = S.getIf<Scope>()) {
        visitScope(*Sc);
      } else if (auto *F = S.getIf<For>()) {
        visit(F->Body, I, F->Spread.empty() ? F : nullptr);
      } else if (auto *C = S.getIf<CopyStmt>()) {
        if (Loop && I)
          visitCopy(*C, *Loop, *I);
      } else {
        for (Block *Nested : nestedBlocks(S))
          visit(*Nested, I, Loop);
      }
    }
  }
};

} // namespace

Program pipeline(Program P, Diagnostics &D) {
  stageCopies(P);
  Pipeliner Rest(P, P.Log, D);
  Rest.visit(P.Body, nullptr, nullptr);
  Rest.reportUnstaged(P);
  return P;
}

} // namespace septran::compiler
