#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/shape.h"
#include "matmul/matmul.h"

namespace septran::bench {
namespace {

problem product(int m, int n, int k) {
  struct data {
    array<float, 2> C, A, B;
  };
  const auto d = std::make_shared<data>(
      data{array<float, 2>({m, n}), array<float, 2>({m, k}), array<float, 2>({k, n})});
  d->A.randomize(1, -1, 1);
  d->B.randomize(2, -1, 1);
  return {
      .shape = shape_text(m, n, k),
      .work = 2.0 * m * n * k,
      .run =
          [d](entry_point entry) {
            entry.as<decltype(matmul)>()(d->C.view(), d->A.view(), d->B.view());
          },
      .run_peer =
          [d, m, n, k](const peer &peer) {
            return [=, multiply = peer.multiply] {
              multiply(false, false, m, n, k, d->A.data(), k, d->B.data(), n, d->C.data(), n);
            };
          },
      .reset = [d] { d->C.poison(); },
      .result = [d] { return d->C.values(); },
      .tolerance = 1e-5, // sums in another order
  };
}

row square(int n) {
  // The plain program works on blocks of 64, so its rate hardly depends on the shape.
  constexpr int plain_limit = 512;
  row square{.variant = "", .make = [n] { return product(n, n, n); }};
  if (n > plain_limit)
    square.make_for_plain = [] { return product(plain_limit, plain_limit, plain_limit); };
  return square;
}

} // namespace

kernel matmul_kernel(bool quick) {
  if (quick)
    return {.name = "matmul", .fma_bound = true, .rows = {square(48)}};
  return {.name = "matmul",
          .fma_bound = true,
          .rows = {square(256), square(512), square(1024), square(2048)}};
}

} // namespace septran::bench
