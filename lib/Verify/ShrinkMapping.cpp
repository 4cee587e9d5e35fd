//===- ShrinkMapping.cpp - the simplest mapping that still fails ----------===//
#include "Verify/Shrink.h"

#include "Mapping/ReadMapping.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

/// One way to make a mapping simpler; false if there is nothing to do.
using Edit = std::function<bool(Mapping &)>;

/// Instances that calls of others name.
std::set<std::string> calledInstances(const Mapping &M) {
  std::set<std::string> Called;
  for (const InstanceMapping &I : M.Instances)
    for (const CallMapping &C : I.Calls)
      Called.insert(C.Instance.Value);
  return Called;
}

/// Erases instances that were called before, as `Before` says, and are not any more.
void dropUncalled(Mapping &M, std::set<std::string> Before) {
  for (bool Changed = true; Changed;) {
    const std::set<std::string> Now = calledInstances(M);
    Changed = std::erase_if(M.Instances, [&](const InstanceMapping &I) {
                const std::string &Name = I.Name.Value;
                return Name != M.Entrypoint.Value && Before.count(Name) && !Now.count(Name);
              }) != 0;
    Before.insert(Now.begin(), Now.end());
  }
}

bool dropInstance(Mapping &M, const std::string &Name) {
  if (Name == M.Entrypoint.Value)
    return false;
  const std::set<std::string> Before = calledInstances(M);
  std::erase_if(M.Instances, [&](const InstanceMapping &I) { return I.Name.Value == Name; });
  for (InstanceMapping &I : M.Instances)
    std::erase_if(I.Calls, [&](const CallMapping &C) { return C.Instance.Value == Name; });
  dropUncalled(M, Before);
  return true;
}

template <class T> bool reset(std::optional<T> &Setting) {
  const bool Had = Setting.has_value();
  Setting.reset();
  return Had;
}

template <class T> bool clear(std::vector<T> &List) {
  const bool Had = !List.empty();
  List.clear();
  return Had;
}

template <class T> bool erase(std::vector<T> &List, size_t N) {
  if (N >= List.size())
    return false;
  List.erase(List.begin() + static_cast<std::ptrdiff_t>(N));
  return true;
}

bool lower(int64_t &Value, int64_t To) {
  if (Value <= To)
    return false;
  Value = To;
  return true;
}

/// The instance of that position as `task_name` and `calls` only.
bool forgetSettings(InstanceMapping &I) {
  InstanceMapping Plain;
  Plain.Name = I.Name;
  Plain.TaskName = I.TaskName;
  Plain.Proc = I.Proc;
  Plain.Calls = I.Calls;
  if (I == Plain)
    return false;
  I = std::move(Plain);
  return true;
}

bool forgetStructure(InstanceMapping &I) {
  bool Had = reset(I.Pipeline);
  Had |= reset(I.Order);
  Had |= reset(I.Parallelize);
  Had |= reset(I.Vectorize);
  Had |= reset(I.Unroll);
  Had |= reset(I.Accumulators);
  Had |= reset(I.Persistent);
  Had |= reset(I.Warpspecialize);
  Had |= reset(I.Registers);
  Had |= clear(I.Prefetch.Entries);
  Had |= clear(I.Stores.Entries);
  Had |= clear(I.Cluster);
  Had |= clear(I.Multicast);
  Had |= clear(I.Schedule);
  Had |= clear(I.Constraints);
  return Had;
}

class EditList {
  const Mapping &M;
  std::vector<Edit> Edits;

  /// F on the instance at position N.
  void on(size_t N, std::function<bool(InstanceMapping &)> F) {
    Edits.push_back([N, F = std::move(F)](Mapping &To) { return F(To.Instances[N]); });
  }

