//===- Mapping/Mapping.h - What a mapping file says -------------*- C++ -*-===//
//
// The value of a mapping file after `include`, `extends`, `defaults` and `<<` have been applied: a
// list of instances, each with typed settings. Nothing here is checked against tasks or against a
// machine; that is the resolve pass. An empty optional means "not said": the default is the
// business of the pass that needs the setting.
//
// A value written as `!tune` appears here as the value chosen for it, so that every consumer reads
// plain settings; the search space itself is in `Mapping::TunePoints`, addressed by path.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MAPPING_MAPPING_H
#define SEPTRAN_MAPPING_MAPPING_H

#include "Support/Located.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace septran::compiler {

/// The memory name that forbids an argument to exist at all (`mems: {S: NONE}`).
inline constexpr const char *NoMemory = "NONE";

/// An integer, or `full`: the whole extent. Of a block also what lets a team be done soonest, a
/// multiple of Step and Value at most.
struct Extent {
  bool Full = false;
  int64_t Value = 0;
  int64_t Step = 0;    ///< 0: Value is all there is to say
  int64_t PerCore = 1; ///< blocks, at least
  bool isForTeam() const { return Step > 0; }
  friend bool operator==(const Extent &, const Extent &) = default;
};

/// `callee`, or `callee#n` for the n-th call of it in the task's text, counted from 0.
struct CallKey {
  std::string Callee;
  std::optional<unsigned> Site;
  friend bool operator==(const CallKey &, const CallKey &) = default;
};

struct CallMapping {
  Located<CallKey> Key;
  LocatedName Instance;
  friend bool operator==(const CallMapping &, const CallMapping &) = default;
};

/// How an argument lies in its memory.
struct Layout {
  enum class Kind {
    Row,     ///< `row`: last dimension contiguous
    Column,  ///< `column`: first dimension contiguous
    Packed,  ///< `packed`: contiguous in the order in which the leaf walks it
    Panels,  ///< `panels(dim, width)`: slices of `width` along `dim`, each slice contiguous
    Pad,     ///< `pad(n)`: row, with `n` unused elements after each line
    Swizzle, ///< `swizzle(bytes)`: row, lines XOR-permuted with this period
  };
  Kind K = Kind::Row;
  std::vector<int64_t> Ints;
  friend bool operator==(const Layout &, const Layout &) = default;
};

/// In which sequence the iterations of the instance's parallel loop are handed out.
struct Order {
  enum class Kind {
    Row,     ///< `row`: last index fastest
    Column,  ///< `column`: first index fastest
    Grouped, ///< `grouped(n)`: column-wise within groups of `n` rows
    Hilbert, ///< `hilbert`: along a Hilbert curve
    Morton,  ///< `morton`: along a Z curve
  };
  Kind K = Kind::Row;
  int64_t Group = 0; ///< n of `grouped(n)`
  friend bool operator==(const Order &, const Order &) = default;
};

/// `parallelize: false`, `true`, or `{schedule:, chunk:, threads:, collapse:}`.
struct Parallelize {
  enum class Schedule { Static, Dynamic, Guided };
  bool Enabled = true;
  std::optional<Located<Schedule>> Kind;
  std::optional<Located<int64_t>> Chunk;    ///< iterations handed out at once
  std::optional<Located<int64_t>> Threads;  ///< size of the team
  std::optional<Located<int64_t>> Collapse; ///< how many loops, from outside, form the space
  friend bool operator==(const Parallelize &, const Parallelize &) = default;
};

/// `vectorize: false`, a loop's name, a width in elements, or `{loop:, width:}`.
struct Vectorize {
  bool Enabled = true;
  std::optional<LocatedName> Loop;
  std::optional<Located<int64_t>> Width;
  friend bool operator==(const Vectorize &, const Vectorize &) = default;
};

/// `unroll: n` for the innermost loop, or `{loop: n}`; `full` unrolls completely.
struct Unroll {
  std::optional<Located<Extent>> Innermost;
  NamedList<Extent> Loops;
  friend bool operator==(const Unroll &, const Unroll &) = default;
};

/// `prefetch: {x: n}`, or `{x: {loop: n}}` in iterations of that loop of a leaf, or `{x: start}`.
struct PrefetchDistance {
  int64_t Iterations = 0;
  LocatedName Loop; ///< "": the innermost one that moves the access
  bool AtStart = false; ///< all of it, when the instance starts
  friend bool operator==(const PrefetchDistance &, const PrefetchDistance &) = default;
};

/// How a leaf's results reach memory.
enum class StoreKind {
  Cached,    ///< `cached`: by the caches
  Streaming, ///< `streaming`: past them
  BySize,    ///< `by_size`: past them if the whole tensor is larger than the machine says
};

/// `warpspecialize: true`, `false`, or `{producers:, consumers:}` (numbers of warps or warp
/// groups).
struct WarpSpecialize {
  bool Enabled = true;
  std::optional<Located<int64_t>> Producers;
  std::optional<Located<int64_t>> Consumers;
  friend bool operator==(const WarpSpecialize &, const WarpSpecialize &) = default;
};

