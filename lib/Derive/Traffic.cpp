//===- Traffic.cpp - what moves between the caches ------------------------===//
#include "Derive/Traffic.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace septran::compiler {

namespace {

constexpr double PageBytes = 4096;
/// Rows side by side that prefetchers follow, of one tensor and of all.
struct MostRows {
  double OfOne, InAll;
};
constexpr MostRows FollowedRows = {8, 12};
/// The same where lines are asked for ahead, which is less work for prefetchers.
constexpr MostRows AskedRows = {16, 24};
/// Rows that prefetchers begin to follow at once.
constexpr double BegunRows = 4;

/// Where rows lie on more pages than a core knows the addresses of, and pages are left before their
/// end, no prefetcher sees coming what is read of the next one. It takes so long at least; lines
/// that are read on end wait together, and those that are asked for ahead also where they go on in
/// one of a few pages.
constexpr double KnownPages = 1024, OpenPages = 32, VisitCycles = 230;
/// Looking up the address again where such a page is still in the last cache.
constexpr double RevisitCycles = 40;
/// Going on in one of several rows that are followed, a piece of each in turn.
constexpr double TurnCycles = 35;

/// What is written past the caches is not read before, and nothing waits for it; pieces of a few
/// lines take as long as several.
constexpr double StreamedFactor = 0.5, PiecesFactor = 4, PieceBytes = 256;
/// What the code at borders writes otherwise does not count.
constexpr double KeptShare = 1.0 / 16;

/// A level of the memory hierarchy beyond a cache of so many bytes.
struct CacheLevel {
  double Bytes;
  double CyclesPerByte;
  double CyclesPerLine; ///< further ones, of a line that no prefetcher saw coming
  double CyclesPerRun;  ///< further ones, at most, until prefetchers follow a row
  double SharedBy; ///< cores that it serves at full speed, which share the cache before it; 0: all,
                   ///< each has its own
  /// Rows of the caller's tensors lie at distances that displace each other, up to a page apart.
  /// Where pages go in the outer levels only the system knows.
  bool RowsDisplace;
};

class Traffic {
  const std::vector<LoopAt> &Loops;
  const std::vector<AccessAt> &Accesses;
  std::vector<CacheLevel> Levels;
  std::vector<double> RowsIn; ///< rowsIn()
  std::set<size_t> Kept; ///< roots of which more than the borders is not written past the caches

  bool isAround(int Outer, int Loop) const {
    for (int L = Loop; L >= 0; L = Loops[L].Parent)
      if (L == Outer)
        return true;
    return Outer < 0;
  }

  struct Footprint {
    double Bytes = 0;
    double Occupied = 0; ///< with what no other row can use where rows displace each other
    double Rows = 1;
    double Distance = 0; ///< bytes from one row to the next
  };

  /// Lines that a run of so many bytes touches, on average over where it begins.
  double linesOfRun(const AccessAt &A, int Node, bool Counts, double Bytes) const {
    std::int64_t Apart = std::int64_t(LineBytes); // places where it may begin
    const unsigned Inner = A.Order.empty() ? 0 : A.Order.back().Dim;
    if (Inner < A.Moves.size())
      for (const auto &[L, By] : A.Moves[Inner])
        if (!isAround(Node, L) || (!Counts && L == Node))
          Apart = std::gcd(Apart, std::int64_t(std::abs(By)) * byteSize(A.Root->Element));
    const double Step = double(Apart);
    return (std::ceil(Bytes / Step) * Step + LineBytes - Step) / LineBytes;
  }

  mutable std::vector<std::optional<Footprint>> Footprints; ///< footprint()

  /// Indices along a dimension that loops go through: stretches without gaps.
  struct Stretches {
    double Length = 1, Count = 1;
  };

  /// Whose accesses: of one core, or of all that run the loops at a time.
  enum class Whose { Core, Team };

  /// Gaps of up to so many indices are none.
  Stretches stretches(const AccessAt &A, size_t Dim, int Node, bool Counts, double Gap,
                      Whose Of) const {
    struct Step {
      double By, Times, Most;
      bool operator<(const Step &S) const { return By < S.By; }
    };
    llvm::SmallVector<Step, 8> Steps;
    for (const auto &[L, By] : A.Moves[Dim]) {
      const bool Inside = isAround(Node, L) && (Counts || L != Node);
      const double Cores = Of == Whose::Team ? Loops[L].Trip / Loops[L].Effective : 1;
      if (const double Times = Cores * (Inside ? Loops[L].Effective : 1); Times > 1)
        Steps.push_back(
            {std::abs(By), Times, std::max(Times, Times * Loops[L].Most / Loops[L].Trip)});
    }
    std::sort(Steps.begin(), Steps.end());
    Stretches Result;
    double Whole = 1; // the length, if no block was clipped
    for (const auto &[By, Times, Most] : Steps)
      if (By <= Whole + Gap) {
        Result.Length =
            By <= Result.Length + Gap ? Result.Length + By * (Times - 1) : Result.Length * Times;
        Whole += By * (Most - 1);
      } else
        Result.Count *= Times;
    Result.Length = std::min(Result.Length, A.Extents[Dim]);
    Result.Count = std::max(1.0, std::min(Result.Count, A.Extents[Dim] / Result.Length));
    return Result;
  }

