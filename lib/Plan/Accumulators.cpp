//===- Accumulators.cpp - vectors that a reduction is kept in -------------===//
#include "Plan/Accumulators.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/LoopNest.h"
#include "Plan/Unroll.h"
#include "Plan/Vectorize.h"

#include <algorithm>
#include <bit>
#include <set>

namespace septran::compiler {

namespace {

/// What is known of nearly every processor that has vectors: how long an addition takes, and how many
/// operations, and as many loads, begin per cycle.
constexpr std::int64_t Latency = 4, PerCycle = 2;
/// Loads come from caches at one vector per cycle at most: more accumulators than its latency has
/// cycles are never busy.
constexpr std::int64_t Most = 4;
/// What a function of floats costs at least, and more than enough to hide an addition behind.
constexpr std::int64_t Expensive = Latency * PerCycle;

/// What an iteration begins, whose lanes run along V. Loads and operations do not compete.
class Work {
  const VarRef &V;
  const TensorTable &Tensors;
  std::int64_t Loads = 0, Operations = 0;

  /// The lanes read neighbours, or all of them the same element.
  bool isContiguous(const Expr &Load) const {
    for (size_t Dim = 0; Dim < Load->Args.size(); ++Dim) {
      std::optional<std::int64_t> C = coefficient(Load->Args[Dim], V);
      if (!C || (*C != 0 && (*C != 1 || !isLastInMemory(Load->T, int(Dim), Tensors))))
        return false;
    }
    return true;
  }

  void add(const Expr &E) {
    if (!E || E->Kind == ExprKind::Var)
      return;
    if (E->Kind == ExprKind::Load) {
      Loads += isContiguous(E) ? 1 : Expensive;
      return;
    }
    const bool IsFunction = E->Kind == ExprKind::Call && E->Callee != "abs" &&
                            E->Callee != "fabs" && E->Callee != "fma";
    const bool IsFree = E->Args.empty() || (E->Kind == ExprKind::Cast &&
                                            E->Type == E->Args[0]->Type);
    Operations += IsFunction ? Expensive : IsFree ? 0 : 1;
    for (const Expr &A : E->Args)
      add(A);
  }

  /// A product is added in one operation.
  void addUpdate(UpdateOp Op, const Expr &Value) {
    add(Value);
    if (Value->Kind != ExprKind::Binary || Value->Bin != BinaryOp::Mul || !isFloat(Value->Type) ||
        (Op != UpdateOp::Add && Op != UpdateOp::Sub))
      ++Operations;
  }

  void add(const Block &B) {
    for (const Stmt &S : B) {
      if (S.getIf<For>())
        Operations += Expensive;
      else if (const auto *L = S.getIf<Let>())
        add(L->Value);
      else if (const auto *A = S.getIf<Assign>())
        addUpdate(A->Op, A->Value);
      else if (const auto *St = S.getIf<Store>())
        addUpdate(St->Op, St->Value);
      else if (const auto *C = S.getIf<If>()) {
        add(C->Condition);
        add(C->Then);
        add(C->Else);
      }
    }
  }

public:
  Work(const For &F, const TensorTable &Tensors) : V(F.V), Tensors(Tensors) { add(F.Body); }

  /// How many iterations begin while an addition is under way.
  std::int64_t iterationsPerAddition() const {
    const std::int64_t Busiest = std::max<std::int64_t>({Loads, Operations, 1});
    return (Latency * PerCycle + Busiest - 1) / Busiest;
  }
};

std::int64_t registersPerVector(const For &F, const std::vector<const Stmt *> &Sums,
                                std::int64_t SimdBytes) {
  std::int64_t Bytes = 4;
  for (const Stmt *S : Sums) {
    const auto *A = S->getIf<Assign>();
    Bytes = std::max<std::int64_t>(
        Bytes, byteSize(A ? A->V->Type : S->getIf<Store>()->T->Element));
  }
  return std::max<std::int64_t>(1, F.Width * Bytes / SimdBytes);
}

} // namespace

std::vector<const Stmt *> laneReductions(const For &F) {
  const DefinedSymbols Inside = definedIn(F.Body);
  std::vector<const Stmt *> Result;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    const auto *St = S.getIf<Store>();
    if (A && !Inside.Vars.count(A->V))
      Result.push_back(&S);
    if (St && std::none_of(St->Indices.begin(), St->Indices.end(), [&](const Expr &I) {
          return mentions(I, F.V) || mentionsAny(I, Inside);
        }))
      Result.push_back(&S);
  });
  return Result;
}

const For *sumsThroughout(const For &F) {
  unsigned Around = 0;
  const For *Inner = &F;
  for (; Inner && Inner->Exec != LoopExec::Lanes; ++Around)
    Inner = Inner->Body.size() == 1 ? Inner->Body.front().getIf<For>() : nullptr;
  return Inner && Around > 0 && Inner->SumsAround == Around ? Inner : nullptr;
}

/// Whether iterations of L, around a loop in lanes, go on with what that reduces into.
static bool goesOn(const For &L, const For &InLanes, const TensorTable &Tensors) {
  if (L.Exec != LoopExec::Plain || L.StaticTrip || !L.Spread.empty())
    return false;
  std::set<TensorRef> Roots;
  std::set<VarRef> Scalars;
  for (const Stmt *S : laneReductions(InLanes))
    if (const auto *St = S->getIf<Store>()) {
      if (std::any_of(St->Indices.begin(), St->Indices.end(), [&](const Expr &I) { return mentions(I, L.V); }))
        return false;
      Roots.insert(Tensors.root(St->T));
    } else {
      Scalars.insert(S->getIf<Assign>()->V);
    }
  bool Reads = false;
  walkExprs(L.Body, [&](const Expr &E) {
    Reads |= E->Kind == ExprKind::Load ? Roots.count(Tensors.root(E->T)) != 0
                                       : E->Kind == ExprKind::Var && Scalars.count(E->V) != 0;
  });
  return !Reads;
}

