//===- TensorTest.cpp - tensors, deduction, locals ------------------------===//

#include <septran/septran.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using septran::tensor;

template <class T, int R> struct seen {
  using element = T;
  static constexpr int rank = R;
};

// What deduction makes of an argument, as parameter types of tasks see it.
template <class T, int R> seen<T, R> as_mutable(tensor<T, R>) { return {}; }
template <class T, int R> seen<T, R> as_constant(tensor<const T, R>) { return {}; }

TEST(Tensor, ConstantParameterDeducesFromMutableTensorsAndLocals) {
  using constant = tensor<const float, 2>;
  using writable = tensor<float, 2>;
  using local = septran::local<float, 2>;
  using window = septran::window_block<float, 2>;
  using expected = seen<float, 2>;
  static_assert(std::is_same_v<decltype(as_constant(std::declval<constant>())), expected>);
  static_assert(std::is_same_v<decltype(as_constant(std::declval<writable>())), expected>);
  static_assert(std::is_same_v<decltype(as_constant(std::declval<local &>())), expected>);
  static_assert(std::is_same_v<decltype(as_constant(std::declval<window>())), expected>);
}

TEST(Tensor, MutableParameterDeducesFromTensorsAndLocals) {
  using writable = tensor<double, 3>;
  using local = septran::local<double, 3>;
  using expected = seen<double, 3>;
  static_assert(std::is_same_v<decltype(as_mutable(std::declval<writable>())), expected>);
  static_assert(std::is_same_v<decltype(as_mutable(std::declval<local &>())), expected>);
  static_assert(std::is_same_v<decltype(as_mutable(std::declval<tensor<const double, 3>>())),
                               seen<const double, 3>>);
}

TEST(Tensor, ConstantTensorDoesNotBecomeMutable) {
  static_assert(std::is_convertible_v<tensor<float, 1>, tensor<const float, 1>>);
  static_assert(!std::is_convertible_v<tensor<const float, 1>, tensor<float, 1>>);
  static_assert(!std::is_assignable_v<tensor<const float, 1>::reference, float>);
}

TEST(Tensor, RowMajorByDefault) {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  const tensor<int, 3> t(data.data(), {2, 3, 4});
  EXPECT_EQ(t.rank(), 3);
  EXPECT_EQ(t.size(), 24);
  EXPECT_EQ(t.extent(0), 2);
  EXPECT_EQ(t.extents(), (septran::extents_t<3>{2, 3, 4}));
  EXPECT_EQ(t.strides(), (septran::extents_t<3>{12, 4, 1}));
  EXPECT_EQ(t.stride(1), 4);
  EXPECT_EQ(t.data(), data.data());
  EXPECT_EQ(int(t(1, 2, 3)), 23);
  EXPECT_EQ(int(t(1, 0, 2)), 14);
  EXPECT_EQ(t.origin(0), 0);
}

TEST(Tensor, StridesMayBeAnything) {
  std::vector<int> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const tensor<int, 2> columns(data.data(), {2, 3}, {1, 3});
  EXPECT_EQ(int(columns(1, 2)), 7);
  const tensor<const int, 1> backwards(data.data() + 9, {10}, {-1});
  EXPECT_EQ(backwards(3), 6);
  const tensor<const int, 2> repeated(data.data(), {5, 2}, {0, 1});
  EXPECT_EQ(repeated(4, 1), 1);
}

TEST(Tensor, RanksZeroToSix) {
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 0);
  const tensor<int, 0> scalar(data.data(), {});
  scalar() = 7;
  EXPECT_EQ(int(scalar()), 7);
  EXPECT_EQ(scalar.size(), 1);
  const tensor<const int, 0> reader = scalar;
  EXPECT_EQ(reader(), 7);
  const tensor<int, 1> t1(data.data(), {64});
  const tensor<int, 4> t4(data.data(), {2, 2, 4, 4});
  const tensor<int, 5> t5(data.data(), {2, 2, 2, 2, 4});
  const tensor<int, 6> t6(data.data(), {2, 2, 2, 2, 2, 2});
  EXPECT_EQ(int(t1(33)), 33);
  EXPECT_EQ(int(t4(1, 0, 3, 2)), 46);
  EXPECT_EQ(int(t5(1, 0, 1, 1, 1)), 45);
  EXPECT_EQ(int(t6(1, 0, 1, 1, 0, 1)), 45);
}

TEST(Tensor, AConstantViewStillWritesItsElements) {
  float x = 0;
  const tensor<float, 1> t(&x, {1});
  t(0) = 3;
  t(0) += 2;
  t(0) *= 2;
  EXPECT_EQ(x, 10);
}

TEST(Tensor, IndexTypesMayDiffer) {
  std::vector<float> data(6, 1.0f);
  const tensor<float, 2> t(data.data(), {2, 3});
  const std::uint8_t i = 1;
  const std::size_t j = 2;
  t(i, j) = 4;
  EXPECT_EQ(data[5], 4);
  std::vector<int> table{1, 2};
  const tensor<int, 1> index(table.data(), {2});
  EXPECT_EQ(float(t(index(0), index(1))), 4);
}

TEST(Tensor, DefaultIsEmpty) {
  const tensor<float, 2> t;
  EXPECT_EQ(t.data(), nullptr);
  EXPECT_EQ(t.size(), 0);
}

TEST(Local, OwnsAlignedRowMajorMemory) {
  septran::local<float, 2> x({3, 5});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u);
  EXPECT_EQ(x.strides(), (septran::extents_t<2>{5, 1}));
  septran::fill(x, 2);
  const septran::local<double, 2> y(x.extents());
  septran::convert(y, x);
  EXPECT_EQ(double(y(2, 4)), 2.0);
  static_assert(!std::is_copy_constructible_v<septran::local<float, 2>>);
  static_assert(!std::is_copy_assignable_v<septran::local<float, 2>>);
}

TEST(Local, MayBeEmptyOrScalar) {
  septran::local<float, 2> empty({0, 5});
  EXPECT_EQ(empty.size(), 0);
  septran::local<float, 0> scalar({});
  scalar() = 1;
  EXPECT_EQ(float(scalar()), 1);
  septran::local<int, 1> vector(4);
  EXPECT_EQ(vector.extent(0), 4);
  septran::local<int, 1> in_braces({3});
  EXPECT_EQ(in_braces.extent(0), 3);
}

TEST(Parallel, RunsRowMajorOverAllIndices) {
  std::vector<std::pair<int, int>> indices;
  for (auto [i, j] : septran::parallel(septran::extents_t<2>{2, 3}))
    indices.emplace_back(int(i), int(j));
  EXPECT_EQ(indices,
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(Parallel, TakesIntegers) {
  septran::index_type sum = 0;
  for (auto [i] : septran::parallel(5))
    sum += i;
  EXPECT_EQ(sum, 10);
  for (auto [i, j, k] : septran::parallel(2, septran::index_type(3), 4u))
    sum += i + j + k;
  EXPECT_EQ(sum, 10 + 12 + 24 + 36);
}

TEST(Parallel, RunsNeverIfAnExtentIsZero) {
  for (auto [i, j] : septran::parallel(3, 0))
    ADD_FAILURE() << i << j;
  for (auto [i] : septran::parallel(-1))
    ADD_FAILURE() << i;
}

TEST(Parallel, ContinueAndBreak) {
  int seen = 0;
  for (auto [i] : septran::parallel(10)) {
    if (i % 2 == 0)
      continue;
    if (i > 6)
      break;
    ++seen;
  }
  EXPECT_EQ(seen, 3);
}

} // namespace
