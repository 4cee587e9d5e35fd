//===- ReadViews.cpp - tensors, partitions, windows, lists ----------*- C++ -*-===//
//
// Every way to name a part of a tensor becomes one View: views of views are edited slice by slice
// while that stays expressible, and otherwise cut from an alias that is defined for the purpose.
// Block sizes and window shapes follow <septran/partition.h> and <septran/windows.h>.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/ExprReader.h"

#include "clang/AST/ASTContext.h"

#include <algorithm>

using namespace clang;

namespace septran::compiler {

namespace {

/// True if the integer is positive whatever the shapes of the tensors and the values of the tunables.
bool isPositive(const Expr &E) {
  Facts Tunables;
  walkExprs(E, [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Var && Part->V->Kind == VarKind::Tunable)
      Tunables[Part->V] = {intLit(1), nullptr};
  });
  return provablyLessEqual(intLit(1), E, Tunables);
}

bool isAll(const clang::Expr *E) {
  E = peel(E);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    if (classify(E->getType()) == TypeKind::BlockIndex && Construct->getNumArgs() >= 1)
      E = peel(Construct->getArg(0));
  return classify(E->getType()) == TypeKind::All;
}

/// The integer in `P(i)`: what a block_index is made from.
const clang::Expr *blockNumber(const clang::Expr *E) {
  E = peel(E);
  const auto *Construct = dyn_cast<CXXConstructExpr>(E);
  return Construct && Construct->getNumArgs() >= 1 ? Construct->getArg(0) : E;
}

} // namespace

bool ExprReader::isExtent(const Expr &E, const TensorRef &T, unsigned Dim) const {
  if (equal(E, extentOf(T, Dim)))
    return true;
  auto It = KnownExtents.find(T);
  return It != KnownExtents.end() && Dim < It->second.size() && equal(E, It->second[Dim]);
}

Expr ExprReader::blockExtent(const Expr &Size, const TensorRef &T, unsigned Dim) {
  const Expr Whole = extentOf(T, Dim);
  if (std::optional<std::int64_t> Known = constantValue(Size))
    return *Known > 0 ? Size : Whole;
  if (isExtent(Size, T, Dim) || isPositive(Size))
    return Size;
  return held(select(binary(BinaryOp::Le, Size, intLit(0)), Whole, Size), T->Name + "_block");
}

std::optional<unsigned> ExprReader::dimension(const clang::Expr *E, unsigned Rank) {
  Expr Dim = index(E);
  if (!Dim)
    return std::nullopt;
  std::optional<std::int64_t> Known = constantValue(Dim);
  if (Known && *Known >= 0 && *Known < Rank)
    return static_cast<unsigned>(*Known);
  fail(E->getSourceRange(),
       Known
           ? "dimension " + std::to_string(*Known) + " of a tensor of rank " + std::to_string(Rank)
           : "a dimension that is no constant",
       "dimensions count from 0 to the rank minus 1");
  return std::nullopt;
}

std::optional<View> ExprReader::view(const clang::Expr *E) {
  E = peel(E);
  std::optional<View> Result;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (const Value *V = lookup(Ref->getDecl()))
      if (const auto *Known = std::get_if<View>(V))
        Result = *Known;
    if (!Result && isRejected(Ref->getDecl()))
      fail({}, "");
    else if (!Result)
      fail(E->getSourceRange(), "the variable '" + Ref->getDecl()->getNameAsString() +
                                    "', which is no tensor of this function");
  } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
             Call && Call->getOperator() == OO_Call) {
    Result = block(Call);
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Result = viewOfCall(Call);
  } else {
    fail(E->getSourceRange(), "a tensor made here",
         "tensors are parameters, locals, and blocks and views of those");
  }
  if (Result)
    Result->Loc = place(E);
  return Result;
}

