#include "depthwise/depthwise.h"
#include "loops.h"

void depthwise(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
               septran::tensor<const float, 3> W, int pad) {
  const integer images = Y.extent(0), height = Y.extent(1), width = Y.extent(2),
              channels = Y.extent(3), rows = X.extent(1), columns = X.extent(2);
#pragma omp parallel for collapse(2)
  for (integer n = 0; n < images; ++n)
    for (integer y = 0; y < height; ++y)
      for (integer x = 0; x < width; ++x) {
        float *const out = &Y(n, y, x, 0);
        std::fill_n(out, channels, 0.0f);
        for (integer r = 0; r < W.extent(0); ++r)
          for (integer s = 0; s < W.extent(1); ++s) {
            const integer i = y + r - pad, j = x + s - pad;
            if (i < 0 || i >= rows || j < 0 || j >= columns)
              continue;
            const float *const in = &X(n, i, j, 0), *const w = &W(r, s, 0);
#pragma omp simd
            for (integer c = 0; c < channels; ++c)
              out[c] += in[c] * w[c];
          }
      }
}
