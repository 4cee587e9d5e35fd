//===- InteropTest.cpp - std::mdspan and DLPack ----------------------------===//

#include <septran/dlpack.h>
#include <septran/mdspan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace {

using septran::tensor;

/// The part of std::mdspan that `as_tensor` uses; neither g++ 12 nor clang 19 on Debian 12 has the
/// real one.
template <class T> struct matrix_span {
  using element_type = T;
  static constexpr std::size_t rank() { return 2; }
  static constexpr bool is_always_strided() { return true; }
  T *const &data_handle() const { return data; }
  int extent(std::size_t r) const { return extents[r]; }
  int stride(std::size_t r) const { return strides[r]; }

  T *data;
  int extents[2], strides[2];
};

TEST(Mdspan, BecomesATensor) {
  std::vector<float> data(12);
  std::iota(data.begin(), data.end(), 0.0f);
  const matrix_span<float> m{data.data(), {3, 4}, {1, 3}};
  const auto t = septran::as_tensor(m);
  static_assert(std::is_same_v<decltype(t), const tensor<float, 2>>);
  EXPECT_EQ(t.extents(), (septran::extents_t<2>{3, 4}));
  EXPECT_EQ(float(t(2, 1)), 5);
  const matrix_span<const float> c{data.data(), {3, 4}, {4, 1}};
  static_assert(std::is_same_v<decltype(septran::as_tensor(c)), tensor<const float, 2>>);
}

#if defined(__cpp_lib_mdspan)
TEST(Mdspan, RoundTrip) {
  std::vector<float> data(12);
  const tensor<float, 2> t(data.data(), {3, 2}, {4, 1});
  const auto m = septran::as_mdspan(t);
  EXPECT_EQ(m.extent(1), 2);
  const auto back = septran::as_tensor(m);
  EXPECT_EQ(back.data(), t.data());
  EXPECT_EQ(back.extents(), t.extents());
  EXPECT_EQ(back.strides(), t.strides());
  const std::mdspan<const float, std::extents<int, 3, 4>> fixed(data.data());
  EXPECT_EQ(septran::as_tensor(fixed).strides(), (septran::extents_t<2>{4, 1}));
}
#endif

TEST(Dlpack, LayoutIsThatOfDLTensor) {
  static_assert(std::is_standard_layout_v<septran::dlpack_tensor>);
  static_assert(offsetof(septran::dlpack_tensor, device) == sizeof(void *));
  static_assert(offsetof(septran::dlpack_tensor, ndim) == sizeof(void *) + 8);
  static_assert(offsetof(septran::dlpack_tensor, dtype) == sizeof(void *) + 12);
  static_assert(offsetof(septran::dlpack_tensor, shape) == sizeof(void *) + 16);
  static_assert(sizeof(septran::dlpack_tensor) == 4 * sizeof(void *) + 16);
}

TEST(Dlpack, RoundTrip) {
  std::vector<double> data(20);
  std::iota(data.begin(), data.end(), 0.0);
  const tensor<double, 2> t(data.data(), {3, 2}, {5, 2});
  septran::to_dlpack exported(t);
  EXPECT_EQ(exported.get().ndim, 2);
  EXPECT_EQ(exported.get().shape[0], 3);
  EXPECT_EQ(exported.get().dtype.code, 2);
  EXPECT_EQ(exported.get().dtype.bits, 64);
  const auto back = septran::from_dlpack<const double, 2>(exported.get());
  EXPECT_EQ(back(2, 1), 12);
  EXPECT_EQ(back.strides(), t.strides());
}

TEST(Dlpack, NullStridesAreRowMajorAndOffsetsAreBytes) {
  std::vector<std::int32_t> data{0, 1, 2, 3, 4, 5, 6};
  std::int64_t shape[] = {2, 3};
  const septran::dlpack_tensor d{data.data(), {1, 0}, 2, {0, 32, 1}, shape, nullptr, 4};
  const auto t = septran::from_dlpack<std::int32_t, 2>(d);
  EXPECT_EQ(std::int32_t(t(1, 2)), 6);
}

TEST(Dlpack, RefusesWhatDiffers) {
  float x = 0;
  std::int64_t shape[] = {1};
  septran::dlpack_tensor d{&x, {1, 0}, 1, {2, 32, 1}, shape, nullptr, 0};
  EXPECT_NO_THROW((septran::from_dlpack<float, 1>(d)));
  EXPECT_THROW((septran::from_dlpack<float, 2>(d)), std::invalid_argument);
  EXPECT_THROW((septran::from_dlpack<int, 1>(d)), std::invalid_argument);
  EXPECT_THROW((septran::from_dlpack<double, 1>(d)), std::invalid_argument);
  d.device.device_type = 2; // CUDA
  EXPECT_THROW((septran::from_dlpack<float, 1>(d)), std::invalid_argument);
}

TEST(Dlpack, TypeCodes) {
  const auto code = [](septran::dlpack_type t) { return t.code * 100 + t.bits; };
  EXPECT_EQ(code(septran::dlpack_type_of<std::int8_t>), 8);
  EXPECT_EQ(code(septran::dlpack_type_of<std::uint32_t>), 132);
  EXPECT_EQ(code(septran::dlpack_type_of<septran::float16>), 216);
  EXPECT_EQ(code(septran::dlpack_type_of<septran::bfloat16>), 416);
  EXPECT_EQ(code(septran::dlpack_type_of<septran::float8_e4m3>), 1008);
  EXPECT_EQ(code(septran::dlpack_type_of<septran::float8_e5m2>), 1208);
  EXPECT_EQ(code(septran::dlpack_type_of<bool>), 608);
}

} // namespace
