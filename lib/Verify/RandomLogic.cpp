//===- RandomLogic.cpp - some logic file ----------------------------------===//
#include "Verify/RandomLogic.h"

#include "Verify/LogicBlocks.h"
#include "Verify/RandomLeaf.h"
#include "Verify/RandomViews.h"
#include "Verify/TaskScope.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace septran::compiler {

namespace {

class LogicDraw {
  Random &R;
  const RandomLogicOptions &Options;
  LogicProgram P;
  unsigned Count = 0; ///< for fresh names
  ViewDraw Views;

  std::string fresh(const std::string &Stem) { return Stem + std::to_string(++Count); }

  //===--- launches ---------------------------------------------------------===//

  std::vector<LogicExpr> scalarArgs(const std::vector<std::string> &Names) const {
    std::vector<LogicExpr> Args;
    for (const std::string &N : Names)
      Args.push_back(text(N));
    return Args;
  }

  BlockNames names() {
    return {[this](const std::string &Stem) { return fresh(Stem); }};
  }

  /// F, whose parameters are `Params` and then `Scalars`, by blocks: a variant of its family.
  LogicFunction blockedVariant(LogicFunction &F, const std::vector<LogicTensor> &Params,
                               const std::vector<std::string> &Scalars, const BlockCut &Cut) {
    LogicFunction V;
    V.Name = F.Name + "_blocks";
    V.Family = F.Family = F.Name;
    V.Params = F.Params;
    LogicBlock Body;
    launchOnBlocks(V.Body, Body, F.Name, Params, scalarArgs(Scalars), Cut, names(), R);
    V.Body.insert(V.Body.end(), Body.begin(), Body.end());
    return V;
  }

  /// F on a copy of its first argument: a variant with an accumulator.
  LogicFunction accumulatorVariant(LogicFunction &F, const std::vector<LogicTensor> &Params,
                                   const std::vector<std::string> &Scalars) {
    LogicFunction V;
    V.Name = F.Name + "_tile";
    V.Family = F.Family = F.Name;
    V.Params = F.Params;
    const LogicTensor &Out = Params.front();
    std::vector<LogicExpr> Extents, Args = {text("acc")};
    for (size_t D = 0; D < Out.Dims.size(); ++D)
      Extents.push_back(member(Out.Name, "extent", unsigned(D)));
    for (size_t N = 1; N < Params.size(); ++N)
      Args.push_back(text(Params[N].Name));
    for (LogicExpr &E : scalarArgs(Scalars))
      Args.push_back(std::move(E));
    V.Body = {local(Out.Type, "acc", std::move(Extents)),
              launch("septran::copy", {text("acc"), text(Out.Name)}),
              launch(F.Name, std::move(Args)),
              launch("septran::copy", {text(Out.Name), text("acc")})};
    return V;
  }

  std::vector<int> someDims(const std::set<int> &From) {
    std::vector<int> Result;
    for (int S : From)
      if (R.chance(65))
        Result.push_back(S);
    return Result;
  }

  BlockCut drawCut(const DrawnLeaf &L) {
    BlockCut Cut{someDims(L.ParallelDims), someDims(L.SequentialDims)};
    if (L.F.Params.front().Access == LogicAccess::Reduce && R.chance(60)) {
      Cut.Parallel.insert(Cut.Parallel.end(), Cut.Sequential.begin(), Cut.Sequential.end());
      Cut.Sequential.clear();
    }
    return Cut;
  }

