// What printMapping prints reads back to the same value.
#include "Mapping/ReadMapping.h"
#include "test/unit/Support/BadFiles.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

std::vector<std::string> goodFiles() {
  std::vector<std::string> Files = yamlFiles(SEPTRAN_SOURCE_DIR "/mappings/samples");
  Files.push_back(SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/good/every-key.yaml");
  return Files;
}

class PrintMapping : public testing::TestWithParam<std::string> {};

TEST_P(PrintMapping, ReadsBackToTheSameValue) {
  Diagnostics D;
  auto M = readMapping(GetParam(), D);
  ASSERT_TRUE(M) << renderText(D);
  std::string Text = printMapping(*M);
  auto Again = readMappingText(Text, "printed.yaml", D);
  ASSERT_TRUE(Again) << renderText(D) << Text;
  EXPECT_TRUE(*M == *Again) << Text;
  EXPECT_EQ(Text, printMapping(*Again));
}

INSTANTIATE_TEST_SUITE_P(Files, PrintMapping, testing::ValuesIn(goodFiles()),
                         [](const testing::TestParamInfo<std::string> &Info) {
                           return testName(Info.param);
                         });

TEST(PrintMapping, QuotesWhatYamlWouldMisread) {
  Diagnostics D;
  auto M = readMappingText("entrypoint: \"true\"\n"
                           "machine: \"a: b # \\\"c\\\"\"\n"
                           "constraints: ['x % 2 == 0', '-']\n"
                           "task_mappings: {\"true\": {mems: {\"null\": \"no\"}}}\n",
                           "map.yaml", D);
  ASSERT_TRUE(M) << renderText(D);
  auto Again = readMappingText(printMapping(*M), "printed.yaml", D);
  ASSERT_TRUE(Again) << renderText(D) << printMapping(*M);
  EXPECT_TRUE(*M == *Again) << printMapping(*M);
}

TEST(PrintMapping, AChosenValueBecomesTheDefault) {
  Diagnostics D;
  ReadMappingOptions Options;
  Options.Choices["a.pipeline"] = "3";
  auto M = readMappingText("entrypoint: a\ntask_mappings: {a: {pipeline: !tune [2, 3]}}\n",
                           "map.yaml", D, Options);
  ASSERT_TRUE(M) << renderText(D);
  EXPECT_EQ(printMapping(*M), "entrypoint: a\n"
                              "task_mappings:\n"
                              "  a:\n"
                              "    task_name: a\n"
                              "    pipeline: !tune {type: choice, values: [2, 3], default: 3}\n");
}

} // namespace
