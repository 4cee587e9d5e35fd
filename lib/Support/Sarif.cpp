//===- Support/Sarif.cpp ---------------------------------------*- C++ -*-===//
#include "Support/Sarif.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_os_ostream.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

namespace septran::compiler {

namespace {

namespace json = llvm::json;

/// JSON is UTF-8; names of files need not be.
std::string clean(llvm::StringRef Text) { return json::fixUTF8(Text); }

json::Object message(std::string_view Text) { return json::Object{{"text", clean(Text)}}; }

/// A relative reference, or a file: URI, with the characters escaped that RFC 3986 reserves.
std::string uriOf(const std::string &Path) {
  std::string Uri = std::filesystem::path(Path).is_absolute() ? "file://" : "";
  for (char C : Path) {
    if (llvm::isAlnum(C) || llvm::StringRef("/-._~").contains(C))
      Uri += C;
    else
      Uri += llvm::formatv("%{0:X-2}", static_cast<unsigned>(static_cast<unsigned char>(C))).str();
  }
  return Uri;
}

/// Our columns count bytes; SARIF has no name for those. They are counted again, in the files, as
/// UTF-16 code units. Of a file that cannot be read, or is not UTF-8, they stay as they are.
class Utf16Columns {
  std::map<std::string, std::vector<std::string>> Files;

  const std::vector<std::string> &linesOf(const std::string &Path) {
    auto [It, New] = Files.try_emplace(Path);
    if (New) {
      std::ifstream In(Path);
      for (std::string Line; std::getline(In, Line);)
        It->second.push_back(std::move(Line));
    }
    return It->second;
  }

public:
  unsigned column(const std::string &Path, unsigned Line, unsigned Column) {
    const std::vector<std::string> &Lines = linesOf(Path);
    if (Line == 0 || Line > Lines.size() || Column == 0)
      return Column;
    std::string_view Before = std::string_view(Lines[Line - 1]).substr(0, Column - 1);
    if (!json::isUTF8(llvm::StringRef(Before.data(), Before.size())))
      return Column;
    unsigned Units = Column;
    for (unsigned char C : Before) {
      if ((C & 0xC0) == 0x80)
        --Units; // no character begins here
      if (C >= 0xF0)
        ++Units; // two units
    }
    return Units;
  }
};

json::Object region(const Location &Loc, Utf16Columns &Columns) {
  json::Object R{{"startLine", Loc.Line},
                 {"startColumn", Columns.column(Loc.File, Loc.Line, Loc.Column)}};
  if (Loc.hasRange()) {
    R["endLine"] = Loc.EndLine;
    R["endColumn"] = Columns.column(Loc.File, Loc.EndLine, Loc.EndColumn);
  }
  return R;
}

json::Object physicalLocation(const Location &Loc, Utf16Columns &Columns) {
  json::Object P{{"artifactLocation", json::Object{{"uri", uriOf(Loc.File)}}}};
  if (Loc.isValid())
    P["region"] = region(Loc, Columns);
  return P;
}

json::Object location(const Location &Loc, Utf16Columns &Columns) {
  return json::Object{{"physicalLocation", physicalLocation(Loc, Columns)}};
}

json::Object fix(const FixIt &Fix, Utf16Columns &Columns) {
  json::Object Replacement{{"deletedRegion", region(Fix.Range, Columns)},
                           {"insertedContent", message(Fix.Text)}};
  json::Object Change{{"artifactLocation", json::Object{{"uri", uriOf(Fix.Range.File)}}},
                      {"replacements", json::Array{std::move(Replacement)}}};
  return json::Object{{"artifactChanges", json::Array{std::move(Change)}}};
}

json::Object result(const Diagnostic &Diag, size_t RuleIndex, Utf16Columns &Columns) {
  DiagLevel Level = levelOf(Diag.ID);
  json::Object R{{"ruleId", "septran-" + nameOf(Diag.ID)},
                 {"ruleIndex", static_cast<int64_t>(RuleIndex)},
                 {"level", Level == DiagLevel::Remark ? "note" : std::string(spell(Level))},
                 {"message", message(formatMessage(Diag.ID, Diag.Args))}};
  if (!Diag.Loc.File.empty())
    R["locations"] = json::Array{location(Diag.Loc, Columns)};
  json::Array Related;
  for (const Note &N : Diag.Notes) {
    json::Object Place = N.Loc.File.empty() ? json::Object{} : location(N.Loc, Columns);
    Place["message"] = message(formatMessage(N.ID, N.Args));
    Related.push_back(std::move(Place));
  }
  if (!Related.empty())
    R["relatedLocations"] = std::move(Related);
  if (Diag.Fix && Diag.Fix->Range.isValid())
    R["fixes"] = json::Array{fix(*Diag.Fix, Columns)};
  return R;
}

} // namespace

void writeSarif(const Diagnostics &D, std::ostream &OS, std::string_view ToolName,
                std::string_view ToolVersion) {
  json::Array Rules, Results;
  std::map<DiagID, size_t> RuleIndex;
  Utf16Columns Columns;
  for (const Diagnostic &Diag : D) {
    auto [It, New] = RuleIndex.try_emplace(Diag.ID, Rules.size());
    if (New)
      Rules.push_back(json::Object{{"id", "septran-" + nameOf(Diag.ID)},
                                   {"shortDescription", message(formatOf(Diag.ID))}});
    Results.push_back(result(Diag, It->second, Columns));
  }
  json::Object Driver{
      {"name", clean(ToolName)}, {"version", clean(ToolVersion)}, {"rules", std::move(Rules)}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}},
                   {"columnKind", "utf16CodeUnits"},
                   {"results", std::move(Results)}};
  json::Object Document{{"$schema",
                         "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                         "sarif-schema-2.1.0.json"},
                        {"version", "2.1.0"},
                        {"runs", json::Array{std::move(Run)}}};
  llvm::raw_os_ostream Out(OS);
  Out << llvm::formatv("{0:2}\n", json::Value(std::move(Document)));
}

} // namespace septran::compiler
