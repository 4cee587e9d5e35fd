//===- Compare.cpp - passes keep the meaning ------------------------------===//
#include "Compare.h"

#include "TaskGraphs.h"

#include <cstdlib>

namespace septran::compiler {

namespace {

bool sameElements(const TestTensor &A, const TestTensor &B) {
  for (size_t I = 0; I < A.Elements.size(); ++I)
    if (A.Elements[I] != B.Elements[I] &&
        (A.Elements[I] == A.Elements[I] || B.Elements[I] == B.Elements[I]))
      return false;
  return true;
}

} // namespace

std::string difference(const TaskGraph &Graph, const std::string &Mapping,
                       const std::vector<std::vector<TestArgument>> &Inputs) {
  std::vector<std::vector<TestArgument>> Expected = Inputs;
  for (auto &Args : Expected)
    if (std::string Wrong = runTask(*Graph.Functions.front(), Args); !Wrong.empty())
      return PlainProgramFails + Wrong;
  std::string Report;
  Planned P(Graph, Mapping, "synchronise", nullptr, [&](std::string_view Pass, const Program &Now) {
    if (!Report.empty())
      return;
    for (size_t I = 0; I < Inputs.size() && Report.empty(); ++I) {
      std::vector<TestArgument> Args = Inputs[I];
      std::string Wrong = runProgram(Now, Args, Pass != "resolve");
      for (size_t A = 0; A < Args.size() && Wrong.empty(); ++A)
        if (!sameElements(Args[A].Tensor, Expected[I][A].Tensor))
          Wrong = "argument " + std::to_string(A) + " differs";
      if (Wrong.empty())
        continue;
      Report = "after " + std::string(Pass) + ": " + Wrong + "; extents";
      for (const TestArgument &A : Args)
        for (std::int64_t E : A.Tensor.Extents)
          Report += " " + std::to_string(E);
      Report += "\n" + Mapping + printProgram(Now);
    }
  });
  if (Report.empty() && !P.P)
    Report = P.messages() + Mapping;
  return Report;
}

TestTensor Dice::tensor(std::vector<std::int64_t> Extents) {
  TestTensor T;
  std::int64_t Count = 1;
  for (std::int64_t E : Extents)
    Count *= E;
  for (std::int64_t I = 0; I < Count; ++I)
    T.Elements.push_back(below(7) - 3);
  T.Extents = std::move(Extents);
  return T;
}

Seeds::Seeds(unsigned Usual) : End(Usual) {
  const char *Wish = std::getenv("SEPTRAN_TEST_SEEDS");
  if (!Wish)
    return;
  char *Rest = nullptr;
  End = unsigned(std::strtoul(Wish, &Rest, 10));
  if (*Rest != ':')
    return;
  First = End;
  End = unsigned(std::strtoul(Rest + 1, nullptr, 10));
}

} // namespace septran::compiler
