#include "kernels/kernels.h"

#include "attention/attention.h"
#include "harness/memory.h"
#include "kernels/shape.h"

#include <cmath>

namespace septran::bench {
namespace {

problem attend(int batch, int heads, int sequence, int width, bool causal) {
  struct data {
    array<float, 4> O, Q, K, V;
  };
  const auto tensor = [&] { return array<float, 4>({batch, heads, sequence, width}); };
  const auto d = std::make_shared<data>(data{tensor(), tensor(), tensor(), tensor()});
  d->Q.randomize(1, -1, 1);
  d->K.randomize(2, -1, 1);
  d->V.randomize(3, -1, 1);
  const float scale = 1 / std::sqrt(static_cast<float>(width));

  // Per query and key that it sees, a product and a sum of `width` terms. Exponentials are left
  // out, as is usual.
  const double pairs = causal ? 0.5 * sequence * (sequence + 1.0) : 1.0 * sequence * sequence;
  return {
      .shape = shape_text(batch, heads, sequence, width),
      .work = 4.0 * batch * heads * pairs * width,
      .run =
          [d, scale, causal](entry_point entry) {
            entry.as<decltype(attention)>()(d->O.view(), d->Q.view(), d->K.view(), d->V.view(),
                                            scale, causal);
          },
      .run_peer = {},
      .reset = [d] { d->O.poison(); },
      .result = [d] { return d->O.values(); },
      .tolerance = 1e-5, // sums in another order, another exponential
  };
}

row heads(int batch, int count, int sequence, int width, bool causal) {
  // Heads are independent and cost the same: one of them is enough for the plain program.
  return {.variant = causal ? "causal" : "",
          .make = [=] { return attend(batch, count, sequence, width, causal); },
          .make_for_plain = [=] { return attend(1, 1, sequence, width, causal); }};
}

} // namespace

kernel attention_kernel(bool quick) {
  const int sequence = quick ? 70 : 2048, width = quick ? 16 : 64, count = quick ? 2 : 8;
  return at_any_shape<4>({.name = "attention",
                          .fma_bound = true,
                          .rows = {heads(1, count, sequence, width, false),
                                   heads(1, count, sequence, width, true)}},
                         [](int batch, int count, int sequence, int width) {
                           return heads(batch, count, sequence, width, false);
                         });
}

} // namespace septran::bench
