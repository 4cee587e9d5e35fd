#include "Support/Diagnostics.h"

#include <gtest/gtest.h>

#include <set>

using namespace septran::compiler;

namespace {

Location at(unsigned Line, unsigned Column) { return Location::span("f.yaml", Line, Column, 1); }

TEST(Diagnostics, NamesAreKebabCase) {
  EXPECT_EQ(nameOf(DiagID::UnknownKey), "unknown-key");
  EXPECT_EQ(nameOf(DiagID::YamlTooManyNodes), "yaml-too-many-nodes");
}

TEST(Diagnostics, TableFollowsTheWordingRules) {
  std::set<std::string> Names;
  for (DiagID ID : allDiagIDs()) {
    std::string Text(formatOf(ID)), Name = nameOf(ID);
    EXPECT_TRUE(Names.insert(Name).second) << Name;
    ASSERT_FALSE(Text.empty()) << Name;
    EXPECT_FALSE(Text.back() == '.') << Name << ": " << Text;
    // An upper-case word at the start is a name (YAML, OpenMP), a capital alone is a sentence.
    bool Sentence = std::isupper(static_cast<unsigned char>(Text[0])) && Text.size() > 1 &&
                    std::islower(static_cast<unsigned char>(Text[1]));
    EXPECT_FALSE(Sentence) << Name << ": " << Text;
  }
}

TEST(Diagnostics, EveryTextCanBeFormatted) {
  // Asserts inside the formatter find unbalanced braces and modifiers that do not exist.
  for (const char *Arg : {"0", "1"})
    for (DiagID ID : allDiagIDs()) {
      std::string Text = formatMessage(ID, std::vector<std::string>(10, Arg));
      for (const char *Modifier : {"%select", "%plural", "%optional", "%0"})
        EXPECT_EQ(Text.find(Modifier), std::string::npos) << nameOf(ID) << ": " << Text;
    }
}

TEST(Diagnostics, RendersPlaceLevelTextAndId) {
  Diagnostics D;
  D.report(DiagID::DuplicateKey, at(3, 4), "mems").note(DiagID::NotePrevious, at(2, 4));
  D.report(DiagID::CannotRead, Location{}, std::string("x.yaml"),
           std::string_view("is a directory"));
  D.report(DiagID::YamlEmpty, Location{"f.yaml"}, "machine");
  EXPECT_EQ(
      renderText(D),
      "f.yaml:3:4: error: duplicate key 'mems' [septran-duplicate-key]\n"
      "f.yaml:2:4: note: first written here\n"
      "error: cannot read 'x.yaml': is a directory [septran-cannot-read]\n"
      "f.yaml: error: file is empty; expected a map with key 'machine' [septran-yaml-empty]\n");
  EXPECT_TRUE(D.hasErrors());
  EXPECT_EQ(D.errorCount(), 3u);
}

TEST(Diagnostics, OptionalTextNeedsItsArgument) {
  EXPECT_EQ(formatMessage(DiagID::UnknownKey, {"a", "the mapping", ""}),
            "unknown key 'a' in the mapping");
  EXPECT_EQ(formatMessage(DiagID::UnknownKey, {"a", "the mapping", "b"}),
            "unknown key 'a' in the mapping; did you mean 'b'?");
}

TEST(Diagnostics, PercentSignsAndBracesInArgumentsAreText) {
  EXPECT_EQ(formatMessage(DiagID::DuplicateKey, {"%0 {|} %optional{x}0"}),
            "duplicate key '%0 {|} %optional{x}0'");
}

TEST(Diagnostics, KeepsARepeatedMessageOnce) {
  Diagnostics D;
  for (int I = 0; I < 3; ++I)
    D.report(DiagID::DuplicateKey, at(1, 1), "a").note(DiagID::NotePrevious, at(2, 2));
  D.report(DiagID::DuplicateKey, at(1, 1), "b");
  EXPECT_EQ(D.size(), 2u);
  EXPECT_EQ(D.begin()->Notes.size(), 1u);
}

TEST(Diagnostics, CountsARepeatedErrorEachTime) {
  Diagnostics D;
  for (unsigned Count = 1; Count <= 3; ++Count) {
    D.report(DiagID::DuplicateKey, at(1, 1), "a");
    EXPECT_EQ(D.errorCount(), Count);
  }
}

TEST(Diagnostics, SortsByPlaceFilesInOrderOfAppearance) {
  Diagnostics D;
  D.report(DiagID::DuplicateKey, Location::span("z.yaml", 9, 1, 1), "first");
  D.report(DiagID::DuplicateKey, at(2, 5), "b");
  D.report(DiagID::DuplicateKey, Location::span("z.yaml", 1, 1, 1), "c");
  D.report(DiagID::DuplicateKey, at(2, 1), "d");
  D.sortFrom(1);
  std::string Order;
  for (const Diagnostic &Diag : D)
    Order += Diag.Args[0] + " ";
  EXPECT_EQ(Order, "first c d b ");
}

TEST(Location, ComparesAndPrints) {
  std::ostringstream OS;
  OS << at(3, 4) << ' ' << Location{"g.cpp"};
  EXPECT_EQ(OS.str(), "f.yaml:3:4 g.cpp");
  EXPECT_EQ(at(1, 2), at(1, 2));
  EXPECT_NE(at(1, 2), at(1, 3));
  EXPECT_FALSE(Location{"g.cpp"}.isValid());
}

} // namespace
