//===- OpenMPCopies.cpp - copies between buffers and views ----------------===//
//
// A copy into panels packs, any other copy goes row by row along the dimension that is contiguous
// in the destination; where that does not fit it falls back to one element at a time. Copies that
// touch a register tile are element loops like those of a leaf.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/RegisterTiles.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// The dimension whose panels hold neighbours; of several, that within all others' panels.
int panelDim(const Storage &S) {
  int Found = -1;
  for (size_t D = 0; D < S.Panels.size(); ++D)
    if (S.Panels[D].Width && (Found < 0 || isConstant(wide(S.Strides[D]), 1)))
      Found = int(D);
  return Found;
}

/// Another one that is in panels; -1 if there is none.
int outerPanelDim(const Storage &S) {
  const int Inner = panelDim(S);
  for (size_t D = 0; D < S.Panels.size(); ++D)
    if (S.Panels[D].Width && int(D) != Inner)
      return int(D);
  return -1;
}

/// The dimension along which the lines of a panel follow each other; -1 if there is none.
int linesOfPanel(const Storage &S, int PanelDim) {
  for (size_t D = 0; D < S.Strides.size(); ++D)
    if (int(D) != PanelDim && isConstant(wide(S.Strides[D]), S.Panels[PanelDim].Width))
      return int(D);
  return -1;
}

int contiguousDim(const Storage &S) {
  for (size_t D = S.Strides.size(); D > 0; --D)
    if (isConstant(S.Strides[D - 1], 1))
      return int(D - 1);
  return -1;
}

} // namespace

void OpenMPEmitter::emitCopy(const CopyStmt &C, const Location &Loc) {
  const Storage &To = storageFor(C.Dst.Base), &From = storageFor(C.Src.Base);
  W.comment("copy " + C.Dst.Base->Name + " <- " + C.Src.Base->Name + ": " + C.Reason + " (" +
            place(Loc) + ")");
  if (To.IsTile && C.Src.Fill) {
    CopyStmt Inside = C;
    Inside.Src = wholeView(emitPaddedWindow(C, To));
    emitTileCopy(Inside, true);
    return;
  }
  // A part of a tile is a place in an array, and copied as such.
  const bool IntoTile = To.IsTile && isIdentity(C.Dst);
  if (IntoTile || (From.IsTile && isIdentity(C.Src))) {
    emitTileCopy(C, IntoTile);
    emitPrefetch(C);
    return;
  }
  if (C.Src.Fill) {
    emitWindowCopy(C);
    return;
  }
  std::optional<ViewStorage> D1 = storageOf(C.Dst, To), S1 = storageOf(C.Src, From);
  if (!D1 || !S1) {
    D.report(DiagID::ViewCutsPanels, Loc, (D1 ? C.Src : C.Dst).Base->Name,
             (D1 ? C.Src : C.Dst).Base->Name);
    return;
  }
  D1->S.Name = addressText(D1->S.Name, D1->Offset);
  S1->S.Name = addressText(S1->S.Name, S1->Offset);
  emitPlainCopy(D1->S, S1->S);
  emitPrefetch(C); // the next block arrives while this one is worked on
}

/// All cores pack a matrix into the panels of one buffer.
void OpenMPEmitter::emitSharedPacking(const Storage &To, const Storage &From, unsigned PanelDim) {
  auto T = [this](const Expr &E) { return text(wide(E)); };
  const unsigned RowDim = 1 - PanelDim;
  W.line("cpu::team_pack<" + std::to_string(To.Panels[PanelDim].Width) + ">(" + To.Name + ", " +
         T(To.Panels[PanelDim].Stride) + ", " + From.Name + ", " + T(From.Strides[RowDim]) + ", " +
         T(From.Strides[PanelDim]) + ", " + T(To.Extents[RowDim]) + ", " + T(To.Extents[PanelDim]) +
         ");");
}

/// `for (V = 0; V < Count; ++V)`, by all cores or in order.
void OpenMPEmitter::emitCopyLoop(bool AllCores, const VarRef &V, const std::string &Count,
                                 llvm::function_ref<void()> EmitBody) {
  const std::string Name = Names.define(V);
  if (AllCores) {
    emitLambda({"cpu::team_for(" + Count + ", ", {Name}}, {}, [&] {
      const bool Outer = std::exchange(InParallel, true);
      EmitBody();
      InParallel = Outer;
    });
    return;
  }
  W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + Count + "; ++" + Name + ")");
  EmitBody();
  W.close();
}

