//===- bandwidth.h - kernels that memory bounds ------------------*- C++ -*-===//
#pragma once

#include "kernels/kernels.h"
#include "kernels/shape.h"

#include <functional>
#include <memory>
#include <utility>

namespace septran::bench {

/// On data that the caches hold and on data that they do not; if `quick`, on a small shape alone.
inline kernel bandwidth_kernel(bool quick, const char *name, std::function<problem()> small,
                               std::function<problem()> cached, std::function<problem()> large) {
  if (quick)
    return {.name = name, .fma_bound = false, .rows = {{.variant = "", .make = std::move(small)}}};
  return {.name = name,
          .fma_bound = false,
          .rows = {{.variant = "in cache", .make = std::move(cached)},
                   {.variant = "in memory", .make = std::move(large)}}};
}

/// At any shape, too: `make(m, n)` makes the problem.
template <class F> kernel of_matrices(kernel k, const F &make) {
  return at_any_shape<2>(std::move(k),
                         [=](int m, int n) { return row{.variant = "", .make = make(m, n)}; });
}

/// `call` runs an entry point on the data, whose matrix Y, of `operations` per element of an m x n
/// matrix, is the result; it reads and writes that many such matrices.
template <class Data>
problem matrix_problem(std::shared_ptr<Data> d, int m, int n, double operations, int moved,
                       void (*call)(entry_point, const Data &)) {
  return {
      .shape = shape_text(m, n),
      .work = operations * m * n,
      .bytes = 4.0 * moved * m * n,
      .run = [d, call](entry_point entry) { call(entry, *d); },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = 1e-5,
  };
}

} // namespace septran::bench
