//===- HoistCopies.cpp - copies move out of loops they do not depend on ---===//
//
//   for k { alloc q; copy q <- W; ...; copy W <- q }
//     =>   alloc q; copy q <- W; for k { ... }; copy W <- q
//
// when W and q's extents do not mention anything that the loop defines, and
//
//   read-only q   nothing in the loop writes W's root
//   written q     the two copies are the only statements of the loop that touch W's root; a copy-in
//                 must exist, so that a loop without iterations writes back what it read
//
// Loops that spread over processors keep their copies: each processor has its own buffer. Copies
// below a condition stay there: their view may only be valid under it. For the same reason the copy
// of what an index picks, `subtensor(W, 0, all)`, is hoisted under the condition that the loop
// runs, unless that index counts a loop further out.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Simplify.h"
#include "Plan/TensorTable.h"

#include <set>

namespace septran::compiler {

namespace {

/// The statements of one buffer directly in a loop's body.
struct BufferSite {
  size_t Alloc = 0;
  std::optional<size_t> In, Out;
  View Source;
};

std::optional<BufferSite> siteOf(const Block &B, size_t AllocAt) {
  const auto *A = B[AllocAt].getIf<Alloc>();
  if (!A || A->T->Kind != TensorKind::Buffer)
    return std::nullopt;
  BufferSite Site;
  Site.Alloc = AllocAt;
  for (size_t I = AllocAt + 1; I < B.size(); ++I)
    if (const auto *C = B[I].getIf<CopyStmt>()) {
      if (isWholeOf(C->Dst, A->T)) {
        if (Site.In)
          return std::nullopt;
        Site.In = I;
        Site.Source = C->Src;
      } else if (isWholeOf(C->Src, A->T)) {
        if (Site.Out)
          return std::nullopt;
        Site.Out = I;
      }
    }
  if (!Site.In || (Site.Out && !equal(B[*Site.Out].getIf<CopyStmt>()->Dst, Site.Source)))
    return std::nullopt;
  return Site;
}

class Hoister {
  const TensorTable &Tensors;
  std::vector<RewriteRecord> &Log;

  bool mayMove(const For &F, const BufferSite &Site, const DefinedSymbols &Inside) const {
    const Alloc &A = *F.Body[Site.Alloc].getIf<Alloc>();
    for (const Expr &E : A.Extents)
      if (mentionsAny(E, Inside))
        return false;
    if (mentionsAny(Site.Source, Inside))
      return false;
    TensorRef Root = Tensors.root(Site.Source.Base);
    Block Others;
    for (size_t I = 0; I < F.Body.size(); ++I)
      if (I != Site.Alloc && I != *Site.In && !(Site.Out && I == *Site.Out))
        Others.push_back(F.Body[I]);
    Effects E = effectsOf(Others, Tensors);
    if (E.Writes.count(Root) || (Site.Out && E.Reads.count(Root)))
      return false;
    // A buffer that is written but not written back would start each iteration anew.
    return Site.Out || !E.Writes.count(A.T);
  }

  /// An index picks a part of V that need not be there if the loop does not run.
  static bool mayDependOnRunning(const View &V) {
    auto CountsNoLoop = [](const Expr &Offset) {
      for (const VarRef &Var : collectVars(Offset))
        if (Var->Kind == VarKind::Loop)
          return false;
      return true;
    };
    for (const Slice &S : V.Slices)
      if (!V.Fill && !S.Block && constantValue(S.Extent).value_or(0) > 0 && CountsNoLoop(S.Offset))
        return true;
    return false;
  }

  /// The copy, below the condition that F runs if it needs that.
  static Stmt outside(Stmt Copy, const For &F, const View &Source) {
    if (lowerBound(F.Hi - F.Lo).value_or(0) > 0 || !mayDependOnRunning(Source))
      return Copy;
    Location Loc = Copy.Loc;
    return {If{binary(BinaryOp::Lt, F.Lo, F.Hi), {std::move(Copy)}, {}}, Loc};
  }

  /// Moves what it can out of the loop at B[At]; returns the loop's new position.
  size_t hoistFrom(Block &B, size_t At) {
    Block Before, After;
    For &F = *B[At].getIf<For>();
    for (size_t I = 0; I < F.Body.size();) {
      std::optional<BufferSite> Site = siteOf(F.Body, I);
      DefinedSymbols Inside = definedIn(F.Body);
      Inside.Vars.insert(F.V);
      if (!Site || !mayMove(F, *Site, Inside)) {
        ++I;
        continue;
      }
      const Alloc &A = *F.Body[Site->Alloc].getIf<Alloc>();
      Log.push_back({"simplify", "hoisting",
                     A.Reason +
                         (Site->Out ? " stays in its buffer during loop '"
                                    : " is copied once, outside loop '") +
                         F.V->Name + "'",
                     F.Body[I].Loc});
      Before.push_back(std::move(F.Body[Site->Alloc]));
      Before.push_back(outside(std::move(F.Body[*Site->In]), F, Site->Source));
      if (Site->Out)
        After.push_back(outside(std::move(F.Body[*Site->Out]), F, Site->Source));
      Block Kept;
      for (size_t J = 0; J < F.Body.size(); ++J)
        if (J != Site->Alloc && J != *Site->In && !(Site->Out && J == *Site->Out))
          Kept.push_back(std::move(F.Body[J]));
      F.Body = std::move(Kept);
    }
    B.insert(B.begin() + At + 1, After.begin(), After.end());
    B.insert(B.begin() + At, Before.begin(), Before.end());
    return At + Before.size();
  }

public:
  Hoister(const TensorTable &Tensors, std::vector<RewriteRecord> &Log)
      : Tensors(Tensors), Log(Log) {}

  void run(Block &B) {
    for (size_t I = 0; I < B.size(); ++I) {
      if (auto *F = B[I].getIf<For>()) {
        run(F->Body); // inner loops first: what leaves them may leave this one too
        if (F->Spread.empty())
          I = hoistFrom(B, I);
      } else if (auto *C = B[I].getIf<If>()) {
        run(C->Then);
        run(C->Else);
      } else if (auto *S = B[I].getIf<Scope>())
        run(S->Body);
    }
  }
};

} // namespace

void hoistCopies(Block &B, std::vector<RewriteRecord> &Log) {
  TensorTable Tensors(B);
  Hoister(Tensors, Log).run(B);
}

} // namespace septran::compiler