/// One copy for every panel of such a dimension.
void OpenMPEmitter::emitPanelByPanel(const Storage &To, const Storage &From, unsigned Dim) {
  const Storage::Panel &Panels = To.Panels[Dim];
  const VarRef V = makeVar("panel", ScalarType::I64, VarKind::Loop);
  const Expr Panel = varExpr(V);
  emitCopyLoop(onAllCores(), V, text(wide(ceilDiv(To.Extents[Dim], intLit(Panels.Width)))), [&] {
    const Expr First = Panel * intLit(Panels.Width);
    Storage ToPart = To, FromPart = From;
    ToPart.Name = addressText(To.Name, Panel * Panels.Stride);
    ToPart.Panels[Dim] = {};
    FromPart.Name = addressText(From.Name, First * From.Strides[Dim]);
    ToPart.Extents[Dim] = FromPart.Extents[Dim] =
        minExpr(To.Extents[Dim] - First, intLit(Panels.Width));
    emitPlainCopy(ToPart, FromPart);
  });
}

/// A copy that no core is in charge of is made by all of them.
bool OpenMPEmitter::onAllCores() const {
  return !InParallel && (Instances.empty() || Instances.back()->Depth == 0);
}

/// The two storages have the same shape; their names are the addresses of the first elements.
void OpenMPEmitter::emitPlainCopy(const Storage &To, const Storage &From) {
  unsigned Rank = unsigned(To.Strides.size());
  std::vector<Expr> Extents;
  for (const Expr &E : To.Extents)
    Extents.push_back(wide(E));
  auto T = [&](const Expr &E) { return text(wide(E)); };
  const bool AllCores = onAllCores();
  int ToPanel = panelDim(To), FromPanel = panelDim(From);
  if (const int Outer = outerPanelDim(To); Outer >= 0 && FromPanel < 0) {
    emitPanelByPanel(To, From, unsigned(Outer));
    return;
  }

  if (ToPanel >= 0 && FromPanel < 0 && Rank == 2) {
    int Other = 1 - ToPanel;
    std::string Width = std::to_string(To.Panels[ToPanel].Width);
    if (!AllCores) {
      const Expr &Along = From.Strides[Other], &Across = From.Strides[ToPanel];
      const Expr Distance = wide(To.Panels[ToPanel].Stride);
      const bool Follow = equal(Distance, wide(Extents[Other] * intLit(To.Panels[ToPanel].Width)));
      W.line("cpu::pack_panels<" + Width + ">(" + To.Name + ", " +
             (Follow ? "" : text(Distance) + ", ") + From.Name + ", " + T(Along) + ", " + T(Across) +
             ", " + T(Extents[Other]) + ", " + T(Extents[ToPanel]) + ");");
      return;
    }
    emitSharedPacking(To, From, unsigned(ToPanel));
    return;
  }

  int Inner = ToPanel < 0 && FromPanel < 0 && Rank > 0 ? contiguousDim(To) : -1;
  // Of more dimensions, the one along which the lines of a panel follow each other.
  const int Lines = ToPanel >= 0 && FromPanel < 0 ? linesOfPanel(To, ToPanel) : -1;
  std::vector<unsigned> Order; // loops, outermost first
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    if (int(Dim) != Inner && (Lines < 0 || (int(Dim) != Lines && int(Dim) != ToPanel)))
      Order.push_back(Dim);
  int Row = -1;
  if (Inner >= 0 && !Order.empty()) {
    Row = int(Order.back());
    Order.pop_back();
  }
  if (AllCores && Order.empty() && Row >= 0) {
    emitSharedCopy(To, From, unsigned(Row), unsigned(Inner));
    return;
  }
  std::vector<Expr> Indices(Rank, intLit(0));
  std::string Inside; // condition of elements that are there
  auto EmitInside = [&] {
    std::string ToAt = addressText(To.Name, To.offsetOf(Indices));
    std::string FromAt = addressText(From.Name, From.offsetOf(Indices));
    if (Inner >= 0) {
      W.line("cpu::copy_block(" + ToAt + ", " + (Row >= 0 ? T(To.Strides[Row]) : "0") + ", " +
             FromAt + ", " + (Row >= 0 ? T(From.Strides[Row]) : "0") + ", " +
             T(From.Strides[Inner]) + ", " + (Row >= 0 ? T(Extents[Row]) : "1") + ", " +
             T(Extents[Inner]) + ");");
    } else if (Lines >= 0) {
      const Storage::Panel &Panels = To.Panels[ToPanel];
      W.line("cpu::pack_panels<" + std::to_string(Panels.Width) + ">(" + ToAt + ", " +
             T(Panels.Stride) + ", " + FromAt + ", " + T(From.Strides[Lines]) + ", " +
             T(From.Strides[ToPanel]) + ", " + T(Extents[Lines]) + ", " + T(Extents[ToPanel]) +
             ");");
    } else {
      W.line(Inside.empty() ? "*(" + ToAt + ") = *(" + FromAt + ");"
                            : "cpu::copy_or_zero(" + ToAt + ", " + FromAt + ", " + Inside + ");");
    }
  };
  auto EmitLoops = [&](size_t At, auto &Self) -> void {
    if (At == Order.size())
      return EmitInside();
    const unsigned Dim = Order[At];
    const VarRef V = makeVar("c", ScalarType::I64, VarKind::Loop);
    Expr Bound = Extents[Dim];
    if (int(Dim) == ToPanel) { // to the end of the last panel, with zeros
      const Expr Width = intLit(To.Panels[Dim].Width);
      Bound = wide(ceilDiv(Bound, Width) * Width);
    }
    Indices[Dim] = varExpr(V);
    emitCopyLoop(AllCores && At == 0, V, boundText(Bound), [&] {
      if (int(Dim) == ToPanel)
        Inside = text(varExpr(V)) + " < " + boundText(Extents[Dim]);
      Self(At + 1, Self);
    });
  };
  EmitLoops(0, EmitLoops);
}

