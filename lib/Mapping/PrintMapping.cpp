//===- Mapping/PrintMapping.cpp - Mapping to YAML ---------------*- C++ -*-===//
//
// Prints every setting in the order of Mapping.h, in the form that ReadInstance.cpp reads. A value
// that has a tune point is printed as that tune point, found by its path.
//
//===----------------------------------------------------------------------===//
#include "Mapping/Mapping.h"
#include "Mapping/Spellings.h"

#include <unordered_map>

namespace septran::compiler {

namespace {

/// Words that some YAML reader would not take for a text.
bool isReservedWord(std::string_view Text) {
  for (const char *Word :
       {"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
        "yes",  "Yes",  "YES",  "no",   "No",   "NO",   "on",    "On",    "ON",
        "off",  "Off",  "OFF",  "y",    "Y",    "n",    "N"})
    if (Text == Word)
      return true;
  return false;
}

std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '\n')
      Result += "\\n";
    else if (C == '\t')
      Result += "\\t";
    else if (C == '\r')
      Result += "\\r";
    else if (C == '"' || C == '\\')
      (Result += '\\') += C;
    else
      Result += C;
  }
  return Result + "\"";
}

/// Plain if any YAML reader sees a text in it, else in quotes.
std::string text(std::string_view Text) {
  bool Plain = !Text.empty() && !isReservedWord(Text);
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    bool Letter = std::isalpha(static_cast<unsigned char>(C)) || C == '_';
    Plain &= Letter || (I > 0 && (std::isdigit(static_cast<unsigned char>(C)) || C == '/' ||
                                  C == '.' || C == '-'));
  }
  return Plain ? std::string(Text) : quoted(Text);
}

class Printer {
  const Mapping &M;
  std::unordered_map<std::string_view, const TunePoint *> Points;
  std::string Out;

public:
  explicit Printer(const Mapping &M) : M(M) {
    for (const TunePoint &T : M.TunePoints)
      Points.emplace(T.Path, &T);
  }

  std::string print() {
    if (M.Machine)
      Out += "machine: " + text(M.Machine->Value) + "\n";
    Out += "entrypoint: " + text(M.Entrypoint.Value) + "\n";
    if (M.Nondeterministic.Value)
      Out += "nondeterministic: true\n";
    if (!M.Constraints.empty())
      Out += "constraints: " + constraints(M.Constraints, "") + "\n";
    Out += M.Instances.empty() ? "task_mappings: {}\n" : "task_mappings:\n";
    for (const InstanceMapping &I : M.Instances)
      print(I);
    return std::move(Out);
  }

private:
  /// A scalar, or the tune point at its path. `Scalar` is YAML already.
  std::string value(const std::string &Path, const std::string &Scalar) const {
    auto It = Points.find(Path);
    return It == Points.end() ? Scalar : tuned(*It->second);
  }

  bool isTuned(const std::string &Path) const { return Points.count(Path) != 0; }

  /// A word of a tune point: what would be a number or a boolean stays one.
  static std::string candidate(const std::string &Value) {
    return parseInteger(Value) || Value == "true" || Value == "false" ? Value : text(Value);
  }

  static std::string tuned(const TunePoint &T) {
    std::string Result = "!tune {type: " + spell(TuneSpellings, T.K);
    if (T.K == TunePoint::Kind::Choice) {
      Result += ", values: [";
      for (size_t I = 0; I < T.Values.size(); ++I)
        Result += (I ? ", " : "") + candidate(T.Values[I].Value);
      Result += "]";
    } else if (T.K != TunePoint::Kind::Bool) {
      Result += ", min: " + std::to_string(T.Min) + ", max: " + std::to_string(T.Max);
      if (T.K == TunePoint::Kind::Range)
        Result += ", step: " + std::to_string(T.Step);
    }
    if (T.Default)
      Result += ", default: " + candidate(T.Default->Value);
    return Result + "}";
  }