std::optional<View> ExprReader::viewOfCall(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  switch (F ? libraryFunction(*F) : LibraryFunction::None) {
  case LibraryFunction::Transpose: {
    std::optional<View> V = editable(E->getArg(0));
    if (V) {
      std::reverse(V->Dims.begin(), V->Dims.end());
      std::reverse(V->BroadcastExtents.begin(), V->BroadcastExtents.end());
    }
    return V;
  }
  case LibraryFunction::Subtensor:
    return subtensor(E);
  case LibraryFunction::Reshape:
    return reshape(E);
  case LibraryFunction::Broadcast:
    return broadcast(E);
  default:
    fail(E->getSourceRange(),
         F ? "a tensor that '" + F->getNameAsString() + "' returns"
           : "a tensor that a call returns",
         "transpose, subtensor, reshape and broadcast give views");
    return std::nullopt;
  }
}

/// The view with its slices spelled out; one that cannot be cut further gets a name first.
std::optional<View> ExprReader::editable(const clang::Expr *E) {
  std::optional<View> V = view(E);
  if (!V)
    return V;
  if (!V->Reshape.empty()) {
    TensorRef T = named(*V, E);
    if (!T)
      return std::nullopt;
    V = wholeView(T);
  }
  return explicitView(*V);
}

/// `P(i, j)` of a partition or windows.
std::optional<View> ExprReader::block(const CXXOperatorCallExpr *E) {
  const clang::Expr *Object = E->getArg(0);
  const TypeKind Kind = classify(peel(Object)->getType());
  if (Kind != TypeKind::Partition && Kind != TypeKind::Windows) {
    fail(E->getSourceRange(), "an access to an element as a tensor");
    return std::nullopt;
  }
  std::optional<Grid> G = grid(Object);
  if (!G)
    return std::nullopt;
  View V = wholeView(G->Base);
  bool Whole = true;
  for (unsigned D = 0; D < G->Base->Rank; ++D) {
    const clang::Expr *Arg = E->getArg(D + 1);
    const Expr Extent = extentOf(G->Base, D);
    Expr Number = isAll(Arg) ? nullptr : index(blockNumber(Arg));
    if (First)
      return std::nullopt;
    Slice S{intLit(0), Extent, nullptr, nullptr, nullptr, nullptr};
    // Block 0 of blocks as large as the tensor is the dimension itself.
    if (Number && !(isConstant(Number, 0) && isExtent(G->Size[D], G->Base, D))) {
      S.Offset =
          binary(BinaryOp::Mul, Number, G->IsWindows ? G->Step[D] : G->Size[D], ScalarType::I64);
      S.Extent = minExpr(G->Size[D], Extent - S.Offset);
      if (!G->IsWindows) {
        S.Block = G->Size[D];
        S.Index = Number;
      }
      Whole = false;
    }
    if (G->IsWindows) {
      S.Low = isConstant(G->Low[D], 0) ? nullptr : G->Low[D];
      S.High = isConstant(G->High[D], 0) ? nullptr : G->High[D];
      S.Offset = S.Offset - G->Low[D];
      S.Extent = S.Extent + G->Low[D] + G->High[D];
      if (S.Low || S.High) {
        V.Fill = G->Fill;
        Whole = false;
      }
    }
    V.Slices.push_back(S);
    V.Dims.push_back(static_cast<int>(D));
    V.BroadcastExtents.push_back(nullptr);
  }
  return Whole ? wholeView(G->Base) : V;
}

std::optional<View> ExprReader::subtensor(const CallExpr *E) {
  std::optional<View> V = editable(E->getArg(0));
  if (!V)
    return V;
  std::vector<int> Dims;
  std::vector<Expr> BroadcastExtents;
  for (unsigned D = 0; D < V->Dims.size() && D + 1 < E->getNumArgs(); ++D) {
    const clang::Expr *Arg = E->getArg(D + 1);
    if (isAll(Arg)) {
      Dims.push_back(V->Dims[D]);
      BroadcastExtents.push_back(V->BroadcastExtents[D]);
      continue;
    }
    Expr At = index(Arg);
    if (!At)
      return std::nullopt;
    if (V->Dims[D] >= 0) {
      Slice &S = V->Slices[static_cast<unsigned>(V->Dims[D])];
      S = Slice{S.Offset + At, intLit(1), nullptr, nullptr, nullptr, nullptr};
    }
  }
  V->Dims = std::move(Dims);
  V->BroadcastExtents = std::move(BroadcastExtents);
  return V;
}