/// All cores copy a matrix.
void OpenMPEmitter::emitSharedCopy(const Storage &To, const Storage &From, unsigned Row,
                                   unsigned Inner) {
  auto T = [this](const Expr &E) { return text(wide(E)); };
  W.line("cpu::team_copy(" + To.Name + ", " + T(To.Strides[Row]) + ", " + From.Name + ", " +
         T(From.Strides[Row]) + ", " + T(From.Strides[Inner]) + ", " + T(To.Extents[Row]) + ", " +
         T(To.Extents[Inner]) + ");");
}

namespace {

/// Whether the elements lie in row order, with nothing between them.
bool isContiguous(const Storage &S) {
  if (panelDim(S) >= 0 || S.Line)
    return false;
  Expr Stride = intLit(1);
  for (size_t Dim = S.Extents.size(); Dim-- > 0;) {
    Expr Own = S.Strides[Dim];
    for (const auto &[Value, Name] : S.NamedStrides)
      if (equal(Name, Own))
        Own = Value;
    if (!equal(wide(Own), wide(Stride)))
      return false;
    Stride = Stride * S.Extents[Dim];
  }
  return true;
}

} // namespace

/// Windows reach over the border: what lies beyond takes the fill value, and the part inside is
/// copied. A buffer that is not contiguous is filled as a whole where something lies beyond.
void OpenMPEmitter::emitWindowCopy(const CopyStmt &C) {
  Storage To = storageFor(C.Dst.Base);
  const Storage &From = storageFor(C.Src.Base);
  View Src = explicitView(C.Src);
  const std::string Fill = std::string(cxxName(C.Dst.Base->Element)) + "(" + text(C.Src.Fill) + ")";
  const bool Around = To.Extents.size() > 1 && isContiguous(To);
  bool CutsPanels = panelDim(To) >= 0;
  size_t Cut = 0; // dimensions up to the last one that may reach over
  std::string IsCut;

  // Per dimension of the window: [Low, High) lies inside the base.
  std::vector<Expr> Low(To.Extents.size(), intLit(0));
  std::vector<Expr> BaseIndex(From.Strides.size());
  for (size_t B = 0; B < From.Strides.size(); ++B)
    BaseIndex[B] = cast(ScalarType::I64, Src.Slices[B].Offset);
  Storage Part = To, Source;
  for (size_t Dim = 0; Dim < To.Extents.size(); ++Dim) {
    int Base = Src.Dims[Dim];
    Source.Strides.push_back(Base < 0 ? intLit(0) : From.Strides[Base]);
    Source.Panels.push_back(Base < 0 ? Storage::Panel() : From.panelsOf(Base));
    if (Base < 0)
      continue;
    const Slice &S = Src.Slices[Base];
    if (isConstant(S.Offset, 0) && text(wide(S.Extent)) == text(wide(From.Extents[Base])))
      continue;
    CutsPanels |= From.panelsOf(Base).Width != 0;
    Expr Offset = cast(ScalarType::I64, S.Offset);
    auto Define = [&](const std::string &Hint, const Expr &Value) {
      VarRef V = makeVar(Hint, ScalarType::I64, VarKind::Scalar);
      std::string Text = text(wide(Value));
      W.line("const std::ptrdiff_t " + Names.define(V) + " = " + Text + ";");
      return varExpr(V);
    };
    if (!provablyNonNegative(Offset, Ranges))
      Low[Dim] = Define("low", minExpr(maxExpr(intLit(0), intLit(0) - Offset), To.Extents[Dim]));
    Expr High = maxExpr(minExpr(To.Extents[Dim], From.Extents[Base] - Offset), Low[Dim]);
    Part.Extents[Dim] = Define("inside", High - Low[Dim]);
    BaseIndex[Base] = Offset + Low[Dim];
    IsCut += (Cut ? " || " : "") + text(Part.Extents[Dim]) + " < " + boundText(To.Extents[Dim]);
    Cut = Dim + 1;
  }
  if (!Around && Cut) {
    W.open("if (" + IsCut + ")");
    W.line("std::fill_n(" + To.Name + ", " + text(To.Size) + ", " + Fill + ");");
    W.close();
  } else if (Cut) {
    Expr Behind = intLit(1);
    for (size_t Dim = Cut; Dim < To.Extents.size(); ++Dim)
      Behind = Behind * To.Extents[Dim];
    auto List = [&](const std::vector<Expr> &Sizes) {
      std::string Text;
      for (size_t Dim = 0; Dim < Cut; ++Dim)
        Text += (Dim ? ", " : "") + text(wide(Dim + 1 < Cut ? Sizes[Dim] : Sizes[Dim] * Behind));
      return "{" + Text + "}";
    };
    W.line("cpu::fill_around(" + To.Name + ", " + List(To.Extents) + ", " + List(Low) + ", " +
           List(Part.Extents) + ", " + Fill + ");");
  }
  Part.Name = addressText(To.Name, To.offsetOf(Low));
  Source.Name = addressText(From.Name, From.offsetOf(BaseIndex));
  if (CutsPanels)
    D.report(DiagID::ViewCutsPanels, C.Src.Loc, C.Dst.Base->Name, C.Src.Base->Name);
  emitPlainCopy(Part, Source);
}

