//===- Synchronise.cpp - what the end of a spread loop is for -------------===//
//
// Processors that share the iterations of a loop meet at its end. Which dependences does that serve?
// Those between the loop and whatever runs after it: the statements that follow, the next iteration of
// loops around it, the end of a buffer's life, and the caller. Iterations of a spread loop are
// independent, so the search stops at the next spread loop outwards: its own end serves the rest.
//
// Where two spread loops follow each other directly and share no element that either writes, the first
// needs no meeting of its own: the second one's end serves the dependences of both (Nowait).
//
// Conservative: tensors are told apart by their roots, not by their elements.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Passes.h"
#include "Plan/Scratchpads.h"
#include "Plan/SynchroniseKernels.h"
#include "Plan/TensorTable.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// What one processor group does in a spread loop, in an order that is the same from run to run.
struct LoopEffects {
  std::vector<TensorRef> Touched; ///< roots, in order of appearance
  Effects Of;
};

/// Roots in the order in which B names them.
std::vector<TensorRef> rootsInOrder(Stmts B, const TensorTable &Tensors, const Effects &E) {
  std::vector<TensorRef> Order;
  std::set<TensorRef> Seen;
  auto See = [&](const TensorRef &T) {
    TensorRef Root = Tensors.root(T);
    if ((E.Reads.count(Root) || E.Writes.count(Root)) && Seen.insert(Root).second)
      Order.push_back(Root);
  };
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>())
      See(St->T);
    if (const auto *F = S.getIf<For>())
      for (const SharedReduction &R : F->Reductions)
        See(R.Target);
    forEachView(S, [&](const View &V) { See(V.Base); });
    forEachExpr(S, [&](const Expr &X) {
      walkExprs(X, [&](const Expr &N) {
        if (N->T)
          See(N->T);
      });
    });
  });
  return Order;
}

bool conflict(const Effects &A, const Effects &B) {
  auto Meet = [](const std::set<TensorRef> &X, const std::set<TensorRef> &Y) {
    return std::any_of(X.begin(), X.end(), [&](const TensorRef &T) { return Y.count(T); });
  };
  return Meet(A.Writes, B.Reads) || Meet(A.Writes, B.Writes) || Meet(A.Reads, B.Writes);
}

class Synchroniser {
  Program &P;
  TensorTable Tensors;
  std::map<TensorRef, std::string> Reasons; ///< of allocations
  mutable std::map<const Stmt *, Effects> Known;

  /// Where a search for dependences goes on after a block is done.
  struct Outward {
    const Block *B;
    size_t At;          ///< the statement of B that holds the inner block
    const Stmt *Holder; ///< the statement that holds B; null for the Program's own block
  };

  /// `C`, or `C (argument 'C' of gemm)` for buffers, which share their names with arguments.
  std::string nameOf(const TensorRef &T) const {
    auto It = Reasons.find(T);
    return It == Reasons.end() || It->second.empty() ? T->Name : T->Name + " (" + It->second + ")";
  }

  /// Computed once per statement: every loop looks at all that follows it. The pass changes no block,
  /// so statements keep their places.
  const Effects &effects(const Stmt &S) const {
    auto [It, New] = Known.try_emplace(&S);
    if (New)
      It->second = effectsOf(S, Tensors);
    return It->second;
  }

  static const std::set<TensorRef> &side(const Effects &E, bool Write) {
    return Write ? E.Writes : E.Reads;
  }

  /// The outermost instance or copy in S that reads (or writes) T first; empty if none has a name.
  std::string namedActor(const Stmt &S, const TensorRef &T, bool Write) const {
    if (const auto *C = S.getIf<CopyStmt>())
      return "the copy of " + (C->Reason.empty() ? C->Dst.Base->Name : C->Reason);
    if (const auto *Sc = S.getIf<Scope>())
      return Sc->Instance->Name;
    for (const Block *Nested : nestedBlocks(S))
      for (const Stmt &Inner : *Nested)
        if (side(effects(Inner), Write).count(T))
          return namedActor(Inner, T, Write);
    return "";
  }

  std::string actor(const Stmt &S, const TensorRef &T, bool Write) const {
    if (std::string Name = namedActor(S, T, Write); !Name.empty())
      return Name;
    const auto *F = S.getIf<For>();
    return F ? "loop '" + F->V->Name + "'" : "what follows";
  }

  /// The dependence from what the loop did to what S does, in words; empty if there is none.
  std::string edge(const TensorRef &T, const Effects &Before, const Stmt &S) const {
    const Effects &After = effects(S);
    if (Before.Writes.count(T) && After.Reads.count(T))
      return nameOf(T) + " is read by " + actor(S, T, false);
    if (After.Writes.count(T))
      return nameOf(T) + " is overwritten by " + actor(S, T, true);
    return "";
  }

  /// Looks for the first thing after the loop that depends on it, tensor by tensor.
  class Search {
    const Synchroniser &In;
    const LoopEffects &Done;
    std::set<TensorRef> Open; ///< tensors without an edge so far
    std::vector<std::string> &Serves;

    void add(std::string Text) {
      if (std::find(Serves.begin(), Serves.end(), Text) == Serves.end())
        Serves.push_back(std::move(Text));
    }

  public:
    Search(const Synchroniser &In, const LoopEffects &Done, std::vector<std::string> &Serves)
        : In(In), Done(Done), Open(Done.Touched.begin(), Done.Touched.end()), Serves(Serves) {}

