//===- StageCopies.cpp - copies that run ahead of their loop --------------===//
#include "Plan/StageCopies.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/ScalarValues.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace septran::compiler {

namespace {

/// A buffer of a loop's body that becomes a ring.
struct Ring {
  Block *In = nullptr;        ///< the loop's body, or a scope or condition in it
  size_t Alloc = 0, Copy = 0; ///< positions there
  TensorRef Moving, Storage;
  // In terms of the loop's variable and of what stands around the loop:
  std::vector<Expr> Extents;    ///< of Moving
  std::vector<Expr> Room;       ///< the most that they can be, in every iteration
  std::vector<Expr> Conditions; ///< under which the copy is made
  View Source;
  std::string Reason;
};

/// How far into a loop's body a place is.
struct Inner {
  Substitution Known;           ///< what names and values of the body stand for
  std::vector<Expr> Conditions; ///< those around it, all of which hold
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

  /// The buffer allocated at `At` of B, which is in F's body, if it can be filled ahead.
  std::optional<Ring> ringAt(const For &F, Block &B, size_t At, const Inner &Where) const {
    const auto *A = B[At].getIf<Alloc>();
    if (!A || A->T->Kind != TensorKind::Buffer)
      return std::nullopt;
    Ring R;
    R.In = &B;
    R.Alloc = At;
    R.Moving = A->T;
    R.Conditions = Where.Conditions;
    R.Reason = A->Reason;
    bool Found = false;
    for (size_t I = At + 1; I < B.size(); ++I) {
      const auto *C = B[I].getIf<CopyStmt>();
      if (C && C->Dst.Base == A->T && C->Dst.isWhole() && !Found && isAsync(*C)) {
        R.Copy = I;
        R.Source = substitute(C->Src, Where.Known);
        Found = true;
      } else if (effectsOf(B[I], Tensors).Writes.count(A->T) || (!Found && uses(B[I], A->T))) {
        return std::nullopt;
      }
    }
    const DefinedSymbols Inside = definedIn(F.Body);
    if (!Found || !mentions(R.Source, F.V) || mentionsAny(R.Source, Inside))
      return std::nullopt;
    for (const Expr &Condition : R.Conditions)
      if (mentionsAny(Condition, Inside))
        return std::nullopt;
    // What the loop writes cannot be fetched before.
    Effects E = effectsOf(F.Body, Tensors);
    if (E.Writes.count(Tensors.root(R.Source.Base)))
      return std::nullopt;
    for (const Expr &Local : A->Extents) {
      const Expr Extent = substitute(Local, Where.Known);
      if (mentionsAny(Extent, Inside))
        return std::nullopt;
      R.Extents.push_back(Extent);
      if (std::optional<std::int64_t> Bound = plannedBound(Values.expand(Extent)))
        R.Room.push_back(intLit(*Bound));
      else if (P.Target->hasScratchpads() && !mentions(Extent, F.V))
        R.Room.push_back(Extent); // which finds its place at run time
      else
        return std::nullopt;
    }
    return R;
  }

