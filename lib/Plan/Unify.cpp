//===- Unify.cpp - a leaf as an instance of a primitive -------------------===//
//
// A search over the assignments of loops; within one, values are compared node by node. Where
// operands may be swapped every way is followed, so that a comparison maps a state to all states
// that extend it. Of all failures the one after the longest agreement is told; exchanged operands
// and turned tensors count against a way of comparing, as the reader would try the plain one.
//
//===----------------------------------------------------------------------===//
#include "Plan/Unify.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <map>

namespace septran::compiler {

namespace {

std::string quoted(std::string_view Text) { return "'" + std::string(Text) + "'"; }
std::string quoted(const Expr &E) { return quoted(toString(E)); }
std::string typeText(ScalarType T) { return std::string(shortName(T)); }

bool commutes(BinaryOp Op) {
  return Op == BinaryOp::Add || Op == BinaryOp::Mul || Op == BinaryOp::Min || Op == BinaryOp::Max;
}

struct State {
  std::vector<OperandMatch> Operands;
  int Agreed = 0; ///< nodes compared so far, less what had to be turned or exchanged
};
using States = std::vector<State>;

/// Ways to follow at one node. Values are small; more would be an accident of many equal terms.
constexpr size_t MaxStates = 64;

class Unifier {
  const LeafForm &Leaf;
  const PrimitiveForm &Prim;
  std::vector<unsigned> LoopOf; ///< per loop of the primitive
  unsigned FirstStmt = 0;
  UnifyResult Result;
  int BestAgreed = 0;

public:
  Unifier(const LeafForm &Leaf, const PrimitiveForm &Prim) : Leaf(Leaf), Prim(Prim) {}

  UnifyResult run() {
    const size_t Needed = Prim.Form.Stmts.size(), Present = Leaf.Stmts.size();
    if (Present < Needed)
      differ(0, "the primitive makes " + std::to_string(Needed) + " updates, the leaf " +
                    std::to_string(Present));
    else if (onlyInitialises(Present - Needed))
      FirstStmt = static_cast<unsigned>(Present - Needed), assignLoops();
    preferOrder();
    if (!Result.Matches.empty())
      Result.Mismatch.clear();
    return std::move(Result);
  }

private:
  void differ(int Agreed, std::string Why) {
    if (!Result.Mismatch.empty() && Agreed <= BestAgreed)
      return;
    BestAgreed = Agreed;
    Result.Mismatch = std::move(Why);
  }
  States differ(const State &S, std::string Why) {
    differ(S.Agreed + 1, std::move(Why));
    return {};
  }

  const FormStmt &leafStmt(size_t I) const { return Leaf.Stmts[FirstStmt + I]; }
  const FormLoop &leafLoop(unsigned PrimLoop) const { return Leaf.Loops[LoopOf[PrimLoop]]; }

  /// The first Count updates of the leaf may run before the primitive.
  bool onlyInitialises(size_t Count) {
    for (size_t I = 0; I < Count; ++I)
      if (Leaf.Stmts[I].Op != UpdateOp::Set) {
        differ(0, "the leaf also computes " + quoted(toString(Leaf.Stmts[I])));
        return false;
      }
    return true;
  }

  /// How many operands have their dimensions in another order than the tensor, or not its last one.
  unsigned permuted(const Unification &U) const {
    unsigned Count = 0;
    for (const OperandMatch &O : U.Operands)
      if (O.T && !O.Dims.empty())
        Count += !std::is_sorted(O.Dims.begin(), O.Dims.end()) || O.Dims.back() + 1 != O.T->Rank;
    return Count;
  }

  void preferOrder() {
    std::multimap<unsigned, Unification> Sorted; // equal keys keep their order
    for (Unification &U : Result.Matches)
      Sorted.emplace(permuted(U), std::move(U));
    Result.Matches.clear();
    for (auto &Entry : Sorted)
      Result.Matches.push_back(std::move(Entry.second));
  }

  //===--- loops --------------------------------------------------------------===//

  static bool contains(const std::vector<unsigned> &Loops, unsigned L) {
    return std::find(Loops.begin(), Loops.end(), L) != Loops.end();
  }

  bool sameStmts(unsigned PrimLoop, unsigned LeafLoop) const {
    for (size_t I = 0; I < Prim.Form.Stmts.size(); ++I)
      if (contains(Prim.Form.Stmts[I].Loops, PrimLoop) != contains(leafStmt(I).Loops, LeafLoop))
        return false;
    return true;
  }

