//===- Support/YamlCompose.cpp ---------------------------------*- C++ -*-===//
#include "Support/YamlCompose.h"
#include "Support/InputFile.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

namespace septran::compiler {

namespace {

namespace fs = std::filesystem;

void measure(YamlNode &N) {
  N.Count = 1;
  N.Height = 1;
  for (const YamlEntry &E : N.Entries) {
    N.Count += E.Value->Count;
    N.Height = std::max(N.Height, E.Value->Height + 1);
  }
  for (const YamlPtr &Item : N.Items) {
    N.Count += Item->Count;
    N.Height = std::max(N.Height, Item->Height + 1);
  }
}

bool isPlainMap(const YamlNode &N) { return N.isMap() && N.Tag.empty(); }

/// Positions of a map's keys, for merging long maps in linear time.
std::unordered_map<std::string_view, size_t> keyIndex(const YamlNode &N) {
  std::unordered_map<std::string_view, size_t> Index;
  for (size_t I = 0; I < N.Entries.size(); ++I)
    Index.emplace(N.Entries[I].Key.Value, I);
  return Index;
}

YamlPtr without(const YamlPtr &Map, std::initializer_list<std::string_view> Keys) {
  auto Result = std::make_shared<YamlNode>(*Map);
  auto &Entries = Result->Entries;
  Entries.erase(std::remove_if(Entries.begin(), Entries.end(),
                               [&](const YamlEntry &E) {
                                 return std::find(Keys.begin(), Keys.end(), E.Key.Value) !=
                                        Keys.end();
                               }),
                Entries.end());
  measure(*Result);
  return Result;
}

/// Loads a tree of files.
class Loader {
  std::string_view Required;
  Diagnostics &D;
  std::vector<std::string> *Files;
  struct Visit {
    std::string Canonical;
    bool Finished;
  };
  std::vector<Visit> Visits;

public:
  Loader(std::string_view Required, Diagnostics &D, std::vector<std::string> *Files)
      : Required(Required), D(D), Files(Files) {}

  /// Null also if the file was read before.
  YamlPtr file(const std::string &Path, const Location &Use) {
    if (!enter(canonical(Path), Path, Use))
      return nullptr;
    size_t Index = Visits.size() - 1;
    YamlPtr Result;
    if (std::optional<std::string> Text = readInputFile(Path, YamlLimits::FileBytes, Use, D)) {
      if (Files)
        Files->push_back(Path);
      Result = compose(*Text, Path, Use);
    }
    Visits[Index].Finished = true;
    return Result;
  }

  YamlPtr text(std::string_view Text, const std::string &Name) {
    Visits.push_back({canonical(Name), false});
    return compose(Text, Name, {});
  }

private:
  static std::string canonical(const std::string &Path) {
    std::error_code EC;
    fs::path P = fs::weakly_canonical(Path, EC);
    return EC ? Path : P.string();
  }

  bool enter(std::string Canonical, const std::string &Path, const Location &Use) {
    auto Open =
        std::count_if(Visits.begin(), Visits.end(), [](const Visit &V) { return !V.Finished; });
    if (Open >= static_cast<std::ptrdiff_t>(YamlLimits::Depth)) {
      D.report(DiagID::YamlTooDeep, Use, YamlLimits::Depth);
      return false;
    }
    for (const Visit &V : Visits) {
      if (V.Canonical != Canonical)
        continue;
      if (!V.Finished)
        D.report(DiagID::IncludeCycle, Use, Path);
      return false;
    }
    Visits.push_back({std::move(Canonical), false});
    return true;
  }

