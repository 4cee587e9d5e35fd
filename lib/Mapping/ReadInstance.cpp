//===- Mapping/ReadInstance.cpp --------------------------------*- C++ -*-===//
#include "Mapping/ReadInstance.h"
#include "Mapping/Spellings.h"
#include "Support/DidYouMean.h"

#include <set>

namespace septran::compiler {

namespace {

// Bounds beyond which a number is a mistake for certain.
constexpr int64_t MaxLanes = 64;               // elements of a vector
constexpr int64_t MaxAccumulators = 16;        // vectors that one sum is kept in
constexpr int64_t MaxSmall = 1024;             // stages, registers, collapsed loops
constexpr int64_t MaxThreads = 1 << 16;        // members of a team
constexpr int64_t MaxBlock = 1 << 30;          // elements of a block, an int in C++
constexpr int64_t MaxCount = int64_t(1) << 40; // elements, bytes, iterations

/// `{at_most: 2064, multiple_of: 48, blocks_per_core: 4}`
std::optional<Extent> readTeamBlock(const YamlNode &N, std::string_view What, Diagnostics &D) {
  YamlMap Map(N, "'" + std::string(What) + "'", D);
  Located<int64_t> Most, Step(1), PerCore(1);
  const bool HasMost = Map.readRequired("at_most", Most, integerReader(1, MaxBlock));
  const bool HasStep =
      !Map.has("multiple_of") ||
      Map.read("multiple_of", Step, integerReader(1, HasMost ? Most.Value : MaxBlock));
  const bool HasPerCore = !Map.has("blocks_per_core") ||
                          Map.read("blocks_per_core", PerCore, integerReader(1, MaxSmall));
  Map.finish();
  if (!HasMost || !HasStep || !HasPerCore)
    return std::nullopt;
  return Extent{false, Most.Value, Step.Value, PerCore.Value};
}

std::optional<Extent> readExtent(const YamlNode &N, std::string_view What, Diagnostics &D) {
  if (N.isMap())
    return readTeamBlock(N, What, D);
  if (N.isScalar() && N.Text == "full")
    return Extent{true, 0};
  std::optional<int64_t> Value = readInteger(N, What, D, -MaxCount, MaxCount);
  return Value ? std::optional(Extent{false, *Value}) : std::nullopt;
}

std::optional<Extent> readUnrollCount(const YamlNode &N, std::string_view What, Diagnostics &D) {
  if (N.isScalar() && N.Text == "full")
    return Extent{true, 0};
  std::optional<int64_t> Value = readInteger(N, What, D, 1, MaxSmall);
  return Value ? std::optional(Extent{false, *Value}) : std::nullopt;
}

std::optional<Layout> readLayout(const YamlNode &N, std::string_view, Diagnostics &D) {
  std::optional<WordWithInts> Call = N.isScalar() ? parseWordWithInts(N.Text) : std::nullopt;
  if (Call) {
    const std::vector<int64_t> &Ints = Call->Ints;
    auto Between = [&](size_t I, int64_t Min) { return Ints[I] >= Min && Ints[I] <= MaxCount; };
    for (const Spelling<Layout::Kind> &S : LayoutSpellings) {
      if (Call->Word != S.Text)
        continue;
      bool Fits = false;
      switch (S.Value) {
      case Layout::Kind::Row:
      case Layout::Kind::Column:
      case Layout::Kind::Packed:
        Fits = Ints.empty() && N.Text == Call->Word;
        break;
      case Layout::Kind::Panels:
        Fits = Ints.size() == 2 && Between(0, 0) && Between(1, 1);
        break;
      case Layout::Kind::Pad:
        Fits = Ints.size() == 1 && Between(0, 0);
        break;
      case Layout::Kind::Swizzle:
        Fits = Ints.size() == 1 && Between(0, 1);
        break;
      }
      if (Fits)
        return Layout{S.Value, Ints};
    }
  }
  reportAt(N, D, DiagID::LayoutSyntax, N.isScalar() ? N.Text : describe(N));
  return std::nullopt;
}

std::optional<Order> readOrder(const YamlNode &N, std::string_view, Diagnostics &D) {
  std::optional<WordWithInts> Call = N.isScalar() ? parseWordWithInts(N.Text) : std::nullopt;
  if (Call) {
    for (const Spelling<Order::Kind> &S : OrderSpellings) {
      if (Call->Word != S.Text)
        continue;
      const bool IsGrouped = S.Value == Order::Kind::Grouped;
      if (IsGrouped && Call->Ints.size() == 1 && Call->Ints[0] >= 1 && Call->Ints[0] <= MaxCount)
        return Order{S.Value, Call->Ints[0]};
      if (!IsGrouped && Call->Ints.empty() && N.Text == Call->Word)
        return Order{S.Value, 0};
    }
  }
  reportAt(N, D, DiagID::OrderSyntax, N.isScalar() ? N.Text : describe(N));
  return std::nullopt;
}

bool isBoolWord(const YamlNode &N) {
  return N.isScalar() && !N.Quoted && (N.Text == "true" || N.Text == "false");
}

/// Settings that are `true`, `false` or a map with details.
template <class T, class ReadDetails>
std::optional<T> readSwitch(const YamlNode &N, std::string_view What, Diagnostics &D,
                            const ReadDetails &Read) {
  T Result;
  if (isBoolWord(N)) {
    Result.Enabled = N.Text == "true";
    return Result;
  }
  if (!N.isMap()) {
    reportAt(N, D, DiagID::WrongType, What, "'true', 'false' or a map", describe(N));
    return std::nullopt;
  }
  YamlMap Map(N, "'" + std::string(What) + "'", D);
  Read(Map, Result);
  Map.finish();
  return Result;
}

std::optional<Parallelize> readParallelize(const YamlNode &N, std::string_view What,
                                           Diagnostics &D) {
  return readSwitch<Parallelize>(N, What, D, [](YamlMap &Map, Parallelize &P) {
    Map.read("schedule", P.Kind, enumReader(ScheduleSpellings));
    Map.read("chunk", P.Chunk, integerReader(1, MaxCount));
    Map.read("threads", P.Threads, integerReader(1, MaxThreads));
    Map.read("collapse", P.Collapse, integerReader(1, MaxSmall));
  });
}

/// Vectors hold a power of two of elements, as registers do.
std::optional<int64_t> readVectorWidth(const YamlNode &N, std::string_view What, Diagnostics &D) {
  std::optional<int64_t> Width = readInteger(N, What, D, 1, MaxLanes);
  if (Width && (*Width & (*Width - 1)) != 0) {
    D.report(DiagID::UnknownValue, N.Loc, What, N.Text, "a power of two", "");
    return std::nullopt;
  }
  return Width;
}

std::optional<Vectorize> readVectorize(const YamlNode &N, std::string_view What, Diagnostics &D) {
  Vectorize Result;
  if (N.isScalar() && !isBoolWord(N) && isIdentifier(N.Text)) {
    Result.Loop = LocatedName(N.Text, N.Loc);
    return Result;
  }
  if (N.isScalar() && !isBoolWord(N)) {
    std::optional<int64_t> Width = readVectorWidth(N, What, D);
    if (!Width)
      return std::nullopt;
    Result.Width = Located<int64_t>(*Width, N.Loc);
    return Result;
  }
  return readSwitch<Vectorize>(N, What, D, [](YamlMap &Map, Vectorize &V) {
    Map.read("loop", V.Loop, readIdentifier);
    Map.read("width", V.Width, readVectorWidth);
  });
}

std::optional<Unroll> readUnroll(const YamlNode &N, std::string_view What, Diagnostics &D) {
  Unroll Result;
  if (!N.isMap()) {
    std::optional<Extent> Count = readUnrollCount(N, What, D);
    if (!Count)
      return std::nullopt;
    Result.Innermost = Located<Extent>(*Count, N.Loc);
    return Result;
  }
  auto Loops = YamlMap::readNamedList<Extent>(N, What, D, readUnrollCount);
  if (!Loops)
    return std::nullopt;
  Result.Loops = std::move(*Loops);
  return Result;
}

std::optional<PrefetchDistance> readPrefetch(const YamlNode &N, std::string_view What,
                                             Diagnostics &D) {
  if (N.isScalar() && N.Text == "start")
    return PrefetchDistance{0, {}, true};
  if (N.isScalar() && !N.Quoted && isIdentifier(N.Text)) {
    D.report(DiagID::UnknownValue, N.Loc, What, N.Text,
             "a number of iterations, a loop with one, or 'start'", didYouMean(N.Text, {"start"}));
    return std::nullopt;
  }
  if (!N.isMap()) {
    const std::optional<int64_t> Iterations = readInteger(N, What, D, 0, MaxSmall);
    return Iterations ? std::optional(PrefetchDistance{*Iterations, {}}) : std::nullopt;
  }
  const auto Loops = YamlMap::readNamedList<int64_t>(N, What, D, integerReader(0, MaxSmall));
  if (!Loops)
    return std::nullopt;
  if (Loops->Entries.size() != 1) {
    D.report(DiagID::UnknownValue, N.Loc, What, std::to_string(Loops->Entries.size()) + " loops",
             "one loop with a number of iterations", "");
    return std::nullopt;
  }
  const NamedEntry<int64_t> &Only = Loops->Entries.front();
  return PrefetchDistance{Only.Value.Value, Only.Name};
}

std::optional<WarpSpecialize> readWarpSpecialize(const YamlNode &N, std::string_view What,
                                                 Diagnostics &D) {
  return readSwitch<WarpSpecialize>(N, What, D, [](YamlMap &Map, WarpSpecialize &W) {
    Map.read("producers", W.Producers, integerReader(1, MaxSmall));
    Map.read("consumers", W.Consumers, integerReader(1, MaxSmall));
  });
}

std::optional<Registers> readRegisters(const YamlNode &N, std::string_view What, Diagnostics &D) {
  Registers Result;
  if (!N.isMap()) {
    std::optional<int64_t> Count = readInteger(N, What, D, 1, MaxSmall);
    if (!Count)
      return std::nullopt;
    Result.PerThread = Located<int64_t>(*Count, N.Loc);
    return Result;
  }
  auto Roles = YamlMap::readNamedList<int64_t>(N, What, D, integerReader(1, MaxSmall));
  if (!Roles)
    return std::nullopt;
  Result.PerRole = std::move(*Roles);
  return Result;
}

std::optional<CallKey> parseCallKey(std::string_view Text) {
  size_t Hash = Text.find('#');
  CallKey Key;
  Key.Callee = std::string(Text.substr(0, Hash));
  if (!isQualifiedName(Key.Callee))
    return std::nullopt;
  if (Hash == std::string_view::npos)
    return Key;
  std::optional<int64_t> Site = parseInteger(Text.substr(Hash + 1));
  if (!Site || *Site < 0 || *Site > MaxThreads)
    return std::nullopt;
  Key.Site = static_cast<unsigned>(*Site);
  return Key;
}

std::vector<CallMapping> readCalls(const YamlEntry &Entry, const InstanceNames &Names,
                                   Diagnostics &D) {
  auto ReadInstanceName = [&](const YamlNode &N, std::string_view What,
                              Diagnostics &Diags) -> std::optional<std::string> {
    std::optional<std::string> Name = readIdentifier(N, What, Diags);
    if (Name && !Names.contains(*Name)) {
      reportUnknownInstance(N, What, Names, Diags);
      return std::nullopt;
    }
    return Name;
  };
  std::vector<CallMapping> Result;
  if (!expectMap(*Entry.Value, "calls", D))
    return Result;
  for (const YamlEntry &E : Entry.Value->Entries) {
    std::optional<CallKey> Key = parseCallKey(E.Key.Value);
    if (!Key)
      D.report(DiagID::CallSite, E.Key.Loc, E.Key.Value);
    if (auto Instance = readValue(*E.Value, E.Key.Value, D, ReadInstanceName); Instance && Key)
      Result.push_back({{*Key, E.Key.Loc}, {std::move(*Instance), E.Value->Loc}});
  }
  return Result;
}

void reportDuplicates(std::string_view What, const std::vector<LocatedName> &Names,
                      Diagnostics &D) {
  std::set<std::string_view> Seen;
  for (const LocatedName &N : Names)
    if (!Seen.insert(N.Value).second)
      D.report(DiagID::DuplicateValue, N.Loc, What, N.Value);
}

/// `at_most`, `exactly`, `multiple_of`, and `otherwise`, which comes with any of them.
void readSizes(YamlMap &Map, const std::string &What, const InstanceNames &Names, InstanceMapping &I) {
  Diagnostics &D = Map.diagnostics();
  std::optional<Location> First;
  bool IsForSome = false;
  const auto Read = [&](const std::string &Key, NamedList<int64_t> &Limits) {
    IsForSome |= Map.has(Key);
    Map.readNamed(Key, Limits, integerReader(1, MaxCount), [](std::string_view) { return true; });
    if (!Limits.empty() && !First)
      First = Limits.Entries.front().Name.Loc;
    std::erase_if(Limits.Entries, [&](const auto &E) {
      if (parseExtentName(E.Name.Value))
        return false;
      D.report(DiagID::UnknownValue, E.Name.Loc, Key, E.Name.Value,
               "an extent of an argument, such as O.extent(0)", "");
      return true;
    });
  };
  Read("at_most", I.AtMost);
  Read("exactly", I.Exactly);
  Read("multiple_of", I.MultipleOf);
  bool HasOther = false;
  Map.read("otherwise", I.Otherwise,
           [&](const YamlNode &N, std::string_view Key, Diagnostics &) -> std::optional<std::string> {
             HasOther = true;
             std::optional<std::string> Name = readIdentifier(N, Key, D);
             if (Name && !Names.contains(*Name)) {
               reportUnknownInstance(N, Key, Names, D);
               return std::nullopt;
             }
             return Name;
           });
  if (I.isForSomeSizes() && !HasOther)
    D.report(DiagID::MissingKey, *First, What, "otherwise");
  if (!IsForSome && I.Otherwise)
    D.report(DiagID::MissingKey, I.Otherwise->Loc, What, "at_most");
}

/// `schedule: name` or a list of names.
void readSchedule(YamlMap &Map, InstanceMapping &I) {
  const YamlEntry *E = Map.take("schedule");
  if (!E)
    return;
  Diagnostics &D = Map.diagnostics();
  if (E->Value->isSequence()) {
    if (auto Names = readItems<std::string>(*E->Value, "schedule", D, readString))
      I.Schedule = std::move(*Names);
  } else if (auto Name = readValue(*E->Value, "schedule", D, readString)) {
    I.Schedule.emplace_back(std::move(*Name), E->Value->Loc);
  }
}

} // namespace

void reportUnknownInstance(const YamlNode &N, std::string_view What, const InstanceNames &Names,
                           Diagnostics &D) {
  std::string Suggestion = didYouMean(N.Text, Names.List);
  D.report(DiagID::UnknownInstance, N.Loc, What, N.Text, Suggestion).fix(N.Loc, Suggestion);
}

std::vector<LocatedName> readConstraints(const YamlNode &List, Diagnostics &D) {
  auto Items = readItems<std::string>(List, "constraints", D, readString);
  return Items ? std::move(*Items) : std::vector<LocatedName>();
}

InstanceMapping readInstance(const LocatedName &Name, const YamlNode &Settings, std::string What,
                             const InstanceNames &Names, Diagnostics &D) {
  InstanceMapping I;
  I.Name = Name;
  I.TaskName = Name;
  YamlMap Map(Settings, What, D);
  Map.read("task_name", I.TaskName, readQualifiedName);
  readSizes(Map, What, Names, I);
  Map.read("proc", I.Proc, readIdentifier);
  Map.readNamed("mems", I.Mems, readIdentifier);
  Map.readNamed("tunables", I.Tunables, readExtent);
  if (const YamlEntry *Calls = Map.take("calls"))
    I.Calls = readCalls(*Calls, Names, D);
  Map.readNamed("leaf_task_bindings", I.LeafTaskBindings, readIdentifier, isQualifiedName);
  Map.read("binding", I.Binding, readIdentifier);
  Map.read("pipeline", I.Pipeline, integerReader(1, MaxSmall));
  Map.readList("resident", I.Resident, readIdentifier);
  Map.readList("in_place", I.InPlace, readIdentifier);
  Map.readList("clip", I.Clip, readIdentifier);
  Map.readNamed("layouts", I.Layouts, readLayout);
  Map.read("order", I.Order, readOrder);
  Map.read("parallelize", I.Parallelize, readParallelize);
  Map.read("vectorize", I.Vectorize, readVectorize);
  Map.read("unroll", I.Unroll, readUnroll);
  Map.read("accumulators", I.Accumulators, integerReader(1, MaxAccumulators));
  Map.readNamed("prefetch", I.Prefetch, readPrefetch);
  Map.readNamed("stores", I.Stores, enumReader(StoreSpellings));
  Map.read("persistent", I.Persistent, readBool);
  Map.readList("cluster", I.Cluster, integerReader(1, MaxSmall));
  Map.readList("multicast", I.Multicast, readIdentifier);
  Map.read("warpspecialize", I.Warpspecialize, readWarpSpecialize);
  Map.read("registers", I.Registers, readRegisters);
  readSchedule(Map, I);
  if (const YamlEntry *Constraints = Map.take("constraints"))
    I.Constraints = readConstraints(*Constraints->Value, D);
  Map.finish();
  reportDuplicates("resident", I.Resident, D);
  reportDuplicates("in_place", I.InPlace, D);
  reportDuplicates("clip", I.Clip, D);
  reportDuplicates("multicast", I.Multicast, D);
  return I;
}

} // namespace septran::compiler
