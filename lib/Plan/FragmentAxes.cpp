//===- FragmentAxes.cpp - tiles of matrix instructions among warps --------===//
#include "Plan/FragmentAxes.h"

#include "IR/Affine.h"
#include "Plan/Kernels.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace septran::compiler {

namespace {

/// The digits that begin both, cut as finely as either, and then the rest of the longer one.
/// Nothing if they differ.
std::optional<Digits> refine(Digits A, Digits B) {
  Digits Result;
  while (!A.empty() && !B.empty()) {
    const std::int64_t Size = std::min(A.front().Size, B.front().Size);
    auto X = splitAt(A, Size), Y = splitAt(B, Size);
    if (!X || !Y || X->first != Y->first)
      return std::nullopt;
    Result.insert(Result.end(), X->first.begin(), X->first.end());
    A = std::move(X->second);
    B = std::move(Y->second);
  }
  Result.insert(Result.end(), A.begin(), A.end());
  Result.insert(Result.end(), B.begin(), B.end());
  return Result;
}

class FragmentDivider {
  const std::vector<FragmentUse> &Uses;
  std::int64_t Threads, Processors;
  ThreadAxes &Axes;
  const RegisterTiles &Tiles;
  Diagnostics &D;

  /// What fragments say of one axis.
  struct Along {
    ThreadAxis *Axis;
    Digits Inner;
    std::string From; ///< where Inner comes from, in words
    unsigned Group = 0;
  };
  std::vector<Along> Found;
  struct Group {
    bool Parallel = true;
    std::set<std::int64_t> Cuts; ///< sizes of tiles
    std::int64_t Most = 0;       ///< warps that can share it evenly
    std::int64_t Share = 1;
  };
  std::vector<Group> Groups;

public:
  FragmentDivider(const std::vector<FragmentUse> &Uses, std::int64_t Threads,
                  std::int64_t Processors, ThreadAxes &Axes, const RegisterTiles &Tiles,
                  Diagnostics &D)
      : Uses(Uses), Threads(Threads), Processors(Processors), Axes(Axes), Tiles(Tiles), D(D) {}

  void run() {
    for (const FragmentUse &U : Uses)
      for (const FragmentOperand &O : U.Operands)
        for (unsigned Dim : O.Dims)
          Axes.of(O.Tile, Dim); // all of them exist before the first is pointed to
    const unsigned Before = D.errorCount();
    for (const FragmentUse &U : Uses)
      collect(U);
    if (D.errorCount() != Before)
      return;
    formGroups();
    if (D.errorCount() != Before)
      return;
    chooseShares();
    assign();
  }

private:
  Along *find(ThreadAxis *Axis) {
    auto It = std::find_if(Found.begin(), Found.end(),
                           [&](const Along &A) { return A.Axis == Axis; });
    return It == Found.end() ? nullptr : &*It;
  }
  Along &along(const FragmentOperand &O, unsigned Dim) { return *find(&Axes.of(O.Tile, Dim)); }

  std::int64_t bound(const FragmentOperand &O, unsigned Dim) const {
    return Tiles.at(O.Tile).Bounds[Dim];
  }

  static std::string describe(const FragmentUse &U, const FragmentOperand &O, const Digits &F) {
    return "[" + toString(withoutRegisters(F)) + "], as operand '" + O.Name + "' of '" +
           U.Prim->Name.Value + "'";
  }

  void collect(const FragmentUse &U) {
    for (const FragmentOperand &O : U.Operands)
      for (unsigned I = 0; I < O.Dims.size(); ++I) {
        ThreadAxis *Axis = &Axes.of(O.Tile, O.Dims[I]);
        const Digits Own = withoutRegisters(O.F[I]);
        const std::string From = describe(U, O, O.F[I]);
        Along *Known = find(Axis);
        if (!Known) {
          Found.push_back({Axis, {}, From, 0});
          Known = &Found.back();
        }
        std::optional<Digits> Both = refine(Known->Inner, Own);
        if (!Both) {
          D.report(DiagID::FragmentConflict, U.Loc, O.Dims[I], O.Tile->Name, From, Known->From);
          continue;
        }
        Known->Inner = std::move(*Both);
        const std::int64_t Bound = bound(O, O.Dims[I]), Step = elementsOf(Own);
        if (Bound % Step != 0)
          D.report(DiagID::FragmentExtent, U.Loc, O.Tile->Name, Bound, O.Dims[I],
                   U.Prim->Name.Value, Step);
        if (Axis->Whole && Bound > 1 && threadsOf(Own) > 1)
          D.report(DiagID::FragmentWhole, U.Loc, O.Dims[I], O.Tile->Name, From);
      }
  }

