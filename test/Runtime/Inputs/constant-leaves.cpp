#include <septran/septran.h>

using septran::tensor;
using vector = tensor<float, 1>;
using input = tensor<const float, 1>;

// Leaves and tasks of constant expressions, some of them no templates.
[[septran::leaf]] constexpr void twice([[septran::write]] vector y, input x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = x(i) * 2;
}
[[septran::leaf]] constexpr void shift(vector x) {
  for (int i = 1; i < x.extent(0); ++i)
    x(i - 1) = x(i);
  x(0) += 1;
  ++x(1);
}
[[septran::task]] constexpr void start(vector y, input x) {
  auto yp = septran::partition(y, {4});
  auto xp = septran::partition(x, {4});
  for (auto [i] : septran::parallel(yp.shape()))
    twice(yp(i), xp(i));
  shift(y);
}
constexpr float first_elements() {
  float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {};
  start(vector(y, {6}), input(x, {6}));
  const auto row = septran::subtensor(tensor<float, 2>(y, {2, 3}), 0, septran::all);
  return row(0) + row(1) + row(2) + y[5];
}
static_assert(first_elements() == 5 + 7 + 8 + 12);
#ifdef OUTSIDE
constexpr float outside() {
  float y[6] = {};
  shift(vector(y, {0}));
  return y[0];
}
static_assert(outside() == 1);
#endif

// What a plain program may write without a warning: literals fit where variables might not.
template <class T> [[septran::leaf]] void literals(tensor<T, 1> x) {
  x(0) += 1;
  x(0) -= 2;
  x(0) *= 3;
  x(0) /= 2;
  x(0) = x(0) + 1;
  x(0) = 2 * x(1) - 1;
  auto v = x(0);
  v += 1;
  x(1) = v;
}
template void literals(tensor<septran::float16, 1>);
template void literals(tensor<septran::bfloat16, 1>);
template void literals(tensor<septran::float8_e4m3, 1>);
template void literals(tensor<septran::float8_e5m2, 1>);
template void literals(tensor<float, 1>);
template void literals(tensor<double, 1>);
template void literals(tensor<int, 1>);
template void literals(tensor<long, 1>);
