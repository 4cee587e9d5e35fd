//===- product_row.h - products of any shape ---------------------*- C++ -*-===//
#pragma once

#include "harness/memory.h"
#include "harness/problem.h"

#include <algorithm>

namespace septran::bench {

/// B, if a product of m x n x k has so few rows that reading it is the limit.
template <class T>
std::vector<std::span<const float>> read_by_few_rows(int m, int n, int k, const array<T, 2> &B) {
  if (64.0 * m > std::min(n, k))
    return {};
  return {B.floats()};
}

/// `make(m, n, k)` makes the problem. The plain program's rate hardly depends on the shape: it gets one
/// whose extents are up to `plain_limit`.
template <class F>
row product_row(const F &make, int m, int n, int k, const char *variant = "", int plain_limit = 256) {
  row result{.variant = variant, .make = [=] { return make(m, n, k); }};
  if (std::max({m, n, k}) > plain_limit)
    result.make_for_plain = [=] {
      return make(std::min(m, plain_limit), std::min(n, plain_limit), std::min(k, plain_limit));
    };
  return result;
}

} // namespace septran::bench
