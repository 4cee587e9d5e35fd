//===- MatrixTilesTest.cpp - products in tile registers against loops -------===//
//
// Each twice: as offered, which are the instructions where target and kernel have them, and the portable form.
// What lies around the results stays as it was.
//
//===----------------------------------------------------------------------===//
#include "FlushingFma.h"

#include <septran/cpu/matrix_tiles.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace matrix_tiles_test {

namespace cpu = septran::cpu;
using septran::bfloat16;
using std::ptrdiff_t;

/// As round_bf16: a subnormal float is a zero.
bfloat16 rounded(float x) {
  return bfloat16(std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.f, x) : x);
}

/// Operands with room behind their rows and panels; what lies beyond the depth in B is no zero.
template <class TC, class T_A, class T_B> struct operands {
  ptrdiff_t m, n, depth;
  static constexpr ptrdiff_t group = 4 / sizeof(T_B);
  ptrdiff_t stride_a = depth + 3, stride_c = n + 5, panel_stride = (n + 2) * group;
  std::vector<T_A> A = std::vector<T_A>(size_t(m * stride_a));
  std::vector<T_B> B = std::vector<T_B>(size_t((depth + group - 1) / group * panel_stride));
  std::vector<TC> C = std::vector<TC>(size_t(m * stride_c));

  T_A a(ptrdiff_t i, ptrdiff_t k) const { return A[size_t(i * stride_a + k)]; }
  T_B b(ptrdiff_t k, ptrdiff_t j) const {
    return B[size_t(k / group * panel_stride + j * group + k % group)];
  }
};

/// `Sum`: what C(i, j) is or becomes, by (i, j, what it was).
template <class TC, class T_A, class T_B, class Sum>
void check(const operands<TC, T_A, T_B> &o, Sum sum) {
  SCOPED_TRACE(testing::Message() << o.m << " x " << o.n << " x " << o.depth);
  auto same = [&](bool adds, const std::vector<TC> &found) {
    std::vector<TC> expected = o.C;
    for (ptrdiff_t i = 0; i < o.m; ++i)
      for (ptrdiff_t j = 0; j < o.n; ++j) {
        TC &c = expected[size_t(i * o.stride_c + j)];
        if constexpr (std::is_same_v<TC, bfloat16>)
          c = rounded(sum(i, j, 0.f));
        else
          c = sum(i, j, adds ? c : TC(0));
      }
    for (size_t at = 0; at < found.size(); ++at) {
      if constexpr (!std::is_integral_v<TC>)
        if (std::isnan(float(expected[at])) && std::isnan(float(found[at])))
          continue;
      ASSERT_EQ(std::memcmp(&expected[at], &found[at], sizeof(TC)), 0)
          << (adds ? "add" : "set") << " at " << ptrdiff_t(at) / o.stride_c << ", "
          << ptrdiff_t(at) % o.stride_c << ": " << double(expected[at]) << " and " << double(found[at]);
    }
  };
  auto call = [&](bool adds, auto function) {
    std::vector<TC> found = o.C;
    function(found.data());
    same(adds, found);
  };
  using all = cpu::detail::tile_operands<TC, T_A, T_B>;
  auto operands = [&](TC *c) {
    return all{o.m, o.n, o.depth, o.A.data(), o.stride_a, o.B.data(), o.panel_stride, c, o.stride_c};
  };
  call(false, [&](TC *c) {
    cpu::set_product(o.m, o.n, o.depth, o.A.data(), o.stride_a, o.B.data(), o.panel_stride, c, o.stride_c);
  });
  call(false, [&](TC *c) { cpu::detail::dot_tiles_by_lanes<false>(operands(c)); });
  if constexpr (!std::is_same_v<TC, bfloat16>) {
    call(true, [&](TC *c) {
      cpu::add_product(o.m, o.n, o.depth, o.A.data(), o.stride_a, o.B.data(), o.panel_stride, c, o.stride_c);
    });
    call(true, [&](TC *c) { cpu::detail::dot_tiles_by_lanes<true>(operands(c)); });
  }
}

