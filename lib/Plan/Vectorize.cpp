//===- Vectorize.cpp - lanes and unrolling for the loops of a leaf --------===//
#include "Plan/Vectorize.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LaneLegality.h"
#include "Plan/LaneWidth.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/LoopNest.h"
#include "Plan/Records.h"
#include "Support/DidYouMean.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

/// More unrolled iterations than this are not a register tile any more.
constexpr std::int64_t MaxUnrolled = 256;
/// A loop with this score is faster one element at a time.
constexpr double NoLanes = -3;
/// What a loop loses that fills half of a vector at most.
constexpr double FewIterations = 4;

bool isTile(const RegisterTiles &Tiles, const TensorRef &T) {
  auto It = Tiles.find(T);
  return It != Tiles.end() && !It->second.Conflict;
}

/// The dimension of T that V alone walks in this access, or -1.
int dimensionWalked(const Access &A, const VarRef &V) {
  for (size_t D = 0; D < A.Indices.size(); ++D)
    if (A.Indices[D]->Kind == ExprKind::Var && A.Indices[D]->V == V)
      return int(D);
  return -1;
}

bool touches(const Access &A, const VarRef &V) {
  return std::any_of(A.Indices.begin(), A.Indices.end(),
                     [&](const Expr &I) { return mentions(I, V); });
}

/// Elements of so many bytes that fill a vector.
std::int64_t lanesOf(unsigned Bytes, const VectorTarget &Target) {
  return std::max<std::int64_t>(Target.SimdBytes / Bytes, 2);
}

class LeafVectorizer {
  const std::string &Leaf;
  const VectorRequest &Request;
  const VectorTarget &Target;
  const TensorTable &Tensors;
  const RegisterTiles &Tiles;
  Diagnostics &D;
  bool RequestMet = false, HasLanes = false;
  std::vector<std::string> LoopNames;
  std::string RequestProblem, ProblemLoop;
  std::string NotInLanes; ///< why the loop that was looked at last cannot be
  std::string Scalar;     ///< why the last nest without lanes has none
  std::vector<const For *> Outer;

  //===--- how good is a loop as lane loop? ---------------------------------===//

  /// Nothing: not possible. Higher is better; memory accesses along the lanes decide.
  std::optional<double> score(const Nest &N, size_t At, std::string &Why) const {
    const For &F = *N[At];
    const LoopFacts Facts = analyzeLoop(F, Tensors);
    if (Facts.Class == LoopClass::Sequential) {
      Why = Facts.Reason;
      return std::nullopt;
    }
    // It moves past the loops inside it in the nest.
    for (size_t I = At + 1; I < N.size(); ++I) {
      if (Facts.Class != LoopClass::Parallel &&
          analyzeLoop(*N[I], Tensors).Class == LoopClass::Sequential) {
        Why = "loop '" + N[I]->V->Name + "' inside it runs in order";
        return std::nullopt;
      }
      if (mentions(N[I]->Lo, F.V) || mentions(N[I]->Hi, F.V)) {
        Why = "the bounds of loop '" + N[I]->V->Name + "' depend on it";
        return std::nullopt;
      }
    }
    std::vector<const For *> Around = Outer;
    for (size_t I = 0; I < N.size(); ++I)
      if (I != At)
        Around.push_back(N[I]);
    For Innermost = *N.back(); // as it will be: the nest's body below it
    copyHeader(F, Innermost);
    Why = whyNotLanes(Innermost, Around, Tensors);
    if (Why.empty() && F.Step != 1)
      Why = "loop '" + F.V->Name + "' has another step than 1";
    if (!Why.empty())
      return std::nullopt;

    double Score = Facts.Class == LoopClass::Reduction ? -2 : 0;
    const double Filled = filled(F, double(widthFor(N, F.V)));
    if (Filled <= 0.5)
      Score -= FewIterations;
    const std::vector<Access> Accesses = accessesOf(N.back()->Body);
    // Code for a tile is written once, whatever the distance of rows.
    const bool OnTile = std::any_of(Accesses.begin(), Accesses.end(),
                                    [&](const Access &A) { return isTile(Tiles, A.T); });
    const Records Of(N.back()->Body, F.V, Tensors, !OnTile);
    for (const Access &A : Accesses) {
      if (isTile(Tiles, A.T)) {
        if (touches(A, F.V) && !isConstant(F.Lo, 0)) {
          Why = "'" + A.T->Name + "' lies in registers, and the loop does not start at 0";
          return std::nullopt;
        }
        int Lane = Tiles.at(A.T).LaneDim;
        int Walked = dimensionWalked(A, F.V);
        const std::int64_t Width = Tiles.at(A.T).Width;
        if (Lane >= 0 && touches(A, F.V) && Request.Width > 1 && Request.Width != Width) {
          Why = "'" + A.T->Name + "' lies in registers of " + std::to_string(Width) + " elements";
          return std::nullopt;
        }
        if (touches(A, F.V) ? Walked < 0 || (Lane >= 0 && Walked != Lane)
                            : Lane >= 0 && laneWalkedInNest(A, N)) {
          Why = "'" + A.T->Name + "' has its lanes along another dimension";
          return std::nullopt;
        }
        continue;
      }
      Score += accessScore(A, F.V, Of);
    }
    return Filled <= 0.25 ? std::min(Score, NoLanes) : Score;
  }