  template <class T, class Spell>
  std::string list(const std::vector<T> &Items, const std::string &Path, Spell Print) const {
    std::string Result = "[";
    for (size_t I = 0; I < Items.size(); ++I)
      Result += (I ? ", " : "") + value(Path + "." + std::to_string(I), Print(Items[I].Value));
    return Result + "]";
  }

  std::string names(const std::vector<LocatedName> &Names, const std::string &Path) const {
    return list(Names, Path, [](const std::string &S) { return text(S); });
  }

  std::string constraints(const std::vector<LocatedName> &List, const std::string &Path) const {
    return list(List, Path, [](const std::string &S) { return quoted(S); });
  }

  template <class T, class Spell>
  std::string map(const NamedList<T> &Entries, const std::string &Path, Spell Print) const {
    std::string Result = "{";
    for (const NamedEntry<T> &E : Entries) {
      const std::string &Key = E.Name.Value;
      Result += (Result.size() > 1 ? ", " : "") + text(Key) + ": " +
                value(Path + "." + Key, Print(E.Value.Value));
    }
    return Result + "}";
  }

  /// The details of a setting, as `{key: value, ...}`; empty entries are left out.
  struct Details {
    const Printer &P;
    const std::string &Path;
    std::string Text;
    template <class T, class Spell>
    Details &add(const char *Key, const std::optional<Located<T>> &Value, Spell Print) {
      if (Value)
        Text += (Text.empty() ? "" : ", ") + std::string(Key) + ": " +
                P.value(Path + "." + Key, Print(Value->Value));
      return *this;
    }
    std::string str(bool Enabled) const {
      if (!Enabled)
        return "false";
      return Text.empty() ? "true" : "{" + Text + "}";
    }
  };

  static std::string integer(int64_t V) { return std::to_string(V); }
  static std::string extent(const Extent &E) { return toString(E); }

  std::string show(const Parallelize &P, const std::string &Path) const {
    return Details{*this, Path, {}}
        .add("schedule", P.Kind, [](Parallelize::Schedule S) { return toString(S); })
        .add("chunk", P.Chunk, integer)
        .add("threads", P.Threads, integer)
        .add("collapse", P.Collapse, integer)
        .str(P.Enabled);
  }

  std::string show(const Vectorize &V, const std::string &Path) const {
    return Details{*this, Path, {}}
        .add("loop", V.Loop, text)
        .add("width", V.Width, integer)
        .str(V.Enabled);
  }

  std::string show(const WarpSpecialize &W, const std::string &Path) const {
    return Details{*this, Path, {}}
        .add("producers", W.Producers, integer)
        .add("consumers", W.Consumers, integer)
        .str(W.Enabled);
  }

  std::string show(const Unroll &U, const std::string &Path) const {
    return U.Innermost ? toString(U.Innermost->Value) : map(U.Loops, Path, extent);
  }

  std::string show(const NamedList<PrefetchDistance> &Arguments, const std::string &Path) const {
    return map(Arguments, Path, [](const PrefetchDistance &P) {
      const std::string Iterations = integer(P.Iterations);
      if (P.AtStart)
        return std::string("start");
      return P.Loop.Value.empty() ? Iterations : "{" + text(P.Loop.Value) + ": " + Iterations + "}";
    });
  }

  std::string show(const Registers &R, const std::string &Path) const {
    return R.PerThread ? integer(R.PerThread->Value) : map(R.PerRole, Path, integer);
  }

  std::string calls(const std::vector<CallMapping> &Calls, const std::string &Path) const {
    std::string Result = "{";
    for (const CallMapping &C : Calls) {
      std::string Key = toString(C.Key.Value);
      Result += (Result.size() > 1 ? ", " : "") + text(Key) + ": " +
                value(Path + "." + Key, text(C.Instance.Value));
    }
    return Result + "}";
  }

