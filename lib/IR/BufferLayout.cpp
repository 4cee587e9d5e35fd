//===- BufferLayout.cpp - where the elements of a buffer lie --------------===//
#include "IR/BufferLayout.h"

#include <algorithm>

namespace septran::compiler {

namespace {

using Part = LayoutMode::Part;

/// Elements counted by one mode.
Expr modeExtent(const LayoutMode &M, const std::vector<Expr> &Extents) {
  switch (M.P) {
  case Part::Whole:
    return Extents[M.Dim];
  case Part::Quotient:
    return ceilDiv(Extents[M.Dim], intLit(M.Split));
  case Part::Remainder:
    return intLit(M.Split);
  }
  return nullptr;
}

/// Product of the extents of the modes inside position `From`, with the padding of the innermost
/// run.
Expr sizeInside(const BufferLayout &L, size_t From, const std::vector<Expr> &Extents) {
  Expr Size = intLit(1);
  for (size_t I = L.Modes.size(); I > From; --I) {
    Size = modeExtent(L.Modes[I - 1], Extents) * Size;
    if (I == L.Modes.size())
      Size = Size + intLit(L.Pad);
  }
  return Size;
}

Expr strideOfMode(const BufferLayout &L, unsigned Dim, bool Quotient,
                  const std::vector<Expr> &Extents) {
  for (size_t I = 0; I < L.Modes.size(); ++I)
    if (L.Modes[I].Dim == Dim && (L.Modes[I].P == Part::Quotient) == Quotient)
      return sizeInside(L, I + 1, Extents);
  return intLit(0);
}

} // namespace

std::int64_t BufferLayout::splitOf(unsigned Dim) const {
  for (const LayoutMode &M : Modes)
    if (M.Dim == Dim && M.P == Part::Quotient)
      return M.Split;
  return 0;
}

Expr BufferLayout::strideOf(unsigned Dim, const std::vector<Expr> &Extents) const {
  return strideOfMode(*this, Dim, false, Extents);
}

Expr BufferLayout::panelStrideOf(unsigned Dim, const std::vector<Expr> &Extents) const {
  return strideOfMode(*this, Dim, true, Extents);
}

Expr BufferLayout::sizeOf(const std::vector<Expr> &Extents) const {
  return sizeInside(*this, 0, Extents);
}

std::optional<SwizzleSteps> swizzleSteps(std::int64_t Swizzle, std::int64_t LineElements,
                                         std::int64_t ElementBytes) {
  constexpr std::int64_t ChunkBytes = 16, AllBanks = 128;
  const std::int64_t Line = LineElements * ElementBytes;
  const bool IsPower = Swizzle > 0 && (Swizzle & (Swizzle - 1)) == 0;
  if (!IsPower || Swizzle <= ChunkBytes || Swizzle > AllBanks || ElementBytes > ChunkBytes ||
      Line % Swizzle != 0)
    return std::nullopt;
  return SwizzleSteps{ChunkBytes / ElementBytes, Swizzle / ChunkBytes,
                      std::max<std::int64_t>(1, AllBanks / Line)};
}

BufferLayout rowLayout(unsigned Rank) {
  BufferLayout L;
  for (unsigned D = 0; D < Rank; ++D)
    L.Modes.push_back({D});
  return L;
}

BufferLayout columnLayout(unsigned Rank) {
  BufferLayout L;
  for (unsigned D = Rank; D > 0; --D)
    L.Modes.push_back({D - 1});
  return L;
}

BufferLayout innermostLayout(unsigned Rank, unsigned Dim) {
  BufferLayout L;
  for (unsigned D = 0; D < Rank; ++D)
    if (D != Dim)
      L.Modes.push_back({D});
  if (Rank)
    L.Modes.push_back({Dim});
  return L;
}

BufferLayout panelLayout(unsigned Rank, unsigned Dim, std::int64_t Width) {
  BufferLayout L;
  L.Modes.push_back({Dim, Part::Quotient, Width});
  for (unsigned D = 0; D < Rank; ++D)
    if (D != Dim)
      L.Modes.push_back({D});
  L.Modes.push_back({Dim, Part::Remainder, Width});
  return L;
}

std::string toString(const BufferLayout &L) {
  unsigned Rank = 0;
  for (const LayoutMode &M : L.Modes)
    Rank += M.P != Part::Remainder;
  std::string Pad = L.Pad ? " pad(" + std::to_string(L.Pad) + ")" : "";
  if (L.Swizzle)
    Pad += " swizzle(" + std::to_string(L.Swizzle) + ")";
  if (L.Modes == rowLayout(Rank).Modes)
    return "row" + Pad;
  if (L.Modes == columnLayout(Rank).Modes)
    return "column" + Pad;
  std::string Text = "[";
  for (const LayoutMode &M : L.Modes) {
    if (Text.size() > 1)
      Text += ", ";
    Text += std::to_string(M.Dim);
    if (M.P != Part::Whole)
      Text += (M.P == Part::Quotient ? "/" : "%") + std::to_string(M.Split);
  }
  return Text + "]" + Pad;
}

} // namespace septran::compiler