  /// The part of a vector that the loop fills, where it is less than one.
  double filled(const For &F, double Width) const {
    if (const std::optional<std::int64_t> Trip = constantTrip(F))
      return double(*Trip) / Width;
    // Of a whole dimension that is so short; blocks may be, too, where the mapping cuts them.
    const Expr Extent = simplify(expandExtents(F.Hi - F.Lo, Tensors));
    const std::optional<std::int64_t> Most = upperBound(Extent, {});
    return Most && (constantValue(Extent) || 4 * double(*Most) <= Width) ? double(*Most) / Width
                                                                         : 1;
  }

  /// The access walks its register tile's lane dimension with some loop of the nest.
  bool laneWalkedInNest(const Access &A, const Nest &N) const {
    const Expr &I = A.Indices[Tiles.at(A.T).LaneDim];
    return std::any_of(N.begin(), N.end(), [&](const For *F) { return mentions(I, F->V); });
  }

  double accessScore(const Access &A, const VarRef &V, const Records &Of) const {
    if (A.Write ? Of.isStoredWhole(A.T, A.Indices) : Of.find(A.T, A.Indices).has_value())
      return 1;
    int Moving = -1;
    std::int64_t Step = 0;
    for (size_t Dim = 0; Dim < A.Indices.size(); ++Dim) {
      std::optional<std::int64_t> C = coefficient(A.Indices[Dim], V);
      if (C && *C == 0)
        continue;
      if (!C || Moving >= 0)
        return -6; // a diagonal or worse
      Moving = int(Dim);
      Step = *C;
    }
    if (Moving < 0)
      return 0;
    const bool Inside = isLastInMemory(A.T, Moving, Tensors);
    if (Step == 1 && Inside)
      return A.Write ? 3 : 2;
    // A buffer of ours can be laid out for this loop.
    if (Step == 1 && Tensors.root(A.T)->Kind == TensorKind::Buffer)
      return -0.5;
    return -4;
  }

  std::int64_t widthFor(const Nest &N, const VarRef &V) const {
    if (Request.Width)
      return Request.Width;
    for (const Access &A : accessesOf(N.back()->Body))
      if (isTile(Tiles, A.T) && Tiles.at(A.T).LaneDim >= 0 && touches(A, V))
        return Tiles.at(A.T).Width;
    return widthOf(N);
  }

  /// Of what is touched and computed.
  std::int64_t widthOf(const Nest &N) const {
    unsigned Bytes = widestComputed(N.back()->Body);
    for (const Access &A : accessesOf(N.back()->Body))
      Bytes = std::max(Bytes, computedBytes(A.T->Element));
    return lanesOf(Bytes, Target);
  }

  //===--- one nest ----------------------------------------------------------===//

  struct Choice {
    size_t At = 0;
    double Score = 0;
  };

  std::optional<Choice> bestLoop(const Nest &N) {
    std::optional<Choice> Best;
    for (size_t I = 0; I < N.size(); ++I) {
      std::string Why;
      std::optional<double> S = score(N, I, Why);
      if (!S)
        NotInLanes = Why;
      LoopNames.push_back(N[I]->V->Name);
      if (N[I]->V->Name == Request.Loop) {
        if (S)
          return Choice{I, 1e9};
        RequestProblem = Why;
      } else if (Request.Loop.empty() && Request.Width && !S && touchesTile(N, *N[I])) {
        RequestProblem = Why;
        ProblemLoop = N[I]->V->Name;
      }
      if (S && (!Best || *S >= Best->Score))
        Best = Choice{I, *S};
    }
    return Best;
  }

