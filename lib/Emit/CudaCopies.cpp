//===- CudaCopies.cpp - copies that threads make together -----------------===//
//
// All threads of the group walk the elements of the block, neighbours along the dimension that is
// contiguous in device memory. The walk goes over the largest block, whose extents are constants,
// and leaves out what lies beyond a smaller one: divisions by constants cost little.
//
// Where rows lie so, threads move vectors of up to 16 bytes. Of what the caller passes only the host
// can see that, before it starts the kernel: such kernels have two versions, `Vectors` or not.
// Copies that run ahead are started, and collected in groups; what is too small or too scattered for
// them is copied at once, which nobody can tell apart behind the wait and the barrier. Their vectors
// are also whole, where the host can see to that: they are in loops that have little time for the
// lengths of others.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/OperandLayout.h"
#include "Plan/RegisterTiles.h"
#include "Support/Template.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

namespace {

/// Steps of one thread that are spelled out; of single elements fewer, since all that are on their way
/// at once take registers.
constexpr std::int64_t MostUnrolled = 32, MostUnrolledElements = 8;

bool movesBytes(const Copy &Way, std::int64_t Bytes) {
  return std::any_of(Way.Bytes.begin(), Way.Bytes.end(),
                     [&](const Located<std::int64_t> &B) { return B.Value == Bytes; });
}

} // namespace

void CudaEmitter::emitGroupCopy(const CopyStmt &C, const Location &Loc) {
  const Storage &To = storageFor(C.Dst.Base), &From = storageFor(C.Src.Base);
  W.comment("copy " + C.Dst.Base->Name + " <- " + C.Src.Base->Name + ": " + C.Reason + " (" +
            place(Loc) + ")");
  if (To.IsTile || From.IsTile) {
    emitTileCopy(C, To.IsTile);
    return;
  }
  std::optional<ViewStorage> Dst = storageOf(C.Dst, To);
  const unsigned Rank = C.Dst.rank();
  CopyWalk Walk{&C, {}, explicitView(C.Src), {}, {}, {}, Rank ? Rank - 1 : 0};
  bool Bounded = Dst && C.Src.Reshape.empty();
  for (unsigned Dim = 0; Dim < Rank; ++Dim) {
    Walk.Extents.push_back(constantOr(wide(C.Dst.extent(Dim))));
    std::optional<std::int64_t> Bound = upperBound(expandExtents(C.Dst.extent(Dim), Tensors));
    if (!Bound)
      Bound = upperBound(expandExtents(C.Src.extent(Dim), Tensors));
    Walk.Most.push_back(Bound.value_or(0));
    Bounded &= Bound.has_value();
  }
  if (!Bounded) {
    reportInKernel(Loc, "the copy of " + C.Reason, "a block whose extents are at most constants",
                   D);
    return;
  }
  Walk.Dst = std::move(*Dst);
  // Fastest: the dimension along which the source is contiguous, as far as that is known here. What
  // the caller passes has any strides, and most likely rows.
  for (unsigned Dim = 0; Dim < Rank; ++Dim)
    if (Walk.Src.Dims[Dim] + 1 == int(From.Strides.size()) && Walk.Most[Dim] > 1)
      Walk.Inner = Dim;
  if (C.Async)
    Walk.Ahead = P.Target->findCopy(C.Src.Base->Memory, C.Dst.Base->Memory);

  for (unsigned Dim = 0; Dim < Rank; ++Dim) {
    std::string End = boundText(Walk.Extents[Dim]);
    if (!constantValue(Walk.Extents[Dim])) {
      const std::string Name = Names.fresh(C.Dst.Base->Name + "_n" + std::to_string(Dim));
      W.line("const int " + Name + " = int(" + End + ");");
      End = Name;
    }
    Walk.Ends.push_back(std::move(End));
  }

  std::set<std::string> Conditions;
  const std::int64_t N = neighboursOf(Walk, Conditions);
  if (Walk.Ahead && N > 1) {
    std::set<std::string> More;
    Walk.Whole = isMultipleIf(Walk.Extents[Walk.Inner], N, More);
    if (Walk.Whole)
      Conditions.merge(More);
  }
  if (Conditions.empty()) {
    emitWalk(Walk, N);
    return;
  }
  VectorConditions.merge(Conditions);
  W.open("if constexpr (Vectors)");
  emitWalk(Walk, N);
  W.close(" else {", true);
  emitWalk(Walk, 1);
  W.close();
}

