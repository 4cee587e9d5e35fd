// One file per mistake, see unit/Support/BadFiles.h.
#include "Machine/ReadMachine.h"
#include "test/unit/Support/BadFiles.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

class BadMachine : public testing::TestWithParam<std::string> {};

TEST_P(BadMachine, GivesItsMessages) {
  Diagnostics D;
  EXPECT_FALSE(readMachine(GetParam(), {}, D));
  EXPECT_EQ(expectedPlacesAndIds(GetParam()), placesAndIds(D)) << renderText(D);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadMachine, testing::ValuesIn(yamlFiles(SEPTRAN_SOURCE_DIR "/test/Machine/Inputs/bad")),
    [](const testing::TestParamInfo<std::string> &Info) { return testName(Info.param); });

} // namespace
