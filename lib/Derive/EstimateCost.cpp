//===- EstimateCost.cpp - how long a mapped program takes, about ----------===//
#include "Derive/EstimateCost.h"

#include "Derive/Estimator.h"
#include "IR/Narrow.h"
#include "IR/Rewrite.h"
#include "Plan/LaneWidth.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/LeafStores.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace septran::compiler {

namespace {

/// Of code that the nominal sizes do not reach, but others do.
constexpr double UnlikelyShare = 0.05;
/// Of code for other numbers from the caller.
constexpr double OtherCallsShare = 0.25;
/// Of filling what is kept with a constant, which the first of its calls does.
constexpr double FirstCallShare = 0.03;
/// What code at a border costs, in that inside: conditions and masks.
constexpr double BorderFactor = 3;
/// What a clipped block costs, in what a whole one would for that part: masks.
constexpr double ClippedFactor = 1.25;
constexpr double SpillFactor = 2;

/// Functions that take an instruction or a few, as arithmetic does.
bool isOperation(std::string_view Function) {
  static constexpr std::string_view Names[] = {"abs",   "ceil",      "copysign", "fabs",
                                               "fma",   "floor",     "isfinite", "isinf",
                                               "isnan", "nearbyint", "round",    "trunc"};
  return std::find(std::begin(Names), std::end(Names), Function) != std::end(Names);
}

} // namespace

Estimator::Estimator(const Program &P, const NominalSizes &Sizes, Asking Asks)
    : P(P), Sizes(Sizes), Asks(Asks), Values(P.Params, Sizes.Extent, Sizes.Arguments),
      Tensors(P.Body) {
  if (const std::int64_t *Bytes = P.Target->Limits.find("simd_bytes"))
    SimdBytes = double(*Bytes);
}

double Estimator::run() {
  double Sum = blockCycles(P.Body);
  for (AccessAt &A : Accesses) {
    A.Beside = double(Rows[{A.Number, A.Loop}].size());
    const bool Across = walksAcross(A);
    if (Asks == Asking::WhereItHelps)
      A.Asks = Across && A.InLeaf && !A.Write && !A.Packed;
    A.Prefetched = Across && A.Asks;
  }
  for (const AccessAt &A : Accesses)
    Sum += accessCycles(A);
  return (Spills ? SpillFactor : 1) * Sum + trafficCycles(Loops, Accesses, *P.Target);
}

double Estimator::blockCycles(const Block &B) {
  const double Outside = InRegisters;
  double Sum = 0;
  for (const Stmt &S : B)
    Sum += stmtCycles(S);
  InRegisters = Outside;
  return Sum;
}