  void launchLeaf(TaskScope &S, LogicBlock &B, DrawnLeaf L, const std::vector<LogicTensor> &Args) {
    std::string Callee = L.F.Name;
    std::vector<LogicFunction> Variants;
    if (BlockCut Cut = drawCut(L); !Cut.empty() && R.chance(40))
      Variants.push_back(blockedVariant(L.F, L.Params, L.Scalars, Cut));
    if (L.F.Params.front().Access == LogicAccess::ReadWrite && !L.UsesOrigin &&
        !L.Params.front().Dims.empty() && L.Params.front().Dims.size() <= 3 && R.chance(20))
      Variants.push_back(accumulatorVariant(L.F, L.Params, L.Scalars));
    P.Functions.push_back(L.F);
    for (LogicFunction &V : Variants) {
      if (R.chance(60))
        Callee = V.Name;
      P.Functions.push_back(std::move(V));
    }
    BlockCut Cut = drawCut(L);
    if (!Cut.empty() && R.chance(50))
      return launchOnBlocks(S.Tunables, B, Callee, Args, scalarArgs(L.Scalars), Cut, names(), R);
    std::vector<LogicExpr> All;
    for (const LogicTensor &T : Args)
      All.push_back(text(T.Name));
    for (LogicExpr &E : scalarArgs(L.Scalars))
      All.push_back(std::move(E));
    B.push_back(launch(Callee, std::move(All)));
  }

  //===--- steps of a task --------------------------------------------------===//

  bool drawsUpdate(const LogicTensor &Out) {
    return Out.HasValues && (isFloat(Out.Type) || !Out.IsRaw) && R.chance(60);
  }

  void leafStep(TaskScope &S, LogicBlock &B, const LogicTensor &Out) {
    LeafRequest Request{fresh("leaf"), Out, drawsUpdate(Out), {}, S.Scalars};
    Request.Ins = Views.drawIns(S, Out, B);
    std::vector<LogicTensor> Args = {Out};
    if (Out.Dims.size() >= 2 && R.chance(6))
      Args.front() = Request.Out = Views.transposed(Out, B);
    Args.insert(Args.end(), Request.Ins.begin(), Request.Ins.end());
    finishLeafStep(S, B, drawLeaf(Request, R), Request, Args);
  }

  void finishLeafStep(TaskScope &S, LogicBlock &B, DrawnLeaf L, const LeafRequest &Request,
                      const std::vector<LogicTensor> &Args) {
    const LogicParameter &Written = L.F.Params.front();
    for (const LogicTensor &In : Request.Ins)
      S.markRead(In, S.dimsOf(In));
    S.markWritten(Request.Out, S.dimsOf(Request.Out), !Request.Update, false,
                  Written.Access == LogicAccess::Reduce ? Written.Reduction : "?");
    S.keepLocal(L.ParallelDims);
    if (L.UsesOrigin && S.root(Request.Out).IsLocal) // whose blocks begin at 0
      S.LocalDims.clear();
    launchLeaf(S, B, std::move(L), Args);
  }

  /// A leaf per index of one dimension: all tensors that have it lose it.
  bool sliceStep(TaskScope &S, LogicBlock &B, const LogicTensor &Out) {
    if (Out.Dims.size() < 2)
      return false;
    const size_t Dim = R.below(Out.Dims.size());
    const int Symbol = Out.Dims[Dim];
    LogicBlock Body;
    const std::string Index = fresh("n");
    LeafRequest Request{
        fresh("leaf"), Views.fixedAt(Out, Body, Dim, text(Index)), drawsUpdate(Out), {}, S.Scalars};
    std::vector<LogicTensor> Users = {Out};
    for (const LogicTensor &T : S.readable(Out))
      if (Request.Ins.size() < 2 && T.Dims.size() <= 3 && R.chance(60)) {
        const int D = T.dimOf(Symbol);
        if (D >= 0 && T.Dims.size() == 1)
          continue; // nothing would be left
        Users.push_back(T);
        Request.Ins.push_back(D < 0 ? T : Views.fixedAt(T, Body, size_t(D), text(Index)));
      }
    std::vector<LogicTensor> Args = {Request.Out};
    Args.insert(Args.end(), Request.Ins.begin(), Request.Ins.end());
    DrawnLeaf L = drawLeaf(Request, R);
    L.ParallelDims.insert(Symbol); // of the step: slices are independent
    const std::set<int> Local = L.ParallelDims;
    L.ParallelDims.erase(Symbol);
    const std::set<int> Before = S.LocalDims;
    finishLeafStep(S, Body, std::move(L), Request, Args);
    for (const LogicTensor &T : Users)
      if (T.dimOf(Symbol) >= 0)
        S.markWalked(T, {Symbol});
    if (Before.count(Symbol) && !S.root(Out).IsLocal)
      S.LocalDims.insert(Symbol);
    S.keepLocal(Local);
    B.push_back(parallelLoop({Index}, {extentOf(Symbol, Users)}, std::move(Body)));
    return true;
  }

