//===- ChooseShapes.cpp - shapes at which mappings break ------------------===//
#include "Verify/ChooseShapes.h"

#include "Verify/ElementRange.h"
#include "Verify/Random.h"

#include "Support/StableSort.h"

#include <algorithm>
#include <limits>
#include <set>

namespace septran::compiler {

namespace {

/// Something that has a value in every shape: a free extent or an integer argument.
struct Quantity {
  std::string Name;
  std::optional<ExtentRef> Extent;  ///< none: the argument of that name
  std::vector<std::int64_t> Values; ///< to be tried; the first one is the simplest
  bool FromUser = false;
  std::optional<size_t> Follows; ///< this one has the value of another
};

std::vector<std::int64_t> valuesAround(const std::vector<std::int64_t> &Tiles) {
  std::vector<std::int64_t> Values = {1, 2, 3, 5, 7, 13, 31};
  for (std::int64_t T : Tiles)
    for (std::int64_t V : {T - 1, T, T + 1, 2 * T, 2 * T + 3, 3 * T - 1})
      Values.push_back(V);
  std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
  return Values;
}

/// Shapes are tried one by one: a program that takes longer for one does not accept it. Few need as
/// much as the first figure; of large ones the largest that is quick is wanted.
constexpr unsigned SecondsPerTry = 5, SecondsPerLargeTry = 1;

class Chooser {
  const ShapeRelations &R;
  const ShapeRequest &Request;
  AcceptShapes Accepts;
  Random Draw;
  ShapePlan Plan;
  std::vector<Quantity> Quantities;
  std::vector<std::int64_t> Base;
  std::string LastRefusal;
  std::int64_t MostWork = 0; ///< of one shape, but for the one large one
  /// The least work of a large shape that took too long.
  std::int64_t TooMuchWork = std::numeric_limits<std::int64_t>::max();

  using Assignment = std::vector<std::int64_t>;

public:
  Chooser(const ShapeRelations &R, const ShapeRequest &Request, AcceptShapes Accepts)
      : R(R), Request(Request), Accepts(Accepts), Draw(Request.Seed) {}

  ShapePlan run() {
    if (!collect())
      return Plan;
    if (!findBase()) {
      Plan.NoneAccepted = true;
      Plan.Problem = "the plain program accepts none of the shapes that were tried";
      if (!LastRefusal.empty())
        Plan.Problem += "; it says: " + LastRefusal;
      return Plan;
    }
    learn();
    combine();
    return Plan;
  }

private:
  bool collect() {
    std::set<std::string> Used;
    auto FromUser = [&](Quantity &Q, std::string_view ShortName) {
      for (const ShapeSpec &S : Request.Specs)
        if (const EntryExtent *E = R.find(S.Name);
            S.Name == Q.Name || (!ShortName.empty() && E && E->Ref == Q.Extent) ||
            (E && Q.Extent == E->Ref)) {
          Q.Values = S.Values;
          Q.FromUser = true;
          Used.insert(S.Name);
        }
    };
    for (const EntryExtent &E : R.Extents) {
      Quantity Q{E.Name, E.Ref, valuesAround(tilesOf(E)), false, std::nullopt};
      std::erase_if(Q.Values, [&](std::int64_t V) { return V < E.Least; });
      if (Q.Values.empty() || Q.Values.front() > std::max<std::int64_t>(E.Least, 1))
        Q.Values.insert(Q.Values.begin(), E.Least);
      FromUser(Q, E.ShortName);
      if (E.isFree() || Q.FromUser)
        Quantities.push_back(std::move(Q));
    }
    for (const Parameter &P : R.Params) {
      if (P.isTensor() || isFloat(P.Scalar->Type))
        continue;
      Quantity Q{P.Name, std::nullopt, {1, 2, 3, 0, 7}, false, std::nullopt};
      if (P.Scalar->Type == ScalarType::Bool)
        Q.Values = {0, 1};
      FromUser(Q, "");
      Quantities.push_back(std::move(Q));
    }
    for (const ShapeSpec &S : Request.Specs)
      if (!Used.contains(S.Name) && !statesElements(R, S)) {
        std::vector<std::string> There;
        for (const Quantity &Q : Quantities)
          There.push_back(Q.Name);
        for (const Parameter &P : R.Params)
          if (mayStateValues(P, P.Name))
            There.push_back(P.Name);
        Plan.Problem = "there is no extent or integer argument '" + S.Name + "'; there are ";
        for (size_t I = 0; I < There.size(); ++I)
          Plan.Problem += (I ? ", " : "") + There[I];
        return false;
      }
    return true;
  }