  void formGroups() {
    for (unsigned I = 0; I < Found.size(); ++I)
      Found[I].Group = I;
    for (const FragmentUse &U : Uses)
      for (unsigned Loop = 0; Loop < U.Sizes.size(); ++Loop) {
        const Along *First = nullptr;
        std::int64_t Bound = 0;
        forEachDim(U, Loop, [&](const FragmentOperand &O, unsigned Dim) {
          Along &A = along(O, Dim);
          if (First && A.Group != First->Group) {
            const unsigned Old = A.Group, New = First->Group;
            for (Along &Other : Found)
              if (Other.Group == Old)
                Other.Group = New;
          }
          if (First && bound(O, Dim) != Bound)
            reportInKernel(U.Loc,
                           "'" + O.Tile->Name + "' of " + std::to_string(bound(O, Dim)) +
                               " elements along a loop in which others have " +
                               std::to_string(Bound),
                           "blocks of one size", D);
          Bound = bound(O, Dim);
          First = &A;
        });
      }
    Groups.resize(Found.size());
    for (Along &A : Found) {
      Group &G = Groups[A.Group];
      const std::int64_t Tile = elementsOf(A.Inner), Count = A.Axis->Bound / std::max<std::int64_t>(Tile, 1);
      G.Parallel &= !A.Axis->Reduced && !A.Axis->Whole;
      G.Cuts.insert(Tile);
      const std::int64_t Most = Count & -Count; // the powers of two in it
      G.Most = G.Most ? std::min(G.Most, Most) : Most;
    }
    for (const FragmentUse &U : Uses)
      for (unsigned Loop = 0; Loop < U.Sizes.size(); ++Loop)
        forEachDim(U, Loop, [&](const FragmentOperand &O, unsigned Dim) {
          Group &G = Groups[along(O, Dim).Group];
          G.Parallel &= !U.Reduces[Loop];
          G.Cuts.insert(U.Sizes[Loop]);
        });
  }

  template <class Function>
  void forEachDim(const FragmentUse &U, unsigned Loop, Function F) {
    for (const FragmentOperand &O : U.Operands)
      for (unsigned I = 0; I < O.Dims.size(); ++I)
        if (O.Loops[I] == Loop)
          F(O, O.Dims[I]);
  }

  //===--- warps ---------------------------------------------------------------===//

  /// Instructions of one warp, and elements that it holds of what they read.
  std::pair<double, double> cost() {
    double Calls = 0, Loads = 0;
    for (const FragmentUse &U : Uses) {
      double Here = 1;
      std::set<unsigned> Counted;
      for (const FragmentOperand &O : U.Operands) {
        double Elements = 1;
        for (unsigned I = 0; I < O.Dims.size(); ++I) {
          const double Each = double(bound(O, O.Dims[I])) /
                              double(Groups[along(O, O.Dims[I]).Group].Share);
          Elements *= Each;
          if (Counted.insert(O.Loops[I]).second)
            Here *= Each / double(U.Sizes[O.Loops[I]]);
        }
        if (!O.Written)
          Loads += Elements;
      }
      Calls += Here;
    }
    return {Calls, Loads};
  }

  void chooseShares() {
    std::vector<std::int64_t> Best(Groups.size(), 1);
    std::pair<double, double> Least = cost();
    auto Try = [&](size_t At, std::int64_t Left, auto &Self) -> void {
      if (At == Groups.size()) {
        if (std::pair<double, double> C = cost(); C < Least) {
          Least = C;
          for (size_t I = 0; I < Groups.size(); ++I)
            Best[I] = Groups[I].Share;
        }
        return;
      }
      const std::int64_t Most = Groups[At].Parallel ? std::min(Left, Groups[At].Most) : 1;
      for (std::int64_t Share = 1; Share <= std::max<std::int64_t>(Most, 1); Share *= 2) {
        Groups[At].Share = Share;
        Self(At + 1, Left / Share, Self);
      }
      Groups[At].Share = 1;
    };
    Try(0, Processors, Try);
    for (size_t I = 0; I < Groups.size(); ++I)
      Groups[I].Share = Best[I];
  }

  void assign() {
    std::vector<std::int64_t> Stride(Groups.size());
    std::int64_t Next = Threads;
    for (size_t I = Groups.size(); I > 0; --I) {
      Stride[I - 1] = Next;
      Next *= Groups[I - 1].Share;
    }
    for (Along &A : Found) {
      const Group &G = Groups[A.Group];
      Digits Parts = A.Inner;
      std::int64_t Covered = elementsOf(Parts);
      const std::int64_t Each = A.Axis->Bound / G.Share;
      for (std::int64_t Cut : G.Cuts)
        if (Cut > Covered && Cut < Each && Cut % Covered == 0 && Each % Cut == 0) {
          Parts.push_back({Cut / Covered});
          Covered = Cut;
        }
      if (Each > Covered)
        Parts.push_back({Each / Covered});
      if (G.Share > 1)
        Parts.push_back({G.Share, Stride[A.Group]});
      A.Axis->Assigned = true;
      A.Axis->Parts = std::move(Parts);
    }
  }
};

} // namespace

void divideFragments(const std::vector<FragmentUse> &Uses, std::int64_t Threads,
                     std::int64_t Processors, ThreadAxes &Axes, const RegisterTiles &Tiles,
                     Diagnostics &D) {
  if (!Uses.empty())
    FragmentDivider(Uses, Threads, Processors, Axes, Tiles, D).run();
}

Digits countRegisters(const Digits &F, const Digits &Parts) {
  Digits Result, Left = F;
  for (Digit Part : Parts) {
    if (!Left.empty())
      if (auto Cut = splitAt(Left, Part.Size)) {
        if (!Cut->first.empty())
          Part.Register = Cut->first.front().Register;
        Left = std::move(Cut->second);
      }
    Result.push_back(Part);
  }
  return Result;
}

} // namespace septran::compiler
