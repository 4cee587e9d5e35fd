//===- LeavesTest.cpp - the standard leaves --------------------------------===//

#include <septran/leaves.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using septran::extents_t;
using septran::float16;
using septran::tensor;

/// Two inputs and an output of each rank, with the rows of rank 2 and 3 apart in memory.
struct memory {
  std::vector<float> a = std::vector<float>(64), b = a, out = a;

  memory() {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = 0.25f * float(i) - 5.0f;
      b[i] = 3.0f - 0.5f * float(i % 11);
    }
  }
};

template <int R> extents_t<R> shape() {
  if constexpr (R == 1)
    return {7};
  else if constexpr (R == 2)
    return {3, 5};
  else
    return {2, 3, 4};
}

template <int R> extents_t<R> strides() {
  if constexpr (R == 1)
    return {2};
  else if constexpr (R == 2)
    return {8, 1};
  else
    return {24, 7, 1};
}

/// Runs a leaf on every rank and compares every element with a function of a and b.
template <class Leaf, class Expected> void each_rank(Leaf leaf, Expected expected) {
  const auto one = [&]<int R>() {
    memory m;
    const tensor<float, R> a(m.a.data(), shape<R>(), strides<R>());
    const tensor<float, R> b(m.b.data(), shape<R>(), strides<R>());
    const tensor<float, R> out(m.out.data(), shape<R>(), strides<R>());
    leaf(out, a, b);
    std::vector<float> rest = m.out;
    for (auto index : septran::parallel(shape<R>())) {
      std::size_t at = 0;
      for (int d = 0; d < R; ++d)
        at += std::size_t(index[d] * strides<R>()[d]);
      const float want = expected(m.a[at], m.b[at]);
      EXPECT_TRUE(m.out[at] == want || (std::isnan(want) && std::isnan(m.out[at])))
          << "rank " << R << ": " << m.out[at] << " instead of " << want;
      rest[at] = 0;
    }
    for (const float x : rest)
      EXPECT_EQ(x, 0.0f) << "written between the rows";
  };
  one.template operator()<1>();
  one.template operator()<2>();
  one.template operator()<3>();
}

TEST(Leaves, Move) {
  each_rank([](auto out, auto, auto) { septran::fill(out, 4); }, [](float, float) { return 4.0f; });
  each_rank([](auto out, auto a, auto) { septran::copy(out, a); },
            [](float a, float) { return a; });
  each_rank([](auto out, auto a, auto) { septran::convert(out, a); },
            [](float a, float) { return a; });
}

TEST(Leaves, Arithmetic) {
  each_rank([](auto out, auto a, auto b) { septran::add(out, a, b); },
            [](float a, float b) { return a + b; });
  each_rank([](auto out, auto a, auto b) { septran::sub(out, a, b); },
            [](float a, float b) { return a - b; });
  each_rank([](auto out, auto a, auto b) { septran::mul(out, a, b); },
            [](float a, float b) { return a * b; });
  each_rank([](auto out, auto a, auto b) { septran::div(out, a, b); },
            [](float a, float b) { return a / b; });
  each_rank([](auto out, auto a, auto b) { septran::max(out, a, b); },
            [](float a, float b) { return a < b ? b : a; });
  each_rank([](auto out, auto a, auto b) { septran::min(out, a, b); },
            [](float a, float b) { return b < a ? b : a; });
}

TEST(Leaves, InPlace) {
  each_rank(
      [](auto out, auto a, auto) {
        septran::copy(out, a);
        septran::scale(out, 3);
      },
      [](float a, float) { return a * 3; });
  each_rank(
      [](auto out, auto a, auto b) {
        septran::copy(out, a);
        septran::axpy(out, 2, b);
      },
      [](float a, float b) { return a + 2 * b; });
  each_rank(
      [](auto out, auto a, auto) {
        septran::copy(out, a);
        septran::add(out, out, out);
      },
      [](float a, float) { return a + a; });
}

TEST(Leaves, Functions) {
  const auto check = [](auto leaf, auto expected) {
    each_rank([&](auto out, auto a, auto) { leaf(out, a); },
              [&](float a, float) { return expected(a); });
  };
  check([](auto o, auto a) { septran::exp(o, a); }, [](float x) { return std::exp(x); });
  check([](auto o, auto a) { septran::exp2(o, a); }, [](float x) { return std::exp2(x); });
  check([](auto o, auto a) { septran::log(o, a); }, [](float x) { return std::log(x); });
  check([](auto o, auto a) { septran::log2(o, a); }, [](float x) { return std::log2(x); });
  check([](auto o, auto a) { septran::sqrt(o, a); }, [](float x) { return std::sqrt(x); });
  check([](auto o, auto a) { septran::rsqrt(o, a); }, [](float x) { return 1 / std::sqrt(x); });
  check([](auto o, auto a) { septran::reciprocal(o, a); }, [](float x) { return 1 / x; });
  check([](auto o, auto a) { septran::tanh(o, a); }, [](float x) { return std::tanh(x); });
  check([](auto o, auto a) { septran::erf(o, a); }, [](float x) { return std::erf(x); });
  check([](auto o, auto a) { septran::sin(o, a); }, [](float x) { return std::sin(x); });
  check([](auto o, auto a) { septran::cos(o, a); }, [](float x) { return std::cos(x); });
  check([](auto o, auto a) { septran::abs(o, a); }, [](float x) { return std::abs(x); });
  check([](auto o, auto a) { septran::neg(o, a); }, [](float x) { return -x; });
  check([](auto o, auto a) { septran::square(o, a); }, [](float x) { return x * x; });
  check([](auto o, auto a) { septran::relu(o, a); }, [](float x) { return x < 0 ? 0 : x; });
  check([](auto o, auto a) { septran::sigmoid(o, a); },
        [](float x) { return 1 / (1 + std::exp(-x)); });
}

