//===- TypicalSizes.cpp - the calls that a mapping is derived for ---------===//
#include "Derive/TypicalSizes.h"

#include "Support/JoinNames.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace septran::compiler {

namespace {

/// Each is as much work for the search as it has without.
constexpr size_t MostShapes = 16;
/// Rows and columns of images: those of the usual networks are halved from layer to layer, 56, 28, 14 and 7.
/// Tiles that divide all of them leave none that is clipped.
constexpr double SmallImage = 7, LargeImage = 56;
/// Of dimensions that nothing is known of, at least.
constexpr double LeastExtent = 64;
/// Elements of the largest tensor: in caches of one core, in those that all share, one large image,
/// in memory.
constexpr double InCaches = 1 << 16, Between = 1 << 20,
                 OneImage = LargeImage * LargeImage * LeastExtent, InMemory = 1 << 24;
/// Of results in what they are computed from.
constexpr double MinStride = 1.5;

/// Elements of a dimension that constants index at most.
constexpr std::int64_t MostIndexed = 16;

using Place = std::pair<unsigned, unsigned>;
using KnownSizes = std::map<Place, double>;

/// The extent or integer argument of that name; none if there is none.
std::optional<Place> placeOf(const ShapeRelations &R, const std::string &Name) {
  if (const EntryExtent *E = R.find(Name))
    return Place{E->Ref.Param, E->Ref.Dim};
  for (unsigned I = 0; I < R.Params.size(); ++I)
    if (const Parameter &P = R.Params[I]; !P.isTensor() && P.Name == Name && !isFloat(P.Scalar->Type))
      return Place{I, 0};
  return std::nullopt;
}

/// All values of one with all of the others.
std::vector<KnownSizes> combinations(const ShapeRelations &R, const std::vector<ShapeSpec> &Stated) {
  std::vector<KnownSizes> All(1);
  for (const ShapeSpec &S : Stated) {
    std::vector<KnownSizes> Longer;
    for (const KnownSizes &Known : All)
      for (std::int64_t Value : S.Values) {
        Longer.push_back(Known);
        Longer.back()[*placeOf(R, S.Name)] = double(Value);
      }
    All = std::move(Longer);
  }
  return All;
}

/// What dimensions have in common that are not given, if the largest tensor has so many elements.
double commonExtent(const std::vector<Parameter> &Params, double Elements, const KnownSizes &Given) {
  double Least = Elements;
  for (unsigned I = 0; I < Params.size(); ++I) {
    double Product = 1, Free = 0;
    for (unsigned Dim = 0; Params[I].isTensor() && Dim < Params[I].Tensor->Rank; ++Dim)
      if (auto Known = Given.find({I, Dim}); Known != Given.end())
        Product *= std::max(1.0, Known->second);
      else
        ++Free;
    if (Free > 0)
      Least = std::min(Least, std::round(std::pow(Elements / Product, 1 / Free)));
  }
  return std::max(LeastExtent, Least);
}

/// An extent that is as long as one that is given is given, too.
void addEqual(const ShapeRelations &R, KnownSizes &Given) {
  for (auto E = R.Extents.rbegin(); E != R.Extents.rend(); ++E)
    if (auto Own = Given.find({E->Ref.Param, E->Ref.Dim}); Own != Given.end() && E->isTied())
      for (const Expr &Bound : E->AtLeast)
        for (unsigned Param = 0; Param < R.Params.size(); ++Param)
          if (R.Params[Param].isTensor() && R.Params[Param].Tensor == Bound->T)
            Given.try_emplace({Param, Bound->Dim}, Own->second);
}

/// Extents that depend on others are as small as the logic allows, the others what they are without a
/// word.
KnownSizes complete(const ShapeRelations &R, NominalSizes Sizes, KnownSizes Given) {
  addEqual(R, Given);
  Sizes.Arguments.Known = Given;
  Nominal Values(R.Params, Sizes.Extent, Sizes.Arguments);
  KnownSizes All = Given;
  for (const EntryExtent &E : R.Extents) {
    const TensorRef &T = R.Params[E.Ref.Param].Tensor;
    const Place Here = {E.Ref.Param, E.Ref.Dim};
    if (!Given.count(Here) && !E.isFree()) {
      double Least = double(E.Least);
      for (const Expr &Bound : E.AtLeast)
        Least = std::max(Least, Values.of(Bound));
      Values.setExtent(T, E.Ref.Dim, Least);
    }
    All[Here] = Values.extent(T, E.Ref.Dim);
  }
  for (const ExtentSuggestion &S : R.Suggestions)
    if (const Place Here = {S.Ref.Param, S.Ref.Dim}; !Given.count(Here))
      All[Here] = Values.of(S.Is);
  return All;
}

/// Extents which constants index are as short as that allows, such as the three colours of a pixel.
KnownSizes indexedByConstants(const ShapeRelations &R) {
  KnownSizes Result;
  for (const EntryExtent &E : R.Extents) {
    std::int64_t Most = E.Least;
    for (const Expr &Bound : E.AtLeast)
      Most = std::max(Most, constantValue(Bound).value_or(MostIndexed + 1));
    if (!E.isFree() && Most <= MostIndexed)
      Result[{E.Ref.Param, E.Ref.Dim}] = double(Most);
  }
  return Result;
}

/// With extents of images and windows.
KnownSizes withImages(KnownSizes Given, const ArgumentSizes &Arguments) {
  for (const Place &Image : Arguments.Images)
    Given.try_emplace(Image, Arguments.ImageExtent);
  for (const Place &Window : Arguments.Windows)
    Given.try_emplace(Window, WindowExtent);
  return Given;
}

/// Extents in which results lie apart are longer than those that nothing is known of.
KnownSizes withStrides(const ShapeRelations &R, const NominalSizes &Sizes, KnownSizes Given) {
  Nominal Values(R.Params, Sizes.Extent, Sizes.Arguments);
  for (const auto &[Here, Value] : complete(R, Sizes, Given))
    if (R.Params[Here.first].isTensor() &&
        Value >= MinStride * Values.extent(R.Params[Here.first].Tensor, Here.second))
      Given.try_emplace(Here, Value);
  return Given;
}

/// Of products of matrices, alone or in batches: extents that both factors have and no result. They may be short,
/// so that what is done with a result's elements weighs as much as their sums.
KnownSizes shortSums(const ShapeRelations &R, double Extent) {
  KnownSizes Result;
  bool IsProduct = false;
  for (const Parameter &P : R.Params)
    IsProduct |= P.isTensor() && writes(P.Access) && P.Tensor->Rank >= 2;
  for (const EntryExtent &E : R.Extents) {
    IsProduct &= R.Params[E.Ref.Param].Tensor->Rank <= 3;
    if (!E.isTied())
      continue;
    for (const Expr &Bound : E.AtLeast)
      for (unsigned Param = 0; Param < R.Params.size(); ++Param)
        if (const Parameter &P = R.Params[Param]; P.isTensor() && P.Tensor == Bound->T && !writes(P.Access))
          Result[{Param, Bound->Dim}] = Extent;
  }
  for (const EntryExtent &E : R.Extents) {
    if (!E.isFree())
      Result.erase({E.Ref.Param, E.Ref.Dim});
    if (writes(R.Params[E.Ref.Param].Access)) // a result is as long, where loops run to another
      for (const Expr &Bound : E.AtLeast)
        for (unsigned Param = 0; Param < R.Params.size(); ++Param)
          if (R.Params[Param].isTensor() && R.Params[Param].Tensor == Bound->T)
            Result.erase({Param, Bound->Dim});
  }
  return IsProduct ? Result : KnownSizes();
}

/// Outer dimensions of tensors with images count these, if no other argument has such a dimension.
/// In caches there is one.
KnownSizes singleImages(const ShapeRelations &R, const ParameterDims &Images) {
  KnownSizes Result;
  for (const Place &Image : Images)
    if (Image.second > 0 && R.Params[Image.first].isTensor() && !Images.count({Image.first, 0}))
      Result[{Image.first, 0}] = 1;
  auto HasImages = [&](unsigned Param) { return Result.count({Param, 0}) != 0; };
  for (const EntryExtent &E : R.Extents)
    for (const Expr &Bound : E.AtLeast)
      for (unsigned Param = 0; Param < R.Params.size(); ++Param)
        if (R.Params[Param].isTensor() && R.Params[Param].Tensor == Bound->T &&
            Bound->Kind == ExprKind::Extent && HasImages(Param) != HasImages(E.Ref.Param)) {
          Result.erase({Param, Bound->Dim});
          Result.erase({E.Ref.Param, E.Ref.Dim});
        }
  return Result;
}

/// Elements of the largest tensor, and the extent of images: layers of networks have large images
/// first, and many channels of small ones last.
std::vector<std::pair<double, double>> usualCalls(const ArgumentSizes &Arguments) {
  std::vector<std::pair<double, double>> Result = {
      {InCaches, SmallImage}, {Between, SmallImage}, {InMemory, LargeImage}};
  if (!Arguments.Images.empty())
    Result.push_back({OneImage, LargeImage});
  return Result;
}

} // namespace

