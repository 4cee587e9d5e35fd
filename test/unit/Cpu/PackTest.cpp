//===- PackTest.cpp - copies between layouts --------------------------------===//
//
// Sources end with their last element and results are surrounded by marks, so a read or a write
// beyond is found: the first under AddressSanitizer, the second always.
//
//===----------------------------------------------------------------------===//

#include <septran/cpu/pack.h>

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace septran::cpu;
using std::ptrdiff_t;

const ptrdiff_t extents[] = {0, 1, 2, 3, 7, 15, 16, 17, 33, 48};

/// Elements 1, 2, ... 100, 1, ...; exact in every type tested.
template <class T> std::vector<T> numbers(ptrdiff_t count) {
  std::vector<T> v(count);
  for (ptrdiff_t i = 0; i < count; ++i)
    v[i] = T(float(i % 15 + 1));
  return v;
}

/// How many elements strides and extents reach.
ptrdiff_t reach(ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t row, ptrdiff_t col) {
  return rows && cols ? (rows - 1) * row + (cols - 1) * col + 1 : 0;
}

template <class D, class S>
void check_copy(ptrdiff_t rows, ptrdiff_t cols, ptrdiff_t row, ptrdiff_t col, ptrdiff_t pad) {
  const auto src = numbers<S>(reach(rows, cols, row, col));
  const ptrdiff_t padded_rows = rows + pad, padded_cols = cols + 2 * pad, stride = padded_cols + 3;
  const float mark = 20;
  std::vector<D> dst(padded_rows * stride + 4, D(mark));
  copy_block(dst.data(), stride, src.data(), row, col, rows, cols, padded_rows, padded_cols);
  for (ptrdiff_t r = 0; r < padded_rows; ++r)
    for (ptrdiff_t c = 0; c < stride; ++c) {
      const float expected = c >= padded_cols       ? mark
                             : r < rows && c < cols ? float(src[r * row + c * col])
                                                    : 0;
      ASSERT_EQ(float(dst[r * stride + c]), expected)
          << "(" << r << ", " << c << ") of " << rows << " x " << cols << ", strides " << row
          << ", " << col << ", padding " << pad;
    }
  for (ptrdiff_t i = padded_rows * stride; i < ptrdiff_t(dst.size()); ++i)
    ASSERT_EQ(float(dst[i]), mark);

  // And back, to where it came from.
  if (rows && cols && (row != 0 && col != 0)) {
    std::vector<S> back(src.size(), S(mark));
    copy_block_back(back.data(), row, col, dst.data(), stride, rows, cols);
    std::vector<bool> written(src.size());
    for (ptrdiff_t r = 0; r < rows; ++r)
      for (ptrdiff_t c = 0; c < cols; ++c)
        written[r * row + c * col] = true;
    for (std::size_t i = 0; i < src.size(); ++i)
      ASSERT_EQ(float(back[i]), written[i] ? float(src[i]) : mark) << i;
  }
}

template <class D, class S> void check_copies() {
  for (ptrdiff_t rows : extents)
    for (ptrdiff_t cols : extents)
      for (ptrdiff_t pad : {0, 5}) {
        check_copy<D, S>(rows, cols, cols + 1, 1, pad);     // rows
        check_copy<D, S>(rows, cols, 1, rows + 2, pad);     // transposed
        check_copy<D, S>(rows, cols, 2 * cols + 1, 2, pad); // neither
      }
}

TEST(Pack, CopiesFloats) { check_copies<float, float>(); }
TEST(Pack, CopiesDoubles) { check_copies<double, double>(); }
TEST(Pack, CopiesIntegers) {
  check_copies<std::int8_t, std::int8_t>();
  check_copies<std::int32_t, std::int32_t>();
}
TEST(Pack, CopiesSmallFloats) {
  check_copies<septran::bfloat16, septran::bfloat16>();
  check_copies<septran::float8_e4m3, septran::float8_e4m3>();
}
TEST(Pack, ConvertsOnTheWay) {
  check_copies<float, septran::bfloat16>();
  check_copies<septran::float16, float>();
  check_copies<double, float>();
  check_copies<float, std::int8_t>();
  check_copies<septran::bfloat16, double>();
}

TEST(Pack, CopiesABroadcast) {
  check_copy<float, float>(5, 33, 0, 1, 0);
  check_copy<float, float>(5, 33, 1, 0, 2);
  check_copy<float, float>(5, 33, 0, 0, 0);
}

TEST(Pack, SmallFloatsKeepTheirBits) {
  // A signalling NaN must not become a quiet one on the way through a copy.
  std::vector<septran::float16> src(40, septran::float16::from_bits(0x7c01)), dst(40);
  copy_block(dst.data(), 8, src.data(), 1, 5, 5, 8);
  EXPECT_EQ(dst[39].bits(), 0x7c01);
}

template <int Width, class T>
void check_panels(ptrdiff_t K, ptrdiff_t N, ptrdiff_t stride_k, ptrdiff_t stride_n) {
  const auto src = numbers<T>(reach(K, N, stride_k, stride_n));
  const ptrdiff_t size = K * round_up(N, Width);
  std::vector<T> dst(size + 3, T(20));
  pack_panels<Width>(dst.data(), src.data(), stride_k, stride_n, K, N);
  for (ptrdiff_t n = 0; n < round_up(N, Width); ++n)
    for (ptrdiff_t k = 0; k < K; ++k)
      ASSERT_EQ(dst[(n / Width) * K * Width + k * Width + n % Width],
                n < N ? src[k * stride_k + n * stride_n] : T(0))
          << k << ", " << n << " of " << K << " x " << N;
  for (ptrdiff_t i = size; i < size + 3; ++i)
    ASSERT_EQ(dst[i], T(20));
}

template <int Width, class T> void check_all_panels() {
  for (ptrdiff_t K : extents)
    for (ptrdiff_t N : {0, 1, 5, 6, 31, 64, 65, 130}) {
      check_panels<Width, T>(K, N, N + 1, 1);
      check_panels<Width, T>(K, N, 1, K + 1);
      check_panels<Width, T>(K, N, 2, 2 * K + 3);
    }
}

TEST(Pack, PanelsOfAnyWidth) {
  check_all_panels<64, float>();
  check_all_panels<6, float>();
  check_all_panels<1, float>();
  check_all_panels<16, double>();
  check_all_panels<32, std::int8_t>();
}

} // namespace
