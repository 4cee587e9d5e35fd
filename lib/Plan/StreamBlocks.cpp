//===- StreamBlocks.cpp - materialise blocks, not whole arguments ---------===//
//
// place puts a buffer for the whole argument around a Scope:
//
//   alloc p; copy p <- V; scope S { ... scope L { define q = p[block]; ... } ... } copy V <- p
//
// If every use of p is such a block, the buffer sinks to the launches inside S:
//
//   scope S { ... alloc q; copy q <- V[block]; scope L { ... } copy V[block] <- q ... }
//
// This is sound because V is reached through p alone inside S: blocks written back by one launch
// are what a later launch copies in. If another parameter of S shares V's root and either is
// written, that does not hold and the buffer stays.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/Simplify.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <map>

namespace septran::compiler {

namespace {

bool isProperBlock(const View &V, const TensorRef &T) {
  return V.Base == T && V.Reshape.empty() && !V.Fill && !isWholeOf(V, T) &&
         !equal(explicitView(V), explicitView(wholeView(T)));
}

/// Uses of a buffer inside the Scope it was made for.
struct UseSummary {
  bool Blocks = true; ///< every use is a proper block at a launch or in a copy
  unsigned Count = 0;
};

void summarize(const Block &B, const TensorRef &T, UseSummary &U) {
  for (const Stmt &S : B) {
    if (const auto *F = S.getIf<For>()) {
      summarize(F->Body, T, U);
      for (const SharedReduction &R : F->Reductions)
        U.Blocks &= R.Target != T;
    } else if (const auto *C = S.getIf<If>()) {
      summarize(C->Then, T, U);
      summarize(C->Else, T, U);
    } else if (const auto *Sc = S.getIf<Scope>()) {
      for (const Stmt &Inner : Sc->Body)
        if (const auto *D = Inner.getIf<Define>(); D && D->Value.Base == T) {
          ++U.Count;
          U.Blocks &= isProperBlock(D->Value, T);
        }
      summarize(Sc->Body, T, U);
    } else if (const auto *C = S.getIf<CopyStmt>()) {
      for (const View *V : {&C->Dst, &C->Src})
        if (V->Base == T) {
          ++U.Count;
          U.Blocks &= isProperBlock(*V, T);
        }
    } else if (const auto *D = S.getIf<Define>()) {
      // What is cut from an alias does not name T. Those of parameters were counted at their Scope.
      U.Blocks &= D->Value.Base != T || D->T->Kind != TensorKind::Alias;
    } else if (S.getIf<Store>() || S.getIf<OpaqueCall>()) {
      U.Blocks &= !uses(S, T);
    }
  }
}

/// Replaces the whole buffer `Whole` (a copy of `Source`) by block buffers inside one Scope.
class Sinker {
  TensorRef Whole;
  View Source;
  std::string Reason;
  std::shared_ptr<const BufferLayout> Layout; ///< that the mapping asks for, or null
  Location Loc;
  std::set<TensorRef> &Made; ///< the block buffers: they stay at the launch that uses them

  static const Parameter *parameterOf(const Scope &S, const TensorRef &T) {
    for (const Parameter &P : S.Instance->Task->Params)
      if (P.isTensor() && P.Name == T->Name)
        return &P;
    return nullptr;
  }

  Stmt allocOf(const TensorRef &T, const View &From) const {
    Alloc A{T, {}, T->Memory, T->Rank == Whole->Rank ? Layout : nullptr, -1, Reason, {}};
    for (unsigned D = 0; D < T->Rank; ++D)
      A.Extents.push_back(From.extent(D));
    return {std::move(A), Loc};
  }

  void sinkIntoLaunch(Stmt S, Block &Out) const {
    auto &Sc = *S.getIf<Scope>();
    Block Before, After, Body;
    for (Stmt &Inner : Sc.Body) {
      auto *D = Inner.getIf<Define>();
      if (!D || D->Value.Base != Whole) {
        Body.push_back(std::move(Inner));
        continue;
      }
      TensorRef Q = D->T;
      const Parameter *Param = parameterOf(Sc, Q);
      View From = compose(Source, D->Value);
      Q->Kind = TensorKind::Buffer;
      Q->Memory = Whole->Memory;
      Made.insert(Q);
      Before.push_back(allocOf(Q, From));
      Privilege Access = Param ? Param->Access : Privilege::ReadWrite;
      if (Access != Privilege::Write || !coversWrites(Sc.Body, Q))
        Before.push_back({CopyStmt{wholeView(Q), From, Reason}, Loc});
      if (writes(Access))
        After.push_back({CopyStmt{From, wholeView(Q), Reason}, Loc});
    }
    Sc.Body = std::move(Body);
    for (Stmt &N : Before)
      Out.push_back(std::move(N));
    Out.push_back(std::move(S));
    for (Stmt &N : After)
      Out.push_back(std::move(N));
  }

