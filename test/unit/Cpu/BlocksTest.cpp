//===- BlocksTest.cpp - whole blocks, and the rest ------------------------===//

#include <septran/cpu/blocks.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace blocks_h_test {
using namespace septran::cpu;

TEST(PointersToRows, RepeatTheLastRow) {
  const float x[40] = {};
  auto places = [&](const auto &rows) {
    std::vector<std::ptrdiff_t> from;
    for (std::ptrdiff_t i = 0; i < 4; ++i)
      from.push_back(rows[i] - x);
    return from;
  };
  using ints = std::vector<std::ptrdiff_t>;
  const std::ptrdiff_t step = 9;
  EXPECT_EQ(places(pointers_to_rows<4>(x, step)), (ints{0, 9, 18, 27}));
  EXPECT_EQ(places(pointers_to_rows<4>(x, step, constant<4>())), (ints{0, 9, 18, 27}));
  EXPECT_EQ(places(pointers_to_rows<4>(x, step, 2)), (ints{0, 9, 9, 9}));
  EXPECT_EQ(places(pointers_to_rows<4>(x, constant<3>(), constant<4>())), (ints{0, 3, 6, 9}));
  EXPECT_EQ(places(pointers_to_rows<4>(x, constant<3>(), 3)), (ints{0, 3, 6, 6}));
}

TEST(FillTile, FillsArraysOfAnyRank) {
  int row[3] = {};
  fill_tile(row, 7);
  EXPECT_EQ(std::vector<int>(row, row + 3), std::vector<int>(3, 7));
  vec<float, 4> tile[2][1][3] = {};
  fill_tile(tile, splat<float, 4>(2.5F));
  for (auto &plane : tile)
    for (auto &v : plane[0])
      for (int lane = 0; lane < 4; ++lane)
        EXPECT_EQ(v[lane], 2.5F);
}

/// A tile of 3 x 2 vectors, stored with these sizes into rows of 10 elements that were -1.
template <class Rows, class Columns> std::vector<float> stored(Rows rows, Columns columns) {
  vec<float, 4> tile[3][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 8; ++j)
      tile[i][j / 4][j % 4] = float(10 * i + j);
  std::vector<float> memory(30, -1.0F);
  store_tile(memory.data(), 10, tile, rows, columns);
  return memory;
}

TEST(StoreTile, TouchesWhatThereIs) {
  for (std::ptrdiff_t rows = 0; rows <= 3; ++rows)
    for (std::ptrdiff_t columns = 0; columns <= 8; ++columns) {
      const std::vector<float> memory = stored(rows, columns);
      for (int at = 0; at < 30; ++at)
        EXPECT_EQ(memory[at], at / 10 < rows && at % 10 < columns ? float(at) : -1.0F)
            << rows << " x " << columns << ", " << at;
    }
  EXPECT_EQ(stored(constant<3>(), constant<8>()), stored(3, 8));
  EXPECT_EQ(stored(constant<2>(), constant<5>()), stored(2, 5));
}

TEST(LoadTile, TouchesWhatThereIs) {
  for (std::ptrdiff_t rows = 1; rows <= 3; ++rows)
    for (std::ptrdiff_t columns = 1; columns <= 8; ++columns) {
      std::vector<float> memory((rows - 1) * 10 + columns); // nothing behind it
      for (std::size_t at = 0; at < memory.size(); ++at)
        memory[at] = float(at);
      vec<float, 4> tile[3][2];
      load_tile(tile, memory.data(), 10, rows, columns);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
          EXPECT_EQ(tile[i][j / 4][j % 4], float(10 * i + j)) << rows << " x " << columns;
    }
  std::vector<float> memory(30, 2.0F);
  vec<float, 4> tile[3][2];
  load_tile(tile, memory.data(), 10, constant<3>(), constant<8>());
  EXPECT_EQ(tile[2][1][3], 2.0F);
}

/// What a size's type says: the least and the most that it can be.
struct limits {
  std::ptrdiff_t least, most;
};
template <std::ptrdiff_t N> limits limits_of(constant<N>) { return {N, N}; }
template <std::ptrdiff_t Least, std::ptrdiff_t Most>
limits limits_of(detail::size_within<Least, Most>) {
  return {Least, Most};
}
limits limits_of(std::ptrdiff_t) { return {PTRDIFF_MIN, PTRDIFF_MAX}; }

/// One call for every clipped block of that size, with as much as is left; how many kinds of them there are.
template <int W, std::ptrdiff_t... Whole> std::size_t kinds_of_blocks() {
  constexpr std::size_t rank = sizeof...(Whole);
  const std::ptrdiff_t whole[] = {Whole...};
  std::set<std::vector<std::ptrdiff_t>> kinds;
  std::ptrdiff_t left[rank] = {};
  std::ptrdiff_t count = 1;
  for (std::ptrdiff_t w : whole)
    count *= w + 2;
  for (std::ptrdiff_t at = 0; at < count; ++at) {
    std::ptrdiff_t rest = at;
    for (std::size_t d = 0; d < rank; ++d) {
      left[d] = 1 + rest % (whole[d] + 2);
      rest /= whole[d] + 2;
    }
    int calls = 0;
    for_block<W, Whole...>(left, [&](auto... size) {
      ++calls;
      const std::ptrdiff_t sizes[] = {size...};
      const limits known[] = {limits_of(size)...};
      std::vector<std::ptrdiff_t> kind;
      for (std::size_t d = 0; d < rank; ++d) {
        EXPECT_EQ(sizes[d], min_index(left[d], whole[d]));
        EXPECT_TRUE(known[d].least <= sizes[d] && sizes[d] <= known[d].most);
        kind.insert(kind.end(), {known[d].least, known[d].most});
      }
      kinds.insert(kind);
    });
    EXPECT_EQ(calls, 1);
  }
  return kinds.size();
}