    void statement(const Stmt &S, const std::string &Suffix) {
      if (Open.empty())
        return;
      for (const TensorRef &T : Done.Touched) {
        if (!Open.count(T))
          continue;
        std::string Text = In.edge(T, Done.Of, S);
        if (Text.empty())
          continue;
        add(Text + Suffix);
        Open.erase(T);
      }
    }

    /// The buffers of B end with it. Only those of which nothing else is known are worth a word.
    void endOf(const Block &B, size_t From) {
      for (size_t I = 0; I < From; ++I)
        if (const auto *A = B[I].getIf<Alloc>(); A && Open.erase(A->T))
          add(In.nameOf(A->T) + " is released");
    }

    void caller() {
      for (const TensorRef &T : Done.Touched)
        if (Open.count(T) && Done.Of.Writes.count(T))
          add(In.nameOf(T) + " is read by the caller of " + In.P.Entry->Name);
    }
  };

  std::vector<std::string> servedBy(const LoopEffects &Done, const std::vector<Outward> &Path) const {
    std::vector<std::string> Serves;
    Search Find(*this, Done, Serves);
    for (size_t Level = Path.size(); Level > 0; --Level) {
      const Outward &Here = Path[Level - 1];
      for (size_t I = Here.At + 1; I < Here.B->size(); ++I)
        Find.statement((*Here.B)[I], "");
      Find.endOf(*Here.B, Here.At);
      const auto *F = Here.Holder ? Here.Holder->getIf<For>() : nullptr;
      if (!F)
        continue;
      if (!F->Spread.empty())
        return Serves;
      // Buffers of this block are new in every iteration and ended above; all else may meet itself,
      // the loop that we come from included.
      std::string Suffix = " (next iteration of loop '" + F->V->Name + "')";
      for (size_t I = 0; I <= Here.At; ++I)
        Find.statement((*Here.B)[I], Suffix);
    }
    Find.caller();
    return Serves;
  }

  LoopEffects effectsOfLoop(const Stmt &S) const {
    const For &F = *S.getIf<For>();
    LoopEffects L;
    L.Of = effects(S);
    DefinedSymbols Inside = definedIn(S);
    for (const SharedReduction &R : F.Reductions)
      Inside.Tensors.insert(R.Partial);
    auto Private = [&](const TensorRef &T) { return Inside.Tensors.count(T) != 0; };
    std::erase_if(L.Of.Reads, Private);
    std::erase_if(L.Of.Writes, Private);
    L.Touched = rootsInOrder(S, Tensors, L.Of);
    return L;
  }

  static bool isSpread(const Stmt &S) {
    const auto *F = S.getIf<For>();
    return F && !F->Spread.empty();
  }

  /// The loop needs no meeting: the next statement is a loop over the same processors that does not
  /// depend on it. A reduction must have been combined before anything else happens.
  bool mayRunOn(const For &F, const LoopEffects &Done, const Block &B, size_t At) const {
    if (!F.Reductions.empty() || At + 1 >= B.size() || !isSpread(B[At + 1]) ||
        B[At + 1].getIf<For>()->Spread != F.Spread)
      return false;
    return !conflict(Done.Of, effectsOfLoop(B[At + 1]).Of);
  }

  static void join(LoopEffects &Into, const LoopEffects &From) {
    for (const TensorRef &T : From.Touched)
      if (std::find(Into.Touched.begin(), Into.Touched.end(), T) == Into.Touched.end())
        Into.Touched.push_back(T);
    Into.Of.Reads.insert(From.Of.Reads.begin(), From.Of.Reads.end());
    Into.Of.Writes.insert(From.Of.Writes.begin(), From.Of.Writes.end());
  }

  void visit(Block &B, const Stmt *Holder, std::vector<Outward> Path, bool InGroup) {
    Path.push_back({&B, 0, Holder});
    LoopEffects Running; ///< of loops before that did not wait
    for (size_t I = 0; I < B.size(); ++I) {
      Path.back().At = I;
      For *F = B[I].getIf<For>();
      bool Group = F && !F->Spread.empty();
      if (Group && !InGroup) {
        join(Running, effectsOfLoop(B[I]));
        F->Nowait = mayRunOn(*F, Running, B, I);
        F->Serves.clear();
        if (!F->Nowait) {
          F->Serves = servedBy(Running, Path);
          Running = {};
        }
      }
      bool Continues = Group && F->Group && F->Body.size() == 1 && F->Body.front().getIf<For>() &&
                       F->Body.front().getIf<For>()->Group == F->Group;
      for (Block *Nested : nestedBlocks(B[I]))
        visit(*Nested, &B[I], Path, Continues);
    }
  }

public:
  explicit Synchroniser(Program &P) : P(P), Tensors(P.Body) {
    walkStmts(P.Body, [this](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>(); A && A->T->Kind == TensorKind::Buffer)
        Reasons[A->T] = A->Reason;
    });
  }

  void run() { visit(P.Body, nullptr, {}, false); }
};

} // namespace

std::optional<Program> synchronise(Program P, Diagnostics &D) {
  const unsigned ErrorsBefore = D.errorCount();
  Synchroniser(P).run();
  synchroniseKernels(P, D);
  deriveEvents(P, D);
  if (D.errorCount() != ErrorsBefore)
    return std::nullopt;
  setStates(P);
  return P;
}

} // namespace septran::compiler
