//===- Mapping/ReadInstance.h - One instance of a mapping file --*- C++ -*-===//
//
// Reads the settings of one instance from a tree in which `extends`, `defaults` and `!tune` have been
// resolved already. The function is the list of the keys that an instance accepts. Private to
// lib/Mapping.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MAPPING_READINSTANCE_H
#define SEPTRAN_MAPPING_READINSTANCE_H

#include "Mapping/Mapping.h"
#include "Support/Yaml.h"

namespace septran::compiler {

/// `What` names the map in messages. Settings that are wrong are reported and left out.
/// `InstanceNames` is what `calls` may refer to.
InstanceMapping readInstance(const LocatedName &Name, const YamlNode &Settings, std::string What,
                             const std::vector<std::string> &InstanceNames, Diagnostics &D);

/// A list of texts, one expression each.
std::vector<LocatedName> readConstraints(const YamlNode &List, Diagnostics &D);

/// Reports that `What` names an instance that is not listed.
void reportUnknownInstance(const YamlNode &N, std::string_view What,
                           const std::vector<std::string> &InstanceNames, Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_READINSTANCE_H
