//===- OpenMPLoops.cpp - loops over blocks, and parallel regions ----------===//
//
// A spread loop becomes one `omp parallel for` over all its dimensions. Its end is the barrier that
// the synchronise pass asked for. Reductions that threads share get a part per thread and are
// combined in the order of the threads, so that results do not change from run to run.
//
// Threads get copies of the pointers and numbers that they read (`firstprivate`). Those that they share
// are in memory, for all that a C++ compiler knows where a vector is stored, too: it would read them again
// after every store.
//
//===----------------------------------------------------------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "Plan/Accumulators.h"
#include "Plan/LoopOrder.h"
#include "Plan/Unroll.h"

#include <algorithm>

namespace septran::compiler {

void OpenMPEmitter::emitLoop(const For &F) {
  if (emitTileFill(F))
    return;
  if (const std::optional<JoinedRows> Rows = rowsToJoin(F)) {
    emitJoinedRows(*Rows);
    return;
  }
  if (F.Exec == LoopExec::Lanes) {
    if (!emitForRows(F, F))
      emitLaneLoop(F);
    return;
  }
  if (F.InStep > 1 && !asksAhead(F)) {
    emitInStep(F);
    return;
  }
  if (!F.Spread.empty() && !InParallel) {
    emitSpreadLoop(F);
    return;
  }
  if (const For *InLanes = sumsThroughout(F); InLanes && Sums.Loop != InLanes) {
    if (!emitForRows(F, *InLanes))
      emitAroundSums(F, *InLanes);
    return;
  }
  const size_t RowsAround = Rows.size();
  if (!F.StaticTrip && Rows.empty())
    emitRowPointers(F);
  std::map<TensorRef, Storage> Strides = hideStrides(F);
  std::string Lo = text(wide(F.Lo)), Hi = boundText(endOf(F));
  Strides.merge(holdOperands(F, Hi));
  bool Guarded = false;
  const bool IsPart = isPart(F);
  const bool HoldsVectors =
      Held.empty() && F.Exec == LoopExec::Unrolled && (InPart || reloadsVectors(F));
  if (HoldsVectors)
    holdVectors(F);
  std::string First = Lo, End = Hi;
  if (F.Exec == LoopExec::Unrolled && F.StaticTrip) {
    W.line("#pragma GCC unroll 64");
    Guarded = !isWhole(F);
    if (Guarded) {
      Guards.push_back({F.V, F.Hi});
      Printer.keepInRegister(F.V);
    }
    if (IsPart)
      Lo = "0";
    Hi = std::to_string(F.StaticTrip);
  }
  if (Sums.Loop && !unrollOf(F)) // clang++ would write the loop in lanes twice, and twice as slow
    W.line("#pragma GCC unroll 1");
  emitUnroll(F);
  std::string V = Names.define(F.V);
  std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
  if (IsPart)
    W.open("if (" + First + " <= " + V + " && " + V + " < " + End + ")");
  Loops.push_back(&F);
  if (!F.StaticTrip) {
    emitLeafPrefetches(F, F.Step);
    emitRowIndices(F);
  }
  emitPart(F.Body);
  if (!F.StaticTrip) {
    RowIndices.clear();
    RowVariables.Vars.clear();
  }
  Loops.pop_back();
  if (IsPart)
    W.close();
  W.close();
  if (HoldsVectors)
    Held.clear();
  for (const auto &[T, S] : Strides)
    Stores[T] = S;
  if (Guarded)
    std::erase_if(Guards, [&](const auto &G) { return G.first == F.V; });
  Rows.resize(RowsAround);
}

std::int64_t OpenMPEmitter::unrollOf(const For &F) const {
  return Instances.empty() ? 0 : unrollCount(F, *Instances.back());
}

void OpenMPEmitter::emitUnroll(const For &F) {
  const std::int64_t Count = unrollOf(F);
  if (Count > 1 && InParallel && !InLambda)
    W.line("cpu::unroll_in_region();");
  if (Count)
    W.line("#pragma GCC unroll " + std::to_string(Count));
}

std::string OpenMPEmitter::ompSchedule(const For &F) const {
  // A reduction is combined in the order of the threads: who does what must not change.
  if (!F.Reductions.empty())
    return "static";
  const InstanceMapping *S = Instances.empty() ? nullptr : Instances.back()->Settings;
  if (!S || !S->Parallelize)
    return "static";
  const Parallelize &Par = S->Parallelize->Value;
  std::string Text = Par.Kind ? toString(Par.Kind->Value) : "static";
  if (Par.Chunk)
    Text += ", " + std::to_string(Par.Chunk->Value);
  return Text;
}

/// How many threads the mapping asks for; none if OpenMP is to decide.
std::optional<std::int64_t> OpenMPEmitter::teamSize() const {
  const InstanceMapping *S = Instances.empty() ? nullptr : Instances.back()->Settings;
  if (!S || !S->Parallelize || !S->Parallelize->Value.Threads)
    return std::nullopt;
  return S->Parallelize->Value.Threads->Value;
}

/// Of these names, those that were defined before there were more than Count, and that threads can have
/// copies of: not arrays, and not objects, which hold data.
std::vector<std::string> OpenMPEmitter::copyable(const std::set<std::string_view> &Mentioned,
                                                 size_t Count) const {
  std::set<std::string> Result;
  for (const std::string_view Name : Mentioned)
    if (Names.isVariable(Name))
      Result.emplace(Name);
  auto Add = [&](const std::string &Name) {
    if (Mentioned.count(Name))
      Result.insert(Name);
  };
  for (const auto &[T, S] : Stores)
    Add(S.Name);
  for (const auto &[S, Past] : Streaming)
    Add(Past.Condition);
  for (const auto &[T, Part] : ReductionParts)
    Add(Part.Size);
  for (const std::string &Array : Changing)
    Result.erase(Array);
  std::vector<std::string> Before;
  std::copy_if(Result.begin(), Result.end(), std::back_inserter(Before),
               [&](const std::string &Name) { return Names.isAmongFirst(Count, Name); });
  return Before;
}

void OpenMPEmitter::emitParallel(const std::string &Directive, llvm::function_ref<void()> EmitBody) {
  const size_t Count = Names.count();
  SourceWriter Around = std::exchange(W, SourceWriter());
  EmitBody();
  // What is dropped later names nothing.
  const std::string Text = dropUnusedDefinitions(std::exchange(W, std::move(Around)).text());
  std::string Copies;
  for (const std::string &Name : copyable(identifiersIn(Text), Count))
    Copies += (Copies.empty() ? "" : ", ") + Name;
  W.line("#pragma omp " + Directive + (Copies.empty() ? "" : " firstprivate(" + Copies + ")"));
  W.add(Text);
}

void OpenMPEmitter::emitSpreadLoop(const For &F) {
  std::vector<const For *> Group = parallelGroup(F);
  const Block &Body = Group.back()->Body;
  const InstanceMapping *S = Instances.empty() ? nullptr : Instances.back()->Settings;
  const std::int64_t Levels = S && S->Parallelize && S->Parallelize->Value.Collapse
                                  ? S->Parallelize->Value.Collapse->Value
                                  : std::int64_t(Group.size());
  const std::int64_t Collapse = std::clamp<std::int64_t>(Levels, 1, std::int64_t(Group.size()));
  const std::string Clauses = (Collapse > 1 ? " collapse(" + std::to_string(Collapse) + ")" : "") +
                              " schedule(" + ompSchedule(F) + ")";
  auto EmitNest = [&] {
    for (const For *G : Group) {
      std::string Lo = text(wide(G->Lo)), Hi = boundText(G->Hi);
      std::string V = Names.define(G->V);
      std::string Step = G->Step == 1 ? "++" + V : V + " += " + std::to_string(G->Step);
      W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
    }
    emitBlock(Body);
    for (size_t I = 0; I < Group.size(); ++I)
      W.close();
  };
  // Threads must have sent what passes by the caches before the barrier lets others read it.
  const bool Fence = holdsLeafStores(Body);
  emitReductionsBefore(F);
  std::string Team;
  if (!F.Reductions.empty())
    Team = " num_threads(int(" + ReductionParts.at(F.Reductions.front().Partial).Threads + "))";
  else if (const std::optional<std::int64_t> Threads = teamSize())
    Team = " num_threads(" + std::to_string(*Threads) + ")";
  for (const std::string &Serves : F.Serves)
    W.comment("ends with a barrier: " + Serves);
  InParallel = true;
  if (F.Reductions.empty() && !Fence)
    emitParallel("parallel for" + Team + Clauses, EmitNest);
  else
    emitParallel("parallel" + Team, [&] {
      W.open("");
      emitReductionParts(F);
      W.line("#pragma omp for" + Clauses + (Fence ? " nowait" : ""));
      EmitNest();
      if (Fence)
        W.line("cpu::stream_fence();");
      W.close();
    });
  InParallel = false;
  emitReductionsAfter(F);
}

/// Each thread reduces into its own part of a shared array; parts are combined in thread order.
void OpenMPEmitter::emitReductionsBefore(const For &F) {
  if (F.Reductions.empty())
    return;
  std::string Threads = Names.fresh("threads");
  const std::optional<std::int64_t> Wanted = teamSize();
  W.line("const std::ptrdiff_t " + Threads + " = " +
         (Wanted ? std::to_string(*Wanted) : "cpu::max_thread_count()") + ";");
  for (const SharedReduction &R : F.Reductions) {
    const std::string Elements =
        text(wide(rowLayout(R.Target->Rank).sizeOf(storageFor(R.Target).Extents)));
    std::string Element(cxxName(R.Target->Element));
    std::string Size = Names.fresh(R.Partial->Name + "_size");
    std::string All = Names.fresh(R.Partial->Name + "s");
    W.line("const std::ptrdiff_t " + Size + " = cpu::round_up(" + Elements +
           ", 64); // no two threads share a cache line");
    W.line("const cpu::scratch<" + Element + "> " + All + "(" + Threads + " * " + Size + ");");
    W.line("std::fill_n(" + All + ".data(), " + Threads + " * " + Size + ", " +
           identityText(R.Op, R.Target->Element) + ");");
    ReductionParts[R.Partial] = {All + ".data()", Size, Threads};
  }
}

/// In the parallel region: where this thread's parts are.
void OpenMPEmitter::emitReductionParts(const For &F) {
  for (const SharedReduction &R : F.Reductions) {
    const ReductionPart &Part = ReductionParts.at(R.Partial);
    Storage S;
    S.Name = Names.fresh(R.Partial->Name);
    S.Extents = storageFor(R.Target).Extents;
    BufferLayout Row = rowLayout(R.Target->Rank);
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim)
      S.Strides.push_back(wide(Row.strideOf(Dim, S.Extents)));
    S.Panels.resize(R.Target->Rank);
    W.line(std::string(cxxName(R.Target->Element)) + " *const " + S.Name + " = " + Part.Base +
           " + cpu::thread_id() * " + Part.Size + ";");
    Stores[R.Partial] = std::move(S);
  }
}

void OpenMPEmitter::emitReductionsAfter(const For &F) {
  for (const SharedReduction &R : F.Reductions) {
    const ReductionPart &Part = ReductionParts.at(R.Partial);
    const Storage &Target = storageFor(R.Target);
    std::string T = Names.fresh("t");
    W.open("for (std::ptrdiff_t " + T + " = 0; " + T + " < " + Part.Threads + "; ++" + T + ")");
    std::vector<Expr> Indices;
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim) {
      VarRef V = makeVar("r", ScalarType::I64, VarKind::Loop);
      std::string Name = Names.define(V);
      W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " +
             boundText(Target.Extents[Dim]) + "; ++" + Name + ")");
      Indices.push_back(varExpr(V));
    }
    std::string Source = Part.Base + "[" + T + " * " + Part.Size + " + " +
                         print(wide(Stores.at(R.Partial).offsetOf(Indices))).in(Binding::Sum) + "]";
    std::string Element = elementText(Target, Indices);
    W.line(Element + " = " + scalarCombine(R.Op, Element, Source, R.Target->Element) + ";");
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim)
      W.close();
    W.close();
  }
}

} // namespace septran::compiler