  /// What the access touches while the loops inside `Node` run, and `Node` itself if it counts.
  const Footprint &footprint(const AccessAt &A, int Node, bool Counts = true,
                             Whose Of = Whose::Core) const {
    const size_t Access = size_t(&A - Accesses.data());
    std::optional<Footprint> &F =
        Footprints[((Access * (Loops.size() + 1) + size_t(Node + 1)) * 2 + Counts) * 2 +
                   (Of == Whose::Team)];
    if (!F)
      F = computeFootprint(A, Node, Counts, Of);
    return *F;
  }

  Footprint computeFootprint(const AccessAt &A, int Node, bool Counts, Whose Of) const {
    const double Size = byteSize(A.Root->Element), Line = LineBytes / Size;
    llvm::SmallVector<Stretches, 4> Along;
    double Elements = 1;
    for (size_t Dim = 0; Dim < A.Moves.size(); ++Dim) {
      const bool Neighbours = !A.Order.empty() && A.Order.back().Dim == Dim;
      // Rows between those of this access may be those of others, which are counted with it.
      Along.push_back(stretches(A, Dim, Node, Counts, Neighbours ? Line : A.Beside - 1, Of));
      Elements *= Along.back().Length * Along.back().Count;
    }
    // Neighbouring rows are one if they are whole, but for less than a line.
    double Run = 1, Distance = 1;
    for (auto Mode = A.Order.rbegin(); Mode != A.Order.rend(); ++Mode) {
      double Range = Along[Mode->Dim].Length, Extent = A.Extents[Mode->Dim];
      const double Split = double(Mode->Split);
      if (Mode->P == LayoutMode::Part::Quotient) {
        Range = std::ceil(Range / Split);
        Extent = std::ceil(Extent / Split);
      } else if (Mode->P == LayoutMode::Part::Remainder) {
        Range = std::min(Range, Split);
        Extent = Split;
      }
      const bool HasGap = (Extent - Range) * Run >= Line;
      Run *= Range;
      Distance *= Extent;
      if (HasGap)
        break;
    }
    Run = std::min(Run, Elements);
    const double Rows = Elements / Run, Row = linesOfRun(A, Node, Counts, Run * Size) * LineBytes;
    const double Kept = Rows > 1 ? std::max(Row, std::min(PageBytes, Distance * Size)) : Row;
    return {Rows * Row, Rows * Kept, Rows, Distance * Size};
  }

  /// Rows of all tensors that each loop walks side by side.
  std::vector<double> rowsIn() const {
    std::vector<double> Result;
    for (int Node = 0; Node < int(Loops.size()); ++Node) {
      std::map<size_t, double> Roots;
      for (const AccessAt &A : Accesses)
        if (isAround(Node, A.Loop)) {
          double &Most = Roots[A.Number];
          Most = std::max(Most, footprint(A, Node, false).Rows * A.Beside);
        }
      double &Sum = Result.emplace_back(0);
      for (const auto &[Root, Rows] : Roots)
        Sum += Rows;
    }
    return Result;
  }

  struct Run {
    double Bytes = LineBytes;
    double Rows = 1; ///< side by side, at most
  };

  /// Bytes of a row that are walked on end: along further loops as long as the rows side by side
  /// are so few that prefetchers follow each. A row that is left for others at the end of a page,
  /// or for too many of all tensors, begins anew where it goes on.
  Run runOf(const AccessAt &A, const MostRows &Most) const {
    Run Longest;
    bool HasOthers = false; // rows between a piece and the next one of its row
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
      const Footprint F = footprint(A, L);
      const double Longer = F.Bytes / F.Rows;
      const bool IsLost =
          HasOthers && (Longest.Bytes >= PageBytes || RowsIn[size_t(L)] > Most.InAll);
      if (F.Rows * A.Beside > Most.OfOne || (IsLost && Longer > Longest.Bytes))
        break;
      Longest = {std::max(Longest.Bytes, Longer), std::max(Longest.Rows, F.Rows)};
      HasOthers = F.Rows > 1;
    }
    return Longest;
  }

