// A product of matrices, by blocks of both operands in shared memory.
#include "check.h"
#include <septran/septran.h>

template <class T> using matrix = septran::tensor<T, 2>;

[[septran::leaf]]
void product_leaf(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::task]]
void steps(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  auto Ap = septran::partition(A, {A.extent(0), 8});
  auto Bp = septran::partition(B, {8, B.extent(1)});
  for (int k = 0; k < Ap.extent(1); ++k)
    product_leaf(C, Ap(0, k), Bp(k, 0));
}
[[septran::task]]
void tile([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  septran::local<float, 2> acc(C.extents());
  septran::fill(acc, 0);
  steps(acc, A, B);
  septran::copy(C, acc);
}
[[septran::task]]
void product([[septran::write]] matrix<float> C, matrix<const float> A, matrix<const float> B) {
  auto Cp = septran::partition(C, {32, 16});
  auto Ap = septran::partition(A, {32, A.extent(1)});
  auto Bp = septran::partition(B, {B.extent(0), 16});
  for (auto [i, j] : septran::parallel(Cp.shape()))
    tile(Cp(i, j), Ap(i, 0), Bp(0, j));
}
/// Rows that hold whole vectors, and rows that do not.
int main() {
  for (const int less : {0, 1}) {
    const int m = 45, n = 40 - less, k = 60 - less;
    std::vector<float> a = numbers<float>(m * k, 1), b = numbers<float>(k * n, 2),
                       c(std::size_t(m) * n, 99.0f);
    product(matrix<float>(c.data(), {m, n}), matrix<const float>(a.data(), {m, k}),
            matrix<const float>(b.data(), {k, n}));
    expect_near("C", c, exact_product(a, b, m, n, k), 1e-4);
  }
  return 0;
}