  bool stencilStep(TaskScope &S, LogicBlock &B, const LogicTensor &Out) {
    if (Out.Dims.empty())
      return false;
    std::vector<LogicTensor> Sources;
    for (const LogicTensor &T : S.readable(Out))
      if (T.IsAnchored && T.Dims == Out.Dims && Out.IsAnchored)
        Sources.push_back(T);
    if (Sources.empty())
      return false;
    const LogicTensor In = R.pick(Sources);
    StencilCut Cut;
    for (size_t D = 0; D < Out.Dims.size(); ++D) {
      Cut.Low.push_back(int(R.pick({0, 1, 1, 2})));
      Cut.High.push_back(int(R.pick({0, 1, 1, 2})));
      if (R.chance(75))
        Cut.Parallel.push_back(Out.Dims[D]);
    }
    if (Cut.Parallel.empty())
      Cut.Parallel.push_back(Out.Dims.front());
    if (In.Type != ScalarType::Bool && R.chance(50))
      Cut.Fill = literal(In.Type, double(R.between(1, 3)));
    LeafRequest Request{fresh("stencil"), Out, false, {In}, {}};
    for (int Symbol : Out.Dims) // the window is longer than Out
      Request.Ins.front().Orders[Symbol] = Out.orderOf(Symbol) + 1;
    DrawnLeaf L = drawStencil(Request, Cut.Low, Cut.High, R);
    launchStencil(S.Tunables, B, L.F.Name, Out, In, Cut, names(), R);
    P.Functions.push_back(std::move(L.F));
    S.markRead(In, {}); // a window may reach outside
    S.markWritten(Out, S.dimsOf(Out), true, false);
    S.LocalDims.clear();
    return true;
  }

  /// A number per row of something, into a new local.
  bool rowStep(TaskScope &S, LogicBlock &B) {
    std::vector<LogicTensor> Fitting;
    for (const LogicTensor &T : S.Tensors)
      if (T.HasValues && (T.Dims.size() == 2 || T.Dims.size() == 3) &&
          (T.Type == ScalarType::F32 || T.Type == ScalarType::F64))
        Fitting.push_back(T);
    if (Fitting.empty())
      return false;
    const LogicTensor In = R.pick(Fitting);
    const LogicTensor Out = Views.newLocal(S, B, In.Type, {In.Dims.begin(), In.Dims.end() - 1});
    const std::string Name = R.pick({"row_sum", "row_max", "row_min"});
    B.push_back(launch("septran::" + Name, {text(Out.Name), text(In.Name)}));
    S.markRead(In, S.dimsOf(In));
    S.markWritten(Out, S.dimsOf(Out), true, false);
    S.keepLocal({Out.Dims.begin(), Out.Dims.end()});
    return true;
  }

  /// The elements of a local, seen as a vector.
  bool flatStep(TaskScope &S, LogicBlock &B) {
    for (const LogicTensor &T : S.Tensors)
      if (T.IsLocal && T.HasValues && T.Dims.size() == 2) {
        LogicTensor Flat = Views.viewOf(
            T, B,
            callOf("septran::reshape", {text(T.Name), listOf({oper("*", member(T.Name, "extent", 0),
                                                                   member(T.Name, "extent", 1))})}),
            {100 + int(Count)});
        LeafRequest Request{fresh("leaf"), Flat, true, {}, S.Scalars};
        finishLeafStep(S, B, drawLeaf(Request, R), Request, {Flat});
        S.LocalDims.clear();
        return true;
      }
    return false;
  }

