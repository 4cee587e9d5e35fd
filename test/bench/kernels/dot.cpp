#include "kernels/kernels.h"

#include "dot/dot.h"
#include "harness/memory.h"
#include "kernels/shape.h"

namespace septran::bench {
namespace {

problem scalar_product(int n) {
  struct data {
    array<float, 1> result, x, y;
  };
  const auto d =
      std::make_shared<data>(data{array<float, 1>(1), array<float, 1>(n), array<float, 1>(n)});
  // All of one sign: with cancellation, a small result would hide nothing but rounding.
  d->x.randomize(1, 0, 1);
  d->y.randomize(2, 0, 1);
  return {
      .shape = shape_text(n),
      .work = 2.0 * n,
      .reads = {d->x.floats(), d->y.floats()},
      .run =
          [d](entry_point entry) {
            entry.as<decltype(dot)>()(d->result.view(), d->x.view(), d->y.view());
          },
      .run_peer = {},
      .reset = [d] { d->result.poison(); },
      .result = [d] { return d->result.values(); },
      .tolerance = 1e-6,
  };
}

} // namespace

kernel dot_kernel(bool quick) {
  const auto make =
      quick ? [] { return scalar_product(1000); } : [] { return scalar_product(1 << 22); };
  return {.name = "dot", .fma_bound = false, .rows = {{.variant = "", .make = make}}};
}

} // namespace septran::bench
