#include "Support/Sarif.h"
#include "test/unit/Support/TestFolder.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace septran::compiler;

namespace {

/// Bytes before the place: 1 for a, 2 for the umlaut, 3 for the euro, 4 for the clef, which is two
/// UTF-16 units.
TEST(Sarif, ColumnsCountUtf16CodeUnits) {
  const TestFolder Folder;
  const std::string Path = (Folder.Path / "utf16.yaml").string();
  std::ofstream(Path) << "a: \xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E proq\nbad\xff proq\n";
  Diagnostics D;
  D.report(DiagID::UnknownKey, Location::span(Path, 1, 14, 4), "proq", "x", "");
  D.report(DiagID::UnknownKey, Location::span(Path, 2, 6, 4), "proq", "x", "");
  D.report(DiagID::UnknownKey, Location::span(Path, 7, 6, 4), "proq", "x", "");
  std::ostringstream OS;
  writeSarif(D, OS, "septran-rewrite", "0.1.0");
  auto Document = llvm::json::parse(OS.str());
  ASSERT_TRUE(static_cast<bool>(Document));
  const auto *Run = (*Document->getAsObject()->getArray("runs"))[0].getAsObject();
  EXPECT_EQ(Run->getString("columnKind"), "utf16CodeUnits");
  std::vector<std::pair<int64_t, int64_t>> Columns;
  for (const auto &Result : *Run->getArray("results")) {
    const auto *Region = (*Result.getAsObject()->getArray("locations"))[0]
                             .getAsObject()
                             ->getObject("physicalLocation")
                             ->getObject("region");
    Columns.push_back({*Region->getInteger("startColumn"), *Region->getInteger("endColumn")});
  }
  const std::vector<std::pair<int64_t, int64_t>> Expected = {{9, 13}, {6, 10}, {6, 10}};
  EXPECT_EQ(Columns, Expected);
}

TEST(Sarif, HoldsRulesPlacesNotesAndFixes) {
  Diagnostics D;
  Location Key = Location::span("dir/a b.yaml", 3, 5, 4);
  D.report(DiagID::UnknownKey, Key, "proq", "instance 'x'", "proc").fix(Key, "proc");
  D.report(DiagID::DuplicateKey, Location::span("/c.yaml", 2, 1, 1), "m")
      .note(DiagID::NotePrevious, Location::span("/c.yaml", 1, 1, 1));
  D.report(DiagID::CannotRead, Location{}, "bad\xff name", "is a directory");
  D.report(DiagID::UnknownKey, Location::span("a", 9, 1, 1), "q", "x", "");

  std::ostringstream OS;
  writeSarif(D, OS, "septran-rewrite", "0.1.0");
  auto Document = llvm::json::parse(OS.str());
  ASSERT_TRUE(static_cast<bool>(Document));
  EXPECT_EQ(Document->getAsObject()->getString("version"), "2.1.0");
  const auto *Run = (*Document->getAsObject()->getArray("runs"))[0].getAsObject();
  const auto *Driver = Run->getObject("tool")->getObject("driver");
  EXPECT_EQ(Driver->getString("name"), "septran-rewrite");
  EXPECT_EQ(Driver->getArray("rules")->size(), 3u);

  const auto *Results = Run->getArray("results");
  ASSERT_EQ(Results->size(), 4u);
  const auto *First = (*Results)[0].getAsObject();
  EXPECT_EQ(First->getString("ruleId"), "septran-unknown-key");
  EXPECT_EQ(First->getString("level"), "error");
  const auto *Place =
      (*First->getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(Place->getObject("artifactLocation")->getString("uri"), "dir/a%20b.yaml");
  EXPECT_EQ(Place->getObject("region")->getInteger("startLine"), 3);
  EXPECT_EQ(Place->getObject("region")->getInteger("endColumn"), 9);
  EXPECT_TRUE(First->getArray("fixes"));
  EXPECT_EQ((*Results)[1].getAsObject()->getArray("relatedLocations")->size(), 1u);
  EXPECT_FALSE((*Results)[2].getAsObject()->getArray("locations"));
  EXPECT_EQ((*Results)[3].getAsObject()->getInteger("ruleIndex"), 0);
}

} // namespace