std::optional<View> ExprReader::broadcast(const CallExpr *E) {
  std::optional<View> V = editable(E->getArg(0));
  std::optional<List> Extents = V ? list(E->getArg(1)) : std::nullopt;
  if (!Extents)
    return std::nullopt;
  const size_t New = Extents->size() - V->Dims.size();
  for (size_t D = 0; D < V->Dims.size(); ++D) {
    const Expr Have = V->extent(static_cast<unsigned>(D)), &Want = (*Extents)[D + New];
    const int BaseDim = V->Dims[D];
    if (equal(Have, Want) || (BaseDim >= 0 && equal(Have, extentOf(V->Base, BaseDim)) &&
                              isExtent(Want, V->Base, static_cast<unsigned>(BaseDim))))
      continue;
    if (isConstant(Have, 1)) {
      V->Dims[D] = -1;
      V->BroadcastExtents[D] = Want;
      continue;
    }
    fail(E->getSourceRange(),
         "a broadcast that may or may not repeat dimension " + std::to_string(D),
         "give the tensor's own extent(" + std::to_string(D) +
             ") to keep a dimension, or drop it with subtensor to repeat it");
    return std::nullopt;
  }
  V->Dims.insert(V->Dims.begin(), New, -1);
  V->BroadcastExtents.insert(V->BroadcastExtents.begin(), Extents->begin(),
                             Extents->begin() + static_cast<std::ptrdiff_t>(New));
  return V;
}

std::optional<View> ExprReader::reshape(const CallExpr *E) {
  std::optional<View> V = view(E->getArg(0));
  std::optional<List> Extents = V ? list(E->getArg(1)) : std::nullopt;
  if (!Extents)
    return std::nullopt;
  TensorRef T = named(*V, E->getArg(0));
  if (!T)
    return std::nullopt;
  View Result = wholeView(T);
  Result.Reshape = *Extents;
  return Result;
}

