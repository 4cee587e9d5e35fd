//===- softmax_leaves.h - one step of an online softmax ---------*- C++ -*-===//
//
// State per row of scores s, after the blocks seen so far:
//
//   m    largest scale * s, or the lowest finite number before the first one
//   l    sum of 2^(scale * s - m)
//   acc  sum of 2^(scale * s - m) * V
//
// Masked scores are minus infinity. m stays finite, so that a row whose scores are
// all masked gives weights of zero and not infinity minus infinity.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

template <class T> using vector = septran::tensor<T, 1>;

/// Hides from row i all columns beyond i + last.
template <class S>
[[septran::leaf]]
void mask_causal(matrix<S> s, int last) {
  for (int i = 0; i < s.extent(0); ++i)
    for (int j = 0; j < s.extent(1); ++j)
      if (j > i + last)
        s(i, j) = -std::numeric_limits<S>::infinity();
}

/// Takes a block of scores into the running maxima. `decay` is what older sums are to be scaled by.
template <class S>
[[septran::leaf]]
void raise_max(vector<S> m, [[septran::write]] vector<S> decay, matrix<const S> s, S scale) {
  for (int i = 0; i < s.extent(0); ++i) {
    S best = m(i);
    for (int j = 0; j < s.extent(1); ++j)
      best = std::max(best, scale * s(i, j));
    decay(i) = best;
  }
  for (int i = 0; i < s.extent(0); ++i) {
    const S before = m(i);
    m(i) = decay(i);
    decay(i) = std::exp2(before - m(i));
  }
}

/// Weights of a block of scores, and their sums.
template <class S, class T>
[[septran::leaf]]
void weigh([[septran::write]] matrix<T> p, vector<S> l, matrix<const S> s, vector<const S> m,
           vector<const S> decay, S scale) {
  for (int i = 0; i < s.extent(0); ++i) {
    S sum = l(i) * decay(i);
    for (int j = 0; j < s.extent(1); ++j) {
      const S weight = std::exp2(scale * s(i, j) - m(i));
      p(i, j) = T(weight);
      sum += weight;
    }
    l(i) = sum;
  }
}

/// Scales row i by decay(i).
template <class S>
[[septran::leaf]]
void scale_rows(matrix<S> acc, vector<const S> decay) {
  for (int i = 0; i < acc.extent(0); ++i)
    for (int j = 0; j < acc.extent(1); ++j)
      acc(i, j) *= decay(i);
}

/// O = acc / l by rows; zero where no key was seen.
template <class T, class S>
[[septran::leaf]]
void normalise([[septran::write]] matrix<T> O, matrix<const S> acc, vector<const S> l) {
  for (int i = 0; i < O.extent(0); ++i)
    for (int j = 0; j < O.extent(1); ++j)
      O(i, j) = T(l(i) > S(0) ? acc(i, j) / l(i) : S(0));
}
