#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/shape.h"
#include "saxpy/saxpy.h"

namespace septran::bench {
namespace {

problem add_multiple(int n) {
  struct data {
    array<float, 1> y, x;
  };
  const auto d = std::make_shared<data>(data{array<float, 1>(n), array<float, 1>(n)});
  const auto reset = [d] {
    d->y.randomize(1, -1, 1);
    d->x.randomize(2, -1, 1);
  };
  reset();
  return {
      .shape = shape_text(n),
      .work = 2.0 * n,
      .bytes = 12.0 * n,
      // y changes from call to call, but stays finite: the factor is small.
      .run =
          [d](entry_point entry) { entry.as<decltype(saxpy)>()(d->y.view(), 1e-3f, d->x.view()); },
      .run_peer = {},
      .reset = reset,
      .result = [d] { return d->y.values(); },
      .tolerance = 1e-6,
  };
}

} // namespace

kernel saxpy_kernel(bool quick) {
  const auto make =
      quick ? [] { return add_multiple(1000); } : [] { return add_multiple(1 << 22); };
  return {.name = "saxpy", .fma_bound = false, .rows = {{.variant = "", .make = make}}};
}

} // namespace septran::bench
