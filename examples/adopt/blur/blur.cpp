#include "image.h"

/// `in` is larger by one pixel on all sides.
[[septran::leaf]]
static void blur_block([[septran::write]] image out, const_image in) {
  for (int y = 0; y < out.extent(0); ++y)
    for (int x = 0; x < out.extent(1); ++x) {
      float sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sum += in(y + i, x + j);
      out(y, x) = sum / 9;
    }
}

[[septran::task]]
void blur([[septran::write]] image out, const_image in) {
  [[septran::tunable]] const int rows = 64, columns = 64;
  auto blocks = septran::partition(out, {rows, columns});
  auto around = septran::windows(in, {rows, columns}, {rows, columns}, {1, 1}, {1, 1}, 0);
  for (auto [y, x] : septran::parallel(blocks.shape()))
    blur_block(blocks(y, x), around(y, x));
}