  /// Blocks of an extent are also blocks of those that are as long.
  std::vector<std::int64_t> tilesOf(const EntryExtent &Free) const {
    std::vector<std::int64_t> All = Free.Tiles;
    for (const EntryExtent &E : R.Extents)
      for (const Expr &B : E.AtLeast)
        if (B->Kind == ExprKind::Extent && B->Dim == Free.Ref.Dim &&
            R.Params[Free.Ref.Param].Tensor == B->T)
          All.insert(All.end(), E.Tiles.begin(), E.Tiles.end());
    return All;
  }

  std::optional<ShapeChoice> shapeOf(const Assignment &A) const {
    ShapeChoice C;
    Extents Given;
    for (size_t I = 0; I < A.size(); ++I) {
      std::int64_t Value = Quantities[I].Follows ? A[*Quantities[I].Follows] : A[I];
      if (Quantities[I].Extent && Value < 0)
        return std::nullopt;
      if (Quantities[I].Extent)
        Given[*Quantities[I].Extent] = Value;
      else
        C.Scalars[Quantities[I].Name] = Value;
    }
    std::optional<Extents> All = completeShape(R, Given, C.Scalars);
    if (!All)
      return std::nullopt;
    C.Shape = *All;
    return C;
  }

  /// Elements of the largest tensor, and iterations if all free extents are loops.
  std::int64_t work(const Assignment &A) const {
    double Most = 1;
    for (size_t I = 0; I < A.size(); ++I)
      if (Quantities[I].Extent && !Quantities[I].Follows)
        Most *= double(std::max<std::int64_t>(A[I], 1));
    std::map<unsigned, double> Elements; // by parameter
    if (const std::optional<ShapeChoice> C = shapeOf(A))
      for (const auto &[Ref, Extent] : C->Shape) {
        double &Product = Elements.try_emplace(Ref.Param, 1).first->second;
        Most = std::max(Most, Product *= double(std::max<std::int64_t>(Extent, 1)));
      }
    return Most > 1e15 ? std::int64_t(1e15) : std::int64_t(Most);
  }

  /// Which of the assignments the plain program accepts.
  std::vector<bool> accepted(const std::vector<Assignment> &All, unsigned Seconds = SecondsPerTry) {
    std::vector<ShapeChoice> Choices;
    std::vector<std::optional<size_t>> Positions;
    for (const Assignment &A : All) {
      std::optional<ShapeChoice> C = shapeOf(A);
      Positions.push_back(C ? std::optional(Choices.size()) : std::nullopt);
      if (C)
        Choices.push_back(*C);
    }
    std::vector<std::optional<Refusal>> Refusals = Accepts(Choices, Seconds);
    std::vector<bool> Good;
    for (size_t I = 0; I < All.size(); ++I) {
      const std::optional<size_t> P = Positions[I];
      const bool Fine = P && !Refusals[*P];
      Good.push_back(Fine);
      if (Fine)
        continue;
      ++Plan.Refused;
      if (!P)
        continue;
      LastRefusal = Refusals[*P]->Why;
      if (!Refusals[*P]->InTime)
        TooMuchWork = std::min(TooMuchWork, work(All[I]));
    }
    return Good;
  }

  /// A first shape: the simplest values, else the same for all extents, else the same for those of one
  /// argument: a kernel may have to be 3 x 3, and all other extents 1 to keep that little work.
  bool findBase() {
    Assignment Simplest;
    for (const Quantity &Q : Quantities)
      Simplest.push_back(Q.Values.front());
    std::vector<Assignment> Tries = {Simplest};
    for (std::int64_t Same : {2, 3, 4, 8, 16, 32, 64, 128})
      Tries.push_back(withExtents(Simplest, Same, std::nullopt));
    const bool AllFromUser = std::all_of(Quantities.begin(), Quantities.end(),
                                         [](const Quantity &Q) { return Q.FromUser || !Q.Extent; });
    MostWork = AllFromUser ? std::numeric_limits<std::int64_t>::max()
                           : std::max(Request.Work, work(Simplest));
    if (isAnyAccepted(std::move(Tries)))
      return true;
    Tries.clear();
    for (size_t Param = 0; Param < R.Params.size(); ++Param)
      for (std::int64_t Same : {2, 3, 4, 5, 7, 8, 16})
        if (R.Params[Param].isTensor())
          Tries.push_back(withExtents(Simplest, Same, Param));
    return isAnyAccepted(std::move(Tries));
  }

