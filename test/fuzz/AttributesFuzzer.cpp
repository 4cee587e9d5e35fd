//===- AttributesFuzzer.cpp - what stands between the brackets ------------===//
//
// The lines of the input are, in this order, the attributes of a leaf, of its two parameters, of a
// task, of a local variable and of a loop in it, and of a type. Brackets are added.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/LogicRun.h"

#include <cstdint>
#include <sstream>

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  septran::fuzz::prepareLogicRuns();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Data), Size);
  std::istringstream Lines(Text);
  bool Skip = false;
  const auto next = [&] {
    std::string Line;
    std::getline(Lines, Line);
    Skip |= septran::fuzz::clangAnswers(Line);
    return Line.empty() ? Line : "[[" + Line + "]] ";
  };
  std::string Source = next() + "void leaf(";
  Source += next() + "septran::tensor<float, 1> x, ";
  Source += next() + "septran::tensor<const float, 1> y) {\n"
                     "  for (int i = 0; i < x.extent(0); ++i)\n"
                     "    x(i) = y(i);\n"
                     "}\n";
  Source += next() + "void entry([[septran::write]] septran::tensor<float, 1> x,\n"
                     "           septran::tensor<const float, 1> y) {\n";
  Source += next() + "const int tile = 4;\n"
                     "auto xs = septran::partition(x, {tile});\n"
                     "auto ys = septran::partition(y, {tile});\n";
  Source += next() + "for (auto [i] : septran::parallel(xs.shape()))\n"
                     "  leaf(xs(i), ys(i));\n"
                     "}\n";
  Source += "struct " + next() + "other {};\n";
  if (Skip)
    return -1;
  septran::fuzz::runLogic(Source);
  return 0;
}
