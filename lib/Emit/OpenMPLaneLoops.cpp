//===- OpenMPLaneLoops.cpp - loops in lanes, and what they reduce into ----===//
//
// A loop in lanes is a call of cpu::for_lanes, or a for over whole vectors where it walks a register
// tile. What all lanes reduce into is kept in vectors of partial results around it.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LaneLegality.h"
#include "Plan/LoopAnalysis.h"

namespace septran::compiler {

/// S is one of B's statements, below a condition.
static bool isConditional(const Block &B, const Stmt &S) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &Each) {
    if (Each.getIf<If>())
      for (const Block *Branch : nestedBlocks(Each))
        walkStmts(*Branch, [&](const Stmt &In) { Found |= &In == &S; });
  });
  return Found;
}

/// Declares vectors of partial results for everything that the lanes reduce into and that stays the
/// same throughout the loop.
void OpenMPEmitter::openSums(const For &F) {
  Sums = {&F, {}, {}};
  auto Declare = [&](const std::string &Hint, UpdateOp Op, ScalarType Type) {
    LaneSums::Sum Sum{Names.fresh(Hint), Op};
    Changing.push_back(Sum.Name);
    std::string Identity = "cpu::splat<" + std::string(cxxName(Type)) + ", " +
                           std::to_string(F.Width) + ">(" + identityText(Op, Type) + ")";
    std::string Vector = vectorType(Type, F.Width);
    if (F.Accumulators == 1) {
      W.line(Vector + " " + Sum.Name + " = " + Identity + ";");
      return Sum;
    }
    W.line(Vector + " " + Sum.Name + "[" + std::to_string(F.Accumulators) + "];");
    W.line("#pragma GCC unroll 64");
    W.line("for (" + Vector + " &part : " + Sum.Name + ")\npart = " + Identity + ";");
    return Sum;
  };
  for (const Stmt *S : laneReductions(F)) {
    if (const auto *A = S->getIf<Assign>()) {
      if (!Sums.Scalars.count(A->V))
        Sums.Scalars[A->V] = Declare(A->V->Name + "_lanes", A->Op, laneType(A->V->Type));
    } else {
      const auto *St = S->getIf<Store>();
      Sums.Elements[St] = Declare(St->T->Name + "_lanes", St->Op, laneType(St->T->Element));
    }
  }
}

/// Combines what the lanes have with what was there before.
void OpenMPEmitter::closeSums(const For &F) {
  auto Total = [&](const LaneSums::Sum &Sum) {
    return reduceCallee(Sum.Op) + "(" + Sum.Name + ")";
  };
  std::set<VarRef> Done;
  for (const Stmt *S : laneReductions(F)) {
    if (const auto *A = S->getIf<Assign>()) {
      if (!Done.insert(A->V).second)
        continue;
      const std::string &Name = Names.name(A->V);
      const std::string Value = Total(Sums.Scalars.at(A->V));
      W.line(Name + " = " + std::string(cxxName(A->V->Type)) + "(" +
             scalarCombine(A->Op, Name, Value, A->V->Type) + ");");
    } else {
      const auto *St = S->getIf<Store>();
      const Storage &To = storageFor(St->T);
      std::string Element = To.IsTile ? tileElement(To, St->Indices) : elementText(To, St->Indices);
      const std::string Value = Total(Sums.Elements.at(St));
      std::string Added = Value;
      if (isConditional(F.Body, *S)) { // if no lane adds anything, there may be no such element
        Added = Names.fresh(St->T->Name + "_sum");
        W.line("const auto " + Added + " = " + Value + ";");
        W.line("if (" + Added + " != " + identityText(St->Op, laneType(St->T->Element)) + ")");
      }
      if (Expr Guard = guardOf(St->Indices, To.IsTile))
        W.line("if (" + text(Guard) + ")");
      W.line(Element + " = " + std::string(cxxName(St->T->Element)) + "(" +
             scalarCombine(St->Op, Element, Added, St->T->Element) + ");");
    }
  }
  Sums = {};
}

/// Loops that do nothing but go on with the sums of one in lanes.
void OpenMPEmitter::emitAroundSums(const For &F, const For &InLanes) {
  openSums(InLanes);
  emitLoop(F);
  closeSums(InLanes);
}

/// A loop whose last vector may be partial. V is what each vector begins with.
void OpenMPEmitter::emitVectors(const For &F, const std::string &V, const std::string &Range) {
  std::string Call = "cpu::for_lanes<" + std::to_string(F.Width);
  const std::int64_t Unroll = unrollOf(F);
  if (F.Accumulators > 1 || Unroll)
    Call += ", " + std::to_string(F.Accumulators);
  if (Unroll)
    Call += ", " + std::to_string(Unroll);
  Lambda Body;
  Body.Call = Call + ">(" + Range + ", ";
  Body.Parameters = {V, LanesName};
  Lanes->Set = LanesName;
  if (F.Accumulators > 1) {
    Body.Parameters.push_back(PartName);
    Lanes->Part = PartName;
  }
  emitLambda(Body, F.Body, [&] {
    emitLeafPrefetches(F, F.Width);
    emitLaneBlock(F.Body);
  });
  Lanes->Set.clear();
}

