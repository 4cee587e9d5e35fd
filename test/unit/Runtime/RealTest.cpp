//===- RealTest.cpp - rounding errors stay within their bounds -----------===//
//
// Random expressions are evaluated in T in many ways that a compiler may choose from: sums in any
// order and in trees, products and sums fused, functions that are off by some ulp. Each result must
// be admitted by one evaluation in real<T>, and the bound must not be so wide that an error of the
// size of a term passes.
//
//===----------------------------------------------------------------------===//
#include <septran/septran.h>
#include <septran/verify/math.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using septran::verify::decisions;
using septran::verify::real;

std::mt19937 &random_bits() {
  static std::mt19937 engine(12345);
  return engine;
}
double uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random_bits());
}
int whole(int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random_bits());
}

template <class T> class RealTest : public testing::Test {
protected:
  void SetUp() override { random_bits().seed(12345); }
};
using all_types = testing::Types<float, double, septran::float16, septran::bfloat16,
                                 septran::float8_e4m3, septran::float8_e5m2>;
TYPED_TEST_SUITE(RealTest, all_types);

template <class T>
constexpr double unit =
    1.0 / static_cast<double>(std::uint64_t(1) << std::numeric_limits<T>::digits);

/// Adds the terms in a random order: one after the other, or in a random tree.
template <class T> T any_sum(std::vector<T> terms) {
  std::shuffle(terms.begin(), terms.end(), random_bits());
  const bool tree = whole(0, 1);
  while (terms.size() > 1) {
    const std::size_t other = tree ? std::size_t(whole(1, int(terms.size()) - 1)) : 1;
    terms[0] = T(terms[0] + terms[other]);
    terms.erase(terms.begin() + std::ptrdiff_t(other));
    std::swap(terms[0], terms[tree ? std::size_t(whole(0, int(terms.size()) - 1)) : 0]);
  }
  return terms.empty() ? T(0) : terms[0];
}

TYPED_TEST(RealTest, SumsInAnyOrder) {
  using T = TypeParam;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = whole(1, 40);
    std::vector<T> terms;
    real<T> sum = 0;
    double magnitude = 0;
    for (int i = 0; i < n; ++i) {
      terms.push_back(T(uniform(-1, 1) * std::ldexp(1.0, whole(-4, 2))));
      sum += terms.back();
      magnitude += std::abs(double(terms.back()));
    }
    for (int order = 0; order < 20; ++order)
      ASSERT_TRUE(sum.admits(any_sum(terms))) << n << " terms";
    EXPECT_LE(double(sum.bound()), 1.01 * n * unit<T> * magnitude);
  }
}

TYPED_TEST(RealTest, AMissingTermIsSeen) {
  using T = TypeParam;
  // A term among more of them would be as small as the rounding of their sum.
  const int n = std::numeric_limits<T>::digits < 8    ? 2
                : std::numeric_limits<T>::digits < 11 ? 6
                                                      : 20;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<T> terms;
    real<T> sum = 0;
    for (int i = 0; i < n; ++i) {
      terms.push_back(T(uniform(0.5, 1)));
      sum += terms.back();
    }
    terms.pop_back();
    EXPECT_FALSE(sum.admits(any_sum(terms)));
  }
}

TYPED_TEST(RealTest, ProductsMayBeFused) {
  using T = TypeParam;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = whole(1, 30);
    T separate(0), fused(0);
    real<T> sum = 0;
    for (int i = 0; i < n; ++i) {
      const T a(uniform(-2, 2)), b(uniform(-2, 2));
      sum += real<T>(a) * real<T>(b);
      separate = T(separate + T(a * b));
      if constexpr (std::is_floating_point_v<T>)
        fused = std::fma(a, b, fused);
      else
        fused = T(std::fma(float(a), float(b), float(fused)));
    }
    ASSERT_TRUE(sum.admits(separate));
    ASSERT_TRUE(sum.admits(fused));
  }
}

