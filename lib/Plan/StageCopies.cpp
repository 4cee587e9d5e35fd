//===- StageCopies.cpp - copies that run ahead of their loop --------------===//
#include "Plan/StageCopies.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/ScalarValues.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <iterator>

namespace septran::compiler {

namespace {

/// A buffer of a loop's body that becomes a ring.
struct Ring {
  size_t Alloc = 0, Copy = 0; ///< positions in the body
  TensorRef Block, Storage;
  std::vector<Expr> Extents; ///< of Block, in terms of the loop
  std::vector<std::int64_t> Bounds;
  View Source;
  std::string Reason;
};

void append(Block &To, Block From) {
  std::move(From.begin(), From.end(), std::back_inserter(To));
}

class Stager {
  Program &P;
  TensorTable Tensors;
  ScalarValues Values;

  bool isAsync(const CopyStmt &C) const {
    return copiesAhead(*P.Target, C.Src.Base->Memory, C.Dst.Base->Memory);
  }

  /// The buffer allocated at `At` of F's body, if it can be filled ahead.
  std::optional<Ring> ringAt(const For &F, size_t At) const {
    const auto *A = F.Body[At].getIf<Alloc>();
    if (!A || A->T->Kind != TensorKind::Buffer)
      return std::nullopt;
    Ring R;
    R.Alloc = At;
    R.Block = A->T;
    R.Extents = A->Extents;
    R.Reason = A->Reason;
    bool Found = false;
    for (size_t I = At + 1; I < F.Body.size(); ++I) {
      const auto *C = F.Body[I].getIf<CopyStmt>();
      if (C && C->Dst.Base == A->T && C->Dst.isWhole() && !Found && isAsync(*C)) {
        R.Copy = I;
        R.Source = C->Src;
        Found = true;
      } else if (effectsOf(F.Body[I], Tensors).Writes.count(A->T) ||
                 (!Found && uses(Block{F.Body[I]}, A->T))) {
        return std::nullopt;
      }
    }
    DefinedSymbols Inside = definedIn(F.Body);
    if (!Found || !mentions(R.Source, F.V) || mentionsAny(R.Source, Inside))
      return std::nullopt;
    // What the loop writes cannot be fetched before.
    Effects E = effectsOf(F.Body, Tensors);
    if (E.Writes.count(Tensors.root(R.Source.Base)))
      return std::nullopt;
    for (const Expr &Extent : R.Extents) {
      std::optional<std::int64_t> Bound = plannedBound(Values.expand(Extent));
      if (!Bound || mentionsAny(Extent, Inside))
        return std::nullopt;
      R.Bounds.push_back(*Bound);
    }
    return R;
  }

  static std::shared_ptr<const BufferLayout> ringLayout(const Alloc &A) {
    if (!A.Layout)
      return nullptr;
    BufferLayout L = *A.Layout;
    for (LayoutMode &M : L.Modes)
      ++M.Dim;
    L.Modes.insert(L.Modes.begin(), LayoutMode{0});
    return std::make_shared<BufferLayout>(std::move(L));
  }

  static Stmt ringAlloc(Ring &R, const Alloc &A, std::int64_t Depth, const Location &Loc) {
    R.Storage = makeTensor(R.Block->Name + "_ring", R.Block->Element, R.Block->Rank + 1,
                           TensorKind::Buffer, R.Block->Loc);
    R.Storage->Memory = R.Block->Memory;
    Alloc New{R.Storage, {intLit(Depth)}, A.Memory, ringLayout(A), -1, A.Reason, {Depth}};
    for (std::int64_t Bound : R.Bounds) {
      New.Extents.push_back(intLit(Bound));
      New.Bounds.push_back(Bound);
    }
    New.Padded = A.Padded;
    return {std::move(New), Loc};
  }

  /// The place of iteration number `Number`, for a block of these extents.
  static View place(const Ring &R, const Expr &Number, std::int64_t Depth,
                    const std::vector<Expr> &Extents) {
    View V;
    V.Base = R.Storage;
    V.Slices.push_back({binary(BinaryOp::Rem, Number, intLit(Depth)), intLit(1), nullptr, nullptr,
                        nullptr, nullptr});
    for (size_t D = 0; D < Extents.size(); ++D) {
      V.Slices.push_back({intLit(0), Extents[D], nullptr, nullptr, nullptr, nullptr});
      V.Dims.push_back(static_cast<int>(D + 1));
      V.BroadcastExtents.push_back(nullptr);
    }
    return V;
  }

  struct Pipelined {
    const For &F;
    std::int64_t Depth;
    std::vector<Ring> Rings;
    Location Loc;
    bool Grouped; ///< threads wait for groups

    Expr number(const Expr &Iteration) const { return simplify(Iteration - F.Lo); }

    Stmt stage(Stage::Kind K, const Expr &Iteration) const {
      Stage S;
      S.K = K;
      for (const Ring &R : Rings)
        S.Rings.push_back(R.Storage);
      S.Index = number(Iteration);
      S.Lo = intLit(0);
      S.Hi = simplify(F.Hi - F.Lo);
      S.Depth = Depth;
      return {std::move(S), Loc};
    }

