#include "Support/Sarif.h"

#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

#include <sstream>

using namespace septran::compiler;

namespace {

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