  LogicExpr drawCondition(TaskScope &S) {
    if (!S.Scalars.empty() && R.chance(60))
      for (const LogicParameter &Each : S.Scalars)
        if (!isFloat(Each.Type))
          return R.chance(50) ? oper("!=", oper("%", text(Each.Name), number(2)), number(0))
                              : oper(">", text(Each.Name), number(1));
    S.LocalDims.clear(); // blocks have other extents
    std::vector<const LogicTensor *> Arrays;
    for (const LogicTensor &Each : S.Tensors)
      if (!Each.Dims.empty())
        Arrays.push_back(&Each);
    if (Arrays.empty())
      return text("true");
    const LogicTensor &T = *R.pick(Arrays);
    const LogicExpr Extent = member(T.Name, "extent", unsigned(R.below(T.Dims.size())));
    return R.chance(50) ? oper(">", Extent, number(R.between(1, 9)))
                        : oper("==", oper("%", Extent, number(2)), number(0));
  }

  /// Steps that see their own locals only as long as they last.
  LogicBlock guardedSteps(TaskScope &S) {
    LogicBlock Body;
    ++S.Conditions;
    const size_t Visible = S.Tensors.size();
    for (std::uint64_t N = 1 + R.below(2); N > 0; --N)
      step(S, Body, true);
    --S.Conditions;
    S.Tensors.resize(Visible);
    return Body;
  }

  void controlStep(TaskScope &S, LogicBlock &B) {
    if (R.chance(50)) {
      LogicExpr If = drawCondition(S);
      LogicBlock Then = guardedSteps(S), Else;
      if (R.chance(35))
        Else = guardedSteps(S);
      if (!Then.empty())
        B.push_back(ifThen(std::move(If), std::move(Then), std::move(Else)));
      return;
    }
    LogicExpr Times = number(R.between(1, 3));
    for (const LogicParameter &Each : S.Scalars)
      if (!isFloat(Each.Type) && R.chance(50))
        Times = oper("%", text(Each.Name), number(3));
    LogicBlock Body = guardedSteps(S);
    if (!Body.empty())
      B.push_back(forLoop(fresh("s"), number(0), std::move(Times), std::move(Body)));
  }

  void step(TaskScope &S, LogicBlock &B, bool Guarded) {
    if (S.Depth < Options.MaxDepth && R.chance(25) && stageStep(S, B, Guarded))
      return;
    if (!Guarded && R.chance(12))
      return controlStep(S, B);
    if (R.chance(5) && flatStep(S, B))
      return;
    if (!Guarded && R.chance(6) && rowStep(S, B))
      return;
    std::optional<LogicTensor> Out = Views.drawOut(S, B, Guarded);
    if (!Out)
      return;
    if (R.chance(20) && addStandardLaunch(S, B, *Out, R))
      return;
    if (R.chance(20) && stencilStep(S, B, *Out))
      return;
    if (R.chance(12) && sliceStep(S, B, *Out))
      return;
    leafStep(S, B, *Out);
  }

  //===--- tasks ------------------------------------------------------------===//

  /// Writes the body, then decides on privileges by what it does.
  LogicFunction writeTask(TaskScope &S, const std::string &Name, size_t Arguments, bool MustWrite) {
    LogicFunction F;
    F.Name = Name;
    LogicBlock Body;
    for (std::uint64_t N = 1 + R.below(Options.MaxSteps); N > 0; --N)
      step(S, Body, false);
    for (size_t N = 0; MustWrite && N < Arguments; ++N)
      if (S.Tensors[N].CanWrite && !S.Tensors[N].IsWritten) {
        const LogicTensor Out = S.Tensors[N];
        leafStep(S, Body, Out);
      }
    F.Body = S.Tunables;
    F.Body.insert(F.Body.end(), Body.begin(), Body.end());
    for (size_t N = 0; N < Arguments; ++N) {
      const LogicTensor &T = S.Tensors[N];
      LogicParameter Param{T.Name, T.Type, int(T.Dims.size()), LogicAccess::Read, "", T.Dims};
      if (T.IsWritten)
        Param.Access = T.ReadFirst ? LogicAccess::ReadWrite : LogicAccess::Write;
      if (T.IsWritten && T.Reductions != "?" && R.chance(50)) {
        Param.Access = LogicAccess::Reduce;
        Param.Reduction = T.Reductions;
      }
      F.Params.push_back(std::move(Param));
    }
    F.Params.insert(F.Params.end(), S.Scalars.begin(), S.Scalars.end());
    return F;
  }

