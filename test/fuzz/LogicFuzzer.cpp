//===- LogicFuzzer.cpp - bodies of a leaf and a task ----------------------===//
//
// The input is the body of a leaf; what follows a line of three dashes, if there is one, is the
// body of the task that launches it. Two functions stand before both.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/LogicRun.h"

#include <cstdint>

namespace {

const char Functions[] = "inline float clipped(float x, float s) {\n"
                         "  if (x < s)\n"
                         "    return s;\n"
                         "  const float y = x * s;\n"
                         "  return y;\n"
                         "}\n"
                         "template <class T> constexpr T twice(T x) { return x + x; }\n";

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  septran::fuzz::prepareLogicRuns();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Data), Size);
  const std::string Separator = "\n---\n";
  const std::size_t End = std::min(Text.find(Separator), Text.size());
  const std::string Leaf = Text.substr(0, End);
  const std::string Task =
      End == Text.size() ? "leaf(A, C, D, R, n, alpha);" : Text.substr(End + Separator.size());
  if (septran::fuzz::clangAnswers(Leaf) || septran::fuzz::clangAnswers(Task))
    return -1;
  const std::string Parameters =
      "(septran::tensor<const float, 2> A, septran::tensor<float, 2> C,"
      " [[septran::write]] septran::tensor<int, 1> D,"
      " [[septran::reduce(\"+\")]] septran::tensor<double, 2> R, long n, float alpha) {\n";
  septran::fuzz::runLogic(Functions + ("[[septran::leaf]] void leaf" + Parameters) + Leaf +
                          "\n}\n[[septran::task]] void entry" + Parameters + Task + "\n}\n");
  return 0;
}
