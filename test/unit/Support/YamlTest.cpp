#include "Support/Yaml.h"
#include "Support/YamlCompose.h"
#include "Support/YamlReader.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

std::string messages(std::string_view Text) {
  Diagnostics D;
  parseYaml(Text, "f", D);
  return renderText(D);
}

YamlPtr parse(std::string_view Text) {
  Diagnostics D;
  YamlPtr Root = parseYaml(Text, "f", D);
  EXPECT_EQ(renderText(D), "");
  return Root;
}

Location span(unsigned Line, unsigned Column, unsigned Length) {
  return Location::span("f", Line, Column, Length);
}

TEST(Yaml, LocatesScalarsOfEveryStyle) {
  YamlPtr Root = parse("plain: two words\n"
                       "quoted: \"a\\\"b\"  # comment\n"
                       "single: 'x y'\n"
                       "anchor: &name value\n"
                       "block: |\n"
                       "  first\n"
                       "  second\n"
                       "empty: ~\n"
                       "missing:\n"
                       "last: [1, {k: v}]\n");
  EXPECT_EQ(Root->find("plain")->Value->Loc, span(1, 8, 9));
  EXPECT_EQ(Root->find("quoted")->Value->Loc, span(2, 9, 6));
  EXPECT_TRUE(Root->find("quoted")->Value->Quoted);
  EXPECT_EQ(Root->find("single")->Value->Loc, span(3, 9, 5));
  EXPECT_EQ(Root->find("anchor")->Value->Loc, span(4, 15, 5));
  EXPECT_EQ(Root->find("block")->Value->Loc, span(6, 3, 1));
  EXPECT_EQ(Root->find("block")->Value->Text, "first\nsecond\n");
  EXPECT_EQ(Root->find("empty")->Value->Loc, span(8, 8, 1));
  EXPECT_EQ(Root->find("missing")->Value->Loc, span(9, 1, 7));
  EXPECT_EQ(Root->find("last")->Value->Items[1]->find("k")->Key.Loc, span(10, 12, 1));
}

TEST(Yaml, CountsColumnsInBytesWithAnyLineEnd) {
  YamlPtr Root = parse("\xEF\xBB\xBF"
                       "a: \xC3\xA4, b\r\n"
                       "b:\r\n"
                       "  c: d\r\n");
  EXPECT_EQ(Root->find("a")->Key.Loc, span(1, 4, 1));
  EXPECT_EQ(Root->find("a")->Value->Text, "\xC3\xA4, b");
  EXPECT_EQ(Root->find("b")->Value->find("c")->Value->Loc, span(3, 6, 1));
}

TEST(Yaml, AppliesMergeKeys) {
  YamlPtr Root = parse("x: &x {a: 1, b: 2}\n"
                       "y: &y {b: 3, c: 4}\n"
                       "z: {<<: [*x, *y], a: 9}\n");
  const YamlNode &Z = *Root->find("z")->Value;
  ASSERT_EQ(Z.Entries.size(), 3u);
  EXPECT_EQ(Z.find("a")->Value->Text, "9");
  EXPECT_EQ(Z.find("b")->Value->Text, "2");
  EXPECT_EQ(Z.find("c")->Value->Text, "4");
}

TEST(Yaml, AliasesKnowBothPlaces) {
  YamlPtr Root = parse("a: &x 5\nb: *x\n");
  const YamlNode &B = *Root->find("b")->Value;
  EXPECT_EQ(B.Loc, span(1, 7, 1));
  EXPECT_EQ(B.AliasUse, span(2, 4, 2));
  Diagnostics D;
  EXPECT_FALSE(readBool(B, "b", D));
  EXPECT_EQ(renderText(D), "f:1:7: error: 'b' expects 'true' or 'false', found '5' "
                           "[septran-wrong-type]\n"
                           "f:2:4: note: used here through an alias\n");
}

TEST(Yaml, RejectsWhatIsNotText) {
  EXPECT_EQ(messages(std::string_view("a: b\0c\n", 7)),
            "f:1:5: error: file is not UTF-8 text: byte 0x00 is not accepted here "
            "[septran-yaml-encoding]\n");
  EXPECT_EQ(messages("a: \xC3\x28\n").substr(0, 26), "f:1:4: error: file is not ");
  EXPECT_NE(messages("a: \xED\xA0\x80\n"), "") << "surrogate";
  EXPECT_NE(messages("a: \xC0\xAF\n"), "") << "overlong";
  EXPECT_NE(messages("\xFF\xFE"
                     "a\0"),
            "")
      << "UTF-16";
}