std::int64_t CudaEmitter::neighboursOf(const CopyWalk &Walk,
                                       std::set<std::string> &Conditions) const {
  const unsigned Dim = Walk.Inner;
  const std::int64_t Size = byteSize(Walk.C->Dst.Base->Element);
  if (Walk.Most.empty() || Walk.C->Src.Base->Element != Walk.C->Dst.Base->Element)
    return 1;
  for (std::int64_t Bytes : {16, 8, 4}) {
    const std::int64_t N = Bytes / Size;
    if (N < 2 || Walk.Most[Dim] % N != 0 || (Walk.Ahead && !movesBytes(*Walk.Ahead, Bytes)))
      continue;
    std::set<std::string> Needed;
    if (holdsVectors(Walk.C->Dst, Dim, N, Needed) && Needed.empty() &&
        holdsVectors(Walk.C->Src, Dim, N, Needed)) {
      Conditions = std::move(Needed);
      return N;
    }
  }
  return 1;
}

bool CudaEmitter::holdsVectors(const View &V, unsigned Dim, std::int64_t N,
                               std::set<std::string> &Conditions) const {
  const std::optional<RootPath> Path = V.Fill ? std::nullopt : pathToRoot(V, Tensors);
  if (!Path || Path->Dims[Dim] < 0 || Slices.count(Path->Root))
    return false;
  const bool IsParameter = ParameterNames.count(Path->Root) != 0;
  const Memory *M = P.Target->findMemory(Path->Root->Memory);
  const std::int64_t Bytes = N * byteSize(V.Base->Element);
  const Storage &S = storageFor(Path->Root);
  if (IsParameter)
    Conditions.insert("cuda::is_aligned<" + std::to_string(Bytes) + ">(" + S.Name + ")");
  else if (!Tensors.allocated(Path->Root) || !M || M->Alignment.Value % Bytes != 0)
    return false;
  const unsigned Inner = unsigned(Path->Dims[Dim]);
  if (!provablyMultiple(Path->Offsets[Inner], N, Tensors))
    return false;
  for (unsigned D = 0; D < S.Strides.size(); ++D) {
    const Storage::Panel Panel = S.panelsOf(D);
    if (Panel.Width &&
        ((D == Inner && Panel.Width % N != 0) || !provablyMultiple(Panel.Stride, N, Tensors)))
      return false;
    const Expr Stride = wide(S.Strides[D]);
    if (D == Inner ? isConstant(Stride, 1) : provablyMultiple(Stride, N, Tensors))
      continue;
    if (constantValue(Stride) || !isHostValue(Stride))
      return false;
    const CxxText Text = Printer.print(Stride);
    Conditions.insert(D == Inner ? Text.in(Binding::Equality) + " == 1"
                                 : Text.in(Binding::Product) + " % " + std::to_string(N) + " == 0");
  }
  return true;
}

bool CudaEmitter::isMultipleIf(const Expr &E, std::int64_t N,
                               std::set<std::string> &Conditions) const {
  const std::optional<Affine> Form = affineForm(expandExtents(E, Tensors));
  if (!Form || Form->Constant % N != 0)
    return false;
  for (const auto &[Atom, Factor] : Form->Terms) {
    if (Factor % N == 0)
      continue;
    const bool IsChoice = Atom->Kind == ExprKind::Binary &&
                          (Atom->Bin == BinaryOp::Min || Atom->Bin == BinaryOp::Max);
    if (IsChoice) {
      if (!isMultipleIf(Atom->Args[0], N, Conditions) || !isMultipleIf(Atom->Args[1], N, Conditions))
        return false;
      continue;
    }
    if (Atom->Kind != ExprKind::Extent || !isHostValue(Atom))
      return false;
    Conditions.insert(Printer.print(wide(Atom)).in(Binding::Product) + " % " + std::to_string(N) +
                      " == 0");
  }
  return true;
}