  void assignLoops() {
    const unsigned P = static_cast<unsigned>(LoopOf.size());
    if (P == Prim.Form.Loops.size()) {
      if (orderIsKept())
        compare();
      return;
    }
    const FormLoop &Wanted = Prim.Form.Loops[P];
    const bool Reduces = Wanted.Facts.Class == LoopClass::Reduction;
    bool Exists = false;
    for (unsigned L = 0; L < Leaf.Loops.size(); ++L) {
      if (Leaf.Loops[L].Facts.Class != Wanted.Facts.Class || !sameStmts(P, L))
        continue;
      Exists = true;
      if (contains(LoopOf, L))
        continue;
      LoopOf.push_back(L);
      assignLoops();
      LoopOf.pop_back();
    }
    if (!Exists)
      differ(0, "the leaf has no " + std::string(Reduces ? "reduction" : "parallel") +
                    " loop in place of " + quoted(Wanted.V->Name) + sequentialLoops());
  }

  /// `; its loop 'i' runs in order, because ...`, or nothing.
  std::string sequentialLoops() const {
    for (const FormLoop &L : Leaf.Loops)
      if (L.Facts.Class == LoopClass::Sequential)
        return "; its loop " + quoted(L.V->Name) + " runs in order, because " + L.Facts.Reason;
    return "";
  }

  /// Loops of the leaf that run in order stay around all those that the primitive takes.
  bool orderIsKept() {
    for (size_t I = 0; I < Prim.Form.Stmts.size(); ++I) {
      const std::vector<unsigned> &Loops = leafStmt(I).Loops;
      for (size_t Outer = 0; Outer < Loops.size(); ++Outer)
        for (size_t Inner = Outer + 1; Inner < Loops.size(); ++Inner)
          if (contains(LoopOf, Loops[Outer]) &&
              Leaf.Loops[Loops[Inner]].Facts.Class == LoopClass::Sequential) {
            const FormLoop &L = Leaf.Loops[Loops[Inner]];
            differ(0, "loop " + quoted(L.V->Name) + " of the leaf runs in order, because " +
                          L.Facts.Reason + ", inside loop " +
                          quoted(Leaf.Loops[Loops[Outer]].V->Name));
            return false;
          }
    }
    return true;
  }

  //===--- updates ------------------------------------------------------------===//

  void compare() {
    States All(1);
    All[0].Operands.resize(Prim.Operands.size());
    for (size_t I = 0; I < Prim.Form.Stmts.size() && !All.empty(); ++I)
      All =
          each(All, [&](const State &S) { return matchStmt(leafStmt(I), Prim.Form.Stmts[I], S); });
    for (State &S : All)
      Result.Matches.push_back({FirstStmt, LoopOf, std::move(S.Operands)});
  }

  template <class Function> static States each(const States &All, Function F) {
    States Next;
    for (const State &S : All)
      for (State &T : F(S))
        if (Next.size() < MaxStates)
          Next.push_back(std::move(T));
    return Next;
  }

  States matchStmt(const FormStmt &L, const FormStmt &P, State S) {
    if (L.Op != P.Op)
      return differ(S, quoted(L.T->Name) + " is updated by " + quoted(spelling(L.Op)) +
                           ", the primitive updates by " + quoted(spelling(P.Op)));
    ++S.Agreed;
    return each(matchElement(L.T, L.Indices, P.T, P.Indices, S), [&](const State &T) {
      if (L.Sum != P.Sum)
        return differ(T, "the leaf keeps " + quoted(L.T->Name) + " in " + typeText(L.Sum) +
                             " while it accumulates, the primitive in " + typeText(P.Sum));
      if (L.Compute != P.Compute)
        return differ(T, "the leaf accumulates " + quoted(L.T->Name) + " in " +
                             typeText(L.Compute) + ", the primitive in " + typeText(P.Compute));
      return match(L.Value, P.Value, T);
    });
  }

  //===--- elements -----------------------------------------------------------===//

  /// The multiples of the primitive's loops in an index of the leaf.
  std::vector<std::int64_t> stepsOfLeaf(const Expr &Index) const {
    Affine A = *affineForm(Index);
    std::vector<std::int64_t> Steps;
    for (unsigned P = 0; P < LoopOf.size(); ++P)
      Steps.push_back(*coefficientOf(A, leafLoop(P).V));
    return Steps;
  }
  std::vector<std::int64_t> stepsOfPrimitive(const Expr &Index) const {
    Affine A = *affineForm(Index);
    std::vector<std::int64_t> Steps;
    for (const FormLoop &L : Prim.Form.Loops)
      Steps.push_back(*coefficientOf(A, L.V));
    return Steps;
  }