TEST(RealFactorTest, FactorsMayBeRounded) {
  const auto shortened = [](float x, int bits, auto round) {
    int exponent;
    const float fraction = std::frexp(x, &exponent);
    return std::ldexp(float(round(std::ldexp(fraction, bits))), exponent - bits);
  };
  const auto to_nearest = [](float x) { return std::nearbyint(x); };
  const auto down = [](float x) { return std::floor(x); };
  std::mt19937 bits(1);
  std::uniform_real_distribution<float> number(1, 2);
  int exact_by_chance = 0;
  for (int trial = 0; trial < 300; ++trial) {
    real<float> sum = 0, full = 0;
    float rounded = 0, cut = 0;
    for (int i = 0; i < 20; ++i) {
      const float a = number(bits), b = number(bits);
      full += real<float>(a) * real<float>(b);
      septran::verify::relaxed().factor_bits = 11;
      sum += real<float>(a) * real<float>(b);
      septran::verify::relaxed().factor_bits = 0;
      rounded += shortened(a, 11, to_nearest) * shortened(b, 11, to_nearest);
      cut += shortened(a, 7, down) * shortened(b, 7, down);
    }
    EXPECT_TRUE(sum.admits(rounded));
    EXPECT_FALSE(sum.admits(cut));
    exact_by_chance += full.admits(rounded);
  }
  EXPECT_LT(exact_by_chance, 10);
}

TEST(RealFactorTest, FactorsWithFewBitsStayExact) {
  septran::verify::relaxed().factor_bits = 11;
  const real<float> exact = real<float>(2047) * real<float>(-0.5f) + real<float>(3) * real<float>(5);
  const real<float> open = real<float>(2049) * real<float>(3);
  const real<float> large = real<float>(std::numeric_limits<float>::max()) * real<float>(0);
  const real<float> tiny = real<float>(std::ldexp(3.0f, -149)) * real<float>(1);
  septran::verify::relaxed().factor_bits = 0;
  EXPECT_EQ(exact.bound(), 0);
  EXPECT_GE(open.bound(), 3);
  EXPECT_LE(open.bound(), 4);
  EXPECT_FALSE(large.is_determined()) << "rounds to infinity";
  EXPECT_EQ(tiny.bound(), std::ldexp(1.0, -137) * (1 + std::ldexp(1.0, -20)));
}

TEST(RealFactorTest, SubnormalsMayBeZeros) {
  const auto least = std::numeric_limits<float>::min();
  const auto flushing = [](auto compute) {
    septran::verify::relaxed().flushes_subnormals = true;
    const real<float> x = compute();
    septran::verify::relaxed().flushes_subnormals = false;
    return x;
  };
  const real<float> tiny(least / 2), one(1);
  for (const real<float> &x : {flushing([&] { return tiny * one; }),
                               flushing([&] { return one * tiny; }),
                               flushing([&] { return real<float>(1e-20f) * real<float>(1e-19f); }),
                               flushing([&] { return tiny + real<float>(least / 4); }),
                               flushing([&] { return tiny + real<float>(0); }),
                               flushing([&] { return real<float>(0) + tiny; })}) {
    EXPECT_TRUE(x.admits(0.0f));
    EXPECT_FALSE(x.admits(5 * least));
  }
  EXPECT_FALSE((tiny * one).admits(0.0f));
  EXPECT_FALSE((tiny + real<float>(least / 4)).admits(0.0f));
  // What is known to be normal, or zero, stays what it is.
  EXPECT_EQ(flushing([] { return real<float>(3) * real<float>(5) - real<float>(15); }).bound(), 0);
  EXPECT_EQ(flushing([&] { return real<float>(least) * one; }).bound(), 0);
}

/// A value as the reference and as the T that some compiler computed.
template <class T> struct both {
  real<T> reference;
  T computed;
};

/// `x` moved by up to three ulp; functions of small types are those of float.
template <class T> T imprecise(double x) {
  using computed = std::conditional_t<std::is_same_v<T, double>, double, float>;
  return T(computed(x * (1 + whole(-3, 3) * unit<computed>)));
}