  bool touchesTile(const Nest &N, const For &F) const {
    for (const Access &A : accessesOf(N.back()->Body))
      if (isTile(Tiles, A.T) && touches(A, F.V))
        return true;
    return false;
  }

  /// The constant trip count of a loop over a register tile's dimension, 0 if there is none: the
  /// loop may go beyond the tile where a condition keeps it from the tile's elements.
  std::int64_t tileTrip(const For &F, const Nest &N) const {
    Facts Known;
    for (const auto &Loops : {Outer, std::vector<const For *>(N.begin(), N.end())})
      for (const For *L : Loops)
        Known[L->V] = {expandExtents(L->Lo, Tensors), expandExtents(L->Hi, Tensors)};
    std::optional<std::int64_t> Most = upperBound(expandExtents(F.Hi, Tensors), Known);
    for (const Access &A : accessesOf(N.back()->Body)) {
      int Dim = dimensionWalked(A, F.V);
      if (isTile(Tiles, A.T) && Dim >= 0)
        if (std::int64_t Bound = Tiles.at(A.T).Bounds[Dim]; Most && *Most <= Bound)
          return Bound;
    }
    return 0;
  }

  /// Moves the loop at `From` of the nest to position `To` (headers are exchanged, bodies stay).
  static void moveLoop(Nest &N, size_t From, size_t To) {
    for (; From < To; ++From)
      swapHeaders(*N[From], *N[From + 1]);
    for (; From > To; --From)
      swapHeaders(*N[From], *N[From - 1]);
  }

  /// Loops over register tiles go inside all others, in their order, and are unrolled.
  void unrollTiles(Nest &N) const {
    bool Permutable = freelyPermutable(N, Tensors);
    std::int64_t Product = 1;
    if (Permutable) {
      size_t End = N.size();
      for (size_t I = 0, Seen = 0; Seen < N.size(); ++Seen)
        if (touchesTile(N, *N[I]))
          moveLoop(N, I, End - 1);
        else
          ++I;
    }
    for (size_t I = N.size(); I > 0; --I) {
      For &F = *N[I - 1];
      std::int64_t Trip = touchesTile(N, F) ? tileTrip(F, N) : 0;
      if (!Trip)
        continue;
      F.StaticTrip = Trip;
      if (F.Exec == LoopExec::Lanes)
        Trip = (Trip + F.Width - 1) / F.Width;
      Product *= Trip;
      if (Product > MaxUnrolled && F.Exec != LoopExec::Lanes)
        F.StaticTrip = 0;
      else if (F.Exec != LoopExec::Lanes)
        F.Exec = LoopExec::Unrolled;
    }
  }

  /// The best score that a nest inside `B` reaches by itself.
  double bestInside(Block &B) {
    double Best = -1e9;
    for (Stmt &S : B) {
      if (auto *F = S.getIf<For>()) {
        Nest N = perfectNest(*F);
        if (std::optional<Choice> C = bestLoop(N))
          Best = std::max(Best, C->Score);
        Best = std::max(Best, bestInside(N.back()->Body));
      } else
        for (Block *Nested : nestedBlocks(S))
          Best = std::max(Best, bestInside(*Nested));
    }
    return Best;
  }

  void visitNest(For &F) {
    Nest N = perfectNest(F);
    std::optional<Choice> C = Request.Enabled ? bestLoop(N) : std::nullopt;
    bool Wanted = C && C->Score > NoLanes;
    if (Wanted && Request.Width == 1) { // one element at a time: scalar code
      RequestMet |= C->Score > 1e8;
      Wanted = false;
    }
    if (Wanted && holdsLoops(N.back()->Body) && C->Score < 1e8 &&
        bestInside(N.back()->Body) > C->Score)
      Wanted = false;
    if (Wanted) {
      HasLanes = true;
      RequestMet |= C->Score > 1e8;
      N[C->At]->Exec = LoopExec::Lanes;
      N[C->At]->Width = unsigned(widthFor(N, N[C->At]->V));
      moveLoop(N, C->At, N.size() - 1);
    }
    if (!Wanted && Request.Enabled && Request.Width != 1 && !holdsLoops(N.back()->Body))
      Scalar = C ? "what its lanes would access lies apart, or is less than a quarter of a vector"
                 : NotInLanes;
    unrollTiles(N);
    if (Wanted && N.back()->Exec != LoopExec::Lanes) // tiles moved inside the lane loop
      for (size_t I = 0; I < N.size(); ++I)
        if (N[I]->Exec == LoopExec::Lanes)
          moveLoop(N, I, N.size() - 1);
    if (Wanted)
      return; // loops inside the lane loop run per vector, as written
    for (For *L : N)
      Outer.push_back(L);
    visitBlock(N.back()->Body);
    Outer.resize(Outer.size() - N.size());
  }

