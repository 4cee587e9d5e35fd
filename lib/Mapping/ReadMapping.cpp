//===- Mapping/ReadMapping.cpp ---------------------------------*- C++ -*-===//
//
// From the least to the most specific, an instance's settings are
//
//   defaults          entries of `defaults` itself
//   by_level          entries for the level that the instance's `proc` names
//   by_task           entries whose pattern (`*` and `?`) matches the instance's task, in order
//   extends           the other instance's own settings, task included
//   the instance's own
//
// Maps are merged key by key, everything else is replaced. Levels are those that the file states:
// an instance that takes its processor from its caller gets no `by_level` entries.
//
//===----------------------------------------------------------------------===//
#include "Mapping/ReadMapping.h"
#include "Mapping/ReadInstance.h"
#include "Mapping/Spellings.h"
#include "Mapping/Tune.h"
#include "Support/DidYouMean.h"
#include "Support/YamlCompose.h"

#include <algorithm>
#include <unordered_map>

namespace septran::compiler {

namespace {

/// Shell-like matching with `*` and `?`, in linear time and space.
bool matches(std::string_view Pattern, std::string_view Text) {
  size_t P = 0, T = 0, Star = std::string_view::npos, Mark = 0;
  while (T < Text.size()) {
    if (P < Pattern.size() && (Pattern[P] == '?' || Pattern[P] == Text[T]) && Pattern[P] != '*') {
      ++P;
      ++T;
    } else if (P < Pattern.size() && Pattern[P] == '*') {
      Star = P++;
      Mark = T;
    } else if (Star != std::string_view::npos) {
      P = Star + 1;
      T = ++Mark;
    } else {
      return false;
    }
  }
  while (P < Pattern.size() && Pattern[P] == '*')
    ++P;
  return P == Pattern.size();
}

YamlPtr emptyMap(const Location &Loc) {
  auto Node = std::make_shared<YamlNode>();
  Node->K = YamlNode::Kind::Map;
  Node->Loc = Loc;
  return Node;
}

YamlPtr withoutKey(const YamlPtr &Map, std::string_view Key) {
  if (!Map->find(Key))
    return Map;
  auto Result = std::make_shared<YamlNode>(*Map);
  std::erase_if(Result->Entries, [&](const YamlEntry &E) { return E.Key.Value == Key; });
  return Result;
}

/// A scalar entry that is written plainly, not tuned; else null.
const YamlNode *plainScalar(const YamlNode &Map, std::string_view Key) {
  const YamlEntry *E = Map.find(Key);
  return E && E->Value->isScalar() && E->Value->Tag.empty() ? E->Value.get() : nullptr;
}

class MappingReader {
  Diagnostics &D;
  const ReadMappingOptions &Options;
  Mapping Result;
  InstanceNames Names;
  std::unordered_map<std::string_view, const YamlEntry *> Instances;

  // The parts of `defaults`.
  YamlPtr General;
  std::vector<YamlEntry> ByLevel;
  std::vector<YamlEntry> ByTask;

  /// Own settings with those of `extends` below them; null while in work. `Chain` counts the
  /// instances that went into them, which bounds the recursion.
  struct ExtendedSettings {
    YamlPtr Settings;
    unsigned Chain = 1;
  };
  std::unordered_map<std::string_view, ExtendedSettings> Extended;
  unsigned Nesting = 0;

public:
  MappingReader(Diagnostics &D, const ReadMappingOptions &Options) : D(D), Options(Options) {}

