//===- CheckParallel.cpp - parallel iterations do not interfere -----*- C++ -*-===//
//
// Two iterations of a parallel loop never touch the same element if some index of the written block
// tells the iteration apart: it is linear in the loop's variable, and no other loop inside takes
// part in it, unless another index already tells that one apart. Everything else that the loop does
// to the same tensor must then be told apart by that index in the same way.
//
// One-sided: what is accepted is free of races, and what is rejected may be a program that is too
// clever for the test. Reductions by one operator are accepted as they are.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/Checks.h"

#include <algorithm>
#include <map>
#include <set>

namespace septran::compiler {

namespace {

struct Loop {
  const For *Node;
  Location Loc;
};

/// One dimension of one step on the way from the root tensor to what a launch gets.
struct Key {
  Expr Position; ///< block index if there is a Block, else offset
  Expr Block;
  Expr Extent;
  unsigned Level = 0; ///< number of views between the root and this one
  size_t Dim = 0;     ///< of the view's base; beyond its rank for joined ones
  bool isOf(const Key &Other) const { return Level == Other.Level && Dim == Other.Dim; }
  bool isBlock() const { return Block != nullptr; }
};

/// An argument of a launch.
struct Access {
  TensorRef Root;
  std::vector<Key> Keys; ///< root first
  const Parameter *Param;
  Location Where;
  std::vector<Loop> Loops; ///< outermost first
  size_t RootDepth = 0;    ///< number of those outside of the root tensor's scope
};

/// C in E = C * V + Rest, where Rest does not name V; none if E is not of that form, null if C is
/// 0.
struct Linear {
  Expr Coefficient, Rest;
};
std::optional<Linear> linearIn(const Expr &E, const VarRef &V) {
  if (!mentions(E, V))
    return Linear{nullptr, E};
  if (E->Kind == ExprKind::Var)
    return Linear{intLit(1), intLit(0)};
  if (E->Kind == ExprKind::Cast && isInteger(E->Type) && isInteger(E->Args[0]->Type))
    return linearIn(E->Args[0], V);
  if (E->Kind != ExprKind::Binary)
    return std::nullopt;
  const Expr &A = E->Args[0], &B = E->Args[1];
  if (E->Bin == BinaryOp::Mul) {
    const bool Left = mentions(A, V);
    if (Left && mentions(B, V))
      return std::nullopt;
    std::optional<Linear> L = linearIn(Left ? A : B, V);
    const Expr &Factor = Left ? B : A;
    return L ? std::optional(Linear{L->Coefficient * Factor, L->Rest * Factor}) : std::nullopt;
  }
  if (E->Bin != BinaryOp::Add && E->Bin != BinaryOp::Sub)
    return std::nullopt;
  std::optional<Linear> L = linearIn(A, V), R = linearIn(B, V);
  if (!L || !R || (L->Coefficient && R->Coefficient))
    return std::nullopt;
  const bool Minus = E->Bin == BinaryOp::Sub;
  const Expr &C = L->Coefficient ? L->Coefficient : R->Coefficient;
  return Linear{Minus && !L->Coefficient ? unary(UnaryOp::Neg, C) : C,
                Minus ? L->Rest - R->Rest : L->Rest + R->Rest};
}

/// Certainly not zero: constants, and what is at least one in every program that does anything.
bool isNonZero(const Expr &E) {
  if (std::optional<std::int64_t> Known = constantValue(E))
    return *Known != 0;
  if (E->Kind == ExprKind::Var)
    return E->V->Kind == VarKind::Tunable;
  if (E->Kind == ExprKind::Extent)
    return true;
  if (E->Kind == ExprKind::Unary && E->Un == UnaryOp::Neg)
    return isNonZero(E->Args[0]);
  return E->Kind == ExprKind::Binary && E->Bin == BinaryOp::Mul && isNonZero(E->Args[0]) &&
         isNonZero(E->Args[1]);
}

/// Steps of C are at least as large as what is touched at each.
bool keepsApart(const Key &K, const Expr &C) {
  if (K.isBlock())
    return isNonZero(C);
  if (std::optional<std::int64_t> Known = constantValue(C))
    return *Known != 0 && provablyLessEqual(K.Extent, intLit(std::max(*Known, -*Known)));
  return isNonZero(C) && (isConstant(K.Extent, 1) || equal(K.Extent, C));
}

bool mentionsAny(const Expr &E, const std::vector<VarRef> &Vars) {
  return std::any_of(Vars.begin(), Vars.end(), [&](const VarRef &V) { return mentions(E, V); });
}

/// V if V tells positions apart by K alone, given that all of Unknown may differ.
bool tellsApart(const Key &K, const VarRef &V, const std::vector<VarRef> &Unknown) {
  std::optional<Linear> L = linearIn(K.Position, V);
  if (!L || !L->Coefficient || !keepsApart(K, L->Coefficient))
    return false;
  const bool Others = mentionsAny(L->Rest, Unknown) || mentionsAny(L->Coefficient, Unknown) ||
                      (K.Block && mentionsAny(K.Block, Unknown));
  return !Others;
}

/// A name for the pair that no dimension has.
size_t joinedDim(const Key &K, const Key &M) {
  constexpr size_t Dims = 8, Pairs = 1000;
  return Pairs + (K.Level * Dims + K.Dim) * Pairs + M.Level * Dims + M.Dim;
}

/// Joins `e / n` and `e % n` into e, which they determine together.
std::vector<Key> withJoinedKeys(std::vector<Key> Keys) {
  const size_t Written = Keys.size();
  for (size_t I = 0; I < Written; ++I)
    for (size_t J = 0; J < Written; ++J) {
      const Expr &Q = Keys[I].Position, &R = Keys[J].Position;
      if (Q->Kind != ExprKind::Binary || R->Kind != ExprKind::Binary || Q->Bin != BinaryOp::Div ||
          R->Bin != BinaryOp::Rem || !equal(Q->Args[0], R->Args[0]) ||
          !equal(Q->Args[1], R->Args[1]))
        continue;
      auto IsExact = [](const Key &K) { return K.isBlock() || isConstant(K.Extent, 1); };
      if (IsExact(Keys[I]) && IsExact(Keys[J]))
        Keys.push_back({Q->Args[0], intLit(1), intLit(1), 0, joinedDim(Keys[I], Keys[J])});
    }
  return Keys;
}

/// True if the loop has one iteration or none: over the blocks of a dimension that is one block.
bool isAtMostOnce(const For &F) { return provablyLessEqual(F.Hi, F.Lo + intLit(1)); }

class ParallelChecker {
  const Function &Task;
  Diagnostics &D;
  std::vector<Access> Accesses;
  std::vector<Loop> Parallel; ///< every parallel loop, in order