  void visitBlock(Block &B) {
    for (Stmt &S : B) {
      if (auto *F = S.getIf<For>())
        visitNest(*F);
      else
        for (Block *Nested : nestedBlocks(S))
          visitBlock(*Nested);
    }
  }

public:
  LeafVectorizer(const std::string &Leaf, const VectorRequest &Request, const VectorTarget &Target,
                 const TensorTable &Tensors, const RegisterTiles &Tiles, Diagnostics &D)
      : Leaf(Leaf), Request(Request), Target(Target), Tensors(Tensors), Tiles(Tiles), D(D) {}

  /// Why no loop runs in lanes; empty if one does, or there is none, or the mapping wants none.
  std::string run(Block &Body) {
    visitBlock(Body);
    reportRequest();
    return HasLanes ? "" : Scalar;
  }

  void reportRequest() {
    if (!ProblemLoop.empty() && !HasLanes && Request.Width > 1 && Request.Loc) {
      D.report(DiagID::VectorizeIllegal, *Request.Loc, ProblemLoop, Leaf, RequestProblem);
      return;
    }
    if (Request.Loop.empty() || RequestMet || !Request.Loc)
      return;
    if (std::find(LoopNames.begin(), LoopNames.end(), Request.Loop) == LoopNames.end())
      D.report(DiagID::VectorizeLoop, *Request.Loc, Leaf, Request.Loop,
               didYouMean(Request.Loop, LoopNames));
    else
      D.report(DiagID::VectorizeIllegal, *Request.Loc, Request.Loop, Leaf, RequestProblem);
  }

  /// The loop that this nest would take for the lanes of its register tiles: one that fills them,
  /// where the best is a sum that leaves scalars.
  VarRef preferred(For &F) {
    Nest N = perfectNest(F);
    std::optional<Choice> Best = bestLoop(N);
    if (!Best)
      return nullptr;
    if (Request.Loop.empty() && !fillsTile(*N[Best->At], N)) {
      Best->Score = NoLanes;
      for (size_t I = 0; I < N.size(); ++I) {
        std::string Why;
        if (std::optional<double> S = fillsTile(*N[I], N) ? score(N, I, Why) : std::nullopt;
            S && *S > Best->Score)
          Best = Choice{I, *S};
      }
    }
    return N[Best->At]->V;
  }

private:
  /// It walks rows of a tile by whole vectors.
  bool fillsTile(const For &F, const Nest &N) const {
    for (const Access &A : accessesOf(N.back()->Body))
      if (const int Dim = dimensionWalked(A, F.V); Dim >= 0 && isTile(Tiles, A.T))
        return Dim + 1 == int(A.T->Rank) &&
               Tiles.at(A.T).Bounds.back() >= lanesOf(computedBytes(A.T->Element), Target);
    return false;
  }
};

struct Vote {
  size_t Depth;
  size_t Position; ///< in textual order
  For *Loop;
  const InstanceInfo *Leaf;
};

/// Tiles that one loop walks have as many lanes as the one that has the fewest.
void takeSameWidths(const std::vector<std::set<RegisterTile *>> &Together) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const std::set<RegisterTile *> &Tiles : Together) {
      unsigned Least = std::numeric_limits<unsigned>::max();
      for (const RegisterTile *T : Tiles)
        Least = std::min(Least, T->Width);
      for (RegisterTile *T : Tiles)
        Changed |= std::exchange(T->Width, Least) != Least;
    }
  }
}

/// The nests of leaves; `Leaf` is null outside of one.
void collectVotes(Block &B, const InstanceInfo *Leaf, std::vector<Vote> &Votes) {
  for (Stmt &S : B) {
    const InstanceInfo *Inside = Leaf;
    if (auto *Sc = S.getIf<Scope>(); Sc && Sc->Instance->Task->Kind == FunctionKind::Leaf)
      Inside = Sc->Instance.get();
    if (auto *F = S.getIf<For>(); F && Leaf) {
      Nest N = perfectNest(*F);
      Votes.push_back({N.size(), Votes.size(), F, Leaf});
      collectVotes(N.back()->Body, Leaf, Votes);
      continue;
    }
    for (Block *Nested : nestedBlocks(S))
      collectVotes(*Nested, Inside, Votes);
  }
}

} // namespace

