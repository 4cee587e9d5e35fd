#include "kernels/kernels.h"

#include "elementwise/elementwise.h"
#include "harness/memory.h"
#include "kernels/bandwidth.h"
#include "rotary/rotary.h"
#include "transpose/transpose.h"

#include <cmath>

namespace septran::bench {
namespace {

struct matrices {
  array<float, 2> Y, X, H;
  array<float, 1> a, b; ///< one element per column
};

using matrix_call = void (*)(entry_point, const matrices &);

problem on_matrices(int m, int n, double operations, int moved, bool transposed, matrix_call call) {
  const auto d = std::make_shared<matrices>(matrices{
      transposed ? array<float, 2>({n, m}) : array<float, 2>({m, n}), array<float, 2>({m, n}),
      array<float, 2>({m, n}), array<float, 1>(n), array<float, 1>(n)});
  d->X.randomize(1, -4, 4);
  d->H.randomize(2, -4, 4);
  d->a.randomize(3, -1, 1);
  d->b.randomize(4, -1, 1);
  return matrix_problem(d, m, n, operations, moved, call);
}

/// `moved`: matrices that it reads and writes.
kernel matrix_kernel(bool quick, const char *name, double operations, int moved, matrix_call call,
                     bool transposed = false) {
  const auto rows = [=](int m, int n) {
    return [=] { return on_matrices(m, n, operations, moved, transposed, call); };
  };
  return of_matrices(
      bandwidth_kernel(quick, name, rows(9, 33), rows(64, 1024), rows(4096, 4096)), rows);
}

problem rotate(int tokens, int heads, int width) {
  struct data {
    array<float, 3> X;
    array<float, 2> cos, sin;
  };
  const auto d = std::make_shared<data>(data{array<float, 3>({tokens, heads, width}),
                                             array<float, 2>({tokens, width / 2}),
                                             array<float, 2>({tokens, width / 2})});
  // Calls work on their own results: those of numbers off the unit circle would grow, or become so small that
  // processors compute them slowly.
  d->cos.randomize(2, -3, 3);
  for (int i = 0; i < d->cos.size(); ++i) {
    const double angle = d->cos.data()[i];
    d->cos.data()[i] = static_cast<float>(std::cos(angle));
    d->sin.data()[i] = static_cast<float>(std::sin(angle));
  }
  const auto reset = [d] { d->X.randomize(1, -1, 1); };
  reset();
  return {
      .shape = shape_text(tokens, heads, width),
      .work = 3.0 * tokens * heads * width,
      .bytes = 8.0 * tokens * heads * width,
      .in_place = true,
      .run =
          [d](entry_point entry) {
            entry.as<decltype(rotary)>()(d->X.view(), d->cos.view(), d->sin.view());
          },
      .run_peer = {},
      .reset = reset,
      .result = [d] { return d->X.values(); },
      .tolerance = 1e-5,
  };
}

kernel rotary_kernel(bool quick) {
  return bandwidth_kernel(
      quick, "rotary", [] { return rotate(5, 3, 18); }, [] { return rotate(64, 16, 128); },
      [] { return rotate(4096, 32, 128); });
}

} // namespace

std::vector<kernel> elementwise_kernels(bool quick) {
  return {
      matrix_kernel(quick, "gelu", 10, 2,
                    [](entry_point entry, const matrices &d) {
                      entry.as<decltype(gelu)>()(d.Y.view(), d.X.view());
                    }),
      matrix_kernel(quick, "gelu_tanh", 10, 2,
                    [](entry_point entry, const matrices &d) {
                      entry.as<decltype(gelu_tanh)>()(d.Y.view(), d.X.view());
                    }),
      matrix_kernel(quick, "silu", 10, 2,
                    [](entry_point entry, const matrices &d) {
                      entry.as<decltype(silu)>()(d.Y.view(), d.X.view());
                    }),
      matrix_kernel(quick, "residual", 2, 3,
                    [](entry_point entry, const matrices &d) {
                      entry.as<decltype(residual)>()(d.Y.view(), d.X.view(), d.H.view(),
                                                     d.a.view());
                    }),
      matrix_kernel(quick, "modulate", 3, 2,
                    [](entry_point entry, const matrices &d) {
                      entry.as<decltype(modulate)>()(d.Y.view(), d.X.view(), d.a.view(),
                                                     d.b.view());
                    }),
      rotary_kernel(quick),
      matrix_kernel(
          quick, "transpose", 1, 2,
          [](entry_point entry, const matrices &d) {
            entry.as<decltype(::transpose)>()(d.Y.view(), d.X.view());
          },
          true),
  };
}

} // namespace septran::bench