  // While walking.
  std::vector<Loop> Stack;
  Substitution Lets;
  std::map<TensorRef, View> Aliases;
  std::map<TensorRef, size_t> Depths; ///< of locals

  Expr expanded(const Expr &E) const { return E ? substitute(E, Lets) : E; }

  /// Returns the level of what is cut from V.
  unsigned addKeys(const View &V, std::vector<Key> &Keys) const {
    unsigned Level = 0;
    if (auto It = Aliases.find(V.Base); It != Aliases.end())
      Level = addKeys(It->second, Keys);
    for (size_t D = 0; D < V.Slices.size(); ++D) {
      const Slice &S = V.Slices[D];
      Keys.push_back({expanded(S.Block ? S.Index : S.Offset), expanded(S.Block), expanded(S.Extent),
                      Level, D});
    }
    return Level + 1;
  }

  TensorRef rootOf(TensorRef T) const {
    for (auto It = Aliases.find(T); It != Aliases.end(); It = Aliases.find(T))
      T = It->second.Base;
    return T;
  }

  void collect(const Launch &L) {
    for (size_t I = 0; I < L.Args.size(); ++I) {
      if (!L.Args[I].isTensor())
        continue;
      Access A;
      A.Root = rootOf(L.Args[I].Tensor.Base);
      addKeys(L.Args[I].Tensor, A.Keys);
      A.Keys = withJoinedKeys(std::move(A.Keys));
      A.Param = &L.Callee->Params[I];
      A.Where = L.Args[I].Tensor.Loc;
      A.Loops = Stack;
      if (auto It = Depths.find(A.Root); It != Depths.end())
        A.RootDepth = It->second;
      Accesses.push_back(std::move(A));
    }
  }