TEST(Yaml, RejectsTabsAsIndentation) {
  EXPECT_NE(messages("a:\n\tb: c\n").find("septran-yaml-syntax"), std::string::npos);
}

TEST(Yaml, CapsSize) {
  EXPECT_EQ(messages(std::string(YamlLimits::FileBytes + 1, ' ')),
            "f: error: file has 16777217 bytes; at most 16777216 bytes are accepted "
            "[septran-yaml-too-large]\n");
}

TEST(Yaml, CapsDepth) {
  std::string Deep = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(messages(Deep), "");
  EXPECT_EQ(messages("[" + Deep + "]"), "f:1:65: error: nesting is deeper than 64 levels "
                                        "[septran-yaml-too-deep]\n");
  EXPECT_NE(messages(std::string(100000, '[')).find("septran-yaml-too-deep"), std::string::npos);
  std::string Chain = "- &a0 [x]\n";
  for (int I = 1; I < 100; ++I)
    Chain += "- &a" + std::to_string(I) + " [*a" + std::to_string(I - 1) + "]\n";
  EXPECT_NE(messages(Chain).find("septran-yaml-too-deep"), std::string::npos);
}

TEST(Yaml, StopsAliasBombs) {
  std::string Bomb = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int I = 1; I < 12; ++I) {
    std::string Use = "*a" + std::to_string(I - 1);
    Bomb += "- &a" + std::to_string(I) + " [" + Use;
    for (int J = 1; J < 10; ++J)
      Bomb += ", " + Use;
    Bomb += "]\n";
  }
  EXPECT_NE(messages(Bomb).find("error: file has more than 1000000 values"), std::string::npos);
}

TEST(Yaml, EmptyTextHasNoTree) {
  Diagnostics D;
  EXPECT_FALSE(parseYaml("", "f", D));
  EXPECT_FALSE(parseYaml("# comment\n", "f", D));
  EXPECT_TRUE(D.empty());
}

TEST(YamlOverlay, MergesMapsAndReplacesTheRest) {
  YamlPtr Base = parse("a: {x: 1, y: [1, 2], t: !tune [1]}\nb: 1\n");
  YamlPtr Over = parse("a: {y: [3], t: !tune [2], z: 4}\nc: 5\n");
  YamlPtr Both = overlay(Base, Over);
  const YamlNode &A = *Both->find("a")->Value;
  EXPECT_EQ(A.find("x")->Value->Text, "1");
  EXPECT_EQ(A.find("y")->Value->Items.size(), 1u);
  EXPECT_EQ(A.find("t")->Value->Items[0]->Text, "2");
  EXPECT_EQ(A.find("z")->Value->Text, "4");
  EXPECT_EQ(Both->Entries.size(), 3u);
}

TEST(YamlReader, ParsesIntegersStrictly) {
  EXPECT_EQ(parseInteger("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parseInteger("-9223372036854775808"), INT64_MIN);
  for (const char *Bad : {"9223372036854775808", "", "-", "01", "+1", "1_000", "0x1", "1.0", " 1"})
    EXPECT_FALSE(parseInteger(Bad)) << Bad;
}

TEST(YamlReader, ParsesWordsWithIntegers) {
  EXPECT_EQ(parseWordWithInts("row")->Word, "row");
  EXPECT_EQ(parseWordWithInts("panels( 1 , 16 )")->Ints, (std::vector<int64_t>{1, 16}));
  for (const char *Bad : {"", "pad(", "pad()", "pad(1", "pad(a)", "pad(1,)", "1(1)", "pad(1) x"})
    EXPECT_FALSE(parseWordWithInts(Bad)) << Bad;
}

TEST(YamlReader, ListsAlternatives) {
  EXPECT_EQ(listAlternatives({}), "no value");
  EXPECT_EQ(listAlternatives({"a"}), "'a'");
  EXPECT_EQ(listAlternatives({"a", "b", "c"}), "'a', 'b' or 'c'");
}

} // namespace
