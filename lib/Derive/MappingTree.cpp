//===- MappingTree.cpp - a mapping as the tree of its instances -----------===//
#include "Derive/MappingTree.h"

#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

std::optional<Extent> sizeOf(const MappingNode &N, const Tunable &T) {
  if (const auto Said = N.Tunables.find(T.V->Name); Said != N.Tunables.end())
    return Said->second;
  if (!T.Default)
    return Extent{true, 0};
  const std::optional<std::int64_t> Size = constantValue(T.Default);
  return Size ? std::optional(Extent{false, *Size}) : std::nullopt;
}

std::vector<const Launch *> launchesOf(const Function &F) {
  std::vector<const Launch *> Result;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Launch>())
      Result.push_back(L);
  });
  return Result;
}

namespace {

bool launchesFamily(const Function &F, const std::string &Family) {
  const std::vector<const Launch *> All = launchesOf(F);
  return std::any_of(All.begin(), All.end(),
                     [&](const Launch *L) { return L->Callee->Family == Family; });
}

std::vector<FunctionRef> alternatives(const TaskGraph &G, const Function &Callee) {
  std::vector<FunctionRef> Result;
  for (const FunctionRef &F : G.variants(Callee.Family))
    if (F->Family == Callee.Family && sameSignature(*F, Callee))
      Result.push_back(F);
  return Result;
}

/// What ends the recursion, and what goes on with it.
struct Variants {
  std::vector<FunctionRef> Ending, Nested;
};

Variants variantsFor(const TaskGraph &G, const Function &Callee) {
  Variants Result;
  for (const FunctionRef &F : alternatives(G, Callee))
    (launchesFamily(*F, Callee.Family) ? Result.Nested : Result.Ending).push_back(F);
  return Result;
}

/// Finds free names and fills in the instances, each after the one that launches it.
class MappingWriter {
  const Machine &M;
  Mapping Map;
  std::set<std::string> Names;  ///< of instances
  std::set<std::string> Spoken; ///< tasks

  std::string freshName(const std::string &Task) {
    std::string Name = Task;
    for (unsigned N = 2; !Names.insert(Name).second; ++N)
      Name = Task + "_" + std::to_string(N);
    return Name;
  }

  static CallKey keyOf(const Launch &L, const std::vector<const Launch *> &All) {
    const auto Same = std::count_if(All.begin(), All.end(), [&](const Launch *Other) {
      return Other->Callee->Name == L.Callee->Name;
    });
    if (Same == 1)
      return {L.Callee->Name, std::nullopt};
    return {L.Callee->Name, L.Site};
  }

  /// Nothing is said of the node or below it that would not hold anyway.
  bool isSilent(const MappingNode &N, const MappingNode &Caller, const Launch &L) const {
    if (N.Task != L.Callee || N.Level != Caller.Level || !N.Tunables.empty() || !N.Mems.empty() ||
        !N.Resident.empty() || !N.InPlace.empty() || !N.Streams.empty() || !N.Prefetch.empty() ||
        N.ColumnOrder || N.Lanes || !N.Binding.empty())
      return false;
    const std::vector<const Launch *> Launches = launchesOf(*N.Task);
    for (size_t At = 0; At < N.Children.size(); ++At)
      if (!isSilent(N.Children[At], N, *Launches[At]))
        return false;
    return true;
  }

  /// The tasks of which something is said: a launch of theirs needs an instance, since one that is
  /// called like the task would be taken.
  void findSpoken(const MappingNode &N) {
    Spoken.insert(N.Task->Name);
    const std::vector<const Launch *> Launches = launchesOf(*N.Task);
    for (size_t At = 0; At < N.Children.size(); ++At)
      if (!isSilent(N.Children[At], N, *Launches[At]))
        findSpoken(N.Children[At]);
  }

  bool mentionsSpoken(const MappingNode &N) const {
    return Spoken.count(N.Task->Name) ||
           std::any_of(N.Children.begin(), N.Children.end(),
                       [this](const MappingNode &C) { return mentionsSpoken(C); });
  }

public:
  MappingWriter(const MappingNode &Root, const Machine &M, const std::vector<SmallTree> &Smaller,
                const ExtentList &Usual)
      : M(M) {
    Map.Machine = LocatedName(M.Name.Value);
    findSpoken(Root);
    for (const SmallTree &T : Smaller)
      findSpoken(T.Root);
    std::string Next = add(Root, nullptr, Root.Task->Name);
    if (!Usual.empty()) {
      InstanceMapping I = Map.Instances.front();
      I.Name = {freshName(Root.Task->Name + "_usual")};
      for (const auto &[Extent, Elements] : Usual)
        I.Exactly.Entries.push_back({{Extent}, {Elements}});
      I.Otherwise = LocatedName(Next);
      Next = I.Name.Value;
      Map.Instances.push_back(std::move(I));
    }
    for (auto T = Smaller.rbegin(); T != Smaller.rend(); ++T) {
      const size_t At = Map.Instances.size();
      const std::string Name = add(T->Root, nullptr, Root.Task->Name + "_small");
      for (const auto &[Extent, Most] : T->AtMost)
        Map.Instances[At].AtMost.Entries.push_back({{Extent}, {Most}});
      Map.Instances[At].Otherwise = LocatedName(Next);
      Next = Name;
    }
    Map.Entrypoint = {Next};
  }

private:
  /// Sizes for a team come last, in the order in which the program computes them: columns are cut
  /// before rows, so that what few rows are multiplied by is read once.
  static void addTunables(const MappingNode &N, InstanceMapping &I) {
    const auto Add = [&](const std::string &Name, bool ForTeam) {
      const auto Chosen = N.Tunables.find(Name);
      if (Chosen != N.Tunables.end() && Chosen->second.isForTeam() == ForTeam)
        I.Tunables.Entries.push_back({{Name}, {Chosen->second}});
    };
    for (const auto &[Name, Value] : N.Tunables)
      Add(Name, false);
    for (auto T = N.Task->Tunables.rbegin(); T != N.Task->Tunables.rend(); ++T)
      Add(T->V->Name, true);
  }