  /// Rings for the buffers of B, of the scopes and of the conditions in it.
  void findRings(const For &F, Block &B, Inner Where, std::vector<Ring> &Found) const {
    for (size_t At = 0; At < B.size(); ++At) {
      if (const auto *D = B[At].getIf<Define>()) {
        Where.Known.Views[D->T] = substitute(D->Value, Where.Known);
      } else if (const auto *L = B[At].getIf<Let>(); L && !L->Mutable && L->Value) {
        Where.Known.Vars[L->V] = substitute(L->Value, Where.Known);
      } else if (auto *Sc = B[At].getIf<Scope>()) {
        findRings(F, Sc->Body, Where, Found);
      } else if (auto *I = B[At].getIf<If>()) {
        const Expr Holds = substitute(I->Condition, Where.Known);
        for (Block *Branch : {&I->Then, &I->Else}) {
          Inner Below = Where;
          Below.Conditions.push_back(Branch == &I->Then ? Holds : unary(UnaryOp::Not, Holds));
          findRings(F, *Branch, std::move(Below), Found);
        }
      } else if (std::optional<Ring> R = ringAt(F, B, At, Where)) {
        Found.push_back(std::move(*R));
      }
    }
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
    R.Storage = makeTensor(R.Moving->Name + "_ring", R.Moving->Element, R.Moving->Rank + 1,
                           TensorKind::Buffer, R.Moving->Loc);
    R.Storage->Memory = R.Moving->Memory;
    Alloc New{R.Storage, {intLit(Depth)}, A.Memory, ringLayout(A), -1, A.Reason, {Depth}};
    for (const Expr &Room : R.Room) {
      New.Extents.push_back(Room);
      if (std::optional<std::int64_t> Bound = constantValue(Room))
        New.Bounds.push_back(*Bound);
    }
    if (New.Bounds.size() != New.Extents.size())
      New.Bounds.clear();
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

    static bool equalConditions(const Ring &A, const Ring &B) {
      return std::equal(A.Conditions.begin(), A.Conditions.end(), B.Conditions.begin(),
                        B.Conditions.end(),
                        [](const Expr &X, const Expr &Y) { return equal(X, Y); });
    }

    /// Appends Fill below the ring's conditions; returns where it stands then.
    Block &guarded(Block &To, const Ring &R, const Substitution &At, Block Fill) const {
      Block *Where = &To;
      for (const Expr &Condition : R.Conditions) {
        Where->push_back({If{substitute(Condition, At), {}, {}}, Loc});
        Where = &Where->back().getIf<If>()->Then;
      }
      append(*Where, std::move(Fill));
      return *Where;
    }

    /// Starts the copies of an iteration, if there is one.
    Block start(const Expr &Iteration) const {
      Block B;
      Block *Innermost = &B; ///< where the last copy stands
      Substitution At;
      At.Vars[F.V] = Iteration;
      for (const Ring &R : Rings) {
        TensorRef T = makeTensor(R.Moving->Name + "_next", R.Moving->Element, R.Moving->Rank,
                                 TensorKind::Alias, R.Moving->Loc);
        T->Memory = R.Moving->Memory;
        std::vector<Expr> Extents;
        for (const Expr &E : R.Extents)
          Extents.push_back(substitute(E, At));
        Block Fill = {{Define{T, place(R, number(Iteration), Depth, Extents)}, Loc}};
        CopyStmt C{wholeView(T), substitute(R.Source, At), R.Reason};
        C.Async = true;
        Fill.push_back({std::move(C), Loc});
        // Neighbours that are copied under the same conditions share them.
        if (&R != &Rings.front() && equalConditions(R, *(&R - 1)))
          append(*Innermost, std::move(Fill));
        else
          Innermost = &guarded(B, R, At, std::move(Fill));
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

  /// Blocks become places of their rings; nothing copies them where they were.
  static void useRings(Pipelined &Pipe, const Expr &K) {
    std::map<Block *, std::set<size_t, std::greater<>>> Copies;
    for (Ring &R : Pipe.Rings) {
      R.Moving->Kind = TensorKind::Alias;
      Stmt &Was = (*R.In)[R.Alloc];
      Was = {Define{R.Moving, place(R, Pipe.number(K), Pipe.Depth, R.Extents)}, Was.Loc};
      Copies[R.In].insert(R.Copy);
    }
    for (auto &[In, Positions] : Copies)
      for (size_t At : Positions) // the last ones first
        In->erase(In->begin() + std::ptrdiff_t(At));
  }

  /// B[At] is a loop of an instance that asks for Depth stages. Returns the loop's new position.
  size_t stageLoop(Block &B, size_t At, std::int64_t Depth, const InstanceInfo &I) {
    For &F = *B[At].getIf<For>();
    if (!F.Spread.empty() || F.Step != 1 || F.Kind == LoopKind::Parallel)
      return At;
    Pipelined Pipe{F, Depth, {}, B[At].Loc, P.Target->copyGroups() != nullptr};
    findRings(F, F.Body, {}, Pipe.Rings);
    if (Pipe.Rings.empty())
      return At;
    Block Before;
    for (Ring &R : Pipe.Rings) {
      const Stmt &Was = (*R.In)[R.Alloc];
      Before.push_back(ringAlloc(R, *Was.getIf<Alloc>(), Depth, Was.Loc));
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
    useRings(Pipe, K);
    append(Body, std::move(F.Body));
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