  /// A task of its own on some of the tensors, whole or by blocks.
  bool stageStep(TaskScope &S, LogicBlock &B, bool Guarded) {
    std::optional<LogicTensor> Out = Views.drawOut(S, B, Guarded);
    if (!Out)
      return false;
    std::vector<LogicTensor> Outer = {*Out};
    for (const LogicTensor &T : S.readable(*Out))
      if (Outer.size() < 4 && R.chance(70))
        Outer.push_back(T);
    TaskScope Inner;
    Inner.Depth = S.Depth + 1;
    Inner.Conditions = S.Conditions;
    Inner.Scalars = S.Scalars;
    for (size_t N = 0; N < Outer.size(); ++N) {
      LogicTensor T = Outer[N];
      T.Name = T.Root = "p" + std::to_string(N);
      T.CanWrite = N == 0 || (T.CanWrite && R.chance(25));
      T.IsLocal = T.IsTouched = T.ReadFirst = T.IsWritten = false;
      T.Walked.clear();
      T.Reductions.clear();
      for (int Symbol : T.Dims)
        Inner.LocalDims.insert(Symbol);
      Inner.Tensors.push_back(std::move(T));
    }
    LogicFunction F = writeTask(Inner, fresh("stage"), Outer.size(), true);
    std::vector<LogicTensor> Params;
    const auto Named = wordsOf(F.Body); // extents are no accesses
    for (size_t N = 0, Kept = 0; N < Outer.size(); ++N) {
      const LogicTensor &T = Inner.Tensors[N];
      if (!Named.count(T.Name)) { // neither parameter nor argument
        F.Params.erase(F.Params.begin() + std::ptrdiff_t(Kept));
        continue;
      }
      if (!T.IsWritten || T.ReadFirst)
        S.markRead(Outer[N], T.Walked);
      if (T.IsWritten) {
        const LogicParameter &Param = F.Params[Kept];
        S.markWritten(Outer[N], T.Walked, Param.Access == LogicAccess::Write, T.IsExact,
                      Param.Access == LogicAccess::Reduce ? Param.Reduction : "?");
        S.root(Outer[N]).IsRaw = T.IsRaw;
      }
      Params.push_back(T);
      Outer[Kept++] = Outer[N];
    }
    Outer.resize(Params.size());
    S.keepLocal(Inner.LocalDims);
    launchStage(S, B, std::move(F), Inner.LocalDims, Params, Outer);
    return true;
  }

  /// Dimensions whose blocks all arguments have, and whose blocks do not meet.
  std::set<int> cuttable(const LogicFunction &F, const std::vector<LogicTensor> &Params) const {
    std::set<int> Dims;
    for (const LogicTensor &T : Params)
      Dims.insert(T.Dims.begin(), T.Dims.end());
    for (size_t N = 0; N < Params.size(); ++N) {
      const LogicTensor &T = Params[N];
      const bool Alone = T.IsWritten && F.Params[N].Access != LogicAccess::Reduce;
      std::erase_if(
          Dims, [&](int Symbol) { return T.dimOf(Symbol) < 0 ? Alone : !T.Walked.count(Symbol); });
    }
    return Dims;
  }