  static bool isFixed(const std::vector<std::int64_t> &Steps) {
    return std::all_of(Steps.begin(), Steps.end(), [](std::int64_t C) { return C == 0; });
  }

  using Dimensions = std::vector<unsigned>;

  /// All ways to find for each dimension of the operand one of the tensor that moves alike. The
  /// tensor may not move in any other. There are several only among dimensions that stand still.
  std::vector<Dimensions> dimensions(const std::vector<Expr> &L, const std::vector<Expr> &P) const {
    std::vector<Dimensions> Ways = {{}};
    for (const Expr &Index : P) {
      std::vector<Dimensions> Longer;
      for (const Dimensions &Way : Ways)
        for (unsigned D = static_cast<unsigned>(L.size()); D-- > 0;)
          if (!contains(Way, D) && stepsOfLeaf(L[D]) == stepsOfPrimitive(Index)) {
            Longer.push_back(Way);
            Longer.back().push_back(D);
          }
      Ways = std::move(Longer);
    }
    std::erase_if(Ways, [&](const Dimensions &Way) {
      for (unsigned D = 0; D < L.size(); ++D)
        if (!contains(Way, D) && !isFixed(stepsOfLeaf(L[D])))
          return true;
      return false;
    });
    return Ways;
  }

  States matchElement(const TensorRef &LeafT, const std::vector<Expr> &L, const TensorRef &PrimT,
                      const std::vector<Expr> &P, const State &S) {
    const PrimitiveOperand &O = *Prim.operandOf(PrimT);
    const auto Position = static_cast<size_t>(&O - Prim.Operands.data());
    const std::string Name = quoted(O.Spec->Name.Value);
    if (LeafT->Element != O.Element)
      return differ(S, "operand " + Name + " is " + typeText(O.Element) + ", " +
                           quoted(LeafT->Name) + " of the leaf is " + typeText(LeafT->Element));
    const std::vector<Dimensions> Ways = dimensions(L, P);
    if (Ways.empty())
      return differ(S, quoted(load(LeafT, L)) + " of the leaf does not walk like " +
                           quoted(load(PrimT, P)) + loopText());
    States Result;
    for (const Dimensions &Dims : Ways) {
      OperandMatch Here = elementMatch(LeafT, L, P, Dims);
      if (S.Operands[Position].isBound() && !same(S.Operands[Position], Here))
        continue;
      State T = S;
      T.Operands[Position] = std::move(Here);
      T.Agreed += std::is_sorted(Dims.begin(), Dims.end()) ? 1 : 0;
      Result.push_back(std::move(T));
    }
    if (Result.empty())
      return differ(S, quoted(load(LeafT, L)) +
                           " of the leaf and the elements before are not one " + Name);
    return Result;
  }

  static OperandMatch elementMatch(const TensorRef &LeafT, const std::vector<Expr> &L,
                                   const std::vector<Expr> &P, const Dimensions &Dims) {
    OperandMatch Here;
    Here.T = LeafT;
    Here.Dims = Dims;
    Here.Offsets = L;
    for (size_t D = 0; D < P.size(); ++D) {
      Expr &Offset = Here.Offsets[Dims[D]];
      Offset = simplify(Offset - intLit(affineForm(P[D])->Constant));
    }
    return Here;
  }

  static bool same(const OperandMatch &A, const OperandMatch &B) {
    return A.T == B.T && A.Dims == B.Dims &&
           std::equal(A.Offsets.begin(), A.Offsets.end(), B.Offsets.begin(),
                      [](const Expr &X, const Expr &Y) { return equal(X, Y); });
  }

  /// ` with 'x' as 'i' and 'c' as 'k'`.
  std::string loopText() const {
    std::string Text;
    for (unsigned P = 0; P < LoopOf.size(); ++P)
      Text += (P ? " and " : " with ") + quoted(leafLoop(P).V->Name) + " as " +
              quoted(Prim.Form.Loops[P].V->Name);
    return Text;
  }

  //===--- values -------------------------------------------------------------===//

  /// A value that does not change while the primitive runs.
  bool isInvariant(const Expr &L) const {
    for (unsigned P = 0; P < LoopOf.size(); ++P)
      if (mentions(L, leafLoop(P).V))
        return false;
    for (const FormStmt &S : Leaf.Stmts)
      if (mentions(L, S.T))
        return false;
    return true;
  }