  void walk(const Block &B) {
    for (const Stmt &S : B) {
      if (const auto *F = S.getIf<For>()) {
        if (isAtMostOnce(*F)) {
          Lets.Vars[F->V] = expanded(F->Lo);
          walk(F->Body);
          continue;
        }
        Stack.push_back({F, S.Loc});
        if (F->Kind == LoopKind::Parallel)
          Parallel.push_back(Stack.back());
        walk(F->Body);
        Stack.pop_back();
        continue;
      }
      if (const auto *Scalar = S.getIf<Let>()) {
        if (Scalar->Value)
          Lets.Vars[Scalar->V] = expanded(Scalar->Value);
      } else if (const auto *Alias = S.getIf<Define>()) {
        Aliases[Alias->T] = Alias->Value;
      } else if (const auto *Owned = S.getIf<Local>()) {
        Depths[Owned->T] = Stack.size();
      } else if (const auto *L = S.getIf<Launch>()) {
        collect(*L);
      }
      for (const Block *Inner : nestedBlocks(S))
        walk(*Inner);
    }
  }

  /// The access lies in the loop, and its tensor outlives the iteration.
  static bool isShared(const Access &A, const Loop &L) {
    for (size_t I = A.RootDepth; I < A.Loops.size(); ++I)
      if (A.Loops[I].Node == L.Node)
        return true;
    return false;
  }

  /// Variables of the loop and of those inside it, around the access.
  static std::vector<VarRef> unknowns(const Access &A, const Loop &L) {
    std::vector<VarRef> Result;
    for (const Loop &Each : A.Loops)
      if (Each.Node == L.Node || !Result.empty())
        Result.push_back(Each.Node->V);
    return Result;
  }

  /// A position says something only where it counts from the same place: the views that K is cut
  /// from do not depend on Unknown.
  static bool isAnchored(const Access &A, const Key &K, const std::vector<VarRef> &Unknown) {
    return std::none_of(A.Keys.begin(), A.Keys.end(), [&](const Key &Outer) {
      return Outer.Level < K.Level &&
             (mentionsAny(Outer.Position, Unknown) || mentionsAny(Outer.Extent, Unknown));
    });
  }

  /// The blocks of different iterations of L are different blocks.
  static bool isInjective(const Access &A, const Loop &L) {
    std::vector<VarRef> Unknown = unknowns(A, L);
    for (bool Progress = true; Progress;) {
      Progress = false;
      for (size_t I = 0; I < Unknown.size(); ++I) {
        const VarRef V = Unknown[I];
        std::vector<VarRef> Others = Unknown;
        Others.erase(Others.begin() + static_cast<std::ptrdiff_t>(I));
        if (std::none_of(A.Keys.begin(), A.Keys.end(), [&](const Key &K) {
              return tellsApart(K, V, Others) && isAnchored(A, K, Unknown);
            }))
          continue;
        if (V == L.Node->V)
          return true;
        Unknown = std::move(Others);
        Progress = true;
        break;
      }
    }
    return false;
  }

  /// Places that lie apart whatever the iterations are: the ranges of the loops keep them so. The
  /// iteration of B is another one than that of A, so its loop variables are renamed.
  static bool neverMeet(const Access &A, const Key &K, const Access &B, const Key &M,
                        const Loop &L) {
    if (K.isBlock() != M.isBlock() || (K.Block && !equal(K.Block, M.Block)))
      return false;
    Facts Ranges;
    for (const Loop &Each : A.Loops)
      Ranges[Each.Node->V] = {Each.Node->Lo, Each.Node->Hi};
    Substitution Rename;
    const std::vector<VarRef> Moving = unknowns(B, L);
    for (const Loop &Each : B.Loops) {
      const VarRef &V = Each.Node->V;
      if (std::find(Moving.begin(), Moving.end(), V) == Moving.end())
        continue;
      VarRef Other = makeVar(V->Name, V->Type, V->Kind, V->Loc);
      Ranges[Other] = {substitute(Each.Node->Lo, Rename), substitute(Each.Node->Hi, Rename)};
      Rename.Vars[V] = varExpr(Other);
    }
    auto Before = [&](const Expr &First, const Expr &Length, const Expr &Second) {
      return provablyLessEqual(First + Length, Second, Ranges);
    };
    const Expr Where = substitute(M.Position, Rename), Extent = substitute(M.Extent, Rename);
    return Before(K.Position, K.isBlock() ? intLit(1) : K.Extent, Where) ||
           Before(Where, M.isBlock() ? intLit(1) : Extent, K.Position);
  }