TEST(ForBlock, CallsTheBodyOnceWithWhatIsLeft) {
  // Whole; up to 2, 4, 5 rows; up to 16, 32, 48, 63 columns; fewer of both, up to 32, 64 columns.
  EXPECT_EQ((kinds_of_blocks<16, 6, 64>()), 1u + 3 + 4 + 2);
  EXPECT_EQ((kinds_of_blocks<8, 4, 8>()), 1u + 2 + 1 + 1);
  EXPECT_EQ((kinds_of_blocks<8, 2, 16>()), 1u + 1 + 2 + 2);
  EXPECT_EQ((kinds_of_blocks<16, 1, 96>()), 1u + 3); // two vectors a step
  EXPECT_EQ((kinds_of_blocks<4, 32>()), 1u + 4);
  EXPECT_EQ((kinds_of_blocks<64, 64>()), 1u + 1);
  EXPECT_EQ((kinds_of_blocks<8, 1, 7, 16>()), 1u + 2 + 2 + 2);
  EXPECT_EQ((kinds_of_blocks<8, 3, 3, 8>()), 1u + 2 + 1 + 1);
}

TEST(ForBlock, HasCodeForClippedOnesAlone) {
  std::ptrdiff_t rows = 0, columns = 0;
  for_clipped_block<4, 6, 16>({9, 3}, [&](auto m, auto n) {
    rows = m, columns = n;
  });
  EXPECT_EQ(rows, 6);
  EXPECT_EQ(columns, 3);
}

TEST(ForBlock, TakesNothingAsNothing) {
  std::ptrdiff_t rows = 1, columns = 1;
  for_block<8, 6, 16>({-1, 0}, [&](auto m, auto n) { rows = m, columns = n; });
  EXPECT_EQ(rows, -1);
  EXPECT_EQ(columns, 0);
}

/// The lanes of vectors behind the end are none, and nothing is stored there.
TEST(ForBlock, StoresWhatIsLeft) {
  for (std::ptrdiff_t n = 1; n <= 16; ++n) {
    std::vector<float> to(16, -1.0f);
    for_block<4, 1, 16>({1, n}, [p = to.data()](auto, auto columns) {
      for (std::ptrdiff_t j = 0; j < 16; j += 4)
        store(p + j, splat<float, 4>(2.0f), lanes<4>(columns, j));
    });
    for (std::ptrdiff_t j = 0; j < 16; ++j)
      EXPECT_EQ(to[std::size_t(j)], j < n ? 2.0f : -1.0f) << n;
  }
}

/// Every part of six rows, and whether the compiler knew it.
TEST(Blocks, PartsOfATile) {
  constexpr std::ptrdiff_t n = 6;
  for (std::ptrdiff_t begin = -2; begin <= n + 1; ++begin)
    for (std::ptrdiff_t end = -2; end <= n + 2; ++end) {
      int calls = 0, rows = 0;
      bool known = false;
      for_part<n, 2>(begin, end, [&](auto first, auto last) {
        ++calls;
        for (std::ptrdiff_t i = 0; i < n; ++i)
          if (first <= i && i < last) {
            EXPECT_TRUE(begin <= i && i < end);
            ++rows;
          }
        known = !std::is_same_v<decltype(first), std::ptrdiff_t>;
      });
      const std::ptrdiff_t from = max_index(begin, 0), to = min_index(end, n);
      EXPECT_EQ(rows, max_index(to - from, 0)) << begin << " " << end;
      EXPECT_EQ(calls, from < to) << begin << " " << end;
      if (calls) {
        EXPECT_EQ(known, from == 0 || (to == n && from <= 2)) << begin << " " << end;
      }
    }
}

/// The same parts, and no rows where there are none.
TEST(Blocks, PartsOrNone) {
  constexpr std::ptrdiff_t n = 6;
  for (std::ptrdiff_t begin = -2; begin <= n + 1; ++begin)
    for (std::ptrdiff_t end = -2; end <= n + 2; ++end) {
      int calls = 0, beside = 0;
      for_part_or_none<n, 2>(begin, end, [&](auto first, auto last) {
        ++calls;
        for (std::ptrdiff_t i = 0; i < n; ++i) {
          EXPECT_EQ(first <= i && i < last, begin <= i && i < end);
          beside += !(first <= i && i < last);
        }
      });
      EXPECT_EQ(calls, 1) << begin << " " << end;
      EXPECT_EQ(beside, n - max_index(min_index(end, n) - max_index(begin, 0), 0));
    }
}

template <std::ptrdiff_t Rows, class T> void check_rows() {
  T elements[Rows * 7 + 3];
  for (const std::ptrdiff_t step : {7, 1, 0, -7}) {
    T *const first = step < 0 ? elements + Rows * 7 : elements;
    const auto rows = rows_of_tile<Rows>(first, step);
    for (std::ptrdiff_t i = 0; i < Rows; ++i)
      EXPECT_EQ(rows[i], first + step * i) << Rows << " " << step << " " << i;
  }
}

TEST(Blocks, RowsOfTile) {
  check_rows<9, float>();
  check_rows<14, float>();
  check_rows<14, double>();
  check_rows<15, std::int8_t>();
}

} // namespace blocks_h_test