template <class T> both<T> any_expression(int depth) {
  if (depth == 0) {
    const T x(uniform(-3, 3));
    return {x, x};
  }
  const auto child = [&] { return any_expression<T>(depth - 1 - whole(0, depth > 2)); };
  switch (whole(0, 10)) {
  case 0:
  case 1:
  case 2: {
    std::vector<T> terms;
    real<T> sum = 0;
    for (int n = whole(1, 5); n > 0; --n) {
      const both<T> term = child();
      sum = whole(0, 1) ? sum + term.reference : term.reference + sum;
      terms.push_back(term.computed);
    }
    return {sum, any_sum(terms)};
  }
  case 3:
  case 4: {
    const both<T> a = child(), b = child();
    return {a.reference * b.reference, T(a.computed * b.computed)};
  }
  case 5: {
    const both<T> a = child(), b = child();
    return {a.reference / b.reference, T(a.computed / b.computed)};
  }
  case 6: {
    const both<T> a = child();
    return {real<T>(exp(-fabs(a.reference))),
            imprecise<T>(std::exp(-std::abs(double(a.computed))))};
  }
  case 7: {
    const both<T> a = child();
    return {real<T>(sqrt(fabs(a.reference))), T(std::sqrt(std::abs(double(a.computed))))};
  }
  case 8: {
    const both<T> a = child(), b = child();
    return {max(a.reference, b.reference), std::max(a.computed, b.computed)};
  }
  case 9: {
    const both<T> a = child();
    return {real<T>(sin(a.reference)), imprecise<T>(std::sin(double(a.computed)))};
  }
  default: {
    const both<T> a = child();
    const T scale(std::ldexp(1.0, whole(-2, 2)));
    return {-a.reference * scale, T(-a.computed * scale)};
  }
  }
}

TYPED_TEST(RealTest, ExpressionsStayWithinTheirBounds) {
  using T = TypeParam;
  int determined = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const both<T> x = any_expression<T>(whole(1, 4));
    ASSERT_TRUE(x.reference.admits(x.computed))
        << "trial " << trial << ": " << double(x.computed) << " against "
        << double(x.reference.value) << " +- " << double(x.reference.bound());
    determined += x.reference.is_determined();
  }
  // What is undetermined divides by something near 0.
  EXPECT_GT(determined, std::numeric_limits<T>::digits < 8 ? 10000 : 17000);
}

TYPED_TEST(RealTest, FunctionsStayWithinTheirBounds) {
  using T = TypeParam;
  int determined = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const both<T> a = any_expression<T>(1), b = any_expression<T>(1);
    const double x = double(a.computed), y = double(b.computed);
    const auto check = [&](const char *name, real<T> reference, T computed) {
      EXPECT_TRUE(reference.admits(computed))
          << name << " of " << x << " and " << y << ": " << double(computed) << " against "
          << double(reference.value) << " +- " << double(reference.bound());
      determined += reference.is_determined();
    };
    check("tan", real<T>(tan(a.reference)), imprecise<T>(std::tan(x)));
    check("cosh", real<T>(cosh(a.reference)), imprecise<T>(std::cosh(x)));
    check("atan2", real<T>(atan2(a.reference, b.reference)), imprecise<T>(std::atan2(x, y)));
    check("copysign", real<T>(copysign(a.reference, b.reference)), T(std::copysign(x, y)));
  }
  EXPECT_GT(determined, 15000);
}

TYPED_TEST(RealTest, WholeNumbersAreExactInAnyOrder) {
  using T = TypeParam;
  const int largest = std::min(1 << std::min(std::numeric_limits<T>::digits, 24), 256);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<T> terms;
    real<T> sum = 0;
    int expected = 0, left = largest;
    while (left > 0) {
      const int a = whole(-2, 2), b = whole(-2, 2);
      left -= std::abs(a * b) + 1;
      if (left < 0)
        break;
      terms.push_back(T(T(a) * T(b)));
      sum += real<T>(a) * b;
      expected += a * b;
    }
    EXPECT_TRUE(sum.is_exact());
    EXPECT_EQ(double(sum.bound()), 0);
    EXPECT_EQ(double(sum.value), expected);
    for (int order = 0; order < 10; ++order)
      ASSERT_TRUE(sum.admits(any_sum(terms)));
    EXPECT_FALSE(sum.admits(T(double(expected == 0 ? 1 : 0))));
  }
}