double Estimator::stmtCycles(const Stmt &S) {
  if (const auto *F = S.getIf<For>())
    return loopCycles(*F);
  if (const auto *Sc = S.getIf<Scope>()) {
    for (const LeafStores &L : leafStores(*Sc))
      for (const Store *Last : L.Last)
        Ways[Last] = L.Kind;
    const LeafAt Around = std::exchange(Leaf, {});
    Leaf.Is = Sc->Instance->Task->Kind == FunctionKind::Leaf;
    for (const LeafPrefetch &L : leafPrefetches(*Sc))
      Leaf.Asks.insert(L.T);
    const double Cycles = blockCycles(Sc->Body);
    Leaf = Around;
    return Cycles;
  }
  if (const auto *I = S.getIf<If>()) {
    if (I->Fills)
      return partly(FirstCallShare, I->Then);
    if (const std::vector<BlockExtent> Extents = blockExtents(I->Condition);
        I->ChoosesWhole && !Extents.empty())
      return tileCycles(*I, Extents);
    const double Holds = likelihood(I->Condition);
    const bool Taken = Holds >= 0.5;
    const double Other = Taken ? 1 - Holds : Holds;
    const double Least = dependsOnCall(I->Condition) ? OtherCallsShare : UnlikelyShare;
    return exprCycles(I->Condition) + partly(1 - Other, Taken ? I->Then : I->Else) +
           partly(std::max(Least, BorderFactor * Other), Taken ? I->Else : I->Then);
  }
  if (const auto *L = S.getIf<Let>()) {
    if (!L->Value)
      return 0;
    if (L->Mutable)
      Values.set(L->V, Values.of(L->Value));
    else
      Values.define(L->V, L->Value);
    SetIn[L->V] = Innermost;
    return exprCycles(L->Value);
  }
  if (const auto *A = S.getIf<Assign>()) {
    SetIn[A->V] = Innermost;
    return exprCycles(A->Value) + (A->Op == UpdateOp::Set ? 0 : updateCycles(A->Op, A->Value));
  }
  if (const auto *St = S.getIf<Store>()) {
    const auto Way = Ways.find(St);
    access(St->T, St->Indices, true, Way == Ways.end() ? StoreKind::Cached : Way->second);
    if (St->Op != UpdateOp::Set)
      access(St->T, St->Indices, false);
    const double Lane = !isOneLane(St->T) ? 0 : InsertCycles * (St->Op == UpdateOp::Set ? 1 : 2);
    return Lane + exprCycles(St->Value) +
           (St->Op == UpdateOp::Set ? 0 : updateCycles(St->Op, St->Value));
  }
  if (const auto *D = S.getIf<Define>())
    Values.define(D->T, D->Value);
  else if (const auto *A = S.getIf<Alloc>()) {
    Values.allocate(A->T, A->Extents);
    Allocs[A->T] = A;
    Spills |= isRegister(A->T) && spills(*A);
  } else if (const auto *C = S.getIf<CopyStmt>())
    return copyCycles(*C);
  else if (const auto *O = S.getIf<OpaqueCall>())
    return opaqueCycles(*O);
  else if (const auto *C = S.getIf<PrimitiveCall>())
    return primitiveCycles(*C);
  return 0;
}

double Estimator::tileCycles(const If &I, const std::vector<BlockExtent> &Extents) {
  const double Clipped = 1 - likelihood(I.Condition), Choice = exprCycles(I.Condition);
  const size_t Outside = TileDims.size();
  for (size_t Dim = 0; Dim < Extents.size(); ++Dim)
    TileDims.push_back({Extents[Dim].Extent, computedStep(Extents, Dim, I.Else)});
  double Sum = 0;
  if (!callsPrimitive(I.Then) && !callsPrimitive(I.Else)) // one text for both
    Sum = partly(1, I.Else, 1 + std::max(UnlikelyShare, (ClippedFactor - 1) * Clipped));
  else {
    if (Clipped < 1)
      Sum = partly(1 - Clipped, I.Then);
    Sum += partly(std::max(UnlikelyShare, Clipped), I.Else, ClippedFactor);
  }
  TileDims.resize(Outside);
  return Choice + Sum;
}

bool Estimator::dependsOnCall(const Expr &Condition) const {
  bool Depends = false;
  walkExprs(Condition, [&](const Expr &Part) {
    for (const Parameter &Each : P.Params)
      Depends |= Part->Kind == ExprKind::Var && !Each.isTensor() && Part->V == Each.Scalar;
  });
  return Depends;
}

double Estimator::updateCycles(UpdateOp Op, const Expr &Value) {
  const bool Fuses = (Op == UpdateOp::Add || Op == UpdateOp::Sub) &&
                     Value->Kind == ExprKind::Binary && Value->Bin == BinaryOp::Mul;
  return Fuses ? 0 : Operation;
}

bool Estimator::isOfIndices(const Expr &E) {
  bool OfMemory = false;
  walkExprs(E, [&](const Expr &Part) {
    OfMemory |= Part->Kind == ExprKind::Load || Part->Kind == ExprKind::Call;
  });
  return !OfMemory;
}

double Estimator::timesComputed(const Expr &E) const {
  const bool OfMemory = !isOfIndices(E);
  const std::vector<VarRef> Vars = collectVars(E);
  if (isFloat(E->Type) && (OfMemory || std::any_of(Vars.begin(), Vars.end(), [](const VarRef &V) {
                             return isFloat(V->Type);
                           })))
    return 1;
  if (std::all_of(Vars.begin(), Vars.end(), [&](const VarRef &V) { return isWrittenOut(V); }) &&
      !OfMemory)
    return 0;
  double Share = 1;
  for (int L = OfMemory ? -1 : Innermost; L >= 0; L = Loops[L].Parent) {
    if (std::any_of(Vars.begin(), Vars.end(), [&](const VarRef &V) {
          auto Set = SetIn.find(V);
          return V == Loops[L].V || (Set != SetIn.end() && Set->second == L);
        }))
      break;
    if (Loops[L].V)
      Share /= Loops[L].Vectors;
  }
  return Share;
}

