//===- ExplainTest.cpp ----------------------------------------------------===//
#include "TaskGraphs.h"

#include "Plan/Explain.h"
#include "Plan/Formula.h"
#include "Plan/TextTable.h"

#include <sstream>

namespace septran::compiler {
namespace {

TEST(BytesText, ChoosesItsUnit) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1023), "1023 B");
  EXPECT_EQ(bytesText(1024), "1 KiB");
  EXPECT_EQ(bytesText(1300), "1300 B");
  EXPECT_EQ(bytesText(100000), "97.7 KiB");
  EXPECT_EQ(bytesText(1 << 20), "1 MiB");
  EXPECT_EQ(bytesText((1 << 20) + 1024), "1025 KiB");
  EXPECT_EQ(bytesText(20 << 20), "20 MiB");
}

TEST(Formula, ShortensExtentsAndDivisions) {
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);
  VarRef I = makeVar("i", ScalarType::I64, VarKind::Loop);
  EXPECT_EQ(formulaText(ceilDiv(extentOf(A, 1), intLit(64))), "ceil(A[1]/64)");
  EXPECT_EQ(formulaText(ceilDiv(extentOf(A, 1) - varExpr(I), intLit(4))), "ceil((A[1] - i)/4)");
  Product P;
  P.multiply(4);
  P.multiply(extentOf(A, 0) - varExpr(I));
  P.multiply(intLit(16));
  EXPECT_EQ(P.text(), "64 * (A[0] - i)");
  P.multiplyAtMost(16);
  EXPECT_EQ(P.bytes(), "<= 1 KiB * (A[0] - i)");
}

TEST(TextTable, AlignsAndWraps) {
  TextTable T(1, {false, false, true});
  T.add({"a", "one two three four five six", "1"});
  T.add({"bcd", "x", "22"});
  EXPECT_EQ(T.text(2, 36), "  a    one two three four five   1\n"
                           "       six\n"
                           "  bcd  x                        22\n");
}

TEST(Explain, ShowsTheWholeMapping) {
  Planned P(matmulGraph(), R"(
entrypoint: host
task_mappings:
  host: {task_name: matmul, proc: HOST, tunables: {tile_m: 96, tile_n: 256}, calls: {matmul_tile: tile}}
  tile: {task_name: matmul_tile, proc: CORE, mems: {acc: CACHE}, calls: {gemm_blocked: steps}}
  steps:
    task_name: gemm_blocked
    tunables: {tile_m: full, tile_n: full, tile_k: 64}
    mems: {B: CACHE}
    pipeline: 2
)");
  ASSERT_TRUE(P.P) << P.messages();
  std::string Text = explain(*P.P);
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_LE(Line.size(), 100u) << Line;
  EXPECT_EQ(Text, R"(matmul on cpu/x86-avx512, mapped by map.yaml

instances
  host             matmul on HOST        tile_m=96 tile_n=256; i, j over CORE  map.yaml:5
    tile           matmul_tile on CORE                                         map.yaml:6
      fill         fill on CORE                                                logic.cpp:50
      steps        gemm_blocked on CORE  tile_m=full tile_n=full tile_k=64     map.yaml:7
        gemm_leaf  gemm_leaf on CORE                                           logic.cpp:40
      copy         copy on CORE                                                logic.cpp:50

copies: what, between which memories, bytes each time, how often
  B of steps, prefetch 1  GLOBAL -> CACHE  <= 64 KiB  ceil(C[0]/96) * ceil(C[1]/256) *  map.yaml:10
                                                      ceil(A[1]/64)

rules: what removed, moved or changed the others
  streaming  argument 'B' of steps is materialised block by block            map.yaml:10
  prefetch   argument 'B' of steps is fetched 1 iteration of loop 'k' ahead  map.yaml:11

buffers in CACHE: at most 160 KiB at once, of 4 MiB per CORE
  local 'acc' of tile  96 KiB  row  96 x 256 f32  map.yaml:6
  B of steps           64 KiB  row  64 x 256 f32  map.yaml:10

ends of spread loops, and what each waits for
  i, j over CORE in host  C is read by the caller of matmul

C[0] stands for C.extent(0), and so on; ceil(x/n) is rounded up.
)") << Text;
}

} // namespace
} // namespace septran::compiler