TYPED_TEST(RealTest, ExactnessEndsWhereRoundingBegins) {
  using T = TypeParam;
  const double p = std::ldexp(1.0, std::numeric_limits<T>::digits);
  EXPECT_TRUE((real<T>(p - 1) + real<T>(1)).is_exact());
  EXPECT_FALSE((real<T>(p - 1) + real<T>(3)).is_exact());
  // Cancellation at the end does not make up for rounding on the way in another order.
  EXPECT_FALSE((real<T>(p - 1) - real<T>(p - 1) + real<T>(1)).is_exact());
  EXPECT_TRUE((real<T>(3) / real<T>(4)).is_exact());
  EXPECT_FALSE((real<T>(1) / real<T>(3)).is_exact());
  EXPECT_TRUE(sqrt(real<T>(4)).is_exact());
  EXPECT_FALSE(sqrt(real<T>(2)).is_exact());
}

TEST(RealTest, NarrowSumsOfWiderTerms) {
  using half = septran::float16;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = whole(1, 60);
    std::vector<float> terms;
    real<half> sum = 0;
    for (int i = 0; i < n; ++i) {
      terms.push_back(float(uniform(-1, 1)));
      sum += real<float>(terms.back());
    }
    for (int order = 0; order < 20; ++order) {
      std::shuffle(terms.begin(), terms.end(), random_bits());
      half one_by_one = 0;
      float lanes = 0;
      for (float x : terms) {
        one_by_one += x;
        lanes += x;
      }
      ASSERT_TRUE(sum.admits(one_by_one));
      ASSERT_TRUE(sum.admits(half(lanes)));
    }
  }
}

TEST(RealTest, WideAccumulators) {
  // Products of 8 bits times 8 bits are exact in float, and the sum is rounded as floats are.
  real<float> sum = 0;
  double magnitude = 0;
  for (int i = 0; i < 1000; ++i) {
    const septran::bfloat16 a = uniform(-1, 1), b = uniform(-1, 1);
    sum += real<float>(real<septran::bfloat16>(a)) * real<float>(real<septran::bfloat16>(b));
    magnitude += std::abs(double(a) * double(b));
  }
  EXPECT_LE(sum.bound(), 1000 * 0x1p-24 * 1.01 * magnitude);
  const real<septran::bfloat16> rounded(sum);
  EXPECT_GE(rounded.bound(), sum.bound());
  EXPECT_TRUE(rounded.admits(septran::bfloat16(sum.nearest())));
}

TEST(RealTest, OverflowInSomeOrders) {
  const real<float> big = 3e38f;
  EXPECT_FALSE((big + big - big).settled().is_determined());
  const real<float> sum = big + big;
  EXPECT_TRUE(sum.admits(std::numeric_limits<float>::infinity()));
  EXPECT_FALSE(sum.admits(3e38f));
  EXPECT_TRUE((big * big).admits(std::numeric_limits<float>::infinity()));
  EXPECT_TRUE((-big * big).admits(-std::numeric_limits<float>::infinity()));
  EXPECT_TRUE((std::numeric_limits<real<float>>::lowest() - 5.0f).is_determined());
  EXPECT_TRUE((real<septran::float8_e4m3>(400) * 2).bound() < 400) << "a float by then";
  EXPECT_TRUE(
      real<septran::float8_e4m3>(real<float>(400) / 0.3f).admits(septran::float8_e4m3(448)));
}

/// A fused instruction rounds a product after something has been added.
TEST(RealTest, LeavesOpenWhatFusingDecides) {
  const float largest = std::numeric_limits<float>::max(),
              infinity = std::numeric_limits<float>::infinity();
  const real<float> big = largest, product = big * real<float>(1.5f), huge = big * big;
  EXPECT_TRUE(product.admits(infinity));
  EXPECT_FALSE(product.admits(largest));
  EXPECT_TRUE((product - big).admits(largest / 2)) << "what one that is fused gives";
  EXPECT_TRUE((product - big).admits(infinity)) << "what two instructions give";
  EXPECT_FALSE((product + big).admits(largest));
  EXPECT_FALSE((product - real<float>(1)).admits(largest));
  EXPECT_FALSE((huge - big).admits(largest)) << "too large in any case";
  EXPECT_TRUE((real<float>(infinity) - huge).admits(infinity)) << "fused";
  EXPECT_TRUE((real<float>(infinity) - huge).admits(std::numeric_limits<float>::quiet_NaN()))
      << "two instructions";
  EXPECT_FALSE((real<float>(infinity) + huge).admits(std::numeric_limits<float>::quiet_NaN()));
}

