#include "kernels/kernels.h"

#include "batched/batched.h"
#include "gemv/gemv.h"
#include "harness/memory.h"
#include "kernels/bandwidth.h"
#include "kernels/product_row.h"
#include "matmul/matmul.h"

#include <array>

namespace septran::bench {
namespace {

/// Which operands lie transposed, and the library's function.
template <class Element, class Sum, class Right = Element> struct form {
  bool transpose_a, transpose_b;
  matrix_product<Element, Sum, Right> peer::*by_library;
  double low, high, tolerance; ///< elements of A are in [low, high], those of B in [-high, high]
};

/// C = op(A) op(B) for m x n x k. Entry is the type of the entry point.
template <class Entry, class Element, class Sum, class Right>
problem product(int m, int n, int k, const form<Element, Sum, Right> &f) {
  struct data {
    array<Sum, 2> C;
    array<Element, 2> A;
    array<Right, 2> B;
  };
  const auto d = std::make_shared<data>(data{
      array<Sum, 2>({m, n}), f.transpose_a ? array<Element, 2>({k, m}) : array<Element, 2>({m, k}),
      f.transpose_b ? array<Right, 2>({n, k}) : array<Right, 2>({k, n})});
  d->A.randomize(1, f.low, f.high);
  d->B.randomize(2, -f.high, f.high);
  // Libraries keep what they make of weights, too.
  const auto B = make_constant(d->B.view());
  problem result{
      .shape = shape_text(m, n, k),
      .work = 2.0 * m * n * k,
      .reads = read_by_few_rows(m, n, k, d->B),
      .run = [=](entry_point entry) { entry.as<Entry>()(d->C.view(), d->A.view(), B); },
      .run_peer = {},
      .reset = [d] { d->C.fill(Sum(99)); },
      .result = [d] { return d->C.values(); },
      .tolerance = f.tolerance,
  };
  if (f.by_library)
    result.run_peer = [=](const peer &peer) -> std::function<void()> {
      const auto &multiply = peer.*f.by_library;
      if (!multiply)
        return {};
      return [=] {
        multiply(f.transpose_a, f.transpose_b, m, n, k, d->A.data(), f.transpose_a ? m : k,
                 d->B.data(), f.transpose_b ? k : n, d->C.data(), n);
      };
    };
  return result;
}

template <class Entry, class Element, class Sum, class Right>
kernel square_kernel(bool quick, const char *name, const form<Element, Sum, Right> &f) {
  const auto make = [f](int m, int n, int k) {
    return product_row([f](int m, int n, int k) { return product<Entry>(m, n, k, f); }, m, n, k);
  };
  kernel result{.name = name, .fma_bound = sizeof(Element) == 4, .rows = {}};
  for (int n : quick ? std::vector{48} : std::vector{256, 1024})
    result.rows.push_back(make(n, n, n));
  return at_any_shape<3>(std::move(result), make);
}

using shapes = std::vector<std::array<int, 3>>; ///< m, n, k

/// With weights that candidates may keep packed.
kernel weights_kernel(const char *name, const shapes &shapes) {
  const form<float, float> f{false, false, &peer::multiply, -1, 1, 1e-5};
  const auto make = [f](int m, int n, int k) {
    return product_row(
        [f](int m, int n, int k) { return product<decltype(matmul_weights)>(m, n, k, f); }, m, n, k);
  };
  kernel result{.name = name, .fma_bound = true, .rows = {}};
  for (const auto &[m, n, k] : shapes)
    result.rows.push_back(make(m, n, k));
  return at_any_shape<3>(std::move(result), make);
}

problem many_products(int count, int m, int n, int k) {
  struct data {
    array<float, 3> C, A, B;
  };
  const auto d =
      std::make_shared<data>(data{array<float, 3>({count, m, n}), array<float, 3>({count, m, k}),
                                  array<float, 3>({count, k, n})});
  d->A.randomize(1, -1, 1);
  d->B.randomize(2, -1, 1);
  return {
      .shape = shape_text(count, m, n, k),
      .work = 2.0 * count * m * n * k,
      .run =
          [d](entry_point entry) {
            entry.as<decltype(batched)>()(d->C.view(), d->A.view(), d->B.view());
          },
      .run_peer =
          [=](const peer &peer) {
            return [=, multiply = peer.multiply] {
              for (std::ptrdiff_t b = 0; b < count; ++b)
                multiply(false, false, m, n, k, d->A.data() + b * m * k, k, d->B.data() + b * k * n,
                         n, d->C.data() + b * m * n, n);
            };
          },
      .reset = [d] { d->C.poison(); },
      .result = [d] { return d->C.values(); },
      .tolerance = 1e-5,
  };
}

kernel batched_kernel(bool quick) {
  const auto make = [](int count, int m, int n, int k) {
    return row{.variant = "", .make = [=] { return many_products(count, m, n, k); }};
  };
  std::vector<row> rows = {make(3, 9, 20, 17)};
  if (!quick)
    rows = {make(256, 64, 64, 64), make(32, 256, 256, 64)};
  return at_any_shape<4>({.name = "batched", .fma_bound = true, .rows = std::move(rows)}, make);
}

problem times_vector(int m, int n, bool transpose) {
  struct data {
    array<float, 2> A;
    array<float, 1> x, y;
  };
  const auto d =
      std::make_shared<data>(data{array<float, 2>({m, n}), array<float, 1>(transpose ? m : n),
                                  array<float, 1>(transpose ? n : m)});
  d->A.randomize(1, -1, 1);
  d->x.randomize(2, -1, 1);
  return {
      .shape = shape_text(m, n),
      .work = 2.0 * m * n,
      .reads = {d->A.floats()},
      .run =
          [d](entry_point entry) {
            entry.as<decltype(gemv)>()(d->y.view(), d->A.view(), d->x.view());
          },
      .run_peer = [=](const peer &peer) -> std::function<void()> {
        if (!peer.multiply_vector)
          return {};
        return [=, multiply = peer.multiply_vector] {
          multiply(transpose, m, n, d->A.data(), n, d->x.data(), d->y.data());
        };
      },
      .reset = [d] { d->y.poison(); },
      .result = [d] { return d->y.values(); },
      .tolerance = 1e-5,
  };
}

kernel gemv_kernel(bool quick, const char *name, bool transpose) {
  const auto make = [=](int m, int n) { return [=] { return times_vector(m, n, transpose); }; };
  return of_matrices(bandwidth_kernel(quick, name, make(19, 35), make(256, 512), make(4096, 4096)), make);
}

} // namespace

std::vector<kernel> product_kernels(bool quick) {
  const auto f32 = [](bool a, bool b) {
    return form<float, float>{a, b, &peer::multiply, -1, 1, 1e-5};
  };
  return {
      square_kernel<decltype(matmul_nt)>(quick, "matmul_nt", f32(false, true)),
      square_kernel<decltype(matmul_tn)>(quick, "matmul_tn", f32(true, false)),
      square_kernel<decltype(matmul_f64)>(
          quick, "matmul_f64",
          form<double, double>{false, false, &peer::multiply_f64, -1, 1, 1e-13}),
      square_kernel<decltype(matmul_f16)>(
          quick, "matmul_f16",
          form<float16, float16>{false, false, nullptr, -1, 1, 2e-3}), // sums are rounded
      square_kernel<decltype(matmul_bf16)>(
          quick, "matmul_bf16",
          form<bfloat16, bfloat16>{false, false, nullptr, -1, 1, 1e-2}), // sums are rounded
      square_kernel<decltype(matmul_i8)>(
          quick, "matmul_i8",
          form<std::int8_t, std::int32_t>{false, false, &peer::multiply_i8, -100, 100, 0}),
      square_kernel<decltype(matmul_u8s8)>(quick, "matmul_u8s8",
                                           form<std::uint8_t, std::int32_t, std::int8_t>{
                                               false, false, &peer::multiply_u8s8, 0, 100, 0}),
      weights_kernel("matmul_weights", quick ? shapes{{48, 48, 48}, {40, 72, 9}}
                                             : shapes{{256, 256, 256},
                                                      {512, 512, 512},
                                                      {1024, 1024, 1024},
                                                      {2048, 2048, 2048},
                                                      {1024, 1024, 64},
                                                      {4096, 4096, 64},
                                                      {4096, 64, 4096}}),
      weights_kernel("matmul_weights_skinny",
                     quick ? shapes{{3, 72, 40}}
                           : shapes{{1, 4096, 4096}, {4, 4096, 4096}, {16, 4096, 4096}}),
      batched_kernel(quick),
      gemv_kernel(quick, "gemv", false),
      gemv_kernel(quick, "gemv_t", true),
  };
}

} // namespace septran::bench