/// `registers: n` per thread, or `{role: n}`.
struct Registers {
  std::optional<Located<int64_t>> PerThread;
  NamedList<int64_t> PerRole;
  friend bool operator==(const Registers &, const Registers &) = default;
};

/// One node of the mapped task tree.
struct InstanceMapping {
  LocatedName Name;
  /// Task, leaf or variant; the instance's own name (at `Name.Loc`) if the file does not say.
  LocatedName TaskName;
  /// For which extents of arguments, by their spelling `O.extent(3)`, the instance is. The others' launch
  /// goes to the instance `Otherwise`, which is there if any of these is.
  NamedList<int64_t> AtMost, Exactly, MultipleOf;
  std::optional<LocatedName> Otherwise;
  bool isForSomeSizes() const { return !AtMost.empty() || !Exactly.empty() || !MultipleOf.empty(); }
  std::optional<LocatedName> Proc;
  NamedList<std::string> Mems;
  NamedList<Extent> Tunables;
  std::vector<CallMapping> Calls;
  NamedList<std::string> LeafTaskBindings;
  std::optional<LocatedName> Binding;
  std::optional<Located<int64_t>> Pipeline;
  std::vector<LocatedName> Resident;
  std::vector<LocatedName> InPlace; ///< windows that are read in place
  std::vector<LocatedName>
      Clip; ///< and of which no term is computed that a 0 of the fill is a factor of
  NamedList<Layout> Layouts;
  std::optional<Located<compiler::Order>> Order;

  // Structure of CPU code.
  std::optional<Located<compiler::Parallelize>> Parallelize;
  std::optional<Located<compiler::Vectorize>> Vectorize;
  std::optional<Located<compiler::Unroll>> Unroll;
  std::optional<Located<int64_t>> Accumulators;
  NamedList<PrefetchDistance> Prefetch; ///< by argument
  NamedList<StoreKind> Stores;

  // Structure of GPU code.
  std::optional<Located<bool>> Persistent;
  std::vector<Located<int64_t>> Cluster;
  std::vector<LocatedName> Multicast;
  std::optional<Located<WarpSpecialize>> Warpspecialize;
  std::optional<Located<compiler::Registers>> Registers;
  std::vector<LocatedName> Schedule;

  /// Integer expressions over this instance's tunables that every chosen set of values must meet.
  std::vector<LocatedName> Constraints;

  /// The instance for a call: the entry of this very call site, else that of the callee, else null.
  const CallMapping *findCall(std::string_view Callee, unsigned Site) const;

  friend bool operator==(const InstanceMapping &, const InstanceMapping &) = default;
};

/// A value that the tuner may change.
struct TunePoint {
  enum class Kind {
    Choice, ///< `values`
    Range,  ///< `min`, `max`, `step`
    Pow2,   ///< powers of two from `min` to `max`
    Bool,   ///< false, true
  };
  /// Keys from the top of the file, joined by dots: `gemm_host.tunables.tile_m`. The key
  /// `task_mappings` is left out; a position in a list is its number.
  std::string Path;
  Location Loc;
  Kind K = Kind::Choice;
  std::vector<LocatedName> Values; ///< Choice: the alternatives as written
  int64_t Min = 0, Max = 0, Step = 1;
  std::optional<LocatedName> Default;
  /// What the settings of the instance contain: an override, else `Default`, else the first value.
  std::string Chosen;

  /// Every value the tuner may try, in order.
  std::vector<std::string> candidates() const;

  friend bool operator==(const TunePoint &A, const TunePoint &B) {
    return A.Path == B.Path && A.K == B.K && A.Values == B.Values && A.Min == B.Min &&
           A.Max == B.Max && A.Step == B.Step && A.Default == B.Default && A.Chosen == B.Chosen;
  }
};

struct Mapping {
  /// The file itself, for messages about something that is missing.
  Location Loc;
  std::optional<LocatedName> Machine; ///< name or path
  LocatedName Entrypoint;
  std::vector<InstanceMapping> Instances;
  /// The user allows results that differ from run to run (for example atomics in another order).
  Located<bool> Nondeterministic;
  std::vector<LocatedName> Constraints;
  std::vector<TunePoint> TunePoints; ///< sorted by path

  const InstanceMapping *find(std::string_view Instance) const;
  const TunePoint *findTunePoint(std::string_view Path) const;
  std::vector<std::string> instanceNames() const;

  friend bool operator==(const Mapping &A, const Mapping &B) {
    return A.Machine == B.Machine && A.Entrypoint == B.Entrypoint && A.Instances == B.Instances &&
           A.Nondeterministic == B.Nondeterministic && A.Constraints == B.Constraints &&
           A.TunePoints == B.TunePoints;
  }
};

/// The argument and the dimension of `O.extent(3)`; nothing for other texts.
std::optional<std::pair<std::string, unsigned>> parseExtentName(std::string_view Text);

// The spelling of each enumerator in a mapping file.
std::string toString(const Extent &E);
std::string toString(const CallKey &K);
std::string toString(const Layout &L);
std::string toString(const Order &O);
std::string toString(Parallelize::Schedule S);
std::string toString(StoreKind K);

/// The effective mapping as YAML. Reading the text again gives an equal value.
std::string printMapping(const Mapping &M);

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_MAPPING_H