  /// Extents that are not the user's have this value, all of them or those of one parameter.
  Assignment withExtents(Assignment A, std::int64_t Value, std::optional<size_t> Param) const {
    for (size_t I = 0; I < A.size(); ++I)
      if (const Quantity &Q = Quantities[I];
          Q.Extent && !Q.FromUser && (!Param || Q.Extent->Param == *Param))
        A[I] = Value;
    return A;
  }

  /// Takes the first of these as the base that the plain program accepts.
  bool isAnyAccepted(std::vector<Assignment> Tries) {
    // Other values of the integer arguments.
    for (size_t Base = 0, Count = Tries.size(); Base < Count; ++Base)
      for (unsigned N = 0; N < 6; ++N) {
        Assignment A = Tries[Base];
        for (size_t I = 0; I < A.size(); ++I)
          if (!Quantities[I].Extent || Quantities[I].FromUser)
            A[I] = Draw.pick(Quantities[I].Values);
        Tries.push_back(A);
      }
    // Simple ones first; the checked program is too slow for those that are much work. But what the user
    // asks for is done.
    stableSort(Tries, [&](const Assignment &A, const Assignment &B) { return work(A) < work(B); });
    std::erase_if(Tries, [&](const Assignment &A) { return work(A) > MostWork; });
    constexpr size_t AtOnce = 4;
    for (size_t From = 0; From < Tries.size(); From += AtOnce) {
      std::vector<Assignment> Some(Tries.begin() + From,
                                   Tries.begin() + std::min(From + AtOnce, Tries.size()));
      std::vector<bool> Good = accepted(Some);
      Plan.Refused = 0;
      for (size_t I = 0; I < Some.size(); ++I)
        if (Good[I]) {
          Base = Some[I];
          return true;
        }
    }
    return false;
  }

  void learn() {
    for (size_t Q = 0; Q < Quantities.size(); ++Q) {
      if (Quantities[Q].Follows)
        continue;
      std::vector<std::int64_t> Good = goodValues(Q, {});
      if (Good.size() <= 1 && Quantities[Q].Extent)
        for (size_t Other = 0; Other < Quantities.size(); ++Other) {
          if (Other == Q || !Quantities[Other].Extent || Quantities[Other].Follows ||
              Quantities[Other].FromUser)
            continue;
          std::vector<std::int64_t> Joint = goodValues(Q, {Other});
          if (Joint.size() <= Good.size())
            continue;
          // Only together: the other one follows from here on.
          Good = std::move(Joint);
          Quantities[Other].Follows = Q;
          Base[Other] = Base[Q];
        }
      if (!Good.empty())
        Quantities[Q].Values = std::move(Good);
      else
        Quantities[Q].Values = {Base[Q]};
    }
  }

  /// The values that Q, and those that go with it, may have while the others are as in Base.
  std::vector<std::int64_t> goodValues(size_t Q, const std::vector<size_t> &With) {
    std::vector<Assignment> Tries;
    for (std::int64_t V : Quantities[Q].Values) {
      Assignment A = Base;
      A[Q] = V;
      for (size_t Other : With)
        A[Other] = V;
      Tries.push_back(std::move(A));
    }
    std::vector<bool> Good = accepted(Tries);
    std::vector<std::int64_t> Values;
    for (size_t I = 0; I < Tries.size(); ++I)
      if (Good[I])
        Values.push_back(Quantities[Q].Values[I]);
    return Values;
  }

