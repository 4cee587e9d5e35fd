//===- Support/Sarif.cpp ---------------------------------------*- C++ -*-===//
#include "Support/Sarif.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_os_ostream.h>

#include <filesystem>
#include <map>

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

json::Object region(const Location &Loc) {
  json::Object R{{"startLine", Loc.Line}, {"startColumn", Loc.Column}};
  if (Loc.hasRange()) {
    R["endLine"] = Loc.EndLine;
    R["endColumn"] = Loc.EndColumn;
  }
  return R;
}

json::Object physicalLocation(const Location &Loc) {
  json::Object P{{"artifactLocation", json::Object{{"uri", uriOf(Loc.File)}}}};
  if (Loc.isValid())
    P["region"] = region(Loc);
  return P;
}

json::Object location(const Location &Loc) {
  return json::Object{{"physicalLocation", physicalLocation(Loc)}};
}

json::Object fix(const FixIt &Fix) {
  json::Object Replacement{{"deletedRegion", region(Fix.Range)},
                           {"insertedContent", message(Fix.Text)}};
  json::Object Change{{"artifactLocation", json::Object{{"uri", uriOf(Fix.Range.File)}}},
                      {"replacements", json::Array{std::move(Replacement)}}};
  return json::Object{{"artifactChanges", json::Array{std::move(Change)}}};
}

json::Object result(const Diagnostic &Diag, size_t RuleIndex) {
  DiagLevel Level = levelOf(Diag.ID);
  json::Object R{{"ruleId", "septran-" + nameOf(Diag.ID)},
                 {"ruleIndex", static_cast<int64_t>(RuleIndex)},
                 {"level", Level == DiagLevel::Remark ? "note" : std::string(spell(Level))},
                 {"message", message(formatMessage(Diag.ID, Diag.Args))}};
  if (!Diag.Loc.File.empty())
    R["locations"] = json::Array{location(Diag.Loc)};
  json::Array Related;
  for (const Note &N : Diag.Notes) {
    json::Object Place = N.Loc.File.empty() ? json::Object{} : location(N.Loc);
    Place["message"] = message(formatMessage(N.ID, N.Args));
    Related.push_back(std::move(Place));
  }
  if (!Related.empty())
    R["relatedLocations"] = std::move(Related);
  if (Diag.Fix && Diag.Fix->Range.isValid())
    R["fixes"] = json::Array{fix(*Diag.Fix)};
  return R;
}

} // namespace

void writeSarif(const Diagnostics &D, std::ostream &OS, std::string_view ToolName,
                std::string_view ToolVersion) {
  json::Array Rules, Results;
  std::map<DiagID, size_t> RuleIndex;
  for (const Diagnostic &Diag : D) {
    auto [It, New] = RuleIndex.try_emplace(Diag.ID, Rules.size());
    if (New)
      Rules.push_back(json::Object{{"id", "septran-" + nameOf(Diag.ID)},
                                   {"shortDescription", message(formatOf(Diag.ID))}});
    Results.push_back(result(Diag, It->second));
  }
  json::Object Driver{
      {"name", clean(ToolName)}, {"version", clean(ToolVersion)}, {"rules", std::move(Rules)}};
  // Our columns count bytes; SARIF's own default is UTF-16 units, and it has no name for bytes.
  // They agree wherever a line is ASCII up to the place.
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