std::string problemOf(const std::vector<ShapeSpec> &Stated, const ShapeRelations &R) {
  size_t Shapes = 1;
  std::set<Place> Named;
  for (const ShapeSpec &S : Stated) {
    const std::optional<Place> Here = placeOf(R, S.Name);
    if (!Here) {
      std::vector<std::string> There;
      for (const EntryExtent &E : R.Extents)
        There.push_back(E.ShortName.empty() ? E.Name : E.ShortName + " (" + E.Name + ")");
      for (const Parameter &P : R.Params)
        if (!P.isTensor() && !isFloat(P.Scalar->Type))
          There.push_back(P.Name);
      return "there is no extent or integer argument '" + S.Name + "'; expected one of " +
             (There.empty() ? "none" : joinNames(There));
    }
    if (!Named.insert(*Here).second)
      return "'" + S.Name + "' is given twice; several values are given as in " + S.Name + "=1,64";
    if (R.Params[Here->first].isTensor() && S.Values.front() < 1)
      return "'" + S.Name + "' cannot be " + std::to_string(S.Values.front());
    Shapes = std::min(Shapes * S.Values.size(), MostShapes + 1);
  }
  return Shapes <= MostShapes ? ""
                              : "the values of '" + Stated.back().Name + "' and the others make more than " +
                                    std::to_string(MostShapes) + " shapes";
}

