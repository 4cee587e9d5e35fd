// Whatever stands in a mapping file, reading it ends with a value or with messages.
#include "Mapping/ReadMapping.h"
#include "test/unit/Support/BadFiles.h"
#include "test/unit/Support/Mutate.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

TEST(MappingMutation, EndsWithAValueOrWithMessages) {
  std::string Folder = SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/";
  std::vector<std::string> Seeds;
  for (const std::string &File : yamlFiles(Folder))
    Seeds.push_back(readWholeFile(File));
  std::mt19937 Random(1);
  unsigned Accepted = 0;
  for (int Round = 0; Round < 100; ++Round)
    for (const std::string &Seed : Seeds) {
      std::string Text = mutate(Seed, Random);
      Diagnostics D;
      // The name of a folder that exists, so that included files are found.
      auto M = readMappingText(Text, Folder + "good/mutant.yaml", D);
      ASSERT_EQ(M.has_value(), !D.hasErrors()) << Text;
      renderText(D);
      if (!M)
        continue;
      ++Accepted;
      auto Again = readMappingText(printMapping(*M), "printed.yaml", D);
      ASSERT_TRUE(Again) << Text << "\n---\n" << printMapping(*M) << renderText(D);
      ASSERT_TRUE(*M == *Again) << Text << "\n---\n" << printMapping(*M);
    }
  EXPECT_GT(Accepted, 0u);
}

} // namespace