  /// Bytes of a row that code without loops, or a loop along it, reads on end.
  double bytesOnEnd(const AccessAt &A) const {
    Footprint Most = {LineBytes, 0, 1, 0};
    bool IsStraight = true;
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
      const Footprint F = footprint(A, L);
      IsStraight &= Loops[L].Unrolled;
      if (!IsStraight && F.Rows > Most.Rows)
        break;
      Most = F;
    }
    return std::max(LineBytes, Most.Bytes / Most.Rows);
  }

  /// Bytes of a row that are walked before so many pages come between.
  double pieceBytes(const AccessAt &A, double Pages) const {
    double Piece = LineBytes;
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
      const Footprint F = footprint(A, L);
      if (F.Rows > Pages)
        break;
      Piece = F.Bytes / F.Rows;
    }
    return Piece;
  }

  /// Rows that are gone through before a row goes on.
  double rowsBeside(const AccessAt &A) const {
    double Rows = 1;
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
      const Footprint F = footprint(A, L);
      if (Rows > 1 && F.Rows <= Rows)
        break;
      Rows = F.Rows;
    }
    return Rows * A.Beside;
  }

  /// Some loop walks rows of which each is on a page of its own, too many to know.
  bool leavesPages(const AccessAt &A) const {
    for (int L = A.Loop; L >= 0; L = Loops[L].Parent)
      if (const Footprint F = footprint(A, L); F.Rows > KnownPages && F.Distance >= PageBytes)
        return true;
    return false;
  }

  /// How an access goes through memory.
  struct Walk {
    Run Longest, Asked;               ///< without asking ahead, and with it
    double Piece, OnOpenPages, OnEnd; ///< bytes
    double Beside;                    ///< rows
    bool LeavesPages;
  };

  /// Cycles until prefetchers follow a row. Lines that are asked for come meanwhile, but the
  /// nearest cache waits for a few at a time; only prefetchers of a further one ask for more. Of
  /// rows that displace each other, what they bring into the nearest one is gone before it is read.
  static double beginningsPerByte(const AccessAt &A, const Walk &W, const CacheLevel &Level) {
    const bool AreDisplaced = Level.RowsDisplace && W.Beside > Streams;
    if (!A.Prefetched || AreDisplaced)
      return std::min(W.Longest.Bytes / LineBytes * Level.CyclesPerLine, Level.CyclesPerRun) /
             W.Longest.Bytes;
    const double Of = W.Asked.Bytes * std::min(W.Asked.Rows, BegunRows);
    return Level.SharedBy > 0 ? std::min(Level.CyclesPerByte, Level.CyclesPerRun / Of) : 0;
  }

  /// Cycles, beside those that the bytes take.
  static double waitsPerByte(const AccessAt &A, const Walk &W, const CacheLevel &Level) {
    const bool OfMemory = Level.SharedBy > 0;
    const double Visits = VisitCycles / (A.Prefetched ? std::max(W.OnOpenPages, W.OnEnd) : W.OnEnd);
    const double Begins = beginningsPerByte(A, W, Level);
    if (OfMemory && W.LeavesPages && (A.Prefetched ? W.Piece : W.Longest.Bytes) < PageBytes)
      return std::max(Begins, Visits - Level.CyclesPerByte);
    const bool Revisits = !OfMemory && !Level.RowsDisplace && W.LeavesPages && W.Piece < PageBytes;
    const bool Turns = OfMemory && !A.Prefetched && W.Longest.Rows > 1;
    return Begins + (Revisits ? RevisitCycles / W.Piece : 0) + (Turns ? TurnCycles / W.OnEnd : 0);
  }

  /// What one iteration of the loop touches, or the program.
  std::map<size_t, Footprint> footprints(int Node, Whose Of) const {
    std::map<size_t, Footprint> Roots;
    for (const AccessAt &A : Accesses)
      if (isAround(Node, A.Loop)) {
        Footprint &Most = Roots[A.Number];
        const Footprint F = footprint(A, Node, false, Of);
        Most.Bytes = std::max(Most.Bytes, F.Bytes);
        Most.Occupied = std::max(Most.Occupied, F.Occupied);
        Most.Rows = std::max(Most.Rows, F.Rows);
      }
    return Roots;
  }

  std::vector<Footprint> iterations(Whose Of) const {
    std::vector<Footprint> Result;
    for (int Node = 0; Node < int(Loops.size()); ++Node) {
      const std::map<size_t, Footprint> Roots = footprints(Node, Of);
      double Rows = 0; // a cache has a place for a few of those that displace each other
      for (const auto &[Root, F] : Roots)
        Rows += F.Rows > 1 ? F.Rows : 0;
      Footprint &Sum = Result.emplace_back();
      for (const auto &[Root, F] : Roots) {
        Sum.Bytes += F.Bytes;
        Sum.Occupied += Rows > Streams ? F.Occupied : F.Bytes;
      }
    }
    return Result;
  }

  double coresAt(int Loop) const {
    double Result = 1;
    for (int L = Loop; L >= 0; L = Loops[L].Parent)
      Result *= Loops[L].Trip / Loops[L].Effective;
    return Result;
  }

