//===- Unroll.cpp - how often the loops of leaves are unrolled ------------===//
#include "Plan/Unroll.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopNest.h"
#include "Plan/RegisterTiles.h"
#include "Support/DidYouMean.h"

#include <algorithm>
#include <optional>

namespace septran::compiler {

namespace {

/// More iterations than this in line are no help to any instruction cache.
constexpr std::int64_t MaxComplete = 256;

/// As the leaf's text names it; that over a primitive's tiles has the name of the loop that they cut.
const std::string &nameOf(const For &F) {
  return F.V->TilesOf.empty() ? F.V->Name : F.V->TilesOf;
}

/// Written to be unrolled completely: the loop walks a register tile, or one tile of a primitive.
bool walksTile(const For &F) { return F.Exec == LoopExec::Unrolled || F.StaticTrip > 0; }

/// From a / b to a / b, rounded up: the tile that is left over.
bool runsAtMostOnce(const For &F) {
  const auto Is = [](const Expr &E, BinaryOp Op) {
    return E->Kind == ExprKind::Binary && E->Bin == Op;
  };
  return Is(F.Lo, BinaryOp::Div) && Is(F.Hi, BinaryOp::CeilDiv) &&
         equal(F.Lo->Args[0], F.Hi->Args[0]) && equal(F.Lo->Args[1], F.Hi->Args[1]);
}

bool isInnermost(const For &F) {
  bool Holds = false;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *Inner = S.getIf<For>())
      Holds |= !walksTile(*Inner);
  });
  return !Holds;
}

/// Iterations of the generated loop, vectors of a loop in lanes; nothing if known at run time only.
std::optional<std::int64_t> tripCount(const For &F) {
  const std::optional<std::int64_t> Trip = constantTrip(F);
  return Trip && F.Exec == LoopExec::Lanes ? (*Trip + F.Width - 1) / F.Width : Trip;
}

class Checker {
  const InstanceInfo &I;
  Diagnostics &D;
  std::vector<const For *> Loops;

  static std::string show(const Extent &E) { return E.Full ? "full" : std::to_string(E.Value); }

  void refuse(const Located<Extent> &Count, const std::string &Expected) {
    D.report(DiagID::UnknownValue, Count.Loc, "unroll", show(Count.Value), Expected, "");
  }

  void check(const For &F, const Located<Extent> &Count) {
    const std::string Loop = "loop '" + nameOf(F) + "'";
    if (walksTile(F)) {
      if (!Count.Value.Full)
        refuse(Count, "full: " + Loop + " walks a register tile");
      return;
    }
    std::optional<std::int64_t> Trips = tripCount(F);
    const char *What = F.Exec == LoopExec::Lanes ? " vectors of " : " iterations of ";
    if (Count.Value.Full && !Trips)
      refuse(Count, "a count: the number of" + std::string(What) + Loop + " is known at run time");
    else if (Trips && (Count.Value.Full ? *Trips > MaxComplete : Count.Value.Value > *Trips))
      refuse(Count, "at most " + std::to_string(std::min(*Trips, MaxComplete)) + ", for the " +
                        std::to_string(*Trips) + What + Loop);
  }

public:
  Checker(const Block &Body, const InstanceInfo &I, Diagnostics &D) : I(I), D(D) {
    walkStmts(Body, [this](const Stmt &S) {
      if (const auto *F = S.getIf<For>())
        Loops.push_back(F);
    });
  }

  void run(const Unroll &Wanted) {
    if (Wanted.Innermost) {
      bool Found = false;
      for (const For *F : Loops)
        if (!walksTile(*F) && isInnermost(*F)) {
          check(*F, *Wanted.Innermost);
          Found = true;
        }
      if (!Found)
        refuse(*Wanted.Innermost, "an instance of a leaf with loops besides those over register "
                                  "tiles; '" +
                                      I.Task->Name + "' has none");
    }
    for (const auto &Entry : Wanted.Loops) {
      std::vector<std::string> Names;
      bool Found = false;
      for (const For *F : Loops) {
        if (std::find(Names.begin(), Names.end(), nameOf(*F)) == Names.end())
          Names.push_back(nameOf(*F));
        if (nameOf(*F) != Entry.Name.Value)
          continue;
        check(*F, Entry.Value);
        Found = true;
      }
      if (!Found)
        D.report(DiagID::VectorizeLoop, Entry.Name.Loc, I.Task->Name, Entry.Name.Value,
                 didYouMean(Entry.Name.Value, Names));
    }
  }
};

} // namespace

void checkUnroll(const Block &Body, const InstanceInfo &I, Diagnostics &D) {
  if (I.Settings && I.Settings->Unroll)
    Checker(Body, I, D).run(I.Settings->Unroll->Value);
}

std::int64_t unrollCount(const For &F, const InstanceInfo &I) {
  if (!I.Settings || !I.Settings->Unroll || I.Task->Kind != FunctionKind::Leaf || walksTile(F) ||
      runsAtMostOnce(F))
    return 0;
  const Unroll &Wanted = I.Settings->Unroll->Value;
  const Extent *Count = Wanted.Loops.find(nameOf(F));
  if (!Count && Wanted.Innermost && isInnermost(F))
    Count = &Wanted.Innermost->Value;
  if (!Count)
    return 0;
  // A complete unrolling was checked; a version for full tiles may know more than it did.
  return Count->Full ? std::max<std::int64_t>(1, tripCount(F).value_or(1)) : Count->Value;
}

void dropSingleIterations(Block &Body, const TensorTable &Tensors, const Facts &Known) {
  // Over a register tile of one row: it has that row, where it is worked on.
  const auto RunsOnce = [&](const For &F) {
    const Expr Hi = simplify(expandExtents(F.Hi, Tensors));
    return isConstant(simplify(expandExtents(F.Lo, Tensors)), 0) &&
           (isConstant(Hi, 1) ||
            (F.StaticTrip == 1 && F.Step == 1 && provablyLessEqual(intLit(1), Hi, Known)));
  };
  for (size_t I = 0; I < Body.size(); ++I) {
    auto *F = Body[I].getIf<For>();
    const bool InOrder = F && (F->Exec == LoopExec::Plain || F->Exec == LoopExec::Unrolled);
    if (InOrder && RunsOnce(*F)) {
      Substitution First;
      First.Vars[F->V] = intLit(0, F->V->Type);
      const Block Inner = substitute(F->Body, First);
      Body.erase(Body.begin() + std::ptrdiff_t(I));
      Body.insert(Body.begin() + std::ptrdiff_t(I), Inner.begin(), Inner.end());
      --I;
      continue;
    }
    for (Block *Nested : nestedBlocks(Body[I]))
      dropSingleIterations(*Nested, Tensors, Known);
  }
}

} // namespace septran::compiler
