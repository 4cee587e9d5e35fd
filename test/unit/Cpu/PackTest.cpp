//===- PackTest.cpp - copies between layouts --------------------------------===//
//
// Sources end with their last element and results are surrounded by marks, so a read or a write
// beyond is found: the first under AddressSanitizer, the second always.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <septran/cpu/pack.h>

#include <vector>

namespace pack_test {

using namespace septran::cpu;
using namespace lanes_test;
using std::ptrdiff_t;

const ptrdiff_t extents[] = {0, 1, 2, 3, 7, 15, 16, 17, 33, 48};

const float mark = 20;

/// Elements 1, 2, ... 15, 1, ...; exact in every type tested.
std::vector<float> numbers(ptrdiff_t count) {
  std::vector<float> v(count);
  for (ptrdiff_t i = 0; i < count; ++i)
    v[i] = float(i % 15 + 1);
  return v;
}

/// A block, where its elements are in the source, and the padding of the result.
struct block {
  ptrdiff_t rows, cols, row, col, pad = 0;

  /// How many elements strides and extents reach.
  ptrdiff_t reach() const { return rows && cols ? (rows - 1) * row + (cols - 1) * col + 1 : 0; }
  ptrdiff_t padded_rows() const { return rows + pad; }
  ptrdiff_t padded_cols() const { return cols + 2 * pad; }
  ptrdiff_t stride() const { return padded_cols() + 3; }
  void name() const {
    ADD_FAILURE() << rows << " x " << cols << ", strides " << row << ", " << col << ", padding "
                  << pad;
  }
};

/// What a copy leaves in `to`, both given as floats.
using copy = void (*)(const block &, std::vector<float> &to, const std::vector<float> &from);

template <class T> std::vector<T> as_type(const std::vector<float> &v) {
  return std::vector<T>(v.begin(), v.end());
}

template <class D, class S>
void forth(const block &b, std::vector<float> &to, const std::vector<float> &from) {
  auto dst = as_type<D>(to);
  copy_block(dst.data(), b.stride(), as_type<S>(from).data(), b.row, b.col, b.rows, b.cols,
             b.padded_rows(), b.padded_cols());
  to.assign(dst.begin(), dst.end());
}

template <class D, class S>
void back(const block &b, std::vector<float> &to, const std::vector<float> &from) {
  auto dst = as_type<S>(to);
  copy_block_back(dst.data(), b.row, b.col, as_type<D>(from).data(), b.stride(), b.rows, b.cols);
  to.assign(dst.begin(), dst.end());
}

bool check_copy(const block &b, copy forth, copy back) {
  const auto src = numbers(b.reach());
  std::vector<float> dst(b.padded_rows() * b.stride() + 4, mark), expected = dst;
  for (ptrdiff_t r = 0; r < b.padded_rows(); ++r)
    for (ptrdiff_t c = 0; c < b.padded_cols(); ++c)
      expected[r * b.stride() + c] = r < b.rows && c < b.cols ? src[r * b.row + c * b.col] : 0;
  forth(b, dst, src);
  if (!expect_same(dst.data(), expected.data(), int(dst.size())))
    return b.name(), false;

  // And back, to where it came from.
  if (b.row == 0 || b.col == 0)
    return true;
  std::vector<float> given_back(src.size(), mark), all = given_back;
  for (ptrdiff_t r = 0; r < b.rows; ++r)
    for (ptrdiff_t c = 0; c < b.cols; ++c)
      all[r * b.row + c * b.col] = src[r * b.row + c * b.col];
  back(b, given_back, dst);
  if (!expect_same(given_back.data(), all.data(), int(all.size())))
    return b.name(), false;
  return true;
}

void check_copies(copy forth, copy back) {
  for (ptrdiff_t rows : extents)
    for (ptrdiff_t cols : extents)
      for (ptrdiff_t pad : {0, 5})
        for (const block &b : {block{rows, cols, cols + 1, 1, pad},      // rows
                               block{rows, cols, 1, rows + 2, pad},      // transposed
                               block{rows, cols, 1, rows, pad},          // side by side
                               block{rows, cols, 2 * cols + 1, 2, pad}}) // neither
          if (!check_copy(b, forth, back))
            return;
}
template <class D, class S> void check_copies() { check_copies(forth<D, S>, back<D, S>); }

TEST(Pack, CopiesEveryElementSize) {
  check_copies<float, float>();
  check_copies<double, double>();
  check_copies<std::int8_t, std::int8_t>();
  check_copies<septran::bfloat16, septran::bfloat16>();
}

// The way back converts in the other direction.
TEST(Pack, ConvertsOnTheWay) {
  check_copies<float, septran::bfloat16>();
  check_copies<double, float>();
  check_copies<std::int32_t, std::int8_t>();
  check_copies<septran::float8_e4m3, double>();
}

TEST(Pack, CopiesABroadcast) {
  for (const block &b : {block{5, 33, 0, 1}, block{5, 33, 1, 0, 2}, block{5, 33, 0, 0}})
    check_copy(b, forth<float, float>, back<float, float>);
}

TEST(Pack, FillsAround) {
  constexpr ptrdiff_t extents[] = {4, 3, 5}, count = 60;
  constexpr ptrdiff_t parts[][2][3] = {{{1, 1, 2}, {2, 1, 2}}, // where it begins, and extents
                                       {{0, 0, 0}, {4, 3, 5}},
                                       {{0, 1, 0}, {4, 2, 5}},
                                       {{4, 1, 1}, {0, 2, 2}},
                                       {{1, 0, 5}, {2, 3, 0}}};
  for (const auto &part : parts) {
    const auto &low = part[0], &inside = part[1];
    std::vector<float> block(count + 1, mark);
    fill_around(block.data(), extents, low, inside, 3.0F);
    for (ptrdiff_t at = 0; at <= count; ++at) {
      const ptrdiff_t index[] = {at / 15, at / 5 % 3, at % 5};
      bool is_inside = true;
      for (int d = 0; d < 3; ++d)
        is_inside &= low[d] <= index[d] && index[d] < low[d] + inside[d];
      EXPECT_EQ(block[at], is_inside || at == count ? mark : 3) << at;
    }
  }
}

TEST(Pack, CopiesBool) {
  constexpr ptrdiff_t rows = 19, cols = 37;
  bool from[rows * cols], to[cols * rows], back[rows * cols];
  for (ptrdiff_t i = 0; i < rows * cols; ++i) {
    from[i] = i % 3 == 0;
    to[i] = back[i] = i % 2 == 0;
  }
  copy_block(to, cols, from, cols, 1, rows, cols, rows, cols);
  for (ptrdiff_t i = 0; i < rows * cols; ++i)
    EXPECT_EQ(to[i], from[i]) << i;
  copy_block(to, rows, from, 1, cols, cols, rows, cols, rows); // columns become rows
  for (ptrdiff_t i = 0; i < rows * cols; ++i)
    EXPECT_EQ(to[i % cols * rows + i / cols], from[i]) << i;
  copy_block_back(back, 1, cols, to, rows, cols, rows);
  for (ptrdiff_t i = 0; i < rows * cols; ++i)
    EXPECT_EQ(back[i], from[i]) << i;
}

TEST(Pack, SmallFloatsKeepTheirBits) {
  // A signalling NaN must not become a quiet one on the way through a copy.
  std::vector<septran::float16> src(40, septran::float16::from_bits(0x7c01)), dst(40);
  copy_block(dst.data(), 8, src.data(), 1, 5, 5, 8);
  EXPECT_EQ(dst[39].bits(), 0x7c01);
}

using pack = void (*)(const block &, std::vector<float> &to, const std::vector<float> &from);

template <int Width, class T>
void panels(const block &b, std::vector<float> &to, const std::vector<float> &from) {
  auto dst = as_type<T>(to);
  pack_panels<Width>(dst.data(), as_type<T>(from).data(), b.row, b.col, b.rows, b.cols);
  to.assign(dst.begin(), dst.end());
}

void check_panels(int width, const block &b, pack pack) {
  const auto src = numbers(b.reach());
  std::vector<float> dst(b.rows * round_up(b.cols, width) + 3, mark), expected = dst;
  for (ptrdiff_t n = 0; n < round_up(b.cols, width); ++n)
    for (ptrdiff_t k = 0; k < b.rows; ++k)
      expected[(n / width) * b.rows * width + k * width + n % width] =
          n < b.cols ? src[k * b.row + n * b.col] : 0;
  pack(b, dst, src);
  if (!expect_same(dst.data(), expected.data(), int(dst.size())))
    b.name();
}

template <int Width, class T> void check_all_panels() {
  SCOPED_TRACE(testing::Message() << "panels of " << Width);
  for (ptrdiff_t K : extents)
    for (ptrdiff_t N : {0, 1, 5, 6, 31, 64, 65, 130})
      for (const block &b :
           {block{K, N, N + 1, 1}, block{K, N, 1, K + 1}, block{K, N, 2, 2 * K + 3}})
        check_panels(Width, b, panels<Width, T>);
}

TEST(Pack, PanelsOfAnyWidth) {
  check_all_panels<64, float>();
  check_all_panels<6, float>();
  check_all_panels<1, float>();
  check_all_panels<16, double>();
  check_all_panels<32, std::int8_t>();
}

TEST(Pack, FillBlockTouchesRowsOnly) {
  for (const ptrdiff_t rows : {0, 1, 3})
    for (const ptrdiff_t cols : {0, 1, 7})
      for (const ptrdiff_t stride : {cols, cols + 2}) {
        std::vector<float> dst(3 * 9 + 1, mark);
        fill_block(dst.data(), stride, rows, cols, 2.0F);
        for (ptrdiff_t at = 0; at < ptrdiff_t(dst.size()); ++at)
          EXPECT_EQ(dst[at], stride > 0 && at / stride < rows && at % stride < cols ? 2.0F : mark)
              << rows << " x " << cols << ", " << stride << " apart, " << at;
      }
}

/// Panels of a tensor of more dimensions do not follow each other.
TEST(Pack, PanelsApart) {
  constexpr ptrdiff_t K = 5, N = 21, panel = 100;
  const auto src = numbers(K * N);
  for (const bool rows : {true, false}) {
    std::vector<float> dst(3 * panel, mark);
    pack_panels<8>(dst.data(), panel, src.data(), rows ? N : 1, rows ? 1 : K, K, N);
    for (ptrdiff_t at = 0; at < 3 * panel; ++at) {
      const ptrdiff_t k = at % panel / 8, n = at / panel * 8 + at % panel % 8;
      EXPECT_EQ(dst[at], k >= K ? mark : n >= N ? 0 : src[rows ? k * N + n : n * K + k]) << at;
    }
  }
}

TEST(Pack, InterleavedRows) {
  check_all_panels<2, std::int8_t>();
  check_all_panels<4, std::int8_t>();
  check_all_panels<2, std::uint16_t>();
  check_all_panels<4, std::uint16_t>();
  check_all_panels<2, float>();
  check_all_panels<4, float>();
  check_all_panels<2, double>();
}

} // namespace pack_test
