//===- OperandLayout.cpp - how a primitive wants its operands to lie ------===//
#include "Plan/OperandLayout.h"

#include "IR/Affine.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>
#include <charconv>

namespace septran::compiler {

using Part = LayoutMode::Part;

namespace {

/// The two numbers of `panels(dim, width)`.
std::optional<std::pair<unsigned, std::int64_t>> panelNumbers(std::string_view Text) {
  constexpr std::string_view Head = "panels(";
  if (!Text.starts_with(Head) || !Text.ends_with(")"))
    return std::nullopt;
  Text = Text.substr(Head.size(), Text.size() - Head.size() - 1);
  std::pair<unsigned, std::int64_t> Result;
  const char *End = Text.data() + Text.size();
  auto [Comma, DimError] = std::from_chars(Text.data(), End, Result.first);
  if (DimError != std::errc() || Comma == End || *Comma != ',')
    return std::nullopt;
  const char *Width = std::find_if(Comma + 1, End, [](char C) { return C != ' '; });
  auto [Last, WidthError] = std::from_chars(Width, End, Result.second);
  if (WidthError != std::errc() || Last != End || Result.second < 1)
    return std::nullopt;
  return Result;
}

} // namespace

std::optional<BufferLayout> operandLayout(const Operand &O) {
  const auto Rank = static_cast<unsigned>(O.Shape.size());
  const std::string &Text = O.Layout.Value;
  if (Text.empty() || Text == "row")
    return rowLayout(Rank);
  if (Text == "column")
    return columnLayout(Rank);
  if (auto Numbers = panelNumbers(Text); Numbers && Numbers->first < Rank)
    return panelLayout(Rank, Numbers->first, Numbers->second);
  return std::nullopt;
}

std::string distancePlaceholder(const Operand &O, const LayoutMode &M) {
  return O.Name.Value + (M.P == Part::Quotient ? ".panel_stride" : ".stride") +
         std::to_string(M.Dim);
}

std::optional<std::vector<LayoutMode>>
fixedModes(const Operand &O, const std::set<std::string> &Placeholders, std::string &Problem) {
  std::optional<BufferLayout> Layout = operandLayout(O);
  if (!Layout) {
    Problem = "operand '" + O.Name.Value + "' has layout '" + O.Layout.Value +
              "'; a binding can provide 'row', 'column' and 'panels(dim, width)'";
    return std::nullopt;
  }
  // A mode of one step has no distance to speak of.
  auto Steps = [&](const LayoutMode &M) {
    const OperandExtent &E = O.Shape[M.Dim].Value;
    bool Once = E.Symbol.empty() && (M.P == Part::Quotient ? E.Value <= M.Split : E.Value == 1);
    return !Once;
  };
  std::vector<LayoutMode> Fixed; // innermost first
  std::string Passed;
  for (auto M = Layout->Modes.rbegin(); M != Layout->Modes.rend(); ++M) {
    if (!Steps(*M))
      continue;
    std::string Distance = distancePlaceholder(O, *M);
    if (Placeholders.count(Distance)) {
      Passed = Distance;
    } else if (!Passed.empty()) {
      Problem = "its template takes {" + Passed + "} but not {" + Distance + "}";
      return std::nullopt;
    } else {
      Fixed.push_back(*M);
    }
  }
  std::reverse(Fixed.begin(), Fixed.end());
  // Inside another mode a dimension counts as far as the operand goes, not as the tensor.
  for (size_t I = 1; I < Fixed.size(); ++I) {
    const OperandExtent &E = O.Shape[Fixed[I].Dim].Value;
    if (Fixed[I].P != Part::Whole)
      continue;
    if (!E.Symbol.empty()) {
      Problem = "its template does not take {" + distancePlaceholder(O, Fixed[I - 1]) +
                "}, which depends on '" + E.Symbol + "'";
      return std::nullopt;
    }
    Fixed[I] = {Fixed[I].Dim, Part::Remainder, E.Value};
  }
  return Fixed;
}

//===--- from the operand to its buffer ----------------------------------------===//

std::optional<RootPath> pathToRoot(const View &V, const TensorTable &Tensors) {
  if (!V.Reshape.empty())
    return std::nullopt;
  View Here = explicitView(V);
  RootPath Path = {Here.Base, Here.Dims, {}};
  for (const Slice &S : Here.Slices)
    Path.Offsets.push_back(S.Offset);
  while (const View *Next = Tensors.definition(Path.Root)) {
    if (!Next->Reshape.empty() || Next->Fill)
      return std::nullopt;
    View N = explicitView(*Next);
    std::vector<Expr> Offsets;
    for (const Slice &S : N.Slices)
      Offsets.push_back(S.Offset);
    for (size_t D = 0; D < N.Dims.size(); ++D)
      if (N.Dims[D] >= 0)
        Offsets[N.Dims[D]] = Offsets[N.Dims[D]] + Path.Offsets[D];
    for (int &D : Path.Dims)
      D = D < 0 ? D : N.Dims[D];
    Path.Offsets = std::move(Offsets);
    Path.Root = N.Base;
  }
  return Path;
}

bool provablyMultiple(const Expr &E, std::int64_t N, const TensorTable &Tensors) {
  std::optional<Affine> A = affineForm(expandExtents(E, Tensors));
  if (!A || A->Constant % N != 0)
    return false;
  return std::all_of(A->Terms.begin(), A->Terms.end(), [&](const auto &Term) {
    const auto &[Atom, C] = Term;
    bool IsChoice = Atom->Kind == ExprKind::Binary &&
                    (Atom->Bin == BinaryOp::Min || Atom->Bin == BinaryOp::Max);
    return C % N == 0 || (IsChoice && provablyMultiple(Atom->Args[0], N, Tensors) &&
                          provablyMultiple(Atom->Args[1], N, Tensors));
  });
}

std::optional<WantedLayout> wantedLayout(const PrimitiveCall::Operand &O,
                                         const TensorTable &Tensors, std::string &Problem) {
  const std::string Name = "'" + O.Tensor.Base->Name + "'";
  std::optional<RootPath> Path = pathToRoot(O.Tensor, Tensors);
  if (!Path) {
    Problem = "operand '" + O.Name + "' must lie in a layout of its own, but " + Name +
              " is reshaped; place it in a memory where it is copied to";
    return std::nullopt;
  }
  std::vector<LayoutMode> Inner;
  std::set<unsigned> Placed; ///< dimensions whose steps, or panels, Inner counts
  std::map<unsigned, std::int64_t> Splits;
  for (const LayoutMode &M : O.Inner) {
    if (Path->Dims[M.Dim] < 0) {
      Problem = "operand '" + O.Name + "' walks dimension " + std::to_string(M.Dim) +
                ", along which " + Name + " repeats";
      return std::nullopt;
    }
    const auto Dim = static_cast<unsigned>(Path->Dims[M.Dim]);
    Inner.push_back({Dim, M.P, M.Split});
    if (M.P != Part::Remainder) {
      Placed.insert(Dim);
    } else {
      Splits[Dim] = M.Split;
      if (!provablyMultiple(Path->Offsets[Dim], M.Split, Tensors)) {
        Problem = "tiles of " + Name + " start at " + toString(Path->Offsets[Dim]) +
                  " along dimension " + std::to_string(Dim) +
                  ", which is not known to be a multiple of " + std::to_string(M.Split);
        return std::nullopt;
      }
    }
  }
  WantedLayout Wanted = {Path->Root, {}, 0};
  for (unsigned D = 0; D < Path->Root->Rank; ++D) {
    if (Placed.count(D))
      continue;
    auto Split = Splits.find(D);
    Wanted.Layout.Modes.push_back(
        Split == Splits.end() ? LayoutMode{D} : LayoutMode{D, Part::Quotient, Split->second});
  }
  Wanted.Layout.Modes.insert(Wanted.Layout.Modes.end(), Inner.begin(), Inner.end());
  Wanted.Fixed = Inner.size();
  bool IsLastDim = Inner.size() == 1 && Inner[0] == LayoutMode{Path->Root->Rank - 1};
  if (Tensors.allocated(Path->Root) || IsLastDim)
    return Wanted;
  Problem = "operand '" + O.Name + "' must lie in layout " + toString(Wanted.Layout) + ", but " +
            Name + " lies as the caller has it; place it in a memory where it is copied to";
  return std::nullopt;
}

} // namespace septran::compiler
