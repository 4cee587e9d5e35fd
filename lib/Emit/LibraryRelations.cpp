//===- LibraryRelations.cpp - relations between extents, as integers ------===//
#include "Emit/Library.h"

#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Extents, integers and scalars, and what septran::library::checked_int computes with them.
bool isExpressible(const Expr &E) {
  bool Good = true;
  walkExprs(E, [&](const Expr &N) {
    Good &= isInteger(N->Type) || N->Type == ScalarType::Bool;
    switch (N->Kind) {
    case ExprKind::IntLit:
    case ExprKind::Var:
    case ExprKind::Extent:
    case ExprKind::Cast:
    case ExprKind::Select:
      return;
    case ExprKind::Unary:
      Good &= N->Un != UnaryOp::BitNot;
      return;
    case ExprKind::Binary:
      Good &= N->Bin != BinaryOp::BitAnd && N->Bin != BinaryOp::BitOr &&
              N->Bin != BinaryOp::BitXor && N->Bin != BinaryOp::Shl && N->Bin != BinaryOp::Shr;
      return;
    default:
      Good = false;
    }
  });
  return Good;
}

std::optional<ExtentRef> asExtent(const Expr &E, const std::vector<Parameter> &Params) {
  if (E->Kind == ExprKind::Extent)
    for (unsigned I = 0; I < Params.size(); ++I)
      if (Params[I].Tensor == E->T)
        return ExtentRef{I, E->Dim};
  return std::nullopt;
}

} // namespace

std::vector<LibraryRelation> libraryRelations(const ShapeRelations &Shapes) {
  std::vector<LibraryRelation> All;
  for (const EntryExtent &E : Shapes.Extents) {
    const Expr Own = extentOf(Shapes.Params[E.Ref.Param].Tensor, E.Ref.Dim);
    if (E.Least > 0)
      All.push_back({LibraryRelation::AtLeast, Own, intLit(E.Least), E.Ref});
    if (E.isTied()) {
      Expr Longest = E.AtLeast.front();
      for (const Expr &Bound : E.AtLeast)
        Longest = equal(Bound, Longest) ? Longest : maxExpr(Longest, Bound);
      All.push_back({LibraryRelation::Equal, Own, Longest, E.Ref});
      continue;
    }
    for (const Expr &Bound : E.AtLeast)
      All.push_back({LibraryRelation::AtLeast, Own, Bound, E.Ref});
  }
  for (const ExtentLimit &L : Shapes.Limits) {
    const std::optional<ExtentRef> There = asExtent(L.There, Shapes.Params);
    if (There || constantValue(L.Needed))
      All.push_back({LibraryRelation::AtLeast, L.There, L.Needed, There});
    else
      All.push_back({LibraryRelation::AtMost, L.Needed, L.There, std::nullopt});
  }
  for (const ExtentSuggestion &S : Shapes.Suggestions) {
    const Expr Own = extentOf(Shapes.Params[S.Ref.Param].Tensor, S.Ref.Dim);
    if (std::none_of(All.begin(), All.end(), [&](const LibraryRelation &R) {
          return equal(R.Left, Own) && equal(R.Right, S.Is);
        }))
      All.push_back({LibraryRelation::Like, Own, S.Is, S.Ref});
  }
  std::erase_if(All, [](const LibraryRelation &R) {
    return !isExpressible(R.Left) || !isExpressible(R.Right);
  });
  // What must be equal need not be said to be at least so much.
  const std::vector<LibraryRelation> Known = All;
  std::erase_if(All, [&](const LibraryRelation &R) {
    return R.Is != LibraryRelation::Equal &&
           std::any_of(Known.begin(), Known.end(), [&](const LibraryRelation &Other) {
             return Other.Is == LibraryRelation::Equal && equal(R.Left, Other.Left) &&
                    equal(R.Right, Other.Right);
           });
  });
  return All;
}

std::string_view toString(LibraryRelation::Kind K) {
  return K == LibraryRelation::Equal     ? "equal"
         : K == LibraryRelation::AtLeast ? "at least"
         : K == LibraryRelation::AtMost  ? "at most"
                                         : "like";
}

std::string privilegeName(const Parameter &P) {
  switch (P.Access) {
  case Privilege::Read:
    return "read";
  case Privilege::ReadWrite:
    return "read write";
  case Privilege::Write:
    return "write";
  case Privilege::Reduce:
    return "reduce " + std::string(reductionName(P.Reduction));
  }
  return "";
}

std::string relationText(const Expr &E, const std::vector<Parameter> &Params,
                         const RelationNames &Names) {
  const auto Named = [](std::string Text) {
    return varExpr(makeVar(std::move(Text), ScalarType::I64, VarKind::Scalar));
  };
  return toString(rewriteExpr(E, [&](const Expr &N) -> Expr {
    if (N->Kind == ExprKind::IntLit)
      return intLit(N->Int);
    if (N->Kind == ExprKind::Cast)
      return N->Args[0];
    if (std::optional<ExtentRef> Ref = asExtent(N, Params))
      return Named(Names.Extent(Ref->Param, Ref->Dim));
    if (N->Kind == ExprKind::Var)
      for (unsigned I = 0; I < Params.size(); ++I)
        if (Params[I].Scalar == N->V)
          return Named(Names.Scalar(I));
    return nullptr;
  }));
}

std::string relationText(const Expr &E, const std::vector<Parameter> &Params) {
  const std::vector<std::string> Names = cNames(Params);
  return relationText(
      E, Params,
      {[&](unsigned Param, unsigned Dim) { return Names[Param] + "[" + std::to_string(Dim) + "]"; },
       [&](unsigned Param) { return Names[Param]; }});
}

} // namespace septran::compiler