  YamlPtr compose(std::string_view Text, const std::string &Path, const Location &Use) {
    size_t Before = D.size();
    FileName File(Path);
    unsigned Errors = D.errorCount();
    YamlPtr Root = parseYaml(Text, File, D);
    if (D.size() > Before && Use.isValid())
      D.last().note(DiagID::NoteIncludedFrom, Use);
    if (!Root || Root->isNull()) {
      if (D.errorCount() == Errors)
        D.report(DiagID::YamlEmpty, Location{File}, Required);
      return nullptr;
    }
    if (!isPlainMap(*Root)) {
      D.report(DiagID::WrongType, Root->Loc, "the file", "a map", describe(*Root));
      return nullptr;
    }
    YamlPtr Result = without(Root, {"include", "extends"});
    if (const YamlEntry *Include = Root->find("include"))
      for (const LocatedName &Name : fileNames(*Include, /*Many=*/true))
        if (YamlPtr Other = file(resolve(Path, Name.Value), Name.Loc))
          Result = join(Result, Other);
    if (const YamlEntry *Extends = Root->find("extends"))
      for (const LocatedName &Name : fileNames(*Extends, /*Many=*/false))
        if (YamlPtr Base = file(resolve(Path, Name.Value), Name.Loc))
          Result = overlay(Base, Result);
    return Result;
  }

  static std::string resolve(const std::string &From, const std::string &Name) {
    fs::path P(Name);
    if (P.is_relative())
      P = fs::path(From).parent_path() / P;
    return P.lexically_normal().string();
  }

  std::vector<LocatedName> fileNames(const YamlEntry &Entry, bool Many) {
    std::vector<LocatedName> Names;
    auto Take = [&](const YamlNode &N) {
      if (N.isScalar() && N.Tag.empty() && !N.Text.empty())
        Names.emplace_back(N.Text, N.Loc);
      else
        D.report(DiagID::WrongType, N.Loc, Entry.Key.Value, "a file name", describe(N));
    };
    if (Many && Entry.Value->isSequence())
      for (const YamlPtr &Item : Entry.Value->Items)
        Take(*Item);
    else
      Take(*Entry.Value);
    return Names;
  }

  /// Adds the contents of an included file. `Depth` 0 joins the sections of the file, 1 the entries
  /// of a section, which must be distinct.
  YamlPtr join(const YamlPtr &Into, const YamlPtr &From, unsigned Depth = 0) {
    auto Result = std::make_shared<YamlNode>(*Into);
    auto Index = keyIndex(*Into);
    for (const YamlEntry &E : From->Entries) {
      auto It = Index.find(E.Key.Value);
      if (It == Index.end()) {
        Result->Entries.push_back(E);
        continue;
      }
      YamlEntry &Mine = Result->Entries[It->second];
      if (Depth == 0 && isPlainMap(*Mine.Value) && isPlainMap(*E.Value))
        Mine.Value = join(Mine.Value, E.Value, Depth + 1);
      else if (Depth == 0 && Mine.Value->isSequence() && E.Value->isSequence())
        Mine.Value = append(Mine.Value, E.Value);
      else
        D.report(DiagID::DuplicateKey, Mine.Key.Loc, E.Key.Value)
            .note(DiagID::NotePrevious, E.Key.Loc);
    }
    measure(*Result);
    return Result;
  }

  static YamlPtr append(const YamlPtr &First, const YamlPtr &Second) {
    auto Result = std::make_shared<YamlNode>(*First);
    Result->Items.insert(Result->Items.end(), Second->Items.begin(), Second->Items.end());
    measure(*Result);
    return Result;
  }
};

} // namespace

YamlPtr overlay(const YamlPtr &Base, const YamlPtr &Over) {
  if (!Base)
    return Over;
  if (!isPlainMap(*Base) || !isPlainMap(*Over))
    return Over;
  auto Result = std::make_shared<YamlNode>(*Over);
  Result->Entries = Base->Entries;
  auto Index = keyIndex(*Base);
  for (const YamlEntry &E : Over->Entries) {
    auto It = Index.find(E.Key.Value);
    if (It == Index.end())
      Result->Entries.push_back(E);
    else
      Result->Entries[It->second] = {E.Key, overlay(Base->Entries[It->second].Value, E.Value)};
  }
  measure(*Result);
  return Result;
}

YamlPtr loadYaml(const std::string &Path, std::string_view Required, Diagnostics &D,
                 std::vector<std::string> *Files, const Location &Use) {
  return Loader(Required, D, Files).file(Path, Use);
}

YamlPtr loadYamlText(std::string_view Text, const std::string &Name, std::string_view Required,
                     Diagnostics &D, std::vector<std::string> *Files) {
  return Loader(Required, D, Files).text(Text, Name);
}

} // namespace septran::compiler