/// A window that goes to registers, first as an array on the stack: what lies beside the border
/// cannot be loaded.
TensorRef OpenMPEmitter::emitPaddedWindow(const CopyStmt &C, const Storage &Tile) {
  const TensorRef &To = C.Dst.Base;
  TensorRef Window = makeTensor(To->Name, To->Element, To->Rank, TensorKind::Buffer);
  Storage S;
  S.Name = Names.fresh(To->Name + "_window");
  S.Extents = Tile.Extents;
  S.Panels.resize(To->Rank);
  std::int64_t Size = 1;
  Expr Stride = intLit(1);
  for (unsigned Dim = To->Rank; Dim-- > 0;) {
    S.Strides.insert(S.Strides.begin(), Stride);
    Stride = Stride * Tile.Extents[Dim];
    Size *= Tile.Bounds[Dim];
  }
  S.Size = wide(Stride);
  W.line(std::string(cxxName(To->Element)) + " " + S.Name + "[" + std::to_string(Size) + "];");
  Changing.push_back(S.Name);
  Stores[Window] = std::move(S);
  CopyStmt Fill = C;
  Fill.Dst = wholeView(Window);
  emitWindowCopy(Fill);
  return Window;
}

/// The copy as a leaf would write it: a loop per dimension, the tile's lane dimension innermost.
void OpenMPEmitter::emitTileCopy(const CopyStmt &C, bool Into) {
  const View &Outside = Into ? C.Src : C.Dst;
  const TensorRef &Tile = Into ? C.Dst.Base : C.Src.Base;
  const Storage Tiled = storageFor(Tile);
  std::optional<ViewStorage> V = storageOf(Outside, storageFor(Outside.Base));
  if (!V) {
    D.report(DiagID::ViewCutsPanels, Outside.Loc, Tile->Name, Outside.Base->Name);
    return;
  }
  TensorRef Other =
      makeTensor(Outside.Base->Name, Outside.Base->Element, Outside.rank(), TensorKind::Alias);
  Expr Offset = wide(V->Offset);
  if (!isConstant(Offset, 0)) {
    std::string From = V->S.Name;
    V->S.Name = Names.fresh(Outside.Base->Name + "_p");
    const std::string Place = addressText(From, Offset);
    W.line("auto *const " + V->S.Name + " = " +
           (InParallel ? "cpu::in_register(" + Place + ")" : Place) + ";");
  }
  Stores[Other] = V->S;

  unsigned Rank = unsigned(Tiled.Bounds.size());
  std::vector<Expr> Indices(Rank);
  std::vector<unsigned> Order;
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    if (int(Dim) != Tiled.LaneDim)
      Order.push_back(Dim);
  if (Tiled.LaneDim >= 0)
    Order.push_back(unsigned(Tiled.LaneDim));
  std::vector<For> Loops;
  for (unsigned Dim : Order) {
    if (int(Dim) != Tiled.LaneDim && isConstant(Tiled.Extents[Dim], 1)) {
      Indices[Dim] = intLit(0);
      continue;
    }
    For F;
    F.V = makeVar("r", ScalarType::I64, VarKind::Loop);
    F.Lo = intLit(0);
    F.Hi = Tiled.Extents[Dim];
    F.StaticTrip = Tiled.Bounds[Dim];
    F.Exec = int(Dim) == Tiled.LaneDim ? LoopExec::Lanes : LoopExec::Unrolled;
    F.Width = int(Dim) == Tiled.LaneDim ? Tiled.Width : 1;
    Indices[Dim] = varExpr(F.V);
    Loops.push_back(std::move(F));
  }
  Store S;
  S.T = Into ? Tile : Other;
  S.Indices = Indices;
  S.Value = load(Into ? Other : Tile, Indices);
  Block Body{{S, Outside.Loc}};
  for (size_t I = Loops.size(); I > 0; --I) {
    Loops[I - 1].Body = std::move(Body);
    Body = Block{{std::move(Loops[I - 1]), Outside.Loc}};
  }
  emitBlock(Body);
}