std::optional<Grid> ExprReader::grid(const clang::Expr *E) {
  E = peel(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (const Value *V = lookup(Ref->getDecl()))
      if (const auto *Known = std::get_if<Grid>(V))
        return *Known;
    if (isRejected(Ref->getDecl()))
      fail({}, "");
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return gridOfCall(Call);
  fail(E->getSourceRange(), "this partition", "make partitions with partition and windows");
  return std::nullopt;
}

std::optional<Grid> ExprReader::gridOfCall(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  LibraryFunction Kind = F ? libraryFunction(*F) : LibraryFunction::None;
  if (Kind != LibraryFunction::Partition && Kind != LibraryFunction::Windows) {
    fail(E->getSourceRange(), "a partition that a call returns",
         "make partitions with partition and windows");
    return std::nullopt;
  }
  std::optional<View> Root = view(E->getArg(0));
  if (!Root)
    return std::nullopt;
  Grid G;
  G.Base = named(*Root, E->getArg(0));
  if (!G.Base)
    return std::nullopt;
  const unsigned Rank = G.Base->Rank;
  auto Sizes = [&](unsigned Arg, bool ZeroIsWhole) {
    std::optional<List> L = list(E->getArg(Arg));
    if (!L || L->size() != Rank)
      return List();
    for (unsigned D = 0; D < Rank && ZeroIsWhole; ++D)
      (*L)[D] = blockExtent((*L)[D], G.Base, D);
    return *L;
  };
  G.Size = Sizes(1, true);
  if (Kind == LibraryFunction::Windows) {
    G.IsWindows = true;
    G.Step = Sizes(2, true);
    G.Low = Sizes(3, false);
    G.High = Sizes(4, false);
    G.Fill = scalar(E->getArg(5));
  }
  if (First)
    return std::nullopt;
  return G;
}

std::optional<List> ExprReader::list(const clang::Expr *E) {
  E = peel(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (const Value *V = lookup(Ref->getDecl()))
      if (const auto *Known = std::get_if<List>(V))
        return *Known;
    if (isRejected(Ref->getDecl()))
      fail({}, "");
  }
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
    const clang::Expr *Object = Call->getImplicitObjectArgument();
    llvm::StringRef Name = Call->getMethodDecl() && Call->getMethodDecl()->getIdentifier()
                               ? Call->getMethodDecl()->getName()
                               : "";
    const TypeKind Kind = classify(peel(Object)->getType());
    List L;
    if ((Kind == TypeKind::Tensor || Kind == TypeKind::Local) &&
        (Name == "extents" || Name == "origins")) {
      std::optional<View> V = view(Object);
      if (!V)
        return std::nullopt;
      for (unsigned D = 0; D < V->rank(); ++D)
        L.push_back(Name == "extents" ? V->extent(D) : V->origin(D));
      return L;
    }
    if ((Kind == TypeKind::Partition || Kind == TypeKind::Windows) && Name == "shape") {
      std::optional<Grid> G = grid(Object);
      if (!G)
        return std::nullopt;
      for (unsigned D = 0; D < G->Base->Rank; ++D)
        L.push_back(G->extent(D));
      return L;
    }
  }
  // {a, b}: an extents_t from its integers, or an array of them; the one integer of a vector.
  llvm::ArrayRef<const clang::Expr *> Items;
  bool IsList = false;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && classify(E->getType()) == TypeKind::Extents) {
    Items = {Construct->getArgs(), Construct->getNumArgs()};
    IsList = Construct->getNumArgs() > 0;
  } else if (const auto *Braces = dyn_cast<InitListExpr>(E)) {
    if (Braces->getNumInits() == 1 && !scalarTypeOf(Braces->getInit(0)->getType()))
      return list(Braces->getInit(0));
    Items = {Braces->getInits(), Braces->getNumInits()};
    IsList = true;
  } else if (scalarTypeOf(E->getType())) {
    Items = E;
    IsList = true;
  }
  if (!IsList) {
    fail(E->getSourceRange(), "these extents",
         "write a list in braces, extents() of a tensor or shape() of a partition");
    return std::nullopt;
  }
  List L;
  for (const clang::Expr *Item : Items) {
    Expr Extent = index(Item);
    if (!Extent)
      return std::nullopt;
    L.push_back(Extent);
  }
  return L;
}

std::optional<Element> ExprReader::element(const clang::Expr *E) {
  E = peel(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const Value *V = lookup(Ref->getDecl());
    const auto *At = V ? std::get_if<Element>(V) : nullptr;
    return At ? std::optional(*At) : std::nullopt;
  }
  const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  if (!Call || Call->getOperator() != OO_Call)
    return std::nullopt;
  const TypeKind Kind = classify(peel(Call->getArg(0))->getType());
  if (Kind != TypeKind::Tensor && Kind != TypeKind::Local)
    return std::nullopt;
  if (!InLeaf) {
    fail(E->getSourceRange(), "an element of a tensor", "", DiagID::TaskTouchesElement);
    return std::nullopt;
  }
  std::optional<View> V = view(Call->getArg(0));
  if (!V)
    return std::nullopt;
  std::vector<Expr> Indices;
  for (unsigned I = 1; I < Call->getNumArgs(); ++I) {
    Expr Index = index(Call->getArg(I));
    if (!Index)
      return std::nullopt;
    Indices.push_back(Index);
  }
  if (!V->Reshape.empty() || V->Fill) {
    fail(E->getSourceRange(), "an element of a reshaped tensor");
    return std::nullopt;
  }
  return Element{V->Base, baseIndices(*V, Indices)};
}

} // namespace septran::compiler
