//===- Storage.cpp - where generated code finds a tensor's elements -------===//
#include "Emit/Storage.h"

#include "IR/Affine.h"

#include <algorithm>

namespace septran::compiler {

void Storage::swizzle(const BufferLayout &L, const std::vector<std::int64_t> &Bounds,
                      ScalarType Element) {
  if (!L.Swizzle || L.Modes.empty())
    return;
  Line = Bounds[L.Modes.back().Dim];
  Steps = swizzleSteps(L.Swizzle, Line, byteSize(Element)).value_or(SwizzleSteps());
  FirstLine = FirstColumn = intLit(0);
}

bool Storage::hasPlainRows() const {
  const bool Split =
      std::any_of(Panels.begin(), Panels.end(), [](const Panel &P) { return P.Width != 0; });
  return !IsTile && !Line && !Split && !Strides.empty() && isConstant(Strides.back(), 1);
}

namespace {

/// E without the multiples of N, and those multiples.
std::pair<Expr, Expr> withoutMultiples(const Expr &E, std::int64_t N) {
  std::optional<Affine> A = affineForm(simplify(E));
  if (!A)
    return {E, intLit(0)};
  Affine Rest, Multiples;
  for (const auto &[Atom, C] : A->Terms)
    (C % N == 0 ? Multiples : Rest).Terms.emplace_back(Atom, C);
  Multiples.Constant = A->Constant / N * N;
  Rest.Constant = A->Constant - Multiples.Constant;
  return {toExpr(Rest), toExpr(Multiples)};
}

} // namespace

/// The line's number counts modulo Lines * Count, and the column's low part is all that changes: what
/// else there is stays outside, where it is the same for all iterations of a loop.
Expr Storage::swizzledOffset(const std::vector<Expr> &Indices) const {
  Expr InLines = FirstLine, InLine = FirstColumn;
  for (size_t D = 0; D < Indices.size(); ++D) {
    const Expr I = cast(ScalarType::I64, Indices[D]);
    const std::int64_t Stride = constantValue(Strides[D]).value_or(0);
    if (Stride >= Line && Line > 0)
      InLines = InLines + I * intLit(Stride / Line);
    else
      InLine = InLine + I * intLit(Stride);
  }
  auto [Which, Ignored] = withoutMultiples(InLines, Steps.Lines * Steps.Count);
  auto [Column, Far] = withoutMultiples(InLine, Steps.Count * Steps.Chunk);
  Expr Turn = simplify(binary(BinaryOp::Rem, binary(BinaryOp::Div, Which, intLit(Steps.Lines)),
                              intLit(Steps.Count)) *
                       intLit(Steps.Chunk));
  return InLines * intLit(Line) + Far + binary(BinaryOp::BitXor, Column, Turn);
}

Expr Storage::offsetOf(const std::vector<Expr> &Indices) const {
  if (Line)
    return swizzledOffset(Indices);
  Expr Offset = intLit(0);
  for (size_t D = 0; D < Indices.size(); ++D) {
    Expr I = cast(ScalarType::I64, Indices[D]);
    if (const Panel Split = panelsOf(D); Split.Width) {
      Expr W = intLit(Split.Width);
      Offset = Offset + binary(BinaryOp::Div, I, W) * Split.Stride;
      I = binary(BinaryOp::Rem, I, W);
    }
    Offset = Offset + I * Strides[D];
  }
  return Origin ? simplify(Offset - Origin) : Offset;
}

std::string Storage::pointer() const {
  if (!IsTile)
    return Name;
  std::string First = "&" + Name; // the array has a dimension for each of the tensor's
  for (size_t Dim = 0; Dim < Bounds.size(); ++Dim)
    First += "[0]";
  return First;
}

Expr wide(const Expr &E) { return simplify(cast(ScalarType::I64, E)); }

namespace {

/// How much memory is known to follow the first element of a slice of a dimension that has
/// `Padded`.
std::int64_t paddedSlice(const Slice &S, std::int64_t Padded) {
  if (isConstant(S.Offset, 0))
    return Padded;
  const std::int64_t Block = S.Block ? constantValue(S.Block).value_or(0) : 0;
  if (Block && Padded % Block == 0)
    return Block;
  return S.Block && exactQuotient(S.Block, Padded) ? Padded : 0;
}

} // namespace

std::optional<ViewStorage> storageOf(const View &V, const Storage &Base) {
  // Vectors in registers have no addresses: a part of them cannot be pointed to.
  if (Base.Strides.size() < V.Base->Rank)
    return std::nullopt;
  ViewStorage Result;
  Result.Offset = intLit(0);
  Result.S.Name = Base.pointer();
  if (!V.Reshape.empty()) {
    // Row-major reinterpretation of contiguous elements.
    Expr Stride = intLit(1);
    Result.S.Strides.resize(V.Reshape.size());
    for (size_t D = V.Reshape.size(); D > 0; --D) {
      Result.S.Strides[D - 1] = Stride;
      for (const auto &[Value, Name] : Base.NamedStrides)
        if (equal(Value, wide(Stride)))
          Result.S.Strides[D - 1] = Name;
      Stride = Stride * V.Reshape[D - 1];
    }
    Result.S.Panels.resize(V.Reshape.size());
    Result.S.Extents = V.Reshape;
    return Result;
  }
  View Full = explicitView(V);
  if (Base.Line) {
    Result.S.Line = Base.Line;
    Result.S.Steps = Base.Steps;
    Result.S.FirstLine = Base.FirstLine;
    Result.S.FirstColumn = Base.FirstColumn;
  }
  std::vector<Storage::Panel> Panels(Base.Strides.size());
  for (size_t D = 0; D < Base.Strides.size(); ++D) {
    const Slice &S = Full.Slices[D];
    if (const std::int64_t Width = Base.panelsOf(D).Width) {
      std::int64_t Block = S.Block ? constantValue(S.Block).value_or(0) : 0; // 0: no constant block
      if (isConstant(S.Offset, 0)) {
        Panels[D] = Base.Panels[D];
        if (Block && Width % Block == 0)
          Panels[D] = {}; // the first block lies within the first panel
      } else if (Block && Block == Width) {
        Result.Offset = Result.Offset + S.Index * Base.Panels[D].Stride;
      } else if (const Expr InPanels = S.Block ? exactQuotient(S.Block, Width) : nullptr) {
        Result.Offset = Result.Offset + S.Index * InPanels * Base.Panels[D].Stride;
        Panels[D] = Base.Panels[D];
      } else if (Block && Width % Block == 0) {
        Expr PerPanel = intLit(Width / Block);
        Result.Offset = Result.Offset +
                        binary(BinaryOp::Div, S.Index, PerPanel) * Base.Panels[D].Stride +
                        binary(BinaryOp::Rem, S.Index, PerPanel) * S.Block * Base.Strides[D];
      } else {
        return std::nullopt;
      }
      continue;
    }
    const Expr Start = cast(ScalarType::I64, S.Offset);
    const std::int64_t Stride = constantValue(Base.Strides[D]).value_or(0);
    if (!Base.Line)
      Result.Offset = Result.Offset + Start * Base.Strides[D];
    else if (Stride >= Base.Line)
      Result.S.FirstLine = Result.S.FirstLine + Start * intLit(Stride / Base.Line);
    else
      Result.S.FirstColumn = Result.S.FirstColumn + Start * intLit(Stride);
  }
  for (size_t D = 0; D < Full.Dims.size(); ++D) {
    int From = Full.Dims[D];
    Result.S.Strides.push_back(From < 0 ? intLit(0) : Base.Strides[From]);
    Result.S.Panels.push_back(From < 0 ? Storage::Panel{} : Panels[From]);
    Result.S.Extents.push_back(Full.extent(unsigned(D)));
    const std::int64_t Padded = From < 0 ? 0 : Base.paddedTo(size_t(From));
    Result.S.Padded.push_back(Padded ? paddedSlice(Full.Slices[From], Padded) : 0);
  }
  return Result;
}

} // namespace septran::compiler