/// Touches the block that the innermost loop that moves the source will need `Prefetch` iterations
/// later.
void OpenMPEmitter::emitPrefetch(const CopyStmt &C) {
  const For *Loop = nullptr;
  for (const For *F : Loops)
    if (mentions(C.Src, F->V))
      Loop = F;
  if (!C.Prefetch || !Loop)
    return;
  Expr Ahead = varExpr(Loop->V) + intLit(std::int64_t(C.Prefetch) * Loop->Step);
  Substitution S;
  S.Vars[Loop->V] = Ahead;
  std::optional<ViewStorage> V = storageOf(substitute(C.Src, S), storageFor(C.Src.Base));
  int Inner = V ? contiguousDim(V->S) : -1;
  if (Inner < 0)
    return;
  unsigned Rank = unsigned(V->S.Strides.size());
  std::vector<Expr> Indices(Rank, intLit(0));
  W.open("if (" + text(binary(BinaryOp::Lt, Ahead, Loop->Hi)) + ")");
  for (unsigned Dim = 0; Dim < Rank; ++Dim) {
    VarRef Step = makeVar("ahead", ScalarType::I64, VarKind::Loop);
    std::string Name = Names.define(Step);
    std::int64_t Line = int(Dim) == Inner ? 64 / byteSize(C.Src.Base->Element) : 1;
    W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + boundText(V->S.Extents[Dim]) +
           "; " + Name + " += " + std::to_string(Line) + ")");
    Indices[Dim] = varExpr(Step);
  }
  W.line("cpu::prefetch(" + addressText(V->S.Name, V->Offset + V->S.offsetOf(Indices)) + ");");
  for (unsigned Dim = 0; Dim <= Rank; ++Dim)
    W.close();
}