  void dropSettings(size_t N) {
    const InstanceMapping &I = M.Instances[N];
    using Instance = InstanceMapping &;
    on(N, [](Instance To) { return reset(To.Parallelize); });
    on(N, [](Instance To) { return reset(To.Vectorize); });
    on(N, [](Instance To) { return reset(To.Pipeline); });
    on(N, [](Instance To) { return reset(To.Order); });
    on(N, [](Instance To) { return reset(To.Unroll); });
    on(N, [](Instance To) { return reset(To.Accumulators); });
    on(N, [](Instance To) { return reset(To.Binding); });
    for (size_t K = I.LeafTaskBindings.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.LeafTaskBindings.Entries, K); });
    for (size_t K = I.Layouts.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Layouts.Entries, K); });
    for (size_t K = I.Resident.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Resident, K); });
    for (size_t K = I.Prefetch.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Prefetch.Entries, K); });
    for (size_t K = I.Stores.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Stores.Entries, K); });
    for (size_t K = I.Mems.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Mems.Entries, K); });
    for (size_t K = I.Tunables.size(); K-- > 0;)
      on(N, [K](Instance To) { return erase(To.Tunables.Entries, K); });
    on(N, [](Instance To) { return reset(To.Proc); });
  }

  void lowerNumbers(size_t N) {
    const InstanceMapping &I = M.Instances[N];
    using Instance = InstanceMapping &;
    for (size_t K = 0; K < I.Tunables.size(); ++K) {
      const Extent &Now = I.Tunables.Entries[K].Value.Value;
      if (Now.Full)
        continue;
      if (Now.isForTeam())
        on(N, [K, To = Extent{false, Now.Value}](Instance I) {
          I.Tunables.Entries[K].Value.Value = To;
          return true;
        });
      for (int64_t To : {int64_t(1), int64_t(2), int64_t(4), Now.Value / 2, Now.Value - 1})
        if (To >= std::max<int64_t>(1, Now.Step))
          on(N, [K, To](Instance I) { return lower(I.Tunables.Entries[K].Value.Value.Value, To); });
    }
    on(N, [](Instance To) { return To.Pipeline && lower(To.Pipeline->Value, 2); });
    on(N, [](Instance To) { return To.Parallelize && reset(To.Parallelize->Value.Kind); });
    on(N, [](Instance To) { return To.Parallelize && reset(To.Parallelize->Value.Chunk); });
    on(N, [](Instance To) { return To.Parallelize && reset(To.Parallelize->Value.Threads); });
    on(N, [](Instance To) { return To.Parallelize && reset(To.Parallelize->Value.Collapse); });
    on(N, [](Instance To) { return To.Vectorize && reset(To.Vectorize->Value.Loop); });
    on(N, [](Instance To) { return To.Vectorize && reset(To.Vectorize->Value.Width); });
    for (size_t K = 0; K < I.Layouts.size(); ++K)
      on(N, [K](Instance To) {
        Layout &L = To.Layouts.Entries[K].Value.Value;
        return L.K == Layout::Kind::Pad && lower(L.Ints[0], 1);
      });
  }

public:
  explicit EditList(const Mapping &M) : M(M) {}

  std::vector<Edit> all() {
    Edits.push_back([](Mapping &To) { return clear(To.Constraints); });
    for (const InstanceMapping &I : M.Instances)
      Edits.push_back([Name = I.Name.Value](Mapping &To) { return dropInstance(To, Name); });
    for (size_t N = 0; N < M.Instances.size(); ++N) {
      on(N, forgetSettings);
      on(N, forgetStructure);
      on(N, [](InstanceMapping &To) { return clear(To.Mems.Entries); });
      on(N, [](InstanceMapping &To) { return clear(To.Layouts.Entries); });
      on(N, [](InstanceMapping &To) { return clear(To.Tunables.Entries); });
      // Whatever was called there is what the source says.
      for (size_t K = M.Instances[N].Calls.size(); K-- > 0;)
        Edits.push_back([N, K](Mapping &To) {
          const std::set<std::string> Before = calledInstances(To);
          if (!erase(To.Instances[N].Calls, K))
            return false;
          dropUncalled(To, Before);
          return true;
        });
    }
    for (size_t N = 0; N < M.Instances.size(); ++N)
      dropSettings(N);
    for (size_t N = 0; N < M.Instances.size(); ++N)
      lowerNumbers(N);
    return std::move(Edits);
  }
};

} // namespace

std::string shrinkMapping(const std::string &Text,
                          const std::function<bool(const std::string &)> &Fails,
                          const ShrinkOptions &Options) {
  Diagnostics D;
  std::optional<Mapping> Map = readMappingText(Text, "mapping.yaml", D);
  if (!Map)
    return Text;
  std::string Best = Text;
  unsigned Tries = 0;
  for (bool Progress = true; Progress && Tries < Options.MaxTries;) {
    Progress = false;
    const std::vector<Edit> Edits = EditList(*Map).all();
    for (size_t N = 0; N < Edits.size() && Tries < Options.MaxTries; ++N) {
      Mapping Simpler = *Map;
      Simpler.TunePoints.clear(); // what was chosen stands in the settings
      if (!Edits[N](Simpler))
        continue;
      const std::string Candidate = printMapping(Simpler);
      const bool Taken = Fails(Candidate);
      ++Tries;
      if (Options.Progress)
        Options.Progress(Tries, Taken);
      if (!Taken)
        continue;
      Best = Candidate;
      Map = std::move(Simpler);
      Progress = true;
      break; // positions have changed
    }
  }
  return Best;
}

} // namespace septran::compiler