  Mapping read(const YamlPtr &Root, const Location &File) {
    Result.Loc = File;
    YamlMap Map(*Root, "the mapping", D);
    Map.read("machine", Result.Machine, readString);
    const YamlEntry *Entrypoint = Map.require("entrypoint");
    Map.read("nondeterministic", Result.Nondeterministic, readBool);
    if (const YamlEntry *Constraints = Map.take("constraints"))
      Result.Constraints = readConstraints(*Constraints->Value, D);
    if (const YamlEntry *Tasks = Map.require("task_mappings"))
      collectInstances(*Tasks->Value);
    if (const YamlEntry *Defaults = Map.take("defaults"))
      readDefaults(*Defaults->Value);
    Map.finish();
    if (Entrypoint)
      readEntrypoint(*Entrypoint->Value);
    for (const std::string &Name : Names.List)
      readOne(*Instances.at(Name));
    // By path, so that the order of keys in the file is not part of the value.
    std::sort(Result.TunePoints.begin(), Result.TunePoints.end(),
              [](const TunePoint &A, const TunePoint &B) { return A.Path < B.Path; });
    checkChoices();
    return std::move(Result);
  }

private:
  void collectInstances(const YamlNode &Tasks) {
    if (!expectMap(Tasks, "task_mappings", D))
      return;
    for (const YamlEntry &E : Tasks.Entries) {
      if (!isIdentifier(E.Key.Value)) {
        D.report(DiagID::NotIdentifier, E.Key.Loc, "task_mappings", E.Key.Value);
        continue;
      }
      if (!expectMap(*E.Value, E.Key.Value, D))
        continue;
      Names.add(E.Key.Value);
      Instances.emplace(E.Key.Value, &E);
    }
  }

  void readEntrypoint(const YamlNode &N) {
    std::optional<std::string> Name = readValue(N, "entrypoint", D, readIdentifier);
    if (!Name)
      return;
    Result.Entrypoint = LocatedName(*Name, N.Loc);
    if (!Instances.count(*Name))
      reportUnknownInstance(N, "entrypoint", Names, D);
  }

  void readDefaults(const YamlNode &N) {
    if (!expectMap(N, "defaults", D))
      return;
    auto Base = std::make_shared<YamlNode>(N);
    Base->Entries.clear();
    for (const YamlEntry &E : N.Entries) {
      if (E.Key.Value == "by_level")
        ByLevel = sections(E);
      else if (E.Key.Value == "by_task")
        ByTask = sections(E);
      else
        Base->Entries.push_back(E);
    }
    checkDefaults(Base, "defaults", N.Loc);
    General = withoutIdentity(Base);
  }

  std::vector<YamlEntry> sections(const YamlEntry &Section) {
    std::vector<YamlEntry> Entries;
    if (!expectMap(*Section.Value, Section.Key.Value, D))
      return Entries;
    for (const YamlEntry &E : Section.Value->Entries) {
      if (!expectMap(*E.Value, E.Key.Value, D))
        continue;
      checkDefaults(E.Value, "defaults for '" + E.Key.Value + "'", E.Key.Loc);
      Entries.push_back({E.Key, withoutIdentity(E.Value)});
    }
    return Entries;
  }

  /// What says which instance this is cannot be a default.
  static YamlPtr withoutIdentity(const YamlPtr &Settings) {
    return withoutKey(withoutKey(Settings, "task_name"), "extends");
  }

  /// Defaults are checked even if they apply to no instance.
  void checkDefaults(const YamlPtr &Settings, const std::string &What, const Location &Loc) {
    for (std::string_view Key : {"task_name", "extends"})
      if (const YamlEntry *E = Settings->find(Key))
        D.report(DiagID::UnknownKey, E->Key.Loc, Key, What, "");
    std::vector<TunePoint> Ignored;
    YamlPtr Chosen = chooseTuned(withoutIdentity(Settings), "", {}, Ignored, D);
    readInstance(LocatedName("defaults", Loc), *Chosen, What, Names, D);
  }

  /// Own settings of an instance over those of the instances that it extends.
  ExtendedSettings extended(const YamlEntry &Instance) {
    auto [It, New] = Extended.try_emplace(Instance.Key.Value);
    if (!New)
      return It->second;
    ExtendedSettings Result{withoutKey(Instance.Value, "extends"), 1};
    if (const YamlEntry *Extends = Instance.Value->find("extends")) {
      ++Nesting;
      ExtendedSettings Base = baseOf(Instance, *Extends->Value);
      --Nesting;
      if (Base.Settings)
        Result = {overlay(Base.Settings, Result.Settings), Base.Chain + 1};
    }
    // Another insertion may have moved the element.
    Extended[Instance.Key.Value] = Result;
    return Result;
  }