template <class Check> void for_sizes(Check check) {
  cpu::configure_tiles();
  for (ptrdiff_t m : {1, 2, 15, 16, 17, 31, 32})
    for (ptrdiff_t n : {1, 7, 16, 17, 32})
      for (ptrdiff_t depth : {1, 2, 3, 5, 31, 32, 33, 64, 67, 128, 191})
        if (!testing::Test::HasFailure())
          check(m, n, depth);
}

template <class T_A, class T_B> void check_bytes() {
  std::mt19937 random(1);
  for_sizes([&](ptrdiff_t m, ptrdiff_t n, ptrdiff_t depth) {
    operands<std::int32_t, T_A, T_B> o = {m, n, depth};
    for (T_A &a : o.A)
      a = T_A(random());
    for (T_B &b : o.B)
      b = T_B(random());
    for (std::int32_t &c : o.C) // sums that wrap in either direction
      c = random() % 2 ? INT32_MAX - int(random() % 1000) : INT32_MIN + int(random() % 1000);
    check(o, [&](ptrdiff_t i, ptrdiff_t j, std::int32_t c) {
      std::uint32_t sum = std::uint32_t(c);
      for (ptrdiff_t k = 0; k < depth; ++k)
        sum += std::uint32_t(int(o.a(i, k)) * int(o.b(k, j)));
      return std::int32_t(sum);
    });
  });
}

TEST(MatrixTiles, Bytes) {
  check_bytes<std::int8_t, std::int8_t>();
  check_bytes<std::int8_t, std::uint8_t>();
  check_bytes<std::uint8_t, std::int8_t>();
  check_bytes<std::uint8_t, std::uint8_t>();
}

template <class TC> void check_bfloat16() {
  if (!flushing_fma::has_definition())
    GTEST_SKIP() << "this processor has no fused multiply-add that flushes";
  using flushing_fma::flushed_fma;
  std::mt19937 random(1);
  for_sizes([&](ptrdiff_t m, ptrdiff_t n, ptrdiff_t depth) {
    operands<TC, bfloat16, bfloat16> o = {m, n, depth};
    // Of all sizes, or such that products are about as large as the smallest normal number, or one.
    const int middle = int(random() % 3) - 1;
    auto number = [&](int product) {
      const int exponent = middle < 0 ? int(random() % 256) - 127 : product / 2 + int(random() % 9) - 4;
      return flushing_fma::float_bits(random, exponent);
    };
    const int product = middle == 0 ? -124 : 0;
    for (bfloat16 &a : o.A)
      a = __builtin_bit_cast(bfloat16, std::uint16_t(number(product) >> 16));
    for (bfloat16 &b : o.B)
      b = __builtin_bit_cast(bfloat16, std::uint16_t(number(product) >> 16));
    for (TC &c : o.C)
      c = TC(__builtin_bit_cast(float, number(2 * product)));
    check(o, [&](ptrdiff_t i, ptrdiff_t j, float c) {
      for (ptrdiff_t first = 0; first < depth; first += 32) {
        float sums[2] = {0, 0};
        for (ptrdiff_t k = first; k < first + 32; ++k)
          sums[k % 2] = k < depth ? flushed_fma(float(o.a(i, k)), float(o.b(k, j)), sums[k % 2])
                                  : flushed_fma(0.f, 0.f, sums[k % 2]);
        c = flushed_fma(1.f, flushed_fma(1.f, sums[0], sums[1]), c);
      }
      return c;
    });
  });
}

TEST(MatrixTiles, Bfloat16IntoFloats) { check_bfloat16<float>(); }
TEST(MatrixTiles, Bfloat16) { check_bfloat16<bfloat16>(); }

TEST(MatrixTiles, NothingToSum) {
  cpu::configure_tiles();
  float c = 1;
  const bfloat16 one(1.f);
  cpu::add_product(1, 1, 0, &one, 1, &one, 2, &c, 1);
  for (auto product : {cpu::add_product<float, bfloat16, bfloat16>, cpu::set_product<float, bfloat16, bfloat16>}) {
    product(0, 1, 1, &one, 1, &one, 2, &c, 1);
    product(1, 0, 1, &one, 1, &one, 2, &c, 1);
  }
  EXPECT_EQ(c, 1);
  cpu::set_product(1, 1, 0, &one, 1, &one, 2, &c, 1);
  EXPECT_EQ(c, 0);
}

} // namespace matrix_tiles_test
