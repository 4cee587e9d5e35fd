// One file per mistake, see unit/Support/BadFiles.h.
#include "Mapping/ReadMapping.h"
#include "test/unit/Support/BadFiles.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

class BadMapping : public testing::TestWithParam<std::string> {};

TEST_P(BadMapping, GivesItsMessages) {
  Diagnostics D;
  EXPECT_FALSE(readMapping(GetParam(), D));
  EXPECT_EQ(expectedPlacesAndIds(GetParam()), placesAndIds(D)) << renderText(D);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadMapping, testing::ValuesIn(yamlFiles(SEPTRAN_SOURCE_DIR "/test/Mapping/Inputs/bad")),
    [](const testing::TestParamInfo<std::string> &Info) { return testName(Info.param); });

} // namespace
