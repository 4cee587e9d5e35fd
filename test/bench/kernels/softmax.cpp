#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/shape.h"
#include "softmax/softmax.h"

namespace septran::bench {
namespace {

problem rows(int m, int n) {
  struct data {
    array<float, 2> Y, X;
  };
  const auto d = std::make_shared<data>(data{array<float, 2>({m, n}), array<float, 2>({m, n})});
  d->X.randomize(1, -20, 20);
  return {
      .shape = shape_text(m, n),
      .work = 5.0 * m * n, // maximum, difference, exponential, sum, quotient
      .run = [d](entry_point entry) { entry.as<decltype(softmax)>()(d->Y.view(), d->X.view()); },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = 1e-5,
  };
}

} // namespace

kernel softmax_kernel(bool quick) {
  const auto make = quick ? [] { return rows(9, 33); } : [] { return rows(1024, 1024); };
  return {.name = "softmax", .fma_bound = false, .rows = {{.variant = "", .make = make}}};
}

} // namespace septran::bench
