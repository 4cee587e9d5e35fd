#include "conv2d/conv2d.h"
#include "loops.h"

void conv2d_3x3(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
                septran::constant<float, 4> W) {
  const integer images = Y.extent(0), height = Y.extent(1), width = Y.extent(2),
              outputs = Y.extent(3), channels = X.extent(3);
#pragma omp parallel for collapse(2)
  for (integer n = 0; n < images; ++n)
    for (integer y = 0; y < height; ++y)
      for (integer x = 0; x < width; ++x) {
        float *const out = &Y(n, y, x, 0);
        std::fill_n(out, outputs, 0.0f);
        for (integer r = 0; r < 3; ++r)
          for (integer s = 0; s < 3; ++s) {
            const integer i = y + r - 1, j = x + s - 1;
            if (i < 0 || i >= height || j < 0 || j >= width)
              continue;
            for (integer c = 0; c < channels; ++c) {
              const float a = X(n, i, j, c);
              const float *const w = &W(r, s, c, 0);
#pragma omp simd
              for (integer o = 0; o < outputs; ++o)
                out[o] += a * w[o];
            }
          }
      }
}

void conv2d_3x3_winograd(septran::tensor<float, 4> Y, septran::tensor<const float, 4> X,
                         septran::constant<float, 4> W) {
  conv2d_3x3(Y, X, W);
}