  /// The block buffers that stand between a child's buffers and `Source`.
  struct Between {
    TensorRef T;
    View From;
  };

  /// A child's own copy of a block, into yet another memory, goes through a block buffer of this one: one
  /// for both directions, so that the child's buffer still has one place that it is a copy of.
  void sinkIntoCopy(Stmt S, std::map<TensorRef, Between> &Through, Block &Out) const {
    auto &C = *S.getIf<CopyStmt>();
    bool In = C.Src.Base == Whole;
    View &Side = In ? C.Src : C.Dst;
    const TensorRef &Child = In ? C.Dst.Base : C.Src.Base;
    View From = compose(Source, Side);
    auto It = Through.find(Child);
    if (It == Through.end() || !equal(It->second.From, From)) {
      TensorRef T = makeTensor(Whole->Name + "_block", Whole->Element, Side.rank(), TensorKind::Buffer);
      T->Memory = Whole->Memory;
      Made.insert(T);
      // The child's buffer may sink in turn: what it is a copy of must be there before it.
      auto Before = std::find_if(Out.begin(), Out.end(), [&](const Stmt &Earlier) {
        const auto *A = Earlier.getIf<Alloc>();
        return A && A->T == Child;
      });
      Out.insert(Before, allocOf(T, From));
      It = Through.insert_or_assign(Child, Between{T, From}).first;
    }
    Side = wholeView(It->second.T);
    if (In) {
      Out.push_back({CopyStmt{wholeView(It->second.T), From, Reason}, Loc});
      Out.push_back(std::move(S));
    } else {
      Out.push_back(std::move(S));
      Out.push_back({CopyStmt{From, wholeView(It->second.T), Reason}, Loc});
    }
  }

public:
  Sinker(TensorRef Whole, View Source, std::string Reason,
         std::shared_ptr<const BufferLayout> Layout, Location Loc, std::set<TensorRef> &Made)
      : Whole(std::move(Whole)), Source(std::move(Source)), Reason(std::move(Reason)),
        Layout(std::move(Layout)), Loc(std::move(Loc)), Made(Made) {}

  Block run(Block B) const {
    Block Out;
    std::map<TensorRef, Between> Through; // by the child's buffer
    for (Stmt &S : B) {
      if (S.getIf<Scope>()) {
        sinkIntoLaunch(std::move(S), Out);
        continue;
      }
      if (auto *C = S.getIf<CopyStmt>(); C && (C->Src.Base == Whole || C->Dst.Base == Whole)) {
        sinkIntoCopy(std::move(S), Through, Out);
        continue;
      }
      if (auto *F = S.getIf<For>())
        F->Body = run(std::move(F->Body));
      else if (auto *C = S.getIf<If>()) {
        C->Then = run(std::move(C->Then));
        C->Else = run(std::move(C->Else));
      }
      Out.push_back(std::move(S));
    }
    return Out;
  }
};

/// The copies around the Scope at `At` that belong to the buffer allocated before it.
struct Placement {
  size_t Alloc, In, Scope, Out; ///< positions in the block; npos if there is none
  static constexpr size_t npos = size_t(-1);
};

/// A layout makes the argument resident, but for those that blocks in kernels may have as well.
bool isResident(const Scope &S, const TensorRef &T, const BufferLayout *Layout, bool InKernels) {
  if (!S.Instance->Settings)
    return false;
  for (const LocatedName &R : S.Instance->Settings->Resident)
    if (R.Value == T->Name)
      return true;
  const bool HasPanels =
      Layout && std::any_of(Layout->Modes.begin(), Layout->Modes.end(), [](const LayoutMode &M) {
        return M.P != LayoutMode::Part::Whole;
      });
  return (!InKernels || HasPanels) && S.Instance->Settings->Layouts.find(T->Name) != nullptr;
}

std::optional<Placement> placementOf(const Block &B, size_t AllocAt) {
  const TensorRef &T = B[AllocAt].getIf<Alloc>()->T;
  Placement P{AllocAt, Placement::npos, Placement::npos, Placement::npos};
  for (size_t I = AllocAt + 1; I < B.size(); ++I) {
    if (const auto *C = B[I].getIf<CopyStmt>()) {
      if (isWholeOf(C->Dst, T) && P.Scope == Placement::npos)
        P.In = I;
      else if (isWholeOf(C->Src, T))
        P.Out = I;
      else if (C->Dst.Base == T || C->Src.Base == T)
        return std::nullopt;
    } else if (uses(B[I], T)) {
      // Only the one Scope may use it.
      if (!B[I].getIf<Scope>() || P.Scope != Placement::npos)
        return std::nullopt;
      P.Scope = I;
    }
  }
  if (P.Scope == Placement::npos || (P.In == Placement::npos && P.Out == Placement::npos))
    return std::nullopt;
  return P;
}

/// No other parameter of the Scope reaches V's root with a write on either side.
bool aloneIn(const Scope &S, const View &V, bool Written, const TensorTable &Tensors) {
  TensorRef Root = Tensors.root(V.Base);
  Effects E = effectsOf(S.Body, Tensors);
  return !E.Writes.count(Root) && !(Written && E.Reads.count(Root));
}

class Streamer {
  const TensorTable &Tensors;
  const Machine &Target;
  std::vector<RewriteRecord> &Log;
  std::set<TensorRef> Made;