/// Around a loop whose stores pass by the caches, or that asks for lines ahead, under a condition
/// of run time, which all vectors share: the loop stands once in the text, and is compiled for
/// either case. A test for every vector is what neither compiler reliably moves out of a loop, and
/// none unrolls around.
void OpenMPEmitter::emitForStores(const For &F, llvm::function_ref<void()> EmitLoop) {
  std::string Condition;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto Found = Streaming.find(S.getIf<Store>());
    if (Found != Streaming.end() && !Found->second.Decided)
      Condition = Found->second.Condition;
  });
  if (const PastCaches Large = whenLarge();
      Condition.empty() && !Large.Decided && asksAhead(F, true))
    Condition = Large.Condition;
  if (Condition.empty()) {
    EmitLoop();
    return;
  }
  const std::string Case = Names.fresh("past");
  const auto Outer = Streaming;
  for (auto &[S, Past] : Streaming)
    if (Past.Condition == Condition)
      Past = {Case, true};
  emitLambda({"cpu::for_case(" + Condition + ", ", {Case}}, F.Body, [&] { emitForStores(F, EmitLoop); });
  Streaming = Outer;
}

/// Locals that take elements of several tensors which the loop overwrites: it works in place, along several
/// lines of memory at once. In the program's order such a loop runs at the pace of memory; where compilers
/// read the higher of two halves first, its pace was seen to depend on where the loop itself lies.
std::set<VarRef> OpenMPEmitter::loadedInOrder(const For &F) const {
  std::set<VarRef> Vars;
  if (F.StaticTrip) // over a register tile
    return Vars;
  std::set<TensorRef> Written, Read;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *St = S.getIf<Store>();
    if (St && St->Op == UpdateOp::Set && !storageFor(St->T).IsTile)
      Written.insert(St->T);
  });
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *L = S.getIf<Let>();
    if (!L || !L->Value || L->Mutable || L->Value->Kind != ExprKind::Load ||
        !Written.count(L->Value->T) || !Lanes->Varying.count(L->V))
      return;
    Read.insert(L->Value->T);
    Vars.insert(L->V);
  });
  return Read.size() > 1 ? Vars : std::set<VarRef>();
}

/// Fields wait for each other, maybe from one part of the body to another.
bool OpenMPEmitter::storesRecords(const For &F) const {
  bool Found = false;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *St = S.getIf<Store>();
    Found |= St && Lanes->Fields->storedWith(St);
  });
  return Found;
}

/// Before the vectors of a row of a register tile, elements of memory that all its lanes take.
void OpenMPEmitter::broadcastElements(const For &F) {
  auto UpdatesTile = [&](const Stmt &S) {
    const auto *St = S.getIf<Store>();
    return St && storageFor(St->T).IsTile;
  };
  if (std::all_of(F.Body.begin(), F.Body.end(), UpdatesTile))
    for (const Stmt &S : F.Body)
      broadcastElements(S.getIf<Store>()->Value);
}

void OpenMPEmitter::broadcastElements(const Expr &E) {
  if (E->Kind == ExprKind::Select) // not all of it is there to be read
    return;
  if (variesInLanes(E)) {
    if (E->Kind != ExprKind::Load)
      for (const Expr &Part : E->Args)
        broadcastElements(Part);
    return;
  }
  if (E->Kind != ExprKind::Load || !isFloat(E->Type) || isSmallFloat(E->Type) ||
      storageFor(E->T).IsTile || Lanes->Broadcasts.count(toString(E)))
    return;
  const std::string Element = print(E).Text, All = Names.fresh(E->T->Name + "_all");
  W.line("const " + vectorType(E->Type, Lanes->Width) + " " + All + " = cpu::broadcast<" +
         std::to_string(Lanes->Width) + ">(" + Element + ");");
  Lanes->Broadcasts[toString(E)] = All;
}

void OpenMPEmitter::emitLaneLoop(const For &F) {
  Lanes = LaneState();
  Lanes->Loop = &F;
  Lanes->Width = F.Width;
  Lanes->Varying = varyingIn(F);
  Lanes->InOrder = loadedInOrder(F);
  Lanes->Fields = recordsOf(F);
  const bool OwnsSums = Sums.Loop != &F;
  if (OwnsSums)
    openSums(F);

  std::int64_t Width = F.Width;
  std::string Lo = text(wide(F.Lo));
  Expr HiExpr = wide(endOf(F));
  std::string W0 = std::to_string(Width);
  std::string V = Names.define(F.V);
  std::optional<std::int64_t> Constant = constantValue(HiExpr);
  bool FromZero = isConstant(F.Lo, 0);

  if (F.InStep > 1 && !asksAhead(F) && !storesRecords(F)) {
    emitForStores(F, [&] { emitInStep(F); });
  } else if (F.StaticTrip && FromZero) {
    // Over a register tile: constant trip count, the last vectors may be partial.
    std::int64_t Vectors = (F.StaticTrip + Width - 1) / Width;
    bool Full = Constant && *Constant == Vectors * Width;
    broadcastElements(F);
    W.line("#pragma GCC unroll 64");
    W.open("for (std::ptrdiff_t " + V + " = 0; " + V + " < " + std::to_string(Vectors * Width) +
           "; " + V + " += " + W0 + ")");
    if (!Full)
      Lanes->Set = "cpu::lanes<" + W0 + ">(" + text(HiExpr) + ", " + V + ")";
    emitLaneBlock(F.Body);
    W.close();
  } else if (Constant && FromZero && *Constant % Width == 0 && F.Accumulators == 1) {
    emitForStores(F, [&] {
      emitUnroll(F);
      W.open("for (std::ptrdiff_t " + V + " = 0; " + V + " < " + boundText(HiExpr) + "; " + V +
             " += " + W0 + ")");
      emitLeafPrefetches(F, Width);
      emitLaneBlock(F.Body);
      W.close();
    });
  } else {
    emitForStores(
        F, [&] { emitVectors(F, V, (FromZero ? "" : Lo + ", ") + text(HiExpr)); });
  }
  if (OwnsSums)
    closeSums(F);
  Lanes.reset();
}

} // namespace septran::compiler