/// Asks for all lines of a part of a tensor that the second cache cannot have, and that is not so
/// large that it is stored past the caches. Of a clipped block as many as of a whole one: any
/// address is allowed, and loops over constants are written out.
void OpenMPEmitter::emitPrefetchAtStart(const TensorRef &T) {
  const Storage &S = storageFor(T);
  const unsigned Rank = T->Rank;
  if (S.IsTile || Rank == 0 || !isConstant(S.Strides[Rank - 1], 1))
    return;
  auto Size = [&](unsigned Dim) {
    const std::optional<std::int64_t> Most =
        upperBound(simplify(expandExtents(extentOf(T, Dim), Tensors)));
    return Most ? std::to_string(*Most) : text(wide(S.Extents[Dim]));
  };
  const TensorRef Root = Tensors.root(T);
  Expr Wanted = binary(BinaryOp::Ge, bytesOf(Root), intLit(secondCacheBytes(*P.Target)));
  if (storesTo(*Innermost, Root, Tensors) == StoreKind::BySize)
    Wanted = binary(BinaryOp::And, std::move(Wanted),
                    binary(BinaryOp::Lt, bytesOf(Root), intLit(streamingBytes(*P.Target))));
  Wanted = simplify(Wanted);
  const std::optional<std::int64_t> Decided = constantValue(Wanted);
  if (Decided == 0)
    return;
  std::vector<Expr> Indices(Rank, intLit(0));
  for (unsigned Dim = 0; Dim + 2 < Rank; ++Dim) {
    VarRef Row = makeVar("ahead", ScalarType::I64, VarKind::Loop);
    const std::string Name = Names.define(Row);
    W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + Size(Dim) + "; ++" + Name +
           ")");
    Indices[Dim] = varExpr(Row);
  }
  const bool Writes = llvm::any_of(Instances.back()->Task->Params, [&](const Parameter &Each) {
    return Each.Name == T->Name && writes(Each.Access);
  });
  W.line(std::string("cpu::prefetch") + (Writes ? "w" : "") + "_rows" +
         (Decided ? "(" : "_if(" + text(Wanted) + ", ") + addressText(S.Name, S.offsetOf(Indices)) +
         ", " + (Rank > 1 ? text(wide(S.Strides[Rank - 2])) + ", " + Size(Rank - 2) : "0, 1") +
         ", " + Size(Rank - 1) + ");");
  for (unsigned Dim = 0; Dim + 2 < Rank; ++Dim)
    W.close();
}

bool OpenMPEmitter::asksAhead(const For &F, bool IfLarge) const {
  return std::any_of(Prefetches.begin(), Prefetches.end(), [&](const LeafPrefetch &L) {
    const auto Found = Stores.find(L.T);
    return Found != Stores.end() && !Found->second.IsTile &&
           !accessesAhead(L, F, Loops).Accesses.empty() && (!IfLarge || L.Loop.empty());
  });
}

void OpenMPEmitter::emitLeafPrefetches(const For &F, std::int64_t Step) {
  for (const LeafPrefetch &L : Prefetches) {
    auto Found = Stores.find(L.T);
    if (Found == Stores.end() || Found->second.IsTile)
      continue;
    const AccessesAhead Ahead = accessesAhead(L, F, Loops);
    if (Ahead.Accesses.empty())
      continue;
    const std::string Large = L.Loop.empty() ? whenLarge().Condition : "";
    const std::int64_t Distance = L.Iterations * (Ahead.Loop == &F ? Step : Ahead.Loop->Step);
    const bool Later = endsWithin(*Ahead.Loop, Distance, Tensors);
    for (const MovingAccess &A : Ahead.Accesses) {
      Substitution S;
      S.Vars[Ahead.Loop->V] = varExpr(Ahead.Loop->V) + intLit(Distance);
      for (const For *Tile : A.TileLoops) {
        // Neighbouring lanes share a cache line.
        std::int64_t Width = 1;
        if (Tile->Exec == LoopExec::Lanes)
          Width = std::max<std::int64_t>(Tile->Width, 64 / byteSize(L.T->Element));
        VarRef V = makeVar("ahead", ScalarType::I64, VarKind::Loop);
        std::string Name = Names.define(V);
        S.Vars[Tile->V] = varExpr(V);
        W.line("#pragma GCC unroll 64");
        W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " +
               std::to_string(Tile->StaticTrip) + "; " + Name + " += " + std::to_string(Width) +
               ")");
      }
      std::vector<Expr> Indices;
      for (const Expr &I : A.Indices)
        Indices.push_back(substitute(I, S));
      W.line("cpu::prefetch" + std::string(Large.empty() ? "" : "_if") + (Later ? "<2>(" : "(") +
             (Large.empty() ? "" : Large + ", ") + Found->second.Name + ", " +
             text(simplify(Found->second.offsetOf(Indices))) + ");");
      for (size_t I = 0; I < A.TileLoops.size(); ++I)
        W.close();
    }
  }
}

} // namespace septran::compiler
