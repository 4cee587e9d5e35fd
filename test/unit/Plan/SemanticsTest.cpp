//===- SemanticsTest.cpp - passes keep the meaning ------------------------===//
//
// Random mappings of small programs, run by the interpreter after every pass and compared with the plain
// program, over extents around the tile sizes.
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "TaskGraphs.h"

#include <random>

namespace septran::compiler {
namespace {

class MappingMaker {
  std::mt19937 Random;

public:
  explicit MappingMaker(unsigned Seed) : Random(Seed) {}

  int below(int N) { return std::uniform_int_distribution<int>(0, N - 1)(Random); }
  template <class T> T oneOf(std::initializer_list<T> List) { return List.begin()[below(int(List.size()))]; }
  bool maybe() { return below(2); }

  std::string tile(bool Full = true) {
    return oneOf<std::string>({"1", "2", "3", "4", "7", "8", Full ? "full" : "16"});
  }

  /// `mems: {A: CACHE, C: GLOBAL}` for some of the names.
  std::string mems(std::initializer_list<const char *> Names) {
    std::string Text;
    for (const char *N : Names)
      if (below(3))
        Text += (Text.empty() ? "" : ", ") + std::string(N) + ": " + oneOf<std::string>({"CACHE", "GLOBAL"});
    return Text.empty() ? "" : "    mems: {" + Text + "}\n";
  }

  std::string extras(std::initializer_list<const char *> Names) {
    std::string Text;
    for (const char *N : Names)
      if (below(6) == 0)
        Text += (Text.empty() ? "" : ", ") + std::string(N);
    return Text.empty() ? "" : "    resident: [" + Text + "]\n";
  }

  std::string instance(const std::string &Name, const std::string &Task, const std::string &Proc) {
    return "  " + Name + ":\n    task_name: " + Task + "\n    proc: " + Proc + "\n";
  }

  std::string matmul() {
    std::string Text = "entrypoint: host\ntask_mappings:\n";
    bool Cores = maybe();
    std::string Inner = Cores ? "CORE" : "HOST";
    Text += instance("host", "matmul", "HOST") + mems({"C", "A", "B"}) + extras({"A", "B"}) +
            "    tunables: {tile_m: " + tile() + ", tile_n: " + tile() + "}\n" +
            "    calls: {matmul_tile: block}\n";
    Text += instance("block", "matmul_tile", Inner) + mems({"C", "A", "B", "acc"}) + extras({"A", "B", "C"});
    int Levels = below(3);
    Text += "    calls: {gemm_blocked: " + std::string(Levels ? "level1" : "leaf") + ", fill: zero, copy: out}\n";
    for (int L = 1; L <= Levels; ++L) {
      Text += instance("level" + std::to_string(L), "gemm_blocked", Inner) + mems({"C", "A", "B"}) +
              extras({"A", "B", "C"}) + "    tunables: {tile_m: " + tile() + ", tile_n: " + tile() +
              ", tile_k: " + tile() + "}\n" + (maybe() ? "    pipeline: 3\n" : "") +
              "    calls: {gemm_leaf: " + (L == Levels ? "leaf" : "level" + std::to_string(L + 1)) + "}\n";
    }
    Text += instance("leaf", "gemm_leaf", oneOf<std::string>({Inner, "VECTOR"})) + mems({"C", "A", "B"});
    Text += instance("zero", "fill", oneOf<std::string>({Inner, "VECTOR"})) + mems({"T"});
    Text += instance("out", "copy", oneOf<std::string>({Inner, "VECTOR"})) + mems({"To", "From"});
    return Text;
  }

  std::string heat() {
    std::string Proc = oneOf<std::string>({"HOST", "CORE", "VECTOR"});
    return "entrypoint: heat\ntask_mappings:\n" + instance("heat", "heat", "HOST") + mems({"U", "other"}) +
           "    calls: {heat_step: step}\n" + instance("step", "heat_step", "HOST") + mems({"next", "old"}) +
           extras({"next", "old"}) + "    tunables: {rows: " + tile(false) + "}\n    calls: {copy: leaf}\n" +
           instance("leaf", "copy", Proc) + mems({"To", "From"});
  }

