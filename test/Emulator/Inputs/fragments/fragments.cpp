// A product of matrices on matrix units: sums and both operands in fragments, blocks in shared memory.
#include "check.h"
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;
using half = septran::float16;

[[septran::leaf("sums")]]
void product_leaf(matrix<float> C, matrix<const half> A, matrix<const half> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += float(A(i, k)) * float(B(k, j));
}
[[septran::task("sums")]]
void steps(matrix<float> C, matrix<const half> A, matrix<const half> B) {
  [[septran::tunable]] const int step = 32;
  auto Ap = septran::partition(A, {A.extent(0), step});
  auto Bp = septran::partition(B, {step, B.extent(1)});
  for (int k = 0; k < Ap.extent(1); ++k)
    product_leaf(C, Ap(0, k), Bp(k, 0));
}
[[septran::task]]
void tile([[septran::write]] matrix<float> C, matrix<const half> A, matrix<const half> B) {
  septran::local<float, 2> acc(C.extents());
  septran::fill(acc, 0);
  steps(acc, A, B);
  septran::copy(C, acc);
}
[[septran::task]]
void product([[septran::write]] matrix<float> C, matrix<const half> A, matrix<const half> B) {
  auto Cp = septran::partition(C, {64, 32});
  auto Ap = septran::partition(A, {64, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), 32});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}
int main() {
  const int m = 77, n = 45, k = 83;
  std::vector<half> a = numbers<half>(m * k, 1), b = numbers<half>(k * n, 2);
  std::vector<float> c(std::size_t(m) * n, 99.0f);
  product(matrix<float>(c.data(), {m, n}), matrix<const half>(a.data(), {m, k}),
          matrix<const half>(b.data(), {k, n}));
  expect_near("C", c, exact_product(a, b, m, n, k), 1e-4);
  return 0;
}