/// A whole register tile of sums, each kept in lanes along the same inner loop: one loop keeps all of
/// them, and what they share is read once.
static std::optional<Stmt> inStep(const Stmt &S, const RegisterTiles &Tiles, std::int64_t Registers,
                                  std::int64_t SimdBytes, const TensorTable &Tensors) {
  const auto *Rows = S.getIf<For>();
  if (!Rows || Rows->Exec != LoopExec::Unrolled || Rows->StaticTrip < 2 || Rows->Step != 1 ||
      !isConstant(Rows->Lo, 0) || Rows->Body.size() != 1 ||
      !isConstant(simplify(expandExtents(Rows->Hi, Tensors)), Rows->StaticTrip))
    return std::nullopt;
  const auto *Inner = Rows->Body.front().getIf<For>();
  if (!Inner || Inner->Exec != LoopExec::Lanes || Inner->StaticTrip || mentions(Inner->Lo, Rows->V) ||
      mentions(Inner->Hi, Rows->V))
    return std::nullopt;
  const std::vector<const Stmt *> Sums = laneReductions(*Inner);
  for (const Stmt &Each : Inner->Body) {
    const auto *St = Each.getIf<Store>();
    if (!St || !Tiles.count(St->T) || std::find(Sums.begin(), Sums.end(), &Each) == Sums.end() ||
        std::none_of(St->Indices.begin(), St->Indices.end(),
                     [&](const Expr &I) { return mentions(I, Rows->V); }))
      return std::nullopt;
  }
  if (Rows->StaticTrip * std::int64_t(Sums.size()) * registersPerVector(*Inner, Sums, SimdBytes) >
      Registers / 2)
    return std::nullopt;
  For Together = *Inner;
  Together.Body.clear();
  for (std::int64_t Row = 0; Row < Rows->StaticTrip; ++Row) {
    Substitution Of;
    Of.Vars[Rows->V] = intLit(Row);
    for (const Stmt &Each : Inner->Body) {
      Store To = *Each.getIf<Store>();
      for (Expr &I : To.Indices)
        I = substitute(I, Of);
      To.Value = substitute(To.Value, Of);
      Together.Body.push_back({std::move(To), Each.Loc});
    }
  }
  return Stmt{std::move(Together), S.Loc};
}

bool chooseAccumulators(Block &Body, const InstanceInfo &I, std::int64_t Registers,
                        std::int64_t SimdBytes, const TensorTable &Tensors,
                        const RegisterTiles &Tiles, Diagnostics &D) {
  const std::optional<Located<std::int64_t>> Wanted =
      I.Settings ? I.Settings->Accumulators : std::nullopt;
  bool AreInStep = false;
  walkStmts(Body, [&](Stmt &S) {
    if (std::optional<Stmt> Together = inStep(S, Tiles, Registers, SimdBytes, Tensors)) {
      S = std::move(*Together);
      AreInStep = true;
    }
  });
  bool Found = false;
  walkStmts(Body, [&](Stmt &S) {
    auto *F = S.getIf<For>();
    if (!F || F->Exec != LoopExec::Lanes || F->StaticTrip)
      return;
    const std::vector<const Stmt *> Sums = laneReductions(*F);
    if (Sums.empty())
      return;
    Found = true;
    std::int64_t Count = std::min(
        Most, std::int64_t(std::bit_ceil(std::uint64_t(Work(*F, Tensors).iterationsPerAddition()))));
    const std::int64_t Free = Registers / 2 / registersPerVector(*F, Sums, SimdBytes);
    Count = std::min(Count, Free / std::int64_t(Sums.size()));
    if (Wanted)
      Count = Wanted->Value;
    else if (unrollCount(*F, I)) // the mapping asks for a sum in order
      Count = 1;
    if (const std::optional<std::int64_t> Trip = constantTrip(*F))
      Count = std::min(Count, *Trip / F->Width);
    F->Accumulators = unsigned(std::max<std::int64_t>(Count, 1));
  });
  walkStmts(Body, [&](Stmt &S) {
    auto *Outermost = S.getIf<For>();
    if (!Outermost)
      return;
    const Nest N = perfectNest(*Outermost);
    const auto InLanes =
        std::find_if(N.begin(), N.end(), [](const For *L) { return L->Exec == LoopExec::Lanes; });
    if (InLanes == N.end() || (*InLanes)->StaticTrip || laneReductions(**InLanes).empty())
      return;
    unsigned Around = 0;
    for (auto L = InLanes; L != N.begin() && goesOn(**(L - 1), **InLanes, Tensors); --L)
      ++Around;
    (*InLanes)->SumsAround = std::max((*InLanes)->SumsAround, Around);
  });
  if (Wanted && !Found)
    D.report(DiagID::UnknownValue, Wanted->Loc, "accumulators", std::to_string(Wanted->Value),
             "an instance of a leaf with a sum or the like in vector lanes, outside of registers; '" +
                 I.Task->Name + "' has none",
             "");
  return AreInStep;
}

} // namespace septran::compiler
