//===- attend.h - attention by hand around oneDNN's sgemm -------*- C++ -*-===//
//
// What an expert composes without a fused kernel: the scores of some queries of one head fit a
// core's cache, and stand between two products. Compiled with -ffast-math.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "loops.h"

#include <dnnl.h>

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

/// Whole rows of a row-major matrix. T is float, const or not.
template <class T> struct row_block {
  T *first;
  integer rows, width;
};

/// C = A B, or C = A B^T.
inline void multiply(char transpose_b, float *C, integer ldc, const float *A, integer lda,
                     const float *B, integer ldb, integer m, integer n, integer k) {
  if (dnnl_sgemm('N', transpose_b, m, n, k, 1, A, lda, B, ldb, 0, C, ldc) != dnnl_success)
    throw std::runtime_error("dnnl_sgemm failed");
}

/// 2 to the power of x <= 0, to 24 bits but a few.
inline float power_of_two(float x) {
  x = std::max(x, -126.0f);
  const auto whole = std::int32_t(x - 0.5f);
  const float f = x - float(whole);
  float p = 0.0013276472167858258f;
  p = p * f + 0.00967554133102549f;
  p = p * f + 0.055507132728753135f;
  p = p * f + 0.2402211972396911f;
  p = p * f + 0.6931469670652649f;
  p = p * f + 1.0000000716546416f;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + (whole << 23));
}

/// Turns the first `seen` of a row of scores, times `scale`, into weights, and the others into
/// zeros. Returns the sum.
inline float weigh(float *scores, integer seen, integer keys, float scale) {
  constexpr float log2_e = 1.44269504f;
  const float exponents = scale * log2_e;
  float top = -std::numeric_limits<float>::max(), sum = 0;
#pragma omp simd reduction(max : top)
  for (integer t = 0; t < seen; ++t)
    top = std::max(top, scores[t] * exponents);
#pragma omp simd reduction(+ : sum)
  for (integer t = 0; t < seen; ++t) {
    scores[t] = power_of_two(scores[t] * exponents - top);
    sum += scores[t];
  }
  std::fill(scores + seen, scores + keys, 0.0f);
  return sum;
}

/// O = softmax(scale * Q K^T) V of one head. Row i sees the first `seen(i)` keys.
template <class Seen>
void attend(row_block<float> O, row_block<const float> Q, row_block<const float> K,
            row_block<const float> V, float scale, Seen seen) {
  const integer stride = K.rows + 16; // rows at a power of two would share few sets of the cache
  static thread_local std::vector<float> scores;
  if (integer(scores.size()) < Q.rows * stride)
    scores.resize(Q.rows * stride);
  multiply('T', scores.data(), stride, Q.first, Q.width, K.first, K.width, Q.rows, K.rows, Q.width);
  static thread_local std::vector<float> sums;
  sums.resize(Q.rows);
  for (integer i = 0; i < Q.rows; ++i)
    sums[i] = weigh(scores.data() + i * stride, seen(i), K.rows, scale);
  multiply('N', O.first, O.width, scores.data(), stride, V.first, V.width, O.rows, O.width, K.rows);
  for (integer i = 0; i < O.rows; ++i) {
    const float factor = sums[i] > 0 ? 1 / sums[i] : 0;
#pragma omp simd
    for (integer d = 0; d < O.width; ++d)
      O.first[i * O.width + d] *= factor;
  }
}