  void print(const InstanceMapping &I) {
    Out += "  " + text(I.Name.Value) + ":\n";
    auto Line = [&](const char *Key, bool Present, auto Print) {
      std::string Path = I.Name.Value + "." + Key;
      if (Present)
        Out += "    " + std::string(Key) + ": " + value(Path, Print(Path)) + "\n";
    };
    auto Word = [](std::string_view S) { return text(S); };
    using S = const std::string &;
    Line("task_name", true, [&](S) { return text(I.TaskName.Value); });
    Line("at_most", !I.AtMost.empty(), [&](S P) { return map(I.AtMost, P, integer); });
    Line("exactly", !I.Exactly.empty(), [&](S P) { return map(I.Exactly, P, integer); });
    Line("multiple_of", !I.MultipleOf.empty(), [&](S P) { return map(I.MultipleOf, P, integer); });
    Line("otherwise", I.Otherwise.has_value(), [&](S) { return text(I.Otherwise->Value); });
    Line("proc", I.Proc.has_value(), [&](S) { return text(I.Proc->Value); });
    Line("mems", !I.Mems.empty(), [&](S P) { return map(I.Mems, P, Word); });
    Line("tunables", !I.Tunables.empty(), [&](S P) { return map(I.Tunables, P, extent); });
    Line("calls", !I.Calls.empty(), [&](S P) { return calls(I.Calls, P); });
    Line("leaf_task_bindings", !I.LeafTaskBindings.empty(),
         [&](S P) { return map(I.LeafTaskBindings, P, Word); });
    Line("binding", I.Binding.has_value(), [&](S) { return text(I.Binding->Value); });
    Line("pipeline", I.Pipeline.has_value(), [&](S) { return integer(I.Pipeline->Value); });
    Line("resident", !I.Resident.empty(), [&](S P) { return names(I.Resident, P); });
    Line("in_place", !I.InPlace.empty(), [&](S P) { return names(I.InPlace, P); });
    Line("clip", !I.Clip.empty(), [&](S P) { return names(I.Clip, P); });
    Line("layouts", !I.Layouts.empty(),
         [&](S P) { return map(I.Layouts, P, [](const Layout &L) { return text(toString(L)); }); });
    Line("order", I.Order.has_value(), [&](S) { return text(toString(I.Order->Value)); });
    Line("parallelize", I.Parallelize.has_value(),
         [&](S P) { return show(I.Parallelize->Value, P); });
    Line("vectorize", I.Vectorize.has_value(), [&](S P) { return show(I.Vectorize->Value, P); });
    Line("unroll", I.Unroll.has_value(), [&](S P) { return show(I.Unroll->Value, P); });
    Line("accumulators", I.Accumulators.has_value(),
         [&](S) { return integer(I.Accumulators->Value); });
    Line("prefetch", !I.Prefetch.empty(), [&](S P) { return show(I.Prefetch, P); });
    Line("stores", !I.Stores.empty(),
         [&](S P) { return map(I.Stores, P, [](StoreKind K) { return toString(K); }); });
    Line("persistent", I.Persistent.has_value(),
         [&](S) { return std::string(I.Persistent->Value ? "true" : "false"); });
    Line("cluster", !I.Cluster.empty(), [&](S P) { return list(I.Cluster, P, integer); });
    Line("multicast", !I.Multicast.empty(), [&](S P) { return names(I.Multicast, P); });
    Line("warpspecialize", I.Warpspecialize.has_value(),
         [&](S P) { return show(I.Warpspecialize->Value, P); });
    Line("registers", I.Registers.has_value(), [&](S P) { return show(I.Registers->Value, P); });
    Line("schedule", !I.Schedule.empty(), [&](S P) { return scheduleOf(I, P); });
    Line("constraints", !I.Constraints.empty(), [&](S P) { return constraints(I.Constraints, P); });
  }

  /// A single tuned name has the path of the key itself, and must not become a list.
  std::string scheduleOf(const InstanceMapping &I, const std::string &Path) const {
    return isTuned(Path) ? text(I.Schedule.front().Value) : names(I.Schedule, Path);
  }
};

} // namespace

std::string printMapping(const Mapping &M) { return Printer(M).print(); }

} // namespace septran::compiler
