//===- SemanticsTest.cpp - passes keep the meaning ------------------------===//
//
// Random mappings of small programs, run by the interpreter after every pass and compared with the
// plain program, over extents around the tile sizes.
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "TaskGraphs.h"

namespace septran::compiler {
namespace {

struct MappingMaker : Dice {
  using Dice::Dice;

  std::string tile(bool Full = true) {
    return oneOf<std::string>({"1", "2", "3", "4", "7", "8", Full ? "full" : "16"});
  }

  /// `mems: {A: CACHE, C: GLOBAL}` for some of the names.
  std::string mems(std::initializer_list<const char *> Names) {
    std::string Text;
    for (const char *N : Names)
      if (below(3))
        Text += (Text.empty() ? "" : ", ") + std::string(N) + ": " +
                oneOf<std::string>({"CACHE", "GLOBAL"});
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
    Text += instance("block", "matmul_tile", Inner) + mems({"C", "A", "B", "acc"}) +
            extras({"A", "B", "C"});
    int Levels = below(3);
    Text += "    calls: {gemm_blocked: " + std::string(Levels ? "level1" : "leaf") +
            ", fill: zero, copy: out}\n";
    for (int L = 1; L <= Levels; ++L) {
      Text += instance("level" + std::to_string(L), "gemm_blocked", Inner) + mems({"C", "A", "B"}) +
              extras({"A", "B", "C"}) + "    tunables: {tile_m: " + tile() + ", tile_n: " + tile() +
              ", tile_k: " + tile() + "}\n" + (maybe() ? "    pipeline: 3\n" : "") +
              "    calls: {gemm_leaf: " + (L == Levels ? "leaf" : "level" + std::to_string(L + 1)) +
              "}\n";
    }
    Text += instance("leaf", "gemm_leaf", oneOf<std::string>({Inner, "VECTOR"})) +
            mems({"C", "A", "B"});
    Text += instance("zero", "fill", oneOf<std::string>({Inner, "VECTOR"})) + mems({"T"});
    Text += instance("out", "copy", oneOf<std::string>({Inner, "VECTOR"})) + mems({"To", "From"});
    return Text;
  }

  std::string heat() {
    std::string Proc = oneOf<std::string>({"HOST", "CORE", "VECTOR"});
    return "entrypoint: heat\ntask_mappings:\n" + instance("heat", "heat", "HOST") +
           mems({"U", "other"}) + "    calls: {heat_step: step}\n" +
           instance("step", "heat_step", "HOST") + mems({"next", "old"}) + extras({"next", "old"}) +
           "    tunables: {rows: " + tile(false) + "}\n    calls: {copy: leaf}\n" +
           instance("leaf", "copy", Proc) + mems({"To", "From"});
  }

  std::string sum() {
    std::string Proc = oneOf<std::string>({"HOST", "CORE", "VECTOR"});
    return "entrypoint: sum\ntask_mappings:\n" + instance("sum", "sum", "HOST") + mems({"S", "X"}) +
           "    tunables: {tile: " + tile(false) + "}\n    calls: {sum_leaf: leaf}\n" +
           instance("leaf", "sum_leaf", Proc) + mems({"S", "X"});
  }
};

TEST(Semantics, Matmul) {
  for (auto [Seed, End] = Seeds(40); Seed < End; ++Seed) {
    MappingMaker M(Seed);
    std::string Mapping = M.matmul();
    std::vector<std::vector<TestArgument>> Inputs;
    for (auto [Rows, Columns, Depth] : {std::tuple(8, 8, 8), {1, 1, 1}, {7, 5, 9}, {3, 11, 2}})
      Inputs.push_back({{M.tensor({Rows, Columns}), 0},
                        {M.tensor({Rows, Depth}), 0},
                        {M.tensor({Depth, Columns}), 0}});
    std::string Report = difference(matmulGraph(), Mapping, Inputs);
    ASSERT_EQ(Report, "") << "seed " << Seed;
  }
}

TEST(Semantics, Heat) {
  for (auto [Seed, End] = Seeds(40); Seed < End; ++Seed) {
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
  for (auto [Seed, End] = Seeds(40); Seed < End; ++Seed) {
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