TEST(RealTest, NanAndInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  const real<float> inf = infinity, zero = 0, third = real<float>(1) / 3;
  EXPECT_TRUE((inf - inf).admits(NAN));
  EXPECT_FALSE((inf - inf).admits(0));
  EXPECT_TRUE((inf + third).admits(infinity));
  EXPECT_FALSE((inf + third).admits(1));
  EXPECT_TRUE((inf * zero).admits(NAN));
  EXPECT_TRUE((third / inf).admits(0));
  EXPECT_TRUE((third / zero).admits(infinity));
  EXPECT_FALSE((third / (third - third)).is_determined()) << "the difference may be 0 or not";
  EXPECT_TRUE(exp(-inf).is_exact());
  EXPECT_TRUE(exp(real<float>(1000)).admits(infinity));
  EXPECT_TRUE(log(zero).admits(-infinity));
  EXPECT_TRUE(sqrt(real<float>(-1)).admits(NAN));
  EXPECT_FALSE(real<float>(1).admits(NAN));
  EXPECT_FALSE(max(third, real<float>(NAN)).admits(NAN));
  EXPECT_TRUE(max(real<float>(NAN), third).admits(NAN)) << "the first argument stays";
  EXPECT_FALSE(max(real<float>(NAN), third).admits(third.nearest()));
  EXPECT_TRUE(fmax(real<float>(NAN), third).admits(third.nearest()));
}

TEST(RealTest, SignsOfZero) {
  const auto zero = real<float>::of(0.0f), minus = real<float>::of(-0.0f), one = real<float>::of(1.0f);
  EXPECT_FALSE(std::signbit(float((zero + minus).value)));
  EXPECT_FALSE(std::signbit(float((minus + zero).value)));
  EXPECT_FALSE(std::signbit(float((zero - zero).value)));
  EXPECT_TRUE(std::signbit(float((minus + minus).value)));
  EXPECT_TRUE((one / (zero - zero)).admits(std::numeric_limits<float>::infinity()));
  EXPECT_FALSE((one / (zero - zero)).admits(-std::numeric_limits<float>::infinity()));
}

TEST(RealTest, UndecidedComparisons) {
  decisions() = {};
  real<float> third = real<float>(1) / 3, sixth = real<float>(1) / 6;
  EXPECT_TRUE(third > sixth);
  EXPECT_TRUE(real<float>(2) == 2);
  EXPECT_TRUE(real<float>(NAN) != real<float>(NAN));
  EXPECT_FALSE(real<float>(NAN) < 1);
  EXPECT_EQ(int(third * 10), 3);
  EXPECT_EQ(decisions().undecided, 0u);
  const bool answer = third < sixth + sixth;
  EXPECT_EQ(decisions().undecided, 1u);
  decisions().flip = true;
  EXPECT_NE(third < sixth + sixth, answer);
  EXPECT_EQ(decisions().undecided, 2u);
  const int flipped = int(third * 3);
  decisions().flip = false;
  EXPECT_NE(int(third * 3), flipped);
  EXPECT_EQ(decisions().undecided, 4u);
  // A maximum moves no further than its arguments: nothing to decide.
  EXPECT_LE(max(third, sixth + sixth).bound(), 1e-6);
  EXPECT_EQ(decisions().undecided, 4u);
}

TEST(RealTest, RoundingToWholeNumbers) {
  const real<float> third = real<float>(1) / 3;
  EXPECT_TRUE(floor(third * 10).is_exact());
  const real<float> edge = floor(third * 3);
  EXPECT_TRUE(edge.admits(0) && edge.admits(1) && !edge.admits(3));
}

TEST(RealTest, Powers) {
  const real<float> x = real<float>(1) / 3;
  EXPECT_TRUE(pow(x, x).admits(std::pow(1.0f / 3, 1.0f / 3)));
  EXPECT_LE(pow(x, x).bound(), 1e-6);
  EXPECT_TRUE(powf(-x, real<float>(3)).admits(std::pow(-1.0f / 3, 3.0f)));
  EXPECT_FALSE(powf(x - x, x).is_determined());
}

} // namespace
