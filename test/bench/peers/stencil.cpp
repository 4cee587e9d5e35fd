#include "stencil/stencil.h"
#include "loops.h"

#include <utility>
#include <vector>

void heat5(matrix<float> U, float alpha, float boundary, int steps) {
  const integer h = U.extent(0), w = U.extent(1), line = w + 2;
  // With a border around: no condition within the loops.
  std::vector<float> first(std::size_t((h + 2) * line), boundary), second(first);
  float *from = first.data(), *to = second.data();
  for (integer i = 0; i < h; ++i)
    std::copy_n(row(U, i), w, from + (i + 1) * line + 1);
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for
    for (integer i = 1; i <= h; ++i) {
      const float *const u = from + i * line;
      float *const v = to + i * line;
#pragma omp simd
      for (integer j = 1; j <= w; ++j)
        v[j] = u[j] + alpha * (u[j - line] + u[j + line] + u[j - 1] + u[j + 1] - 4 * u[j]);
    }
    std::swap(from, to);
  }
  for (integer i = 0; i < h; ++i)
    std::copy_n(from + (i + 1) * line + 1, w, row(U, i));
}
