// What reading windows in place must get right: sums under a loop in lanes, of which each lane leaves out others.
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;
using const_vector = septran::tensor<const float, 1>;

[[septran::leaf]]
void sums_leaf([[septran::write]] vector y, const_vector x, int size) {
  for (int i = 0; i < y.extent(0); ++i) {
    float sum = 0;
    for (int k = 0; k < size; ++k)
      sum += x(i + k);
    y(i) = sum;
  }
}

[[septran::task]]
void sums([[septran::write]] vector y, const_vector x, int size) {
  [[septran::tunable]] const int tile = 16;
  const int low = size / 2;
  auto yp = septran::partition(y, {tile});
  auto xw = septran::windows(x, {tile}, {tile}, {low}, {size - 1 - low});
  for (auto [i] : septran::parallel(yp.shape()))
    sums_leaf(yp(i), xw(i), size);
}