  States matchScalar(const Expr &L, const PrimitiveOperand &O, State S) {
    OperandMatch &Match = S.Operands[static_cast<size_t>(&O - Prim.Operands.data())];
    const std::string Name = quoted(O.Spec->Name.Value);
    if (L->Type != O.Element)
      return differ(S, "operand " + Name + " is " + typeText(O.Element) + ", " + quoted(L) +
                           " of the leaf is " + typeText(L->Type));
    if (!isInvariant(L))
      return differ(S, quoted(L) + " of the leaf changes where operand " + Name + " does not");
    if (Match.Scalar && !equal(Match.Scalar, L))
      return differ(S, quoted(Match.Scalar) + " and " + quoted(L) + " are not one " + Name);
    Match.Scalar = L;
    S.Agreed += 2; // invariant values are rare: this one is meant
    return {std::move(S)};
  }

  States otherValue(const Expr &L, const Expr &P, const State &S) {
    return differ(S,
                  "the leaf computes " + quoted(L) + " where the primitive computes " + quoted(P));
  }

  States match(const Expr &L, const Expr &P, const State &S) {
    if (P->Kind == ExprKind::Var)
      if (const PrimitiveOperand *O = Prim.operandOf(P->V))
        return matchScalar(L, *O, S);
    if (P->Kind == ExprKind::Load && L->Kind == ExprKind::Load)
      return matchElement(L->T, L->Args, P->T, P->Args, S);
    States Result;
    if (sameNode(L, P))
      Result = matchOperands(L, P, S);
    else
      Result = mixedNodes(L, P, S);
    for (State &T : withoutFactor(L, P, S))
      Result.push_back(std::move(T));
    return Result;
  }

  static bool sameNode(const Expr &L, const Expr &P) {
    if (L->Kind != P->Kind || L->Type != P->Type || L->Args.size() != P->Args.size())
      return false;
    switch (L->Kind) {
    case ExprKind::IntLit:
      return L->Int == P->Int;
    case ExprKind::FloatLit:
      return L->Float == P->Float;
    case ExprKind::Unary:
      return L->Un == P->Un;
    case ExprKind::Binary:
      return L->Bin == P->Bin;
    case ExprKind::Call:
      return L->Callee == P->Callee;
    case ExprKind::Select:
    case ExprKind::Cast:
      return true;
    default: // a loop or an extent as a value means other things in a tile
      return false;
    }
  }

  States matchOperands(const Expr &L, const Expr &P, State S) {
    ++S.Agreed;
    States Result = matchArgs(L->Args, P->Args, S);
    if (L->Kind != ExprKind::Binary || !commutes(L->Bin))
      return Result;
    --S.Agreed;
    for (State &T : matchArgs({L->Args[1], L->Args[0]}, P->Args, S))
      Result.push_back(std::move(T));
    return Result;
  }

  States matchArgs(const std::vector<Expr> &L, const std::vector<Expr> &P, const State &S) {
    States All = {S};
    for (size_t I = 0; I < L.size(); ++I)
      All = each(All, [&](const State &T) { return match(L[I], P[I], T); });
    return All;
  }

  /// Different operations. Where one side only converts an element, the types of the elements tell
  /// more.
  States mixedNodes(const Expr &L, const Expr &P, const State &S) {
    auto Element = [](const Expr &E) { return E->Kind == ExprKind::Cast ? E->Args[0] : E; };
    Expr InL = Element(L), InP = Element(P);
    if (InL->Kind == ExprKind::Load && InP->Kind == ExprKind::Load &&
        InL->T->Element != Prim.operandOf(InP->T)->Element)
      return matchElement(InL->T, InL->Args, InP->T, InP->Args, S); // reports the types
    return otherValue(L, P, S);
  }

  /// `s * x` of the primitive is x if the leaf has no factor for the scalar s.
  States withoutFactor(const Expr &L, const Expr &P, const State &S) {
    if (P->Kind != ExprKind::Binary || P->Bin != BinaryOp::Mul || P->Type != L->Type)
      return {};
    for (unsigned I : {0u, 1u}) {
      const Expr &Factor = P->Args[I];
      const PrimitiveOperand *O =
          Factor->Kind == ExprKind::Var ? Prim.operandOf(Factor->V) : nullptr;
      if (!O)
        continue;
      const Expr &Bound = S.Operands[static_cast<size_t>(O - Prim.Operands.data())].Scalar;
      Expr One = cast(O->Element, intLit(1));
      if (Bound && !equal(Bound, One))
        continue;
      State T = S;
      T.Operands[static_cast<size_t>(O - Prim.Operands.data())].Scalar = One;
      return match(L, P->Args[1 - I], T);
    }
    return {};
  }
};

} // namespace

UnifyResult unify(const LeafForm &Leaf, const PrimitiveForm &Prim) {
  return Unifier(Leaf, Prim).run();
}

} // namespace septran::compiler
