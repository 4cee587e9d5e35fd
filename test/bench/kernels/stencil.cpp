#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/shape.h"
#include "stencil/stencil.h"

namespace septran::bench {
namespace {

problem heat(int height, int width, int steps) {
  const auto U = std::make_shared<array<float, 2>>(extents_t<2>(height, width));
  U->randomize(1, 0, 1);
  return {
      .shape = shape_text(height, width),
      .work = 7.0 * height * width * steps,
      .run = [U, steps](
                 entry_point entry) { entry.as<decltype(heat5)>()(U->view(), 0.2f, 0.25f, steps); },
      .run_peer = {},
      .reset = [U] { U->randomize(1, 0, 1); },
      .result = [U] { return U->values(); },
      .tolerance = 1e-5,
  };
}

} // namespace

kernel stencil_kernel(bool quick) {
  const auto make = quick ? [] { return heat(20, 30, 10); } : [] { return heat(1024, 1024, 10); };
  return {.name = "stencil",
          .fma_bound = false,
          .rows = {{.variant = "5 points, 10 steps", .make = make}}};
}

} // namespace septran::bench
