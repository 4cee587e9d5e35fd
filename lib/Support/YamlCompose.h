//===- Support/YamlCompose.h - `include`, `extends`, overlays ---*- C++ -*-===//
//
// Mapping and machine files share one way of building on other files:
//
//   extends: base.yaml         this file overrides the base: maps are merged key by key at every
//                              level, everything else is replaced
//   include: [a.yaml, b.yaml]  adds the contents of other files: sections are joined, and an entry
//                              that two files define is an error
//
// Relative names are looked up in the folder of the file that writes them. A file that is reached
// twice counts once; a file that reaches itself is an error.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_YAMLCOMPOSE_H
#define SEPTRAN_SUPPORT_YAMLCOMPOSE_H

#include "Support/Yaml.h"

namespace septran::compiler {

/// `Over` on top of `Base`. Tagged values and values other than maps replace.
YamlPtr overlay(const YamlPtr &Base, const YamlPtr &Over);

/// The map that a file stands for, without the keys `include` and `extends`; null after an error
/// that leaves nothing to look at. `Required` is a key to name when the file turns out empty.
/// `Files` receives the path of every file opened.
YamlPtr loadYaml(const std::string &Path, std::string_view Required, Diagnostics &D,
                 std::vector<std::string> *Files = nullptr, const Location &Use = {});

/// The same for text in memory, called `Name` in messages.
YamlPtr loadYamlText(std::string_view Text, const std::string &Name, std::string_view Required,
                     Diagnostics &D, std::vector<std::string> *Files = nullptr);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_YAMLCOMPOSE_H
