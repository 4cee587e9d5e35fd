//===- UnitStrideTest.cpp - tensors with neighbouring lanes -----------------===//

#include <septran/cpu/unit_stride.h>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace unit_stride_test {

using septran::index_type;
using septran::tensor;
using septran::cpu::privilege;
using septran::cpu::unit_stride;

std::vector<float> numbers(index_type count) {
  std::vector<float> v(count);
  std::iota(v.begin(), v.end(), 1.0f);
  return v;
}

TEST(UnitStride, AliasesWhatHasIt) {
  auto data = numbers(50);
  const tensor<float, 2> given(data.data(), {5, 7}, {10, 1}, {3, 4});
  const unit_stride<float, 2> unit(given, privilege::read_write);
  EXPECT_EQ(unit.tensor().data(), data.data());
  EXPECT_EQ(unit.tensor().stride(0), 10);
  EXPECT_EQ(unit.tensor().origin(1), 4);
}

TEST(UnitStride, AStrideThatNoIndexUsesIsOne) {
  auto data = numbers(50);
  const tensor<float, 2> column(data.data(), {5, 1}, {10, 7});
  const unit_stride<float, 2> unit(column, privilege::read);
  EXPECT_EQ(unit.tensor().data(), data.data());
  EXPECT_EQ(unit.tensor().stride(1), 1);
}

TEST(UnitStride, CopiesInAndBackATransposedTensor) {
  auto data = numbers(35);
  const tensor<float, 2> given(data.data(), {5, 7}, {1, 5}, {3, 4});
  {
    const unit_stride<float, 2> unit(given, privilege::read_write);
    const auto t = unit.tensor();
    ASSERT_NE(t.data(), data.data());
    EXPECT_EQ(t.stride(1), 1);
    EXPECT_EQ(t.origin(0), 3);
    for (index_type i = 0; i < 5; ++i)
      for (index_type j = 0; j < 7; ++j) {
        EXPECT_EQ(t(i, j), float(1 + i + 5 * j));
        t(i, j) = -t(i, j);
      }
    EXPECT_EQ(data[0], 1.0f) << "only the end of its life writes back";
  }
  for (int i = 0; i < 35; ++i)
    EXPECT_EQ(data[i], -float(i + 1));
}

TEST(UnitStride, ReadDoesNotWriteBack) {
  auto data = numbers(35);
  {
    const unit_stride<float, 2> unit(tensor<float, 2>(data.data(), {5, 7}, {1, 5}),
                                     privilege::read);
    unit.tensor()(0, 0) = 99;
  }
  EXPECT_EQ(data[0], 1.0f);
}

TEST(UnitStride, WriteDoesNotReadWhatItWritesBack) {
  auto data = numbers(12);
  {
    const unit_stride<float, 1> unit(tensor<float, 1>(data.data(), {4}, {3}), privilege::write);
    for (index_type i = 0; i < 4; ++i)
      unit.tensor()(i) = float(100 + i);
  }
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(data[i], i % 3 == 0 ? float(100 + i / 3) : float(i + 1));
}

TEST(UnitStride, HighRanksReversedAndNegativeStrides) {
  auto data = numbers(2 * 3 * 4 * 5);
  {
    // Element (i, j, k, l) of the tensor is element (l, k, j, 1 - i) of the array.
    const tensor<float, 4> given(data.data() + 1, {2, 3, 4, 5}, {-1, 2, 6, 24});
    const unit_stride<float, 4> unit(given, privilege::read_write);
    const auto t = unit.tensor();
    for (index_type i = 0; i < 2; ++i)
      for (index_type j = 0; j < 3; ++j)
        for (index_type k = 0; k < 4; ++k)
          for (index_type l = 0; l < 5; ++l) {
            EXPECT_EQ(t(i, j, k, l), float(1 + (1 - i) + 2 * j + 6 * k + 24 * l));
            t(i, j, k, l) += 1000;
          }
  }
  for (int i = 0; i < 120; ++i)
    EXPECT_EQ(data[i], float(i + 1001));
}

TEST(UnitStride, ConstantEmptyAndScalarTensors) {
  const auto data = numbers(20);
  const unit_stride<const float, 1> unit(tensor<const float, 1>(data.data(), {5}, {4}),
                                         privilege::read);
  EXPECT_EQ(unit.tensor()(4), 17.0f);
  const unit_stride<const float, 2> empty(tensor<const float, 2>(data.data(), {0, 5}, {5, 3}),
                                          privilege::read);
  EXPECT_EQ(empty.tensor().size(), 0);
  const unit_stride<const float, 0> one(tensor<const float, 0>(data.data(), {}), privilege::read);
  EXPECT_EQ(one.tensor()(), 1.0f);
}

} // namespace unit_stride_test
