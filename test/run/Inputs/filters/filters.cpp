// O(y, x, f) += I(y + r, x + s, c) * W(r, s, c, f): an 8-bit convolution with many filters, which
// is a product of pixels of a row by filters for every tap.
#include <septran/leaves.h>
#include <septran/septran.h>

#include <cstdint>

template <class T, int R> using tensor = septran::tensor<T, R>;

[[septran::leaf]]
void filter_leaf(tensor<std::int32_t, 3> O, tensor<const std::uint8_t, 3> I,
                 tensor<const std::int8_t, 4> W) {
  for (int y = 0; y < O.extent(0); ++y)
    for (int x = 0; x < O.extent(1); ++x)
      for (int r = 0; r < W.extent(0); ++r)
        for (int s = 0; s < W.extent(1); ++s)
          for (int c = 0; c < W.extent(2); ++c)
            for (int f = 0; f < O.extent(2); ++f)
              O(y, x, f) += I(y + r, x + s, c) * W(r, s, c, f);
}

[[septran::task]]
void filter_pixels([[septran::write]] tensor<std::int32_t, 3> O, tensor<const std::uint8_t, 3> I,
                   tensor<const std::int8_t, 4> W) {
  septran::local<std::int32_t, 3> sum(O.extents());
  septran::fill(sum, 0);
  filter_leaf(sum, I, W);
  septran::copy(O, sum);
}

[[septran::task]]
void filters([[septran::write]] tensor<std::int32_t, 3> O, tensor<const std::uint8_t, 3> I,
             tensor<const std::int8_t, 4> W) {
  [[septran::tunable]] const int tile_x = 4, tile_f = 32;
  auto Op = septran::partition(O, {1, tile_x, tile_f});
  auto Ip =
      septran::windows(I, {1, tile_x, I.extent(2)}, {1, tile_x, I.extent(2)}, {0, 0, 0}, {2, 2, 0});
  auto Wp = septran::partition(W, {W.extent(0), W.extent(1), W.extent(2), tile_f});
  for (auto [y, x, f] : septran::parallel(Op.shape()))
    filter_pixels(Op(y, x, f), Ip(y, x, 0), Wp(0, 0, 0, f));
}