void CudaEmitter::emitWalk(const CopyWalk &Walk, std::int64_t N) {
  const unsigned Rank = unsigned(Walk.Most.size());
  std::vector<unsigned> Order; // innermost first
  if (Rank)
    Order.push_back(Walk.Inner);
  for (unsigned Dim = Rank; Dim > 0; --Dim)
    if (Dim - 1 != Walk.Inner)
      Order.push_back(Dim - 1);
  const std::int64_t Threads = std::int64_t(G.All + 1);
  std::int64_t Total = 1;
  for (std::int64_t Bound : Walk.Most)
    Total *= Bound;
  Total /= N;

  const std::string E = Names.fresh("e");
  const std::int64_t Each = Total / Threads;
  const bool Loops = Total != Threads;
  if (!Loops) {
    W.line("const int " + E + " = " + G.Thread + ";");
  } else if (Total % Threads == 0 && Each >= 1 &&
             Each <= (N > 1 ? MostUnrolled : MostUnrolledElements)) {
    const std::string R = Names.fresh(E + "_r");
    W.line("#pragma unroll");
    W.open("for (int " + R + " = 0; " + R + " < " + std::to_string(Each) + "; ++" + R + ")");
    W.line("const int " + E + " = " + R + " * " + std::to_string(Threads) + " + " + G.Thread + ";");
  } else {
    W.open("for (int " + E + " = " + G.Thread + "; " + E + " < " + std::to_string(Total) + "; " +
           E + " += " + std::to_string(Threads) + ")");
  }
  std::vector<Expr> Indices(Rank);
  std::int64_t Weight = 1;
  std::string Inside;
  for (unsigned Dim : Order) {
    VarRef V = makeVar("c" + std::to_string(Dim), ScalarType::I64, VarKind::Loop);
    const std::int64_t Step = Dim == Walk.Inner ? N : 1, Count = Walk.Most[Dim] / Step;
    std::string Text = E;
    if (Weight > 1)
      Text += " / " + std::to_string(Weight);
    if (Dim != Order.back())
      Text += " % " + std::to_string(Count);
    if (Step > 1)
      Text += " * " + std::to_string(Step);
    const std::string Name = Names.define(V);
    W.line("const int " + Name + " = " + Text + ";");
    Indices[Dim] = varExpr(V);
    if (constantValue(Walk.Extents[Dim]) != Walk.Most[Dim])
      Inside = both(Inside, Name + " < " + Walk.Ends[Dim]);
    Weight *= Count;
  }
  const bool Pads = IsPadded.count(Tensors.root(Walk.C->Dst.Base)) != 0;
  if (!Inside.empty() && !Pads)
    W.open("if (" + Inside + ")");
  emitRun(Walk, N, Indices, Pads ? Inside : "");
  if (!Inside.empty() && !Pads)
    W.close();
  if (Loops)
    W.close();
}

void CudaEmitter::emitRun(const CopyWalk &Walk, std::int64_t N, const std::vector<Expr> &Indices,
                          const std::string &Inside) {
  const CopyStmt &C = *Walk.C;
  const std::string Target = Walk.Dst.S.Name + "[" +
                             text(wide(Walk.Dst.Offset + Walk.Dst.S.offsetOf(Indices))) + "]";
  const std::vector<Expr> At = baseIndices(Walk.Src, Indices);
  const std::string Within = C.Src.Fill ? insideText(Walk.Src, At) : "";
  const CxxText Source = elementOf(load(C.Src.Base, At));
  const bool Started = Walk.Ahead && !readsWindow(C.Src) &&
                       movesBytes(*Walk.Ahead, N * byteSize(C.Dst.Base->Element));
  if (N == 1 && !Started) {
    const std::string There = both(Inside, Within);
    const std::string Value = Source.in(There.empty() ? Binding::Ternary : Binding::Or);
    W.line(Target + " = " +
           (There.empty()
                ? Value
                : There + " ? " + Value + " : " + std::string(cxxName(C.Dst.Base->Element)) + "(" +
                      (C.Src.Fill ? text(C.Src.Fill) : "0") + ")") +
           ";");
    return;
  }
  // Of the last vector of a clipped row, fewer elements may be there.
  std::string Valid = std::to_string(N);
  const bool Whole = N == 1 || Walk.Whole;
  if (!Whole && !provablyMultiple(Walk.Extents[Walk.Inner], N, Tensors))
    Valid = "std::min(" + Walk.Ends[Walk.Inner] + " - " + text(Indices[Walk.Inner]) + ", " + Valid + ")";
  // Nothing is read beyond the end, and zeros are written.
  std::string From = "&" + Source.Text;
  if (!Inside.empty()) {
    const std::string There = Names.fresh("there");
    W.line("const bool " + There + " = " + Inside + ";");
    if (Whole && Started) {
      emitStart(Walk, N, Target, From, There);
      return;
    }
    From = There + " ? " + From + " : " + storageFor(C.Src.Base).Name;
    Valid = There + " ? " + Valid + " : 0";
  }
  if (!Started) {
    W.line((Inside.empty() ? "cuda::copy_vector<" : "cuda::copy_padded_vector<") +
           std::to_string(N) + ">(&" + Target + ", " + From + ", " + Valid + ");");
    return;
  }
  emitStart(Walk, N, Target, From, Valid);
}