bool Estimator::isWrittenOut(const VarRef &V) const {
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (Loops[L].V == V)
      return Loops[L].Unrolled && !Loops[L].Lanes;
  return false;
}

double Estimator::vectorsOf(const Expr &E) const {
  double Bytes = E->Type == ScalarType::Bool ? 1 : computedBytes(E->Type);
  for (const Expr &A : E->Args)
    Bytes = std::max<double>(Bytes, computedBytes(A->Type));
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (Loops[L].Lanes)
      return std::max(1.0, Loops[L].Width * Bytes / SimdBytes);
  return 1;
}

double Estimator::exprCycles(const Expr &E) {
  if (const Expr InLess = narrowed(E))
    return exprCycles(InLess);
  double Sum = 0;
  const Expr &Decides = E->Kind == ExprKind::Select ? E->Args[0] : E;
  const double Each =
      !isFloat(Decides->Type) && isOfIndices(Decides) ? IndexOperation : Operation * vectorsOf(E);
  switch (E->Kind) {
  case ExprKind::Load:
    access(E->T, E->Args, false);
    return 0; // indices are addresses
  case ExprKind::Binary: {
    const bool Sums = E->Bin == BinaryOp::Add || E->Bin == BinaryOp::Sub;
    bool Fuses = false;
    for (const Expr &A : E->Args)
      Fuses |= Sums && A->Kind == ExprKind::Binary && A->Bin == BinaryOp::Mul;
    const bool Divides = E->Bin == BinaryOp::Div || E->Bin == BinaryOp::Rem;
    const bool Jumps =
        Each == IndexOperation && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or);
    Sum = Divides ? DivisionCycles : Fuses || Jumps ? 0 : Each;
    break;
  }
  case ExprKind::Unary:
  case ExprKind::Select:
  case ExprKind::Cast:
    Sum = Each;
    break;
  case ExprKind::Call:
    Sum = E->Callee == "sqrt" ? DivisionCycles : isOperation(E->Callee) ? Each : FunctionCycles;
    break;
  default:
    break;
  }
  if (Sum > 0)
    Sum *= timesComputed(E);
  for (const Expr &A : E->Args)
    Sum += exprCycles(A);
  return Sum;
}

double Estimator::opaqueCycles(const OpaqueCall &C) {
  double Most = 1;
  for (const Launch::Argument &A : C.Args) {
    double Elements = 1;
    for (unsigned Dim = 0; A.isTensor() && Dim < A.Tensor.rank(); ++Dim)
      Elements *= std::max(1.0, Values.of(A.Tensor.extent(Dim)));
    Most = std::max(Most, Elements);
  }
  return OpaqueCycles * Most;
}

double Estimator::primitiveCycles(const PrimitiveCall &C) {
  const Primitive &Prim = *P.Target->findPrimitive(C.Primitive);
  if (Prim.Rate.Value) {
    double Work = 1;
    for (const auto &[Name, Size] : C.Sizes)
      Work *= std::max(0.0, mean(Size));
    for (const PrimitiveCall::Operand &O : C.Operands)
      for (const bool Write : {false, true})
        if (O.isTensor() && (Write ? O.Written : O.Read))
          accessAll(O.Tensor, Write);
    return double(Prim.Start.Value) + Work / double(Prim.Rate.Value);
  }
  for (const PrimitiveCall::Operand &O : C.Operands)
    if (O.isTensor())
      accessView(O.Tensor, std::vector<Expr>(O.Tensor.rank(), intLit(0)), O.Written);
  return 1;
}

double estimateCost(const Program &P, const std::vector<NominalSizes> &Calls, Asking A) {
  double Product = 1;
  for (const NominalSizes &Sizes : Calls)
    Product *= std::pow(Estimator(P, Sizes, A).run(), 1.0 / double(Calls.size()));
  return Product;
}

} // namespace septran::compiler