TEST(Leaves, RowReductions) {
  std::vector<float> data{1, 5, 3, -2, -7, -4};
  const tensor<float, 2> x(data.data(), {2, 3});
  std::vector<float> result(2);
  const tensor<float, 1> r(result.data(), {2});
  septran::row_max(r, x);
  EXPECT_EQ(result, (std::vector<float>{5, -2}));
  septran::row_min(r, x);
  EXPECT_EQ(result, (std::vector<float>{1, -7}));
  septran::row_sum(r, x);
  EXPECT_EQ(result, (std::vector<float>{9, -13}));

  const tensor<float, 0> scalar(result.data(), {});
  septran::row_max(scalar, septran::subtensor(x, 1, septran::all));
  EXPECT_EQ(result[0], -2);
  septran::row_sum(septran::reshape(r, {1, 2}), septran::reshape(x, {1, 2, 3}));
  EXPECT_EQ(result, (std::vector<float>{9, -13}));
}

TEST(Leaves, EmptyRowsGiveTheIdentity) {
  float none = 0, result = 0;
  const tensor<float, 2> x(&none, {1, 0});
  const tensor<float, 1> r(&result, {1});
  septran::row_max(r, x);
  EXPECT_EQ(result, -std::numeric_limits<float>::infinity());
  septran::row_min(r, x);
  EXPECT_EQ(result, std::numeric_limits<float>::infinity());
  septran::row_sum(r, x);
  EXPECT_EQ(result, 0);
  int no_int = 0, int_result = 0;
  septran::row_max(tensor<int, 1>(&int_result, {1}), tensor<int, 2>(&no_int, {1, 0}));
  EXPECT_EQ(int_result, std::numeric_limits<int>::lowest());
}

TEST(Leaves, SumsAreTakenInTheTypeOfTheResult) {
  std::vector<float16> ones(4096, float16(1));
  const tensor<float16, 1> x(ones.data(), {4096});
  float wide = 0;
  float16 narrow{};
  septran::row_sum(tensor<float, 0>(&wide, {}), x);
  septran::row_sum(tensor<float16, 0>(&narrow, {}), x);
  EXPECT_EQ(wide, 4096);
  EXPECT_EQ(float(narrow), 2048); // 2048 + 1 rounds back
}

TEST(Leaves, RowsAndColumns) {
  const auto run = [](auto leaf) {
    std::vector<float> x{1, 2, 3, 4, 5, 6}, rows{10, 100}, columns{2, 4, 8};
    leaf(tensor<float, 2>(x.data(), {2, 3}), tensor<float, 1>(rows.data(), {2}),
         tensor<float, 1>(columns.data(), {3}));
    return x;
  };
  using v = std::vector<float>;
  EXPECT_EQ(run([](auto x, auto r, auto) { septran::add_rows(x, r); }),
            (v{11, 12, 13, 104, 105, 106}));
  EXPECT_EQ(run([](auto x, auto r, auto) { septran::sub_rows(x, r); }),
            (v{-9, -8, -7, -96, -95, -94}));
  EXPECT_EQ(run([](auto x, auto r, auto) { septran::mul_rows(x, r); }),
            (v{10, 20, 30, 400, 500, 600}));
  EXPECT_EQ(run([](auto x, auto r, auto) { septran::div_rows(x, r); }),
            (v{1 / 10.f, 2 / 10.f, 3 / 10.f, 4 / 100.f, 5 / 100.f, 6 / 100.f}));
  EXPECT_EQ(run([](auto x, auto, auto c) { septran::add_columns(x, c); }), (v{3, 6, 11, 6, 9, 14}));
  EXPECT_EQ(run([](auto x, auto, auto c) { septran::sub_columns(x, c); }),
            (v{-1, -2, -5, 2, 1, -2}));
  EXPECT_EQ(run([](auto x, auto, auto c) { septran::mul_columns(x, c); }),
            (v{2, 8, 24, 8, 20, 48}));
  EXPECT_EQ(run([](auto x, auto, auto c) { septran::div_columns(x, c); }),
            (v{0.5f, 0.5f, 0.375f, 2, 1.25f, 0.75f}));
}

TEST(Leaves, SmallFloatsGoThroughFloat) {
  std::vector<float16> data{float16(0.5f), float16(2)};
  const tensor<float16, 1> x(data.data(), {2});
  septran::exp(x, x);
  EXPECT_EQ(data[0].bits(), float16(std::exp(0.5f)).bits());
  septran::relu(x, x);
  septran::sigmoid(x, x);
  septran::max(x, x, x);
  float wide[2];
  septran::convert(tensor<float, 1>(wide, {2}), x);
  EXPECT_EQ(wide[1], float(data[1]));
}

} // namespace