std::vector<NominalSizes> typicalSizes(const ShapeRelations &R, const ArgumentSizes &Arguments,
                                       const std::vector<ShapeSpec> &Stated) {
  std::vector<NominalSizes> Result;
  const std::vector<KnownSizes> All = combinations(R, Stated);
  std::vector<std::pair<double, double>> Usual = usualCalls(Arguments);
  const bool AllGiven = std::all_of(R.Extents.begin(), R.Extents.end(), [&](const EntryExtent &E) {
    return !E.isFree() || All.front().count({E.Ref.Param, E.Ref.Dim});
  });
  if (AllGiven && Arguments.Images.empty())
    Usual.resize(1); // nothing is left that could be large
  for (const KnownSizes &Given : All)
    for (const auto &[Elements, Image] : Usual) {
      NominalSizes Sizes;
      Sizes.Arguments = Arguments;
      Sizes.Arguments.ImageExtent = Image;
      Sizes.InMemory = Elements == InMemory;
      const KnownSizes Here =
          Given.empty() && Elements == InCaches ? shortSums(R, LeastExtent) : Given;
      KnownSizes Short = Here.empty() ? indexedByConstants(R) : Here;
      if (Given.empty() && Elements == OneImage)
        Short.merge(singleImages(R, Arguments.Images));
      Sizes.Extent = commonExtent(R.Params, Elements, withImages(Short, Sizes.Arguments));
      Sizes.Arguments.Known = Here.empty() ? withStrides(R, Sizes, Short) : complete(R, Sizes, Here);
      for (double Cores : {1, 8}) {
        if (Cores > 1 && Elements == Between)
          break; // the others say how cores share the work
        Sizes.Cores = Cores;
        Result.push_back(Sizes);
      }
    }
  return Result;
}

} // namespace septran::compiler
