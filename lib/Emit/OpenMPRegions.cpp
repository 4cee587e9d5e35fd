//===- OpenMPRegions.cpp - parallel regions -------------------------------===//
//
// A spread loop becomes one `omp parallel for` over all its dimensions. Its end is the barrier that
// the synchronise pass asked for. Reductions that threads share get a part per thread and are
// combined in the order of the threads, so that results do not change from run to run.
//
// To enter a region takes a third of a microsecond for one thread, too. So what an iteration does
// is a lambda, which a plain loop calls where there is one thread.
//
// Threads work on copies of the pointers and numbers that they read (`firstprivate`, cpu::on_copy).
// Those that they share are in memory, for all that a C++ compiler knows where a vector is stored,
// too: it would read them again after every store.
//
//===----------------------------------------------------------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Rewrite.h"
#include "Plan/LoopOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace septran::compiler {

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

/// Of these names, those that were defined before there were more than Count, and that threads can
/// have copies of: not arrays, and not objects, which hold data.
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

void OpenMPEmitter::emitParallel(const std::string &Directive, size_t Count,
                                 llvm::function_ref<void()> EmitBody) {
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

/// The loops that spread, and what the directive says of them.
OpenMPEmitter::Region OpenMPEmitter::regionOf(const For &F) {
  Region R{F, parallelGroup(F), {}, {}, {}, {}, {}};
  const InstanceMapping *S = Instances.empty() ? nullptr : Instances.back()->Settings;
  const std::int64_t All = std::int64_t(R.Group.size());
  const std::int64_t Levels = S && S->Parallelize && S->Parallelize->Value.Collapse
                                  ? S->Parallelize->Value.Collapse->Value
                                  : All;
  const std::int64_t Collapse = std::clamp<std::int64_t>(Levels, 1, All);
  R.Clauses = (Collapse > 1 ? " collapse(" + std::to_string(Collapse) + ")" : "") + " schedule(" +
              ompSchedule(F) + ")";
  R.Fence = holdsLeafStores(R.Group.back()->Body);
  R.Threads = "cpu::max_thread_count()";
  if (!F.Reductions.empty()) {
    R.Threads = ReductionParts.at(F.Reductions.front().Partial).Threads;
    R.Team = " num_threads(int(" + R.Threads + "))";
  } else if (const std::optional<std::int64_t> Threads = teamSize()) {
    R.Team = " num_threads(" + std::to_string(*Threads) + ")";
  }
  R.Outside = Names.count();
  return R;
}

void OpenMPEmitter::emitSpreadLoop(const For &F) {
  emitReductionsBefore(F);
  const Region R = regionOf(F);
  nameReductionParts(F);
  auto EmitServes = [&] {
    for (const std::string &Serves : F.Serves)
      W.comment("ends with a barrier: " + Serves);
  };
  InParallel = true;
  if (teamSize()) {
    EmitServes();
    emitRegion(R, [&] {
      const std::vector<std::string> Heads = loopHeads(R.Group);
      for (const std::string &Head : Heads)
        W.open(Head);
      emitBlock(R.Group.back()->Body);
      for (size_t I = 0; I < Heads.size(); ++I)
        W.close();
    });
  } else {
    const std::vector<std::string> Heads = loopHeads(R.Group);
    const auto [Block, Call] = emitBlockFunction(R);
    EmitServes();
    emitUnlessAlone(R, Block, [&, &Call = Call] {
      for (const std::string &Head : Heads)
        W.line(Head);
      W.line(Call);
    });
  }
  InParallel = false;
  emitReductionsAfter(F);
}

/// The heads of these loops, whose variables they define.
std::vector<std::string> OpenMPEmitter::loopHeads(const std::vector<const For *> &Group) {
  std::vector<std::string> Heads;
  for (const For *G : Group) {
    const std::string Lo = text(wide(G->Lo)), Hi = boundText(G->Hi), V = Names.define(G->V);
    const std::string Step = G->Step == 1 ? "++" + V : V + " += " + std::to_string(G->Step);
    Heads.push_back("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step +
                    ")");
  }
  return Heads;
}

/// The loops, by the threads of a team.
void OpenMPEmitter::emitRegion(const Region &R, llvm::function_ref<void()> EmitLoops) {
  if (R.isOneLoop())
    return emitParallel("parallel for" + R.Team + R.Clauses, R.Outside, EmitLoops);
  emitParallel("parallel" + R.Team, R.Outside, [&] {
    W.open("");
    emitReductionParts(R.F, "cpu::thread_id()");
    W.line("#pragma omp for" + R.Clauses + (R.Fence ? " nowait" : ""));
    EmitLoops();
    if (R.Fence)
      W.line("cpu::stream_fence();");
    W.close();
  });
}

/// How often each loop runs, as further arguments of cpu::in_order; nothing where they are no
/// counts.
std::optional<std::string> OpenMPEmitter::countsOf(const std::vector<const For *> &Group) {
  std::string Counts;
  for (const For *G : Group) {
    if (!isConstant(G->Lo, 0) || G->Step != 1 ||
        llvm::any_of(Group, [&](const For *Around) { return mentions(G->Hi, Around->V); }))
      return std::nullopt;
    Counts += ", " + text(wide(G->Hi));
  }
  return Counts;
}

/// The same, but in order where there is one thread: to enter a region takes as long as a small
/// kernel. Block: what the lambda for an iteration is called.
void OpenMPEmitter::emitUnlessAlone(Region R, const std::string &Block,
                                    llvm::function_ref<void()> EmitLoops) {
  R.Outside = 0; // cpu::on_copy copies
  const std::string Alone = "if (" + R.Threads + " == 1)";
  auto EmitInOrder = [&] {
    const std::optional<std::string> Counts = countsOf(R.Group);
    if (Counts && R.F.Reductions.empty())
      W.line("cpu::in_order(" + Block + *Counts + ");");
    else
      EmitLoops();
  };
  if (R.isOneLoop()) {
    W.line(Alone);
    EmitInOrder();
    W.line("else");
    emitRegion(R, EmitLoops);
    return;
  }
  W.open(Alone);
  emitReductionParts(R.F, "");
  EmitInOrder();
  if (R.Fence)
    W.line("cpu::stream_fence();");
  W.close(" else {", true);
  emitRegion(R, EmitLoops);
  W.close();
}

/// What an iteration does as a function, its name and the text of a call. It works on copies of
/// what is defined outside, for the reason that threads do.
std::pair<std::string, std::string> OpenMPEmitter::emitBlockFunction(const Region &R) {
  const std::string Function = Names.fresh("block");
  Lambda L{"const auto " + Function + " = ", {}, ";", true};
  for (const For *G : R.Group)
    L.Parameters.push_back(Names.name(G->V));
  for (const SharedReduction &Part : R.F.Reductions)
    L.Parameters.push_back(Stores.at(Part.Partial).Name);
  const Block &Body = R.Group.back()->Body;
  emitLambda(L, Body, [&] { emitBlock(Body); });
  std::string Call = "cpu::on_copy(" + Function;
  for (const std::string &Argument : L.Parameters)
    Call += ", " + Argument;
  return {Function, Call + ");"};
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

/// What threads call their part of a shared reduction.
void OpenMPEmitter::nameReductionParts(const For &F) {
  for (const SharedReduction &R : F.Reductions) {
    Storage S;
    S.Name = Names.fresh(R.Partial->Name);
    S.Extents = storageFor(R.Target).Extents;
    BufferLayout Row = rowLayout(R.Target->Rank);
    for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim)
      S.Strides.push_back(wide(Row.strideOf(Dim, S.Extents)));
    S.Panels.resize(R.Target->Rank);
    Stores[R.Partial] = std::move(S);
  }
}

/// Where these parts are: of the first thread, or Thread parts further.
void OpenMPEmitter::emitReductionParts(const For &F, const std::string &Thread) {
  for (const SharedReduction &R : F.Reductions) {
    const ReductionPart &Part = ReductionParts.at(R.Partial);
    W.line(std::string(cxxName(R.Target->Element)) + " *const " + Stores.at(R.Partial).Name +
           " = " + Part.Base + (Thread.empty() ? "" : " + " + Thread + " * " + Part.Size) + ";");
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