  /// Adds instances for N and below, and says what N's is called: so, or nearly.
  std::string add(const MappingNode &N, const MappingNode *Caller, const std::string &Called) {
    const size_t Slot = Map.Instances.size();
    Map.Instances.emplace_back();
    InstanceMapping I;
    const std::string Name = freshName(Called);
    I.Name = {Name};
    I.TaskName = {N.Task->Name};
    if (!Caller || N.Level != Caller->Level)
      I.Proc = LocatedName(M.Processors[N.Level].Name.Value);
    for (const auto &[Argument, Memory] : N.Mems)
      I.Mems.Entries.push_back({{Argument}, {Memory}});
    for (const std::string &Argument : N.Resident)
      I.Resident.push_back({Argument});
    for (const std::string &Argument : N.InPlace)
      I.InPlace.push_back({Argument});
    addTunables(N, I);
    for (const std::string &Argument : N.Streams)
      I.Stores.Entries.push_back({{Argument}, {StoreKind::BySize}});
    for (const auto &[Argument, Iterations] : N.Prefetch)
      I.Prefetch.Entries.push_back({{Argument}, {PrefetchDistance{Iterations, {}}}});
    if (N.ColumnOrder)
      I.Order = Located<Order>({Order::Kind::Column, 0});
    if (N.Lanes) {
      Vectorize V;
      V.Enabled = !N.Lanes->empty();
      if (V.Enabled)
        V.Loop = LocatedName(*N.Lanes);
      I.Vectorize = Located<Vectorize>(V);
    }
    if (!N.Binding.empty())
      I.Binding = LocatedName(N.Binding);
    const std::vector<const Launch *> Launches = launchesOf(*N.Task);
    for (size_t At = 0; At < N.Children.size(); ++At)
      if (const MappingNode &C = N.Children[At];
          !isSilent(C, N, *Launches[At]) || mentionsSpoken(C))
        I.Calls.push_back({{keyOf(*Launches[At], Launches)}, {add(C, &N, C.Task->Name)}});
    Map.Instances[Slot] = std::move(I);
    return Name;
  }

public:
  Mapping take() { return std::move(Map); }
};

} // namespace

MappingNode plainNode(const TaskGraph &G, const FunctionRef &Task, size_t Level) {
  MappingNode N;
  N.Task = Task;
  N.Level = Level;
  for (const Launch *L : launchesOf(*Task)) {
    FunctionRef Next = L->Callee;
    const Variants V = variantsFor(G, *Next);
    if (launchesFamily(*Next, Next->Family) && !V.Ending.empty())
      Next = V.Ending.front();
    N.Children.push_back(plainNode(G, Next, Level));
  }
  return N;
}

std::vector<std::vector<FunctionRef>> chainsFor(const TaskGraph &G, const FunctionRef &Callee,
                                                unsigned Depth) {
  const Variants V = variantsFor(G, *Callee);
  std::vector<std::vector<FunctionRef>> Result, Last = {{}};
  for (unsigned Length = 0; Length <= Depth; ++Length) {
    for (const std::vector<FunctionRef> &Outer : Last)
      for (const FunctionRef &Inner : V.Ending) {
        Result.push_back(Outer);
        Result.back().push_back(Inner);
      }
    std::vector<std::vector<FunctionRef>> Longer;
    for (const std::vector<FunctionRef> &Outer : Last)
      for (const FunctionRef &F : V.Nested) {
        Longer.push_back(Outer);
        Longer.back().push_back(F);
      }
    Last = std::move(Longer);
  }
  return Result;
}

MappingNode chainNode(const TaskGraph &G, const std::vector<FunctionRef> &Chain, size_t Level) {
  MappingNode N = plainNode(G, Chain.back(), Level);
  for (size_t At = Chain.size() - 1; At > 0; --At) {
    MappingNode Outer = plainNode(G, Chain[At - 1], Level);
    const std::vector<const Launch *> Launches = launchesOf(*Chain[At - 1]);
    for (size_t I = 0; I < Launches.size(); ++I)
      if (Launches[I]->Callee->Family == Chain[At]->Family)
        Outer.Children[I] = N;
    N = std::move(Outer);
  }
  return N;
}

size_t chainLink(const std::vector<FunctionRef> &Chain) {
  const std::vector<const Launch *> Launches = launchesOf(*Chain.front());
  size_t At = 0;
  while (Launches[At]->Callee->Family != Chain[1]->Family)
    ++At;
  return At;
}

void raiseLevels(MappingNode &N, size_t Level) {
  N.Level = std::max(N.Level, Level);
  for (MappingNode &C : N.Children)
    raiseLevels(C, N.Level);
}

Mapping toMapping(const MappingNode &Root, const Machine &M, const std::vector<SmallTree> &Smaller,
                  const ExtentList &Usual) {
  return MappingWriter(Root, M, Smaller, Usual).take();
}

} // namespace septran::compiler
