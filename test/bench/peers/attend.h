//===- attend.h - one query's attention, as a loop ---------------*- C++ -*-===//
#pragma once

#include "loops.h"

/// Rows of keys or values, `stride` elements apart.
struct rows_of_head {
  const float *first;
  integer stride;
  const float *operator()(integer t) const { return first + t * stride; }
};

/// o = softmax(scale q K^T) V over the first `seen` keys; `scores` has room for as many.
inline void attend(float *o, const float *q, rows_of_head K, rows_of_head V, integer seen, integer width,
                   float scale, float *scores) {
  float top = -std::numeric_limits<float>::max(), total = 0;
  for (integer t = 0; t < seen; ++t) {
    const float *const k = K(t);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (integer d = 0; d < width; ++d)
      sum += q[d] * k[d];
    scores[t] = scale * sum;
    top = std::max(top, scores[t]);
  }
#pragma omp simd reduction(+ : total)
  for (integer t = 0; t < seen; ++t) {
    scores[t] = std::exp(scores[t] - top);
    total += scores[t];
  }
  std::fill_n(o, width, 0.0f);
  for (integer t = 0; t < seen; ++t) {
    const float *const v = V(t);
    const float weight = scores[t] / total;
#pragma omp simd
    for (integer d = 0; d < width; ++d)
      o[d] += weight * v[d];
  }
}