  ExtendedSettings baseOf(const YamlEntry &Instance, const YamlNode &Extends) {
    std::optional<std::string> Name = readValue(Extends, "extends", D, readIdentifier);
    if (!Name)
      return {};
    auto It = Instances.find(*Name);
    if (It == Instances.end()) {
      reportUnknownInstance(Extends, "extends", Names, D);
      return {};
    }
    ExtendedSettings Base;
    if (Nesting < YamlLimits::Depth)
      Base = extended(*It->second);
    if (Nesting >= YamlLimits::Depth || Base.Chain >= YamlLimits::Depth) {
      D.report(DiagID::YamlTooDeep, Extends.Loc, YamlLimits::Depth);
      return {};
    }
    if (!Base.Settings) { // still in work further up
      D.report(DiagID::ExtendsCycle, Extends.Loc, Instance.Key.Value);
      return {};
    }
    if (Base.Settings->find("task_name"))
      return Base;
    // The base's task is the one of its own name; say so for those who inherit it.
    auto Task = std::make_shared<YamlNode>();
    Task->K = YamlNode::Kind::Scalar;
    Task->Text = It->second->Key.Value;
    Task->Loc = It->second->Key.Loc;
    auto Named = std::make_shared<YamlNode>(*Base.Settings);
    Named->Entries.push_back({{"task_name", Task->Loc}, Task});
    return {Named, Base.Chain};
  }

  YamlPtr withDefaults(const YamlEntry &Instance, const YamlPtr &Own) {
    YamlPtr Base = General ? General : emptyMap(Instance.Key.Loc);
    const YamlNode *TaskName = plainScalar(*Own, "task_name");
    const std::string &Task = TaskName ? TaskName->Text : Instance.Key.Value;
    YamlPtr ForTask = emptyMap(Instance.Key.Loc);
    for (const YamlEntry &E : ByTask)
      if (matches(E.Key.Value, Task))
        ForTask = overlay(ForTask, E.Value);
    if (!ByLevel.empty()) {
      const YamlNode *Proc = plainScalar(*Own, "proc");
      if (!Proc)
        Proc = plainScalar(*ForTask, "proc");
      if (!Proc)
        Proc = plainScalar(*Base, "proc");
      for (const YamlEntry &E : ByLevel)
        if (Proc && E.Key.Value == Proc->Text)
          Base = overlay(Base, E.Value);
    }
    return overlay(overlay(Base, ForTask), Own);
  }

  void readOne(const YamlEntry &Instance) {
    const std::string &Name = Instance.Key.Value;
    YamlPtr Settings = withDefaults(Instance, extended(Instance).Settings);
    Settings = chooseTuned(Settings, Name, Options.Choices, Result.TunePoints, D);
    Result.Instances.push_back(
        readInstance(Instance.Key, *Settings, "instance '" + Name + "'", Names, D));
  }

  void checkChoices() {
    std::vector<std::string> Paths;
    for (const TunePoint &T : Result.TunePoints)
      Paths.push_back(T.Path);
    for (const auto &[Path, Value] : Options.Choices)
      if (!Result.findTunePoint(Path))
        D.report(DiagID::UnknownTunePoint, Result.Loc, Path, didYouMean(Path, Paths));
  }
};

/// What was in `D` before reading began.
struct Before {
  size_t Size;
  unsigned Errors;
  explicit Before(const Diagnostics &D) : Size(D.size()), Errors(D.errorCount()) {}
};

std::optional<Mapping> finish(const YamlPtr &Root, const std::string &Name, Before Start,
                              Diagnostics &D, const ReadMappingOptions &Options) {
  std::optional<Mapping> M;
  if (Root)
    M = MappingReader(D, Options).read(Root, Location{FileName(Name)});
  D.sortFrom(Start.Size);
  if (D.errorCount() != Start.Errors)
    M.reset();
  return M;
}

} // namespace

std::optional<Mapping> readMapping(const std::string &Path, Diagnostics &D,
                                   const ReadMappingOptions &Options) {
  Before Start(D);
  YamlPtr Root = loadYaml(Path, "entrypoint", D, Options.Files);
  return finish(Root, Path, Start, D, Options);
}

std::optional<Mapping> readMappingText(std::string_view Text, const std::string &Name,
                                       Diagnostics &D, const ReadMappingOptions &Options) {
  Before Start(D);
  YamlPtr Root = loadYamlText(Text, Name, "entrypoint", D, Options.Files);
  return finish(Root, Name, Start, D, Options);
}

} // namespace septran::compiler
