//===- OpenMPVersions.cpp - code for whole blocks and for the rest --------===//
//
// Whole vectors and register tiles have sizes that the C++ compiler is to know, the last ones of a row
// or matrix do not. The text for both is one lambda, which a function of septran/cpu/lanes.h calls
// twice: with constants, and with numbers. Of the program's two versions of a register tile the one for
// clipped blocks is printed, whose sizes are parameters. Primitives have whole tiles, or padded copies of
// clipped ones: that is other code, and both versions are printed.
//
//===----------------------------------------------------------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

/// `Call, [=, &sum](auto n) { ... });`. By value, but for arrays and for what the body changes: see
/// septran/cpu/lanes.h.
void OpenMPEmitter::emitLambda(const Lambda &L, const Block &Body,
                               llvm::function_ref<void()> EmitBody) {
  std::vector<std::string> References;
  const DefinedSymbols Inside = definedIn(Body);
  walkStmts(Body, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    if (A && !Inside.Vars.count(A->V))
      References.push_back(Names.name(A->V));
  });
  const size_t Around = Changing.size();
  SourceWriter Outer = std::exchange(W, SourceWriter());
  const bool OuterInLambda = std::exchange(InLambda, true);
  EmitBody();
  InLambda = OuterInLambda;
  const std::string Text = std::exchange(W, std::move(Outer)).text();

  References.insert(References.end(), Changing.begin(), Changing.begin() + std::ptrdiff_t(Around));
  Changing.resize(Around);
  std::string Captures = "=", Parameters;
  std::set<std::string> Done;
  for (const std::string &Name : References)
    if (mentions(Text, Name) && Done.insert(Name).second)
      Captures += ", &" + Name;
  for (const std::string &Name : L.Parameters)
    Parameters += (Parameters.empty() ? "auto" : ", auto") + (mentions(Text, Name) ? " " + Name : "");
  W.open(L.Call + ", [" + Captures + "](" + Parameters + ")");
  W.add(Text);
  W.close(");");
}

namespace {

/// The extents that the condition of an If that chooses whole blocks compares, each with its constant.
std::vector<std::pair<Expr, std::int64_t>> comparedExtents(const Expr &Condition) {
  std::vector<std::pair<Expr, std::int64_t>> Result;
  if (Condition->Kind != ExprKind::Binary)
    return Result;
  if (Condition->Bin == BinaryOp::And) {
    for (const Expr &Side : Condition->Args)
      for (auto &Found : comparedExtents(Side))
        Result.push_back(std::move(Found));
  } else if (Condition->Bin == BinaryOp::Eq) {
    if (const std::optional<std::int64_t> Whole = constantValue(Condition->Args[1]))
      Result.push_back({Condition->Args[0], *Whole});
  }
  return Result;
}

bool callsPrimitive(const Block &B) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) { Found |= S.getIf<PrimitiveCall>() != nullptr; });
  return Found;
}

} // namespace

/// Else of every If that chooses whole blocks, in terms of variables for the extents of a block.
void OpenMPEmitter::nameBlockSizes(Block &B) {
  for (Stmt &S : B) {
    auto *I = S.getIf<If>();
    if (I && I->ChoosesWhole && !callsPrimitive(I->Then) && !callsPrimitive(I->Else)) {
      std::vector<BlockSize> Sizes;
      for (const auto &[Extent, Whole] : comparedExtents(I->Condition)) {
        BlockSize Size{Extent, Whole, makeVar("n", ScalarType::I64, VarKind::Scalar)};
        walkStmts(I->Else, [&](const Stmt &Inner) {
          const auto *A = Inner.getIf<Alloc>();
          for (size_t Dim = 0; A && Dim < A->Extents.size(); ++Dim)
            if (Size.V->Name == "n" && equal(A->Extents[Dim], Size.Extent))
              Size.V = makeVar(A->T->Name + "_n" + std::to_string(Dim), ScalarType::I64,
                               VarKind::Scalar);
        });
        Sizes.push_back(std::move(Size));
      }
      rewriteExprs(I->Else, [&](const Expr &N) -> Expr {
        for (const BlockSize &Size : Sizes)
          if (equal(N, Size.Extent))
            return cast(N->Type, varExpr(Size.V));
        return nullptr;
      });
      I->Then.clear();
      BlockSizes[I] = std::move(Sizes);
    }
    for (Block *Nested : nestedBlocks(S))
      nameBlockSizes(*Nested);
  }
}

/// How much is left where a block begins, or its extent: that is the former clipped.
Expr OpenMPEmitter::leftOf(const BlockSize &Size) const {
  Expr E = wide(Size.Extent);
  if (E->Kind == ExprKind::Extent)
    E = wide(storageFor(E->T).Extents[E->Dim]);
  if (E->Kind == ExprKind::Var)
    if (auto Found = SizeValues.find(E->V); Found != SizeValues.end())
      E = Found->second;
  if (E->Kind == ExprKind::Binary && E->Bin == BinaryOp::Min)
    for (unsigned Side : {0u, 1u})
      if (isConstant(E->Args[Side], Size.Whole))
        return E->Args[1 - Side];
  return E;
}

void OpenMPEmitter::emitVersions(const If &I) {
  Lambda Body;
  std::string Whole, Left;
  for (const BlockSize &Size : BlockSizes.at(&I)) {
    Whole += (Whole.empty() ? "" : ", ") + std::to_string(Size.Whole);
    Left += (Left.empty() ? "" : ", ") + text(leftOf(Size));
  }
  for (const BlockSize &Size : BlockSizes.at(&I))
    Body.Parameters.push_back(Names.define(Size.V));
  Body.Call = "cpu::for_block<" + Whole + ">({" + Left + "}";
  emitLambda(Body, I.Else, [&] { emitBlock(I.Else); });
}

} // namespace septran::compiler
