//===- CudaMatrixLoads.cpp - copies into fragments by whole matrices ------===//
//
// Where the machine has a primitive for it (Plan/MatrixLoads.h), a copy from shared memory into
// fragments is a few calls, each by all threads of a warp. It reads whole tiles, so the buffer must
// have room for them, with zeros where the mapping's blocks end.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "IR/Affine.h"
#include "Plan/MatrixLoads.h"
#include "Plan/OperandLayout.h"
#include "Plan/RegisterTiles.h"
#include "Support/Template.h"

namespace septran::compiler {

/// Every element up to the tile's bounds is in the buffer that V leads to, and has a value.
bool CudaEmitter::holdsWholeTile(View V, const TensorRef &Tile) const {
  std::vector<std::int64_t> Room = Bounds.at(Tile);
  bool Full = true; // whatever the buffer's extents are, those of the views are as large as the tile
  for (;;) {
    const View Here = explicitView(V);
    if (!Here.Reshape.empty() || Here.Fill)
      return false;
    std::vector<std::int64_t> Next(Here.Slices.size(), 1);
    for (size_t Dim = 0; Dim < Here.Dims.size(); ++Dim) {
      if (Here.Dims[Dim] < 0)
        return false;
      Next[Here.Dims[Dim]] = Room[Dim];
      Full &= isConstant(simplify(expandExtents(Here.Slices[Here.Dims[Dim]].Extent, Tensors)), Room[Dim]);
    }
    const View *Base = Tensors.definition(Here.Base);
    auto Root = Bounds.find(Here.Base);
    if (!Base && (Root == Bounds.end() || Root->second.size() != Next.size()))
      return false;
    for (size_t Dim = 0; Dim < Next.size(); ++Dim) {
      const Slice &S = Here.Slices[Dim];
      const std::int64_t Block = S.Block ? constantValue(S.Block).value_or(0) : 0;
      const std::optional<std::int64_t> Offset = constantValue(S.Offset);
      const std::int64_t Most =
          Base ? upperBound(expandExtents(extentOf(Here.Base, unsigned(Dim)), Tensors)).value_or(0)
               : Root->second[Dim];
      if (Offset && *Offset + Next[Dim] <= Most)
        Next[Dim] += *Offset;
      else if (Next[Dim] == 1 || (Block == Next[Dim] && Most % Block == 0))
        Next[Dim] = Most;
      else
        return false;
    }
    if (!Base)
      return IsPadded.count(Here.Base) != 0 || (Full && AllFull.count(Here.Base) != 0);
    Room = std::move(Next);
    V = *Base;
  }
}

/// The first element of every group of neighbours along the dimension lies at a multiple of their
/// number, and they follow each other.
bool CudaEmitter::namesNeighbours(const View &V, unsigned Dim, std::int64_t Neighbours) const {
  TensorRef T = V.Base;
  for (const View *Next = &V; Next; Next = Tensors.definition(T)) {
    const View Full = explicitView(*Next);
    if (Full.Dims[Dim] < 0)
      return false;
    Dim = unsigned(Full.Dims[Dim]);
    T = Full.Base;
    if (!provablyMultiple(Full.Slices[Dim].Offset, Neighbours, Tensors))
      return false;
  }
  const Storage &S = storageFor(T);
  for (size_t D = 0; D < S.Strides.size(); ++D) {
    const std::optional<std::int64_t> Stride = constantValue(wide(S.Strides[D]));
    if (!Stride || S.panelsOf(D).Width ||
        (D == Dim ? *Stride != 1 : *Stride % Neighbours != 0 && Bounds.at(T)[D] > 1))
      return false;
  }
  return true;
}

bool CudaEmitter::emitMatrixLoads(const CopyStmt &C) {
  const TensorRef Tile = C.Dst.Base, Root = Tensors.root(C.Src.Base);
  if (!isFragment(Tile) || !G.Condition.empty() || Root->Element != Tile->Element ||
      !storageFor(C.Src.Base).Strides.size() || !holdsWholeTile(C.Src, Tile))
    return false;
  for (const MatrixLoad &L : matrixLoads(*P.Target, Root->Memory, Tile->Memory,
                                         byteSize(Tile->Element), Parts.at(Tile)))
    if (namesNeighbours(C.Src, L.Contiguous, L.Neighbours)) {
      emitMatrixLoad(C, L);
      return true;
    }
  return false;
}

void CudaEmitter::emitMatrixLoad(const CopyStmt &C, const MatrixLoad &L) {
  const TensorRef Tile = C.Dst.Base;
  std::vector<Expr> Indices;
  std::vector<std::string> Lines;
  std::string First = storageFor(Tile).Name, Second = First;
  unsigned Open = 0;
  for (unsigned Dim = 0; Dim < Tile->Rank; ++Dim) {
    std::string Index;
    // Steps of this thread are constants once loops are unrolled. They are kept apart from what the
    // thread's number says, so that places differ by constants, which loads take as they are.
    Expr Steps = intLit(0);
    auto Add = [&](const std::string &Digit, std::int64_t Weight) {
      Index += (Index.empty() ? "" : " + ") + Digit +
               (Weight == 1 ? "" : " * " + std::to_string(Weight));
    };
    const Digits Rest = splitAt(Parts.at(Tile)[Dim], L.Steps[Dim])->second;
    std::int64_t Weight = L.Steps[Dim] * elementsOf(Rest);
    bool TookDouble = L.Double != int(Dim);
    auto Tiles = [&](const std::string &Name) {
      // The digit that counts tiles is cut where a load fills two of them.
      First += "[" + Name + (TookDouble || Name == "0" ? "" : " * 2") + "]";
      Second += "[" + (TookDouble ? Name : Name == "0" ? "1" : Name + " * 2 + 1") + "]";
    };
    // Register digits outermost first; the innermost one of these is the one that may be cut.
    std::vector<const Digit *> Counts;
    for (size_t D = Rest.size(); D > 0; --D) {
      const Digit &Part = Rest[D - 1];
      Weight /= Part.Size;
      if (Part.isThread()) {
        Add(digitText(Part), Weight);
        continue;
      }
      VarRef Step = makeVar("m", ScalarType::I64, VarKind::Loop);
      const std::string Name = Names.define(Step);
      W.line("#pragma unroll");
      W.open("for (int " + Name + " = 0; " + Name + " < " + std::to_string(Part.Size) + "; ++" +
             Name + ")");
      ++Open;
      Steps = Steps + varExpr(Step) * intLit(Weight);
      const bool Innermost =
          std::none_of(Rest.begin(), Rest.begin() + std::ptrdiff_t(D - 1),
                       [](const Digit &Other) { return !Other.isThread(); });
      if (L.Double == int(Dim) && Innermost && cutsDigit(Tile, Dim, L)) {
        Tiles(Name);
        TookDouble = true;
      } else {
        First += "[" + Name + "]";
        Second += "[" + Name + "]";
      }
    }
    if (!TookDouble)
      Tiles("0");
    std::int64_t Inside = elementsOf(L.Names[Dim]);
    for (size_t D = L.Names[Dim].size(); D > 0; --D) {
      const Digit &Part = L.Names[Dim][D - 1];
      Inside /= Part.Size;
      if (Part.isThread())
        Add(digitText(Part), Inside);
    }
    VarRef V = makeVar("r", ScalarType::I64, VarKind::Loop);
    if (!Index.empty()) {
      Lines.push_back("const int " + Names.define(V) + " = " + Index + ";");
      Steps = varExpr(V) + Steps;
    }
    Indices.push_back(simplify(Steps));
  }
  for (const std::string &Line : Lines)
    W.line(Line);
  const View Src = explicitView(C.Src);
  const Storage &From = storageFor(Src.Base);
  std::map<std::string, std::string> Values;
  Values[L.To] = L.Double >= 0 ? First + ", " + Second : First;
  Values[L.From] = addressText(From.Name, From.offsetOf(baseIndices(Src, Indices)));
  if (std::optional<std::string> Text = expandTemplate(L.Prim->Emit, Values, D))
    W.line(*Text);
  for (; Open > 0; --Open)
    W.close();
}

/// A load fills two neighbours of a longer digit, not all of a digit of two.
bool CudaEmitter::cutsDigit(const TensorRef &Tile, unsigned Dim, const MatrixLoad &L) const {
  std::int64_t Elements = 1;
  for (const Digit &Part : Parts.at(Tile)[Dim]) {
    if (Elements == L.Steps[Dim] && !Part.isThread())
      return false;
    Elements *= Part.Size;
    if (Elements > L.Steps[Dim])
      return true;
  }
  return false;
}

} // namespace septran::compiler
