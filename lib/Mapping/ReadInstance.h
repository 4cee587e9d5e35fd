//===- Mapping/ReadInstance.h - One instance of a mapping file --*- C++ -*-===//
//
// Reads the settings of one instance from a tree in which `extends`, `defaults` and `!tune` have
// been resolved already. The function is the list of the keys that an instance accepts. Private to
// lib/Mapping.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MAPPING_READINSTANCE_H
#define SEPTRAN_MAPPING_READINSTANCE_H

#include "Mapping/Mapping.h"
#include "Support/Yaml.h"

#include <unordered_set>

namespace septran::compiler {

/// The instances of a mapping, in order and for look-up.
struct InstanceNames {
  std::vector<std::string> List;
  std::unordered_set<std::string> Set;

  void add(const std::string &Name) {
    List.push_back(Name);
    Set.insert(Name);
  }
  bool contains(const std::string &Name) const { return Set.count(Name) != 0; }
};

/// `What` names the map in messages. Settings that are wrong are reported and left out.
/// `Names` is what `calls` may refer to.
InstanceMapping readInstance(const LocatedName &Name, const YamlNode &Settings, std::string What,
                             const InstanceNames &Names, Diagnostics &D);

/// A list of texts, one expression each.
std::vector<LocatedName> readConstraints(const YamlNode &List, Diagnostics &D);

/// Reports that `What` names an instance that is not listed.
void reportUnknownInstance(const YamlNode &N, std::string_view What, const InstanceNames &Names,
                           Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_READINSTANCE_H