  std::string sum() {
    std::string Proc = oneOf<std::string>({"HOST", "CORE", "VECTOR"});
    return "entrypoint: sum\ntask_mappings:\n" + instance("sum", "sum", "HOST") + mems({"S", "X"}) +
           "    tunables: {tile: " + tile(false) + "}\n    calls: {sum_leaf: leaf}\n" +
           instance("leaf", "sum_leaf", Proc) + mems({"S", "X"});
  }

  TestTensor tensor(std::vector<std::int64_t> Extents) {
    TestTensor T;
    std::int64_t Count = 1;
    for (std::int64_t E : Extents)
      Count *= E;
    for (std::int64_t I = 0; I < Count; ++I)
      T.Elements.push_back(below(7) - 3);
    T.Extents = std::move(Extents);
    return T;
  }
};

bool sameElements(const TestTensor &A, const TestTensor &B) {
  for (size_t I = 0; I < A.Elements.size(); ++I)
    if (A.Elements[I] != B.Elements[I] && (A.Elements[I] == A.Elements[I] || B.Elements[I] == B.Elements[I]))
      return false;
  return true;
}

/// Empty if every pass keeps what the plain program computes, else a report.
std::string difference(const TaskGraph &Graph, const std::string &Mapping,
                       const std::vector<std::vector<TestArgument>> &Inputs) {
  std::vector<std::vector<TestArgument>> Expected = Inputs;
  for (auto &Args : Expected)
    if (std::string Wrong = runTask(*Graph.Functions.front(), Args); !Wrong.empty())
      return "the plain program fails: " + Wrong;
  std::string Report;
  Planned P(Graph, Mapping, "synchronise", nullptr, [&](std::string_view Pass, const Program &Now) {
    if (!Report.empty())
      return;
    for (size_t I = 0; I < Inputs.size() && Report.empty(); ++I) {
      std::vector<TestArgument> Args = Inputs[I];
      std::string Wrong = runProgram(Now, Args);
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

constexpr unsigned Count = 60;

TEST(Semantics, Matmul) {
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    MappingMaker M(Seed);
    std::string Mapping = M.matmul();
    std::vector<std::vector<TestArgument>> Inputs;
    for (auto [Rows, Columns, Depth] : {std::tuple(8, 8, 8), {1, 1, 1}, {7, 5, 9}, {3, 11, 2}})
      Inputs.push_back({{M.tensor({Rows, Columns}), 0}, {M.tensor({Rows, Depth}), 0}, {M.tensor({Depth, Columns}), 0}});
    std::string Report = difference(matmulGraph(), Mapping, Inputs);
    ASSERT_EQ(Report, "") << "seed " << Seed;
  }
}

TEST(Semantics, Heat) {
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    MappingMaker M(Seed);
    std::string Mapping = M.heat();
    std::vector<std::vector<TestArgument>> Inputs;
    for (int Rows : {1, 4, 7, 9})
      Inputs.push_back({{M.tensor({Rows, 3}), 0}, {{}, Rows % 3}});
    std::string Report = difference(heatGraph(), Mapping, Inputs);
    ASSERT_EQ(Report, "") << "seed " << Seed;
  }
}

TEST(Semantics, Sum) {
  for (unsigned Seed = 0; Seed < Count; ++Seed) {
    MappingMaker M(Seed);
    std::string Mapping = M.sum();
    std::vector<std::vector<TestArgument>> Inputs;
    for (int N : {1, 4, 7, 23})
      Inputs.push_back({{M.tensor({1}), 0}, {M.tensor({N}), 0}});
    std::string Report = difference(sumGraph(), Mapping, Inputs);
    ASSERT_EQ(Report, "") << "seed " << Seed;
  }
}

} // namespace
} // namespace septran::compiler
