// Whatever stands in a machine file, reading it ends with a value or with messages.
#include "Machine/ReadMachine.h"
#include "test/unit/Support/BadFiles.h"
#include "test/unit/Support/Mutate.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

TEST(MachineMutation, EndsWithAValueOrWithMessages) {
  std::vector<std::string> Seeds;
  for (const char *Folder : {"/test/Machine/Inputs", "/mappings/machines"})
    for (const std::string &File : yamlFiles(std::string(SEPTRAN_SOURCE_DIR) + Folder))
      Seeds.push_back(readWholeFile(File));
  std::mt19937 Random(1);
  for (int Round = 0; Round < 100; ++Round)
    for (const std::string &Seed : Seeds) {
      std::string Text = mutate(Seed, Random);
      Diagnostics D;
      auto M = readMachineText(Text, SEPTRAN_SOURCE_DIR "/mappings/machines/cpu/mutant.yaml", D);
      ASSERT_EQ(M.has_value(), !D.hasErrors()) << Text;
      renderText(D);
    }
}

} // namespace
