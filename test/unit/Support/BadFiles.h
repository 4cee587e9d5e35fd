//===- unit/Support/BadFiles.h - Files that say what is wrong with them ----===//
//
// A bad file lists the messages it must give, in order:
//
//   # expect: 6:12 duplicate-key
//
// Place and id of every message have to match, and there must be no others. The same files are
// given to the JSON Schema by test/Mapping/schema.test; `# schema: accepts` marks mistakes that a
// schema cannot see.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_UNIT_SUPPORT_BADFILES_H
#define SEPTRAN_UNIT_SUPPORT_BADFILES_H

#include "Support/Diagnostics.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace septran::compiler {

inline std::string readWholeFile(const std::string &Path) {
  std::ifstream In(Path, std::ios::binary);
  std::ostringstream Text;
  Text << In.rdbuf();
  return Text.str();
}

/// `line:column id`, one per line.
inline std::string placesAndIds(const Diagnostics &D) {
  std::ostringstream OS;
  for (const Diagnostic &Diag : D)
    OS << Diag.Loc.Line << ':' << Diag.Loc.Column << ' ' << nameOf(Diag.ID) << '\n';
  return OS.str();
}

inline std::string expectedPlacesAndIds(const std::string &Path) {
  std::istringstream In(readWholeFile(Path));
  std::string Line, Result;
  const std::string Mark = "# expect: ";
  while (std::getline(In, Line))
    if (Line.compare(0, Mark.size(), Mark) == 0)
      Result += Line.substr(Mark.size()) + '\n';
  return Result;
}

/// The YAML files of a folder and of those below it, sorted.
inline std::vector<std::string> yamlFiles(const std::string &Folder) {
  std::vector<std::string> Files;
  for (const auto &Entry : std::filesystem::recursive_directory_iterator(Folder))
    if (Entry.path().extension() == ".yaml")
      Files.push_back(Entry.path().string());
  std::sort(Files.begin(), Files.end());
  return Files;
}

/// A file's name as part of a test's name.
inline std::string testName(const std::string &Path) {
  std::string Name = std::filesystem::path(Path).stem().string();
  std::replace(Name.begin(), Name.end(), '-', '_');
  return Name;
}

} // namespace septran::compiler

#endif // SEPTRAN_UNIT_SUPPORT_BADFILES_H