  /// K and M, which V alone moves, are the same only where V is the same, if ever.
  static bool differ(const Key &K, const Key &M, const VarRef &V) {
    if (K.isBlock() != M.isBlock() || (K.Block && !equal(K.Block, M.Block)))
      return false;
    const Linear P = *linearIn(K.Position, V), Q = *linearIn(M.Position, V);
    if (!equal(simplify(P.Coefficient), simplify(Q.Coefficient)))
      return false;
    const Expr Shift = simplify(P.Rest - Q.Rest);
    if (isConstant(Shift, 0))
      return true;
    const std::optional<std::int64_t> By = constantValue(Shift),
                                      Step = constantValue(P.Coefficient);
    return K.isBlock() && By && Step && *By % *Step != 0;
  }

  /// No two iterations of L meet, one with access A and one with access B.
  static bool areApart(const Access &A, const Access &B, const Loop &L) {
    const VarRef &V = L.Node->V;
    std::vector<VarRef> InA = unknowns(A, L), InB = unknowns(B, L);
    for (const Key &K : A.Keys)
      for (const Key &M : B.Keys)
        if (K.isOf(M) && sameAnchor(A, K, B, M) && isAnchored(A, K, InA) &&
            neverMeet(A, K, B, M, L))
          return true;
    std::erase(InA, V);
    std::erase(InB, V);
    for (const Key &K : A.Keys)
      for (const Key &M : B.Keys)
        if (K.isOf(M) && sameAnchor(A, K, B, M) && tellsApart(K, V, InA) && tellsApart(M, V, InB) &&
            differ(K, M, V))
          return true;
    return sameKeys(A, B) && isInjective(A, L) && isInjective(B, L);
  }

  static bool sameAnchor(const Access &A, const Key &K, const Access &B, const Key &M) {
    auto Outer = [](const Access &Of, const Key &Than) {
      Access Result;
      for (const Key &Each : Of.Keys)
        if (Each.Level < Than.Level)
          Result.Keys.push_back(Each);
      return Result;
    };
    return K.Level == M.Level && sameKeys(Outer(A, K), Outer(B, M));
  }

  static bool sameKeys(const Access &A, const Access &B) {
    return std::equal(A.Keys.begin(), A.Keys.end(), B.Keys.begin(), B.Keys.end(),
                      [](const Key &K, const Key &M) {
                        return equal(K.Position, M.Position) && equal(K.Block, M.Block) &&
                               equal(K.Extent, M.Extent);
                      });
  }

  static bool reduceAlike(const Access &A, const Access &B) {
    return A.Param->Access == Privilege::Reduce && B.Param->Access == Privilege::Reduce &&
           A.Param->Reduction == B.Param->Reduction;
  }

  void check(const Loop &L) {
    std::vector<const Access *> Inside;
    for (const Access &A : Accesses)
      if (isShared(A, L))
        Inside.push_back(&A);
    std::set<const Access *> Reported;
    for (const Access *W : Inside) {
      const Privilege P = W->Param->Access;
      if (!writes(P) || P == Privilege::Reduce || isInjective(*W, L))
        continue;
      D.report(DiagID::ParallelWrite, W->Where, L.Node->V->Name, W->Root->Name)
          .note(DiagID::NoteParallelLoop, L.Loc, L.Node->V->Name);
      Reported.insert(W);
    }
    for (const Access *W : Inside) {
      if (!writes(W->Param->Access) || Reported.contains(W))
        continue;
      for (const Access *Other : Inside) {
        if (Other == W || Other->Root != W->Root || Reported.contains(Other) ||
            reduceAlike(*W, *Other) || areApart(*W, *Other, L))
          continue;
        D.report(DiagID::ParallelConflict, Other->Where, writes(Other->Param->Access),
                 W->Root->Name, L.Node->V->Name)
            .note(DiagID::NoteOtherAccess, W->Where)
            .note(DiagID::NoteParallelLoop, L.Loc, L.Node->V->Name);
        Reported.insert(Other);
      }
    }
  }

public:
  ParallelChecker(const Function &Task, Diagnostics &D) : Task(Task), D(D) {}

  void run() {
    walk(Task.Body);
    for (const Loop &L : Parallel)
      check(L);
  }
};

} // namespace

void checkParallelWrites(const Function &Task, Diagnostics &D) { ParallelChecker(Task, D).run(); }

} // namespace septran::compiler
