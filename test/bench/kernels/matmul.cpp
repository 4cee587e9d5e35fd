#include "kernels/kernels.h"

#include "harness/memory.h"
#include "kernels/product_row.h"
#include "kernels/shape.h"
#include "matmul/matmul.h"

#include <utility>

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
      .reads = read_by_few_rows(m, n, k, d->B),
      .run =
          // A call copies tensors that are there. g++ writes a new one number by number and copies
          // it in vectors at once, which waits for the writes: a tenth of the smallest product.
      [d, C = d->C.view(), A = tensor<const float, 2>(d->A.view()),
       B = tensor<const float, 2>(d->B.view())](entry_point entry) {
        entry.as<decltype(matmul)>()(C, A, B);
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
  constexpr int plain_limit = 512; // the plain program works on blocks of 64
  return product_row(product, n, n, n, "", plain_limit);
}

row rectangle(const char *variant, int m, int n, int k) {
  return product_row(product, m, n, k, variant);
}

kernel of_rows(const char *name, std::vector<row> rows) {
  return at_any_shape<3>({.name = name, .fma_bound = true, .rows = std::move(rows)},
                         [](int m, int n, int k) { return rectangle("", m, n, k); });
}

} // namespace

std::vector<kernel> matmul_kernels(bool quick) {
  if (quick)
    return {of_rows("matmul", {square(48)}), of_rows("matmul_small", {square(16)}),
            of_rows("matmul_flat", {rectangle("small K", 40, 72, 9)}),
            of_rows("matmul_skinny", {rectangle("few rows", 3, 72, 40)})};
  return {of_rows("matmul", {square(256), square(512), square(1024), square(2048),
                             rectangle("some rows", 64, 4096, 1024),
                             rectangle("some rows", 200, 1000, 3000)}),
          of_rows("matmul_small", {square(16), square(32), square(64), square(128)}),
          of_rows("matmul_flat",
                  {rectangle("small K", 1024, 1024, 64), rectangle("small K", 4096, 4096, 64),
                   rectangle("small N", 4096, 64, 4096)}),
          // Every element of B is used once per row: memory is the limit, unless caches hold B.
          of_rows("matmul_skinny",
                  {rectangle("few rows", 1, 4096, 4096), rectangle("few rows", 4, 4096, 4096),
                   rectangle("few rows", 16, 4096, 4096), rectangle("in cache", 4, 1024, 1024),
                   rectangle("in cache", 16, 1024, 1024)})};
}

} // namespace septran::bench