  /// A value for every quantity, those in Fixed kept, within the bound on work: what is too much is
  /// made smaller, in random order.
  Assignment fill(const std::map<size_t, std::int64_t> &Fixed, std::int64_t Most) {
    Assignment A(Quantities.size());
    std::vector<size_t> Order;
    for (size_t Q = 0; Q < A.size(); ++Q) {
      A[Q] = Fixed.contains(Q) ? Fixed.at(Q) : Draw.pick(Quantities[Q].Values);
      if (!Fixed.contains(Q) && !Quantities[Q].FromUser)
        Order.push_back(Q);
    }
    Draw.shuffle(Order);
    for (size_t Q : Order)
      while (work(A) > Most) {
        auto Smaller =
            std::lower_bound(Quantities[Q].Values.begin(), Quantities[Q].Values.end(), A[Q]);
        if (Smaller == Quantities[Q].Values.begin())
          break;
        A[Q] = *--Smaller;
      }
    return A;
  }

  void combine() {
    std::set<Assignment> Seen;
    std::vector<Assignment> Wanted;
    auto Want = [&](Assignment A) {
      if (Seen.insert(A).second)
        Wanted.push_back(std::move(A));
    };
    Want(Base);
    // Every value of every quantity once, the user's values in any case.
    std::vector<std::pair<size_t, std::int64_t>> Each;
    size_t FromUser = 0;
    for (size_t Q = 0; Q < Quantities.size(); ++Q)
      for (std::int64_t V :
           Quantities[Q].Follows ? std::vector<std::int64_t>() : Quantities[Q].Values) {
        Each.emplace_back(Q, V);
        FromUser += Quantities[Q].FromUser;
      }
    Draw.shuffle(Each);
    stablePartition(Each, [&](const auto &E) { return Quantities[E.first].FromUser; });
    for (const auto &[Q, V] : Each) {
      if (Wanted.size() >= std::max<size_t>(Request.Count, FromUser + 1))
        break;
      Want(fill({{Q, V}}, MostWork));
    }
    for (unsigned N = 0; Wanted.size() < Request.Count && N < 4 * Request.Count; ++N)
      Want(fill({}, MostWork));
    std::vector<bool> Good = accepted(Wanted);
    std::set<ShapeChoice> Taken;
    auto Take = [&](const Assignment &A) {
      ShapeChoice C = *shapeOf(A);
      if (Taken.insert(C).second)
        Plan.Shapes.push_back(std::move(C));
    };
    for (size_t I = 0; I < Wanted.size(); ++I)
      if (Good[I])
        Take(Wanted[I]);
    if (Request.LargeWork > 0)
      if (std::optional<Assignment> Large = largeOne())
        Take(*Large);
  }

  /// Grows all extents that have no upper bound of their own until the work is reached. What is too
  /// long for another extent only in a large shape, as more blocks than another tensor has windows,
  /// the plain program refuses, or it takes long: then it is asked about every step.
  std::optional<Assignment> largeOne() {
    Assignment A = grown([](const Assignment &) { return true; });
    const unsigned Refused = Plan.Refused;
    if (A != Base && !isAcceptedSoon(A))
      A = grown([&](const Assignment &Next) { return isAcceptedSoon(Next); });
    Plan.Refused = Refused;
    return A == Base ? std::nullopt : std::optional(A);
  }

  bool isAcceptedSoon(const Assignment &A) {
    return work(A) < TooMuchWork && accepted({A}, SecondsPerLargeTry).front();
  }

  Assignment grown(llvm::function_ref<bool(const Assignment &)> MayBe) const {
    Assignment A = Base;
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (size_t Q = 0; Q < A.size(); ++Q) {
        const Quantity &Quant = Quantities[Q];
        if (!Quant.Extent || Quant.Follows || Quant.FromUser || Quant.Values.size() < 4)
          continue;
        // From 1 these are 2^n - 1, between the multiples of any block.
        Assignment Next = A;
        Next[Q] = A[Q] * 2 + 1;
        if (work(Next) <= Request.LargeWork && MayBe(Next)) {
          A = std::move(Next);
          Grown = true;
        }
      }
    }
    return A;
  }
};

} // namespace

bool statesElements(const ShapeRelations &R, const ShapeSpec &S) {
  return std::any_of(R.Params.begin(), R.Params.end(),
                     [&](const Parameter &P) { return mayStateValues(P, S.Name); });
}

ShapePlan chooseShapes(const ShapeRelations &R, const ShapeRequest &Request, AcceptShapes Accepts) {
  return Chooser(R, Request, Accepts).run();
}

} // namespace septran::compiler
