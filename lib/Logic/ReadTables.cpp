//===- ReadTables.cpp - elements of constant arrays -----------------*- C++ -*-===//
//
// `constexpr float taps[3] = {1, 2, 1}; ... taps[k]`, also as std::array and of several dimensions: the numbers are
// known, so that an element is a choice between them. Where a loop over k is written out, that is a number.
//
//===----------------------------------------------------------------------===//
#include "Logic/ExprReader.h"

#include "clang/AST/ASTContext.h"

#include <algorithm>
#include <map>

using namespace clang;

namespace septran::compiler {

namespace {

/// Comparisons that an element may cost.
constexpr unsigned MaxElements = 32;

/// The array with the numbers of a std::array, or the array itself; null if it is neither.
const APValue *arrayIn(const APValue &V) {
  if (V.isArray())
    return &V;
  const bool Wraps = V.isStruct() && V.getStructNumBases() == 0 && V.getStructNumFields() == 1;
  return Wraps ? arrayIn(V.getStructField(0)) : nullptr;
}

const APValue &elementOf(const APValue &Array, unsigned At) {
  return At < Array.getArrayInitializedElts() ? Array.getArrayInitializedElt(At)
                                              : Array.getArrayFiller();
}

/// `table[i][j]`: the variable and its subscripts, first one first; null if it is something else.
const VarDecl *tableOf(const clang::Expr *E, std::vector<const clang::Expr *> &Subscripts) {
  E = peel(E);
  if (const auto *Decay = dyn_cast<ImplicitCastExpr>(E);
      Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
    return tableOf(Decay->getSubExpr(), Subscripts);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return dyn_cast<VarDecl>(Ref->getDecl());
  const VarDecl *V = nullptr;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
    V = tableOf(Element->getBase(), Subscripts);
    Subscripts.push_back(Element->getIdx());
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
             Call && Call->getOperator() == OO_Subscript && Call->getNumArgs() == 2) {
    V = tableOf(Call->getArg(0), Subscripts);
    Subscripts.push_back(Call->getArg(1));
  }
  return V;
}

/// The element that the indices from `Next` on choose; the commonest one where none is compared with.
Expr choose(const APValue &V, llvm::ArrayRef<Expr> Indices, llvm::function_ref<Expr(const APValue &)> Number) {
  if (Indices.empty())
    return Number(V);
  const APValue *Array = arrayIn(V);
  if (!Array || Array->getArraySize() == 0)
    return nullptr;
  std::vector<Expr> Elements;
  for (unsigned At = 0; At < Array->getArraySize(); ++At)
    if (Expr E = choose(elementOf(*Array, At), Indices.drop_front(), Number))
      Elements.push_back(std::move(E));
    else
      return nullptr;
  if (const std::optional<std::int64_t> At = constantValue(Indices[0]))
    return *At >= 0 && *At < std::int64_t(Elements.size()) ? Elements[size_t(*At)] : nullptr;
  const auto Times = [&](const Expr &E) {
    return std::count_if(Elements.begin(), Elements.end(), [&](const Expr &Other) { return equal(E, Other); });
  };
  Expr Result = *std::max_element(Elements.begin(), Elements.end(),
                                  [&](const Expr &A, const Expr &B) { return Times(A) < Times(B); });
  const Expr Usual = Result;
  for (size_t At = Elements.size(); At > 0; --At)
    if (!equal(Elements[At - 1], Usual))
      Result = select(binary(BinaryOp::Eq, Indices[0], intLit(std::int64_t(At - 1), Indices[0]->Type)),
                      Elements[At - 1], Result);
  return Result;
}

} // namespace

bool isConstantTable(const VarDecl *V) {
  if (!V->getInit() || V->getInit()->isValueDependent() || !V->getType().isConstant(V->getASTContext()))
    return false;
  const APValue *Value = V->evaluateValue();
  return Value && arrayIn(*Value);
}

std::optional<Expr> ExprReader::tableElement(const clang::Expr *E) {
  std::vector<const clang::Expr *> Subscripts;
  const VarDecl *Table = tableOf(E, Subscripts);
  if (!Table || !isConstantTable(Table) || lookup(Table))
    return std::nullopt;
  const APValue &Value = *Table->evaluateValue();
  std::uint64_t Elements = 1;
  const APValue *Array = arrayIn(Value);
  for (size_t D = 0; D < Subscripts.size(); ++D) {
    if (!Array || Array->getArraySize() == 0)
      return std::nullopt;
    Elements *= Array->getArraySize();
    Array = arrayIn(elementOf(*Array, 0));
  }
  if (Elements > MaxElements) {
    fail(E->getSourceRange(), "a constant array of more than " + std::to_string(MaxElements) + " numbers",
         "pass it as a tensor");
    return Expr();
  }
  List Indices;
  for (const clang::Expr *S : Subscripts) {
    Expr Index = scalar(S);
    if (!Index)
      return Expr();
    Indices.push_back(std::move(Index));
  }
  const ScalarType Type = *scalarTypeOf(E->getType());
  Expr Result = choose(Value, Indices, [&](const APValue &V) { return number(V, Type); });
  if (!Result)
    fail(E->getSourceRange(), "an element that the array does not have");
  return Result;
}

} // namespace septran::compiler