    /// Starts the copies of an iteration, if there is one.
    Block start(const Expr &Iteration) const {
      Block B;
      Substitution At;
      At.Vars[F.V] = Iteration;
      for (const Ring &R : Rings) {
        TensorRef T = makeTensor(R.Block->Name + "_next", R.Block->Element, R.Block->Rank,
                                 TensorKind::Alias, R.Block->Loc);
        T->Memory = R.Block->Memory;
        std::vector<Expr> Extents;
        for (const Expr &E : R.Extents)
          Extents.push_back(substitute(E, At));
        B.push_back({Define{T, place(R, number(Iteration), Depth, Extents)}, Loc});
        CopyStmt C{wholeView(T), substitute(R.Source, At), R.Reason};
        C.Async = true;
        B.push_back({std::move(C), Loc});
      }
      const Stmt Acquire = stage(Stage::Kind::Acquire, Iteration),
                 Commit = stage(Stage::Kind::Commit, Iteration);
      const Expr Runs = binary(BinaryOp::Lt, Iteration, F.Hi);
      if (Grouped)
        return {Acquire, {If{Runs, std::move(B), {}}, Loc}, Commit};
      B.insert(B.begin(), Acquire);
      B.push_back(Commit);
      return {{If{Runs, std::move(B), {}}, Loc}};
    }
  };

  /// B[At] is a loop of an instance that asks for Depth stages. Returns the loop's new position.
  size_t stageLoop(Block &B, size_t At, std::int64_t Depth, const InstanceInfo &I) {
    For &F = *B[At].getIf<For>();
    if (!F.Spread.empty() || F.Step != 1 || F.Kind == LoopKind::Parallel)
      return At;
    Pipelined Pipe{F, Depth, {}, B[At].Loc, P.Target->copyGroups() != nullptr};
    for (size_t N = 0; N < F.Body.size(); ++N)
      if (std::optional<Ring> R = ringAt(F, N))
        Pipe.Rings.push_back(std::move(*R));
    if (Pipe.Rings.empty())
      return At;
    Block Before;
    for (Ring &R : Pipe.Rings) {
      Before.push_back(ringAlloc(R, *F.Body[R.Alloc].getIf<Alloc>(), Depth, F.Body[R.Alloc].Loc));
      P.Log.push_back({"pipeline", "stages",
                       R.Reason + " has " + std::to_string(Depth) + " places, filled " +
                           std::to_string(Depth - 1) + " ahead of loop '" + F.V->Name + "'",
                       I.Settings->Pipeline->Loc});
    }
    if (Pipe.Grouped) {
      For First;
      First.V = makeVar("first", ScalarType::I64, VarKind::Loop);
      First.Lo = F.Lo;
      First.Hi = simplify(F.Lo + intLit(Depth - 1));
      First.Body = Pipe.start(varExpr(First.V));
      Before.push_back({std::move(First), Pipe.Loc});
    } else {
      for (std::int64_t S = 0; S + 1 < Depth; ++S)
        append(Before, Pipe.start(simplify(F.Lo + intLit(S))));
    }
    const Expr K = varExpr(F.V);
    Block Body = {Pipe.stage(Stage::Kind::Wait, K)};
    append(Body, Pipe.start(simplify(K + intLit(Depth - 1))));
    for (size_t N = 0; N < F.Body.size(); ++N) {
      const Ring *Owner = nullptr;
      bool IsCopy = false;
      for (const Ring &R : Pipe.Rings) {
        Owner = R.Alloc == N ? &R : Owner;
        IsCopy |= R.Copy == N;
      }
      if (Owner) {
        Owner->Block->Kind = TensorKind::Alias;
        Body.push_back({Define{Owner->Block, place(*Owner, Pipe.number(K), Depth, Owner->Extents)},
                        F.Body[N].Loc});
      } else if (!IsCopy) {
        Body.push_back(std::move(F.Body[N]));
      }
    }
    Body.push_back(Pipe.stage(Stage::Kind::Release, K));
    F.Body = std::move(Body);
    B.insert(B.begin() + std::ptrdiff_t(At), Before.begin(), Before.end());
    return At + Before.size();
  }

public:
  explicit Stager(Program &P) : P(P), Tensors(P.Body), Values(P.Body) {}

  void visit(Block &B, const InstanceInfo *I) {
    for (size_t At = 0; At < B.size(); ++At) {
      if (auto *Sc = B[At].getIf<Scope>()) {
        visit(Sc->Body, Sc->Instance.get());
        continue;
      }
      for (Block *Nested : nestedBlocks(B[At]))
        visit(*Nested, I);
      if (B[At].getIf<For>() && I && I->Settings && I->Settings->Pipeline &&
          I->Settings->Pipeline->Value > 1)
        At = stageLoop(B, At, I->Settings->Pipeline->Value, *I);
    }
  }
};

} // namespace

bool copiesAhead(const Machine &M, const std::string &From, const std::string &To) {
  const Copy *Way = M.findCopy(From, To);
  return Way && Way->Async.Value &&
         (M.hasScratchpads() || (M.copyGroups() && !Way->Bytes.empty()));
}

void stageCopies(Program &P) { Stager(P).visit(P.Body, nullptr); }

} // namespace septran::compiler
