//===- Storage.cpp - where generated code finds a tensor's elements -------===//
#include "Emit/Storage.h"

#include "IR/Affine.h"

namespace septran::compiler {

Expr Storage::offsetOf(const std::vector<Expr> &Indices) const {
  Expr Offset = intLit(0);
  for (size_t D = 0; D < Indices.size(); ++D) {
    Expr I = cast(ScalarType::I64, Indices[D]);
    if (D < Panels.size() && Panels[D].Width) {
      Expr W = intLit(Panels[D].Width);
      Offset = Offset + binary(BinaryOp::Div, I, W) * Panels[D].Stride;
      I = binary(BinaryOp::Rem, I, W);
    }
    Offset = Offset + I * Strides[D];
  }
  return Offset;
}

Expr wide(const Expr &E) { return simplify(cast(ScalarType::I64, E)); }

std::optional<ViewStorage> storageOf(const View &V, const Storage &Base) {
  ViewStorage Result;
  Result.Offset = intLit(0);
  Result.S.Name = Base.Name;
  if (!V.Reshape.empty()) {
    // Row-major reinterpretation of contiguous elements.
    Expr Stride = intLit(1);
    Result.S.Strides.resize(V.Reshape.size());
    for (size_t D = V.Reshape.size(); D > 0; --D) {
      Result.S.Strides[D - 1] = Stride;
      Stride = Stride * V.Reshape[D - 1];
    }
    Result.S.Panels.resize(V.Reshape.size());
    Result.S.Extents = V.Reshape;
    return Result;
  }
  View Full = explicitView(V);
  // Vectors in registers have no addresses: a part of them cannot be pointed to.
  if (Base.Strides.size() < Full.Slices.size())
    return std::nullopt;
  std::vector<Storage::Panel> Panels(Base.Strides.size());
  for (size_t D = 0; D < Base.Strides.size(); ++D) {
    const Slice &S = Full.Slices[D];
    if (D < Base.Panels.size() && Base.Panels[D].Width) {
      std::int64_t Width = Base.Panels[D].Width;
      std::int64_t Block = S.Block ? constantValue(S.Block).value_or(0) : 0; // 0: no constant block
      if (isConstant(S.Offset, 0)) {
        Panels[D] = Base.Panels[D];
        if (Block && Width % Block == 0)
          Panels[D] = {}; // the first block lies within the first panel
      } else if (Block && Block == Width) {
        Result.Offset = Result.Offset + S.Index * Base.Panels[D].Stride;
      } else if (Block && Block % Width == 0) {
        Result.Offset = Result.Offset + S.Index * intLit(Block / Width) * Base.Panels[D].Stride;
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
    Result.Offset = Result.Offset + cast(ScalarType::I64, S.Offset) * Base.Strides[D];
  }
  for (size_t D = 0; D < Full.Dims.size(); ++D) {
    int From = Full.Dims[D];
    Result.S.Strides.push_back(From < 0 ? intLit(0) : Base.Strides[From]);
    Result.S.Panels.push_back(From < 0 ? Storage::Panel{} : Panels[From]);
    Result.S.Extents.push_back(Full.extent(unsigned(D)));
  }
  return Result;
}

} // namespace septran::compiler
