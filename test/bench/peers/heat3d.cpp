#include "heat3d/heat3d.h"
#include "loops.h"

#include <utility>
#include <vector>

void heat3d(septran::tensor<float, 3> U, float alpha, float boundary, int steps) {
  const integer d = U.extent(0), h = U.extent(1), w = U.extent(2);
  // With a border around: no condition within the loops.
  const integer line = w + 2, plane = (h + 2) * line;
  std::vector<float> first(std::size_t((d + 2) * plane), boundary), second(first);
  float *from = first.data(), *to = second.data();
  for (integer i = 0; i < d; ++i)
    for (integer j = 0; j < h; ++j)
      std::copy_n(&U(i, j, 0), w, from + (i + 1) * plane + (j + 1) * line + 1);
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for collapse(2)
    for (integer i = 1; i <= d; ++i)
      for (integer j = 1; j <= h; ++j) {
        const float *const u = from + i * plane + j * line;
        float *const v = to + i * plane + j * line;
#pragma omp simd
        for (integer k = 1; k <= w; ++k)
          v[k] = u[k] + alpha * (u[k - plane] + u[k + plane] + u[k - line] + u[k + line] +
                                 u[k - 1] + u[k + 1] - 6 * u[k]);
      }
    std::swap(from, to);
  }
  for (integer i = 0; i < d; ++i)
    for (integer j = 0; j < h; ++j)
      std::copy_n(from + (i + 1) * plane + (j + 1) * line + 1, w, &U(i, j, 0));
}