void CudaEmitter::emitStart(const CopyWalk &Walk, std::int64_t N, const std::string &Target,
                            const std::string &From, const std::string &Valid) {
  emitTemplate(Walk.Ahead->Call,
               {{"elements", std::to_string(N)},
                {"to", "&" + Target},
                {"from", From},
                {"valid", Valid},
                {"type", std::string(cxxName(Walk.C->Dst.Base->Element))}});
}

/// Some view that leads to the elements may reach outside of its tensor.
bool CudaEmitter::readsWindow(const View &V) const {
  bool Window = V.Fill != nullptr;
  for (const View *Next = Tensors.definition(V.Base); Next; Next = Tensors.definition(Next->Base))
    Window |= Next->Fill != nullptr;
  return Window;
}

void CudaEmitter::emitTemplate(const LocatedName &Template,
                               const std::map<std::string, std::string> &Values) {
  if (std::optional<std::string> Text = expandTemplate(Template, Values, D))
    W.line(*Text);
}

/// Acquire and release are met by barriers.
void CudaEmitter::emitStage(const Stage &S) {
  const Sync *Groups = P.Target->copyGroups();
  std::string Rings;
  for (const TensorRef &T : S.Rings)
    Rings += (Rings.empty() ? "" : ", ") + T->Name;
  if (S.K == Stage::Kind::Commit) {
    W.comment("group: the copies to " + Rings + " for iteration " + text(S.Index));
    emitTemplate(Groups->Record, {});
  } else if (S.K == Stage::Kind::Wait) {
    W.comment("wait: what this thread copied to " + Rings + " for iteration " + text(S.Index));
    emitTemplate(Groups->Wait, {{"pending", std::to_string(S.Depth - 2)}});
  }
}

/// The copy as a leaf would write it: every thread copies the elements that it holds. Behind the end of
/// a clipped block the tile's zeros are in the buffer already, where that has room for them.
void CudaEmitter::emitTileCopy(const CopyStmt &C, bool Into) {
  const View &Outside = Into ? C.Src : C.Dst, &Held = Into ? C.Dst : C.Src;
  const TensorRef Tile = Held.Base;
  if (!equal(explicitView(Held), explicitView(wholeView(Tile)))) {
    reportInKernel(Outside.Loc, "a copy of a part of '" + Tile->Name + "', which lies in registers",
                   "the whole tensor", D);
    return;
  }
  if (Into && emitMatrixLoads(C))
    return;
  const View From = explicitView(Outside);
  std::vector<Expr> Indices;
  std::vector<For> Loops;
  Expr Inside; ///< where the rest is zero
  const bool Padded = Into && IsPadded.count(Tile) != 0;
  const bool ZerosThere = Padded && holdsWholeTile(C.Src, Tile);
  for (unsigned Dim = 0; Dim < Tile->Rank; ++Dim) {
    For F;
    F.V = makeVar("r", ScalarType::I64, VarKind::Loop);
    F.Lo = intLit(0);
    F.Hi = storageFor(Tile).Extents[Dim];
    if (Padded) {
      if (!ZerosThere && !isConstant(F.Hi, Bounds.at(Tile)[Dim])) {
        const Expr Here = binary(BinaryOp::Lt, varExpr(F.V), F.Hi);
        Inside = Inside ? binary(BinaryOp::And, Inside, Here) : Here;
      }
      F.Hi = intLit(Bounds.at(Tile)[Dim]);
    }
    F.Exec = LoopExec::Threads;
    F.Parts = Parts.at(Tile)[Dim];
    Indices.push_back(varExpr(F.V));
    Loops.push_back(std::move(F));
  }
  const std::vector<Expr> At = baseIndices(From, Indices);
  Store S;
  S.T = Into ? Tile : Outside.Base;
  S.Indices = Into ? Indices : At;
  S.Value = Into ? load(Outside.Base, At) : load(Tile, Indices);
  if (Inside)
    S.Value = select(Inside, S.Value, cast(Tile->Element, intLit(0)));
  Block Body{{S, Outside.Loc}};
  for (size_t I = Loops.size(); I > 0; --I) {
    Loops[I - 1].Body = std::move(Body);
    Body = Block{{std::move(Loops[I - 1]), Outside.Loc}};
  }
  const bool WasLeaf = std::exchange(G.InLeaf, true);
  emitLeafBlock(Body);
  G.InLeaf = WasLeaf;
}

} // namespace septran::compiler
