//===- TeamCopyTest.cpp - copies by all threads -----------------------------===//
//
// Whatever the number of threads, the result is that of one copy.
//
//===----------------------------------------------------------------------===//
#include "Lanes.h"

#include <septran/cpu/team_copy.h>

#include <numeric>
#include <vector>

namespace {

using namespace septran::cpu;
using std::ptrdiff_t;

std::vector<float> numbers(ptrdiff_t count) {
  std::vector<float> v(count);
  std::iota(v.begin(), v.end(), 1.0F);
  return v;
}

void set_threads([[maybe_unused]] int count) {
#ifdef _OPENMP
  omp_set_num_threads(count);
#endif
}

class TeamCopy : public testing::TestWithParam<int> {
  int Before = max_thread_count();

protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(Before); }
};
INSTANTIATE_TEST_SUITE_P(Threads, TeamCopy, testing::Values(1, 3));

TEST_P(TeamCopy, CallsEachOnce) {
  std::vector<int> calls(100);
  team_for(100, [&](ptrdiff_t i) { ++calls[i]; });
  EXPECT_EQ(calls, std::vector<int>(100, 1));
  team_for(0, [&](ptrdiff_t) { ADD_FAILURE(); });
}

TEST_P(TeamCopy, IsCopyBlock) {
  for (const auto &[rows, cols] :
       {std::pair<ptrdiff_t, ptrdiff_t>{3, 5}, {515, 523}, {70, 4001}, {0, 4}}) {
    const std::vector<float> src = numbers((rows + 1) * (cols + 1));
    for (const bool transposed : {false, true}) {
      std::vector<float> to(rows * (cols + 2) + 1, -1), expected = to;
      const ptrdiff_t row = transposed ? 1 : cols + 1, col = transposed ? rows + 1 : 1;
      copy_block(expected.data(), cols + 2, src.data(), row, col, rows, cols);
      team_copy(to.data(), cols + 2, src.data(), row, col, rows, cols);
      EXPECT_EQ(to, expected) << rows << " x " << cols << (transposed ? " transposed" : "");
    }
  }
}

TEST_P(TeamCopy, IsPackPanels) {
  for (const auto &[K, N] :
       {std::pair<ptrdiff_t, ptrdiff_t>{1, 1}, {31, 64}, {33, 17}, {100, 130}, {0, 3}, {3, 0}}) {
    const std::vector<float> src = numbers((K + 1) * (N + 1));
    for (const bool across : {true, false}) {
      const ptrdiff_t panel = K * 16 + 5, k = across ? N + 1 : 1, n = across ? 1 : K + 1;
      std::vector<float> to(ceil_div(N, 16) * panel + 1, -1), expected = to;
      pack_panels<16>(expected.data(), panel, src.data(), k, n, K, N);
      team_pack<16>(to.data(), panel, src.data(), k, n, K, N);
      EXPECT_EQ(to, expected) << K << " x " << N << (across ? " across" : " along");
    }
  }
}

} // namespace
