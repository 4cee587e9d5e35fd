#include "kernels/kernels.h"

#include "harness/memory.h"
#include "heat3d/heat3d.h"
#include "kernels/bandwidth.h"
#include "knn/knn.h"
#include "reductions/reductions.h"

namespace septran::bench {
namespace {

problem heat(int n, int steps) {
  const auto U = std::make_shared<array<float, 3>>(extents_t<3>(n, n, n));
  U->randomize(1, 0, 1);
  return {
      .shape = shape_text(n, n, n),
      .work = 9.0 * n * n * n * steps,
      .run =
          [U, steps](entry_point entry) {
            entry.as<decltype(heat3d)>()(U->view(), 0.1f, 0.25f, steps);
          },
      .run_peer = {},
      .reset = [U] { U->randomize(1, 0, 1); },
      .result = [U] { return U->values(); },
      .tolerance = 1e-5,
  };
}

problem all_distances(int queries, int examples, int width) {
  struct data {
    array<float, 2> D, Q, T;
  };
  const auto d = std::make_shared<data>(data{array<float, 2>({queries, examples}),
                                             array<float, 2>({queries, width}),
                                             array<float, 2>({examples, width})});
  d->Q.randomize(1, -1, 1);
  d->T.randomize(2, -1, 1);
  return {
      .shape = shape_text(queries, examples, width),
      .work = 2.0 * queries * examples * width,
      .run =
          [d](entry_point entry) {
            entry.as<decltype(distances)>()(d->D.view(), d->Q.view(), d->T.view());
          },
      .run_peer = {},
      .reset = [d] { d->D.poison(); },
      .result = [d] { return d->D.values(); },
      .tolerance = 1e-5,
  };
}

enum class over { rows, columns, everything };

problem reduce(over what, int m, int n) {
  struct data {
    array<float, 1> y;
    array<float, 2> X;
  };
  const int count = what == over::rows ? m : what == over::columns ? n : 1;
  const auto d = std::make_shared<data>(data{array<float, 1>(count), array<float, 2>({m, n})});
  // All of one sign: with cancellation, a small result would hide nothing but rounding.
  d->X.randomize(1, 0, 1);
  return {
      .shape = shape_text(m, n),
      .work = 1.0 * m * n,
      .reads = {d->X.floats()},
      .run =
          [d](entry_point entry) { // all of one type
            entry.as<decltype(row_sums)>()(d->y.view(), d->X.view());
          },
      .run_peer = {},
      .reset = [d] { d->y.poison(); },
      .result = [d] { return d->y.values(); },
      .tolerance = 1e-4,
  };
}

kernel reduction_kernel(bool quick, const char *name, over what) {
  const auto make = [=](int m, int n) { return [=] { return reduce(what, m, n); }; };
  return bandwidth_kernel(quick, name, make(19, 35), make(128, 1024), make(4096, 4096));
}

} // namespace

std::vector<kernel> data_parallel_kernels(bool quick) {
  return {
      {.name = "heat3d",
       .fma_bound = false,
       .rows = {{.variant = "7 points",
                 .make = [quick] { return quick ? heat(12, 4) : heat(160, 4); }}}},
      {.name = "knn",
       .fma_bound = true,
       .rows = {{.variant = "distances",
                 .make =
                     [quick] {
                       return quick ? all_distances(9, 20, 17) : all_distances(1024, 4096, 64);
                     }}}},
      reduction_kernel(quick, "row_sums", over::rows),
      reduction_kernel(quick, "column_sums", over::columns),
      reduction_kernel(quick, "maximum", over::everything),
  };
}

} // namespace septran::bench
