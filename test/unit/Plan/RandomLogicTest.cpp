//===- RandomLogicTest.cpp - random tasks under random mappings -----------===//
#include "RandomLogic.h"

namespace septran::compiler {
namespace {

/// What the mapping may ask without being met: its blocks are too large, or have no bound, or are
/// not accessed or reshaped as the layout needs, or the whole extent is taken for a number.
bool isRefusal(const std::string &Report) {
  for (const char *Id : {"[septran-register-extent]", "[septran-memory-capacity]",
                         "[septran-layout-access]", "[septran-layout-reshape]",
                         "[septran-tunable-full]"})
    if (Report.find(Id) != std::string::npos)
      return true;
  return false;
}

std::string tasksOf(TaskGraph G) {
  std::erase_if(G.Functions, [](const FunctionRef &F) { return F->Kind != FunctionKind::Task; });
  return printTaskGraph(G);
}

TEST(RandomLogic, MeansTheSameAfterEveryPass) {
  unsigned Tried = 0, Valid = 0;
  for (auto [Seed, End] = Seeds(600); Seed < End; ++Seed) {
    ++Tried;
    LogicMaker M(Seed);
    TaskGraph G = M.graph();
    std::vector<std::vector<TestArgument>> Inputs = M.inputs();
    std::string Report = difference(G, M.mapping(G, true), Inputs);
    if (isRefusal(Report))
      Report = difference(G, M.mapping(G, false), Inputs);
    if (Report.rfind(PlainProgramFails, 0) == 0 || isRefusal(Report))
      continue;
    ++Valid;
    ASSERT_TRUE(Report.empty() && !HasFailure()) << Report << "seed " << Seed << "\n" << tasksOf(G);
  }
  EXPECT_GE(Valid, Tried / 4);
}

} // namespace
} // namespace septran::compiler