public:
  Traffic(const std::vector<LoopAt> &Loops, const std::vector<AccessAt> &Accesses,
          const Machine &Target)
      : Loops(Loops), Accesses(Accesses), Footprints(Accesses.size() * (Loops.size() + 1) * 4) {
    RowsIn = rowsIn();
    std::map<size_t, double> Past, By; // the caches, bytes
    for (const AccessAt &A : Accesses) {
      double &Most = (A.Streamed ? Past : By)[A.Number];
      Most = std::max(Most, footprint(A, -1).Bytes);
    }
    for (const auto &[Root, Bytes] : By)
      if (Bytes > KeptShare * Past[Root])
        Kept.insert(Root);
    double Cache = 1 << 20;
    for (const Memory &M : Target.Memories)
      if (!M.Registers && M.Capacity)
        Cache = double(M.Capacity->Value) / 4;
    Levels = {{32768, 1.0 / 32, 2, 16, 0, true},
              {Cache, 1.0 / 16, 8, 64, 0, false},
              {Cache * 32, 1.0 / 6, 24, 600, 4, false}};
  }

  /// What an iteration brings into a cache the next one finds there if both fit: so data crosses a
  /// level once per run of the outermost loop of which an iteration fits.
  double cycles() const {
    const std::vector<Footprint> OfCore = iterations(Whose::Core), OfTeam = iterations(Whose::Team);
    std::vector<Walk> Walks;
    for (const AccessAt &A : Accesses)
      Walks.push_back({runOf(A, FollowedRows), runOf(A, AskedRows), pieceBytes(A, KnownPages),
                       pieceBytes(A, OpenPages), bytesOnEnd(A), rowsBeside(A), leavesPages(A)});
    double Sum = 0;
    for (const CacheLevel &Level : Levels) {
      const Whose Of = Level.SharedBy > 0 ? Whose::Team : Whose::Core;
      const std::vector<Footprint> &PerIteration = Of == Whose::Team ? OfTeam : OfCore;
      double All = 0;
      for (const auto &[Root, F] : footprints(-1, Of))
        All += F.Bytes;
      if (All <= Level.Bytes) // it is there from the last call
        break;
      std::map<std::pair<size_t, int>, double> Crossing;
      for (size_t I = 0; I < Accesses.size(); ++I) {
        const AccessAt &A = Accesses[I];
        int Fits = A.Loop;
        for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
          const Footprint &F = PerIteration[size_t(L)];
          if ((Level.RowsDisplace ? F.Occupied : F.Bytes) > Level.Bytes)
            break;
          Fits = L;
        }
        const Footprint F = footprint(A, Fits);
        double Times = 1;
        bool Repeats = false;
        for (int L = A.Loop; L >= 0; L = Loops[L].Parent) {
          if (Repeats || !Loops[L].V)
            Times *= Loops[L].Effective;
          Repeats |= L == Fits;
        }
        const bool Passes = A.Streamed && !Kept.count(A.Number);
        double Cycles = Times * F.Bytes *
                        (Level.CyclesPerByte + (Passes ? 0 : waitsPerByte(A, Walks[I], Level)));
        if (Passes)
          Cycles *= Walks[I].Longest.Bytes < PieceBytes ? PiecesFactor : StreamedFactor;
        if (Level.SharedBy > 0)
          Cycles *= std::max(1.0, coresAt(A.Loop) / Level.SharedBy);
        double &Most = Crossing[{A.Number, Fits}];
        Most = std::max(Most, Cycles);
      }
      for (const auto &[Key, Cycles] : Crossing)
        Sum += Cycles;
    }
    return Sum;
  }
};

} // namespace

double trafficCycles(const std::vector<LoopAt> &Loops, const std::vector<AccessAt> &Accesses,
                     const Machine &Target) {
  return Traffic(Loops, Accesses, Target).cycles();
}

} // namespace septran::compiler
