//===- Support/Yaml.h - YAML text to a tree of located values ---*- C++ -*-===//
//
// YAML as data, strictly: yaml-cpp accepts duplicate keys, leaves `<<` alone, reads only the first
// of several documents, and throws. Here the first is an error, `<<` is applied, a second document
// is an error, and no exception leaves. Aliases are resolved by sharing, so the tree is acyclic;
// its size and depth are capped counting every use of an alias, so that walking it is always cheap.
//
// Trees are immutable: later steps (overlaying files, choosing tuned values) build new nodes around
// shared old ones.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_YAML_H
#define SEPTRAN_SUPPORT_YAML_H

#include "Support/Diagnostics.h"
#include "Support/Located.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

struct YamlNode;
using YamlPtr = std::shared_ptr<const YamlNode>;

struct YamlEntry {
  LocatedName Key;
  YamlPtr Value;
};

struct YamlNode {
  enum class Kind { Null, Scalar, Sequence, Map };
  Kind K = Kind::Null;
  /// A scalar's text; the first byte of its content for a block scalar (`|`); the tag, if there is
  /// one; the first byte of a map or sequence; the key, for a value that is not there.
  Location Loc;
  std::string Tag;     ///< explicit tag such as `!tune`; else empty
  bool Quoted = false; ///< a scalar in quotes or a block scalar is a string, whatever it looks like
  std::string Text;    ///< of a scalar
  std::vector<YamlPtr> Items;
  std::vector<YamlEntry> Entries;
  /// Where an alias brought this value in; the value itself stands at `Loc`.
  Location AliasUse;
  /// Further values that a tuner may put in the place of this one; all must be acceptable.
  std::vector<YamlPtr> Alternatives;

  /// Nodes in the tree below and including this one, and its height, counting aliases as copies.
  size_t Count = 1;
  unsigned Height = 1;

  bool isNull() const { return K == Kind::Null; }
  bool isScalar() const { return K == Kind::Scalar; }
  bool isSequence() const { return K == Kind::Sequence; }
  bool isMap() const { return K == Kind::Map; }

  /// The entry of a map, or null.
  const YamlEntry *find(std::string_view Key) const;
};

/// "a list", "a map", "nothing", or the scalar in quotes: for "expects ..., found ...".
std::string describe(const YamlNode &N);

struct YamlLimits {
  static constexpr size_t FileBytes = 16u << 20;
  static constexpr unsigned Depth = 64;
  static constexpr size_t Nodes = 1000000;
};

/// The tree of the one document in `Text`. Null after a syntax error or for an empty document;
/// other mistakes are reported and the tree is returned.
YamlPtr parseYaml(std::string_view Text, const FileName &File, Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_YAML_H
