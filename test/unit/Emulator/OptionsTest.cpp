//===- OptionsTest.cpp - SEPTRAN_EMULATOR ---------------------------------===//

#include "Emulated.h"

using namespace septran;

TEST(EmulatorOptions, ReadsWords) {
  const auto o = emulator::parse_options("random:42,race=off,undefined=off,banks,capability=90");
  EXPECT_EQ(o.schedule, emulator::schedule::random);
  EXPECT_EQ(o.seed, 42u);
  EXPECT_FALSE(o.races);
  EXPECT_FALSE(o.undefined);
  EXPECT_TRUE(o.banks);
  EXPECT_EQ(o.capability, 90);
}

TEST(EmulatorOptions, ChecksByDefault) {
  const auto o = emulator::parse_options("");
  EXPECT_EQ(o.schedule, emulator::schedule::lazy);
  EXPECT_TRUE(o.races);
  EXPECT_TRUE(o.undefined);
  EXPECT_FALSE(o.banks);
  EXPECT_EQ(emulator::parse_options("eager").schedule, emulator::schedule::eager);
}

TEST(EmulatorOptions, RefusesOtherWords) {
  for (const char *text : {"lazily", "random", "random:", "random:x1", "random:1x", "eager,",
                           ",eager", "race", "capability=", "banks=1"})
    EXPECT_THROW(emulator::parse_options(text), cuda::error) << text;
}