VectorRequest vectorRequest(const InstanceInfo &I) {
  VectorRequest R;
  if (!I.Settings || !I.Settings->Vectorize)
    return R;
  const Located<Vectorize> &V = *I.Settings->Vectorize;
  R.Enabled = V.Value.Enabled && !(V.Value.Width && V.Value.Width->Value == 1);
  if (V.Value.Loop)
    R.Loop = V.Value.Loop->Value;
  if (V.Value.Width)
    R.Width = V.Value.Width->Value;
  R.Loc = V.Value.Loop ? &V.Value.Loop->Loc : &V.Loc;
  return R;
}

bool isLastInMemory(TensorRef T, int Dim, const TensorTable &Tensors) {
  const View *V = Tensors.definition(T);
  for (; V && V->Reshape.empty(); V = Tensors.definition(T)) {
    if (!V->Dims.empty())
      Dim = V->Dims[Dim];
    if (Dim < 0) // repeated
      return false;
    T = V->Base;
  }
  return Dim + 1 == int(T->Rank);
}

void chooseRegisterLanes(const Block &B, const TensorTable &Tensors, const VectorTarget &Target,
                         RegisterTiles &Tiles) {
  // A function needs an array of scalars, which has an address, and so does a part of a tile.
  auto NeedsAddress = [&](const TensorRef &T) {
    if (auto It = Tiles.find(Tensors.root(T)); It != Tiles.end())
      It->second.Conflict = true;
  };
  auto Part = [&](const View &V) {
    if (!isIdentity(V))
      NeedsAddress(V.Base);
  };
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *O = S.getIf<OpaqueCall>()) {
      for (const Launch::Argument &A : O->Args)
        if (A.isTensor())
          NeedsAddress(A.Tensor.Base);
    } else if (const auto *D = S.getIf<Define>()) {
      Part(D->Value);
    } else if (const auto *C = S.getIf<CopyStmt>()) {
      Part(C->Dst);
      Part(C->Src);
    }
  });
  Block Scratch = B;
  std::vector<Vote> Votes;
  collectVotes(Scratch, nullptr, Votes);
  std::sort(Votes.begin(), Votes.end(), [](const Vote &A, const Vote &B) {
    return A.Depth != B.Depth ? A.Depth > B.Depth : A.Position < B.Position;
  });
  std::vector<std::set<RegisterTile *>> Together; ///< walked by the lanes of one loop
  for (const Vote &V : Votes) {
    Nest N = perfectNest(*V.Loop);
    std::vector<Access> Accesses = accessesOf(N.back()->Body);
    bool Touches = std::any_of(Accesses.begin(), Accesses.end(),
                               [&](const Access &A) { return Tiles.count(A.T) != 0; });
    if (!Touches)
      continue;
    Diagnostics Ignored;
    VectorRequest Loop;
    Loop.Loop = vectorRequest(*V.Leaf).Loop;
    LeafVectorizer Vectorizer(V.Leaf->Task->Name, Loop, Target, Tensors, Tiles, Ignored);
    VarRef Lane = Vectorizer.preferred(*V.Loop);
    std::set<RegisterTile *> &Walks = Together.emplace_back();
    for (const Access &A : Accesses) {
      auto It = Tiles.find(A.T);
      if (It == Tiles.end())
        continue;
      RegisterTile &Tile = It->second;
      int Walked = Lane ? dimensionWalked(A, Lane) : -1;
      if (Walked >= 0 && Tile.LaneDim < 0) {
        Tile.LaneDim = Walked;
        Tile.Width = unsigned(
            lanesOf(std::max(computedBytes(A.T->Element), widestComputed(N.back()->Body)), Target));
      }
      // An index that is neither a loop variable nor a constant needs an addressable array.
      for (const Expr &I : A.Indices)
        Tile.Conflict |= I->Kind != ExprKind::Var && !constantValue(I);
      if (Tile.LaneDim >= 0 && Walked != Tile.LaneDim)
        Tile.Conflict = true;
      if (Walked >= 0 && !Tile.Conflict)
        Walks.insert(&Tile);
    }
  }
  takeSameWidths(Together);
}

std::string vectorizeLeaf(Block &Body, const std::string &Leaf, const VectorRequest &Request,
                          const VectorTarget &Target, const TensorTable &Tensors,
                          const RegisterTiles &Tiles, Diagnostics &D) {
  return LeafVectorizer(Leaf, Request, Target, Tensors, Tiles, D).run(Body);
}

} // namespace septran::compiler