  void launchStage(TaskScope &S, LogicBlock &B, LogicFunction F, const std::set<int> &LocalDims,
                   const std::vector<LogicTensor> &Params, const std::vector<LogicTensor> &Outer) {
    std::vector<std::string> Scalars;
    for (const LogicParameter &Each : S.Scalars)
      Scalars.push_back(Each.Name);
    const std::set<int> All = cuttable(F, Params);
    std::set<int> Local;
    std::set_intersection(All.begin(), All.end(), LocalDims.begin(), LocalDims.end(),
                          std::inserter(Local, Local.end()));
    std::string Callee = F.Name;
    std::optional<LogicFunction> Variant;
    if (BlockCut Cut{someDims(Local), {}}; !Cut.empty() && R.chance(50)) {
      Variant = blockedVariant(F, Params, Scalars, Cut);
      if (R.chance(60))
        Callee = Variant->Name;
    }
    P.Functions.push_back(std::move(F));
    if (Variant)
      P.Functions.push_back(std::move(*Variant));
    // Where results depend on the blocks their sizes are part of the program, and no tunables.
    BlockCut Outside{someDims(R.chance(40) ? All : Local), {}};
    Outside.IsFixed = !std::includes(Local.begin(), Local.end(), Outside.Parallel.begin(),
                                     Outside.Parallel.end());
    if (!Outside.empty() && R.chance(75))
      return launchOnBlocks(S.Tunables, B, Callee, Outer, scalarArgs(Scalars), Outside, names(), R);
    std::vector<LogicExpr> Args;
    for (const LogicTensor &T : Outer)
      Args.push_back(text(T.Name));
    for (LogicExpr &E : scalarArgs(Scalars))
      Args.push_back(std::move(E));
    B.push_back(launch(Callee, std::move(Args)));
  }

public:
  LogicDraw(Random &R, const RandomLogicOptions &Options)
      : R(R), Options(Options), Views(R, names(), Options.SmallTypes) {}

  LogicProgram draw() {
    TaskScope S;
    std::vector<int> Symbols = {0};
    while (Symbols.size() < 4 && R.chance(Symbols.size() < 2 ? 80 : 45))
      Symbols.push_back(int(Symbols.size()));
    const ScalarType Usual = Views.drawType();
    const size_t Tensors = 2 + R.below(Options.MaxTensors - 1);
    const size_t Outs = Tensors > 2 && R.chance(30) ? 2 : 1;
    for (size_t N = 0; N < Tensors; ++N) {
      LogicTensor T;
      T.Name = T.Root = std::string(1, char('A' + N));
      T.Type = R.chance(65) ? Usual : Views.drawType();
      if (Options.SmallTypes && N >= Outs && R.chance(5))
        T.Type = ScalarType::Bool;
      T.Dims = Views.someOf(Symbols, R.chance(20) ? 4 : 3);
      if (N + 1 < Tensors && R.chance(6)) // the last one has extents
        T.Dims.clear();
      for (int Symbol : T.Dims)
        T.Orders[Symbol] = int(N);
      T.CanWrite = N < Outs;
      T.HasValues = N >= Outs || R.chance(35);
      T.IsRaw = T.IsExact = T.HasValues;
      for (int Symbol : T.Dims)
        S.LocalDims.insert(Symbol);
      S.Tensors.push_back(std::move(T));
    }
    if (R.chance(35))
      S.Scalars.push_back({"alpha", ScalarType::F32, -1, LogicAccess::Read, ""});
    if (R.chance(35))
      S.Scalars.push_back({"shift", ScalarType::I32, -1, LogicAccess::Read, ""});
    LogicFunction F = writeTask(S, RandomEntry, Tensors, true);
    P.Functions.push_back(std::move(F));
    dropUnused(P);
    return std::move(P);
  }
};

} // namespace

LogicProgram randomLogicProgram(Random &R, const RandomLogicOptions &Options) {
  return LogicDraw(R, Options).draw();
}

std::string randomLogic(Random &R, const RandomLogicOptions &Options) {
  return render(randomLogicProgram(R, Options));
}

} // namespace septran::compiler