  /// Kernels cannot allocate what is not their own processors': it stays around them.
  bool isOutsideKernels(const std::string &Memory) const {
    const std::optional<size_t> Grid = gridDepth(Target);
    const compiler::Memory *M = Target.findMemory(Memory);
    return Grid && M && Target.depthOf(M->Owner.Value).value_or(0) < *Grid;
  }

  bool trySink(Block &B, size_t AllocAt) {
    std::optional<Placement> P = placementOf(B, AllocAt);
    if (!P)
      return false;
    Alloc A = *B[AllocAt].getIf<Alloc>();
    if (Made.count(A.T) || isOutsideKernels(A.Memory))
      return false;
    auto &Sc = *B[P->Scope].getIf<Scope>();
    if (Sc.Instance->Task->Kind != FunctionKind::Task || isResident(Sc, A.T, A.Layout.get(), gridDepth(Target).has_value()))
      return false;
    View Source = P->In != Placement::npos ? B[P->In].getIf<CopyStmt>()->Src
                                           : B[P->Out].getIf<CopyStmt>()->Dst;
    if (P->Out != Placement::npos && !equal(B[P->Out].getIf<CopyStmt>()->Dst, Source))
      return false;
    if (Source.Fill || !Source.Reshape.empty())
      return false;
    UseSummary U;
    summarize(Sc.Body, A.T, U);
    if (!U.Blocks || U.Count == 0 || !aloneIn(Sc, Source, P->Out != Placement::npos, Tensors))
      return false;

    Sc.Body = Sinker(A.T, Source, A.Reason, A.Layout, B[AllocAt].Loc, Made).run(std::move(Sc.Body));
    // What is left of the whole buffer are its extents and origins: those of its source.
    Substitution S;
    S.Views[A.T] = Source;
    Sc.Body = substitute(Sc.Body, S);
    Log.push_back(
        {"simplify", "streaming", A.Reason + " is materialised block by block", B[AllocAt].Loc});
    Block Kept;
    for (size_t I = 0; I < B.size(); ++I)
      if (I != P->Alloc && I != P->In && I != P->Out)
        Kept.push_back(std::move(B[I]));
    B = std::move(Kept);
    return true;
  }

public:
  Streamer(const TensorTable &Tensors, const Machine &Target, std::vector<RewriteRecord> &Log)
      : Tensors(Tensors), Target(Target), Log(Log) {}

  void run(Block &B) {
    for (size_t I = 0; I < B.size();) {
      if (B[I].getIf<Alloc>() && trySink(B, I))
        continue;
      if (auto *F = B[I].getIf<For>())
        run(F->Body);
      else if (auto *C = B[I].getIf<If>()) {
        run(C->Then);
        run(C->Else);
      } else if (auto *S = B[I].getIf<Scope>())
        run(S->Body);
      ++I;
    }
  }
};

} // namespace

void streamBlocks(Block &B, const Machine &Target, std::vector<RewriteRecord> &Log) {
  TensorTable Tensors(B);
  Streamer(Tensors, Target, Log).run(B);
}

} // namespace septran::compiler
