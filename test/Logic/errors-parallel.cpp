// Iterations of a parallel loop do not meet in an element that one of them writes.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -ferror-limit=0 -Xclang -verify
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using tensor4 = septran::tensor<T, 4>;

[[septran::leaf]] void use(matrix<float> C, matrix<const float> A) {
  for (int i = 0; i < C.extent(0); ++i)
    C(i, 0) += A(i, 0);
}
[[septran::leaf]] void sum([[septran::reduce("+")]] vector<float> s, matrix<const float> A) {
  for (int i = 0; i < A.extent(0); ++i)
    s(i) += A(i, 0);
}

[[septran::task]] void writes(matrix<float> C, matrix<const float> A, vector<float> s, int n) {
  auto P = septran::partition(C, {4, 4});
  for (auto [i] : septran::parallel(n)) // expected-note {{the parallel loop over 'i' is here}}
    use(C, A); // expected-error {{parallel iterations over 'i' write the same elements of 'C'; use 'i' as a block index, or reduce [septran-parallel-write]}}
  for (auto [i, j] : septran::parallel(P.shape())) // expected-note {{the parallel loop over 'j' is here}}
    use(P(i, 0), A); // expected-error {{parallel iterations over 'j' write the same elements of 'C'}}
  for (auto [i, j] : septran::parallel(P.shape())) // expected-note {{the parallel loop over 'i' is here}}
    use(P(i + j, 0), A); // expected-error {{parallel iterations over 'i' write the same elements of 'C'}}
  for (auto [i] : septran::parallel(n)) // expected-note {{the parallel loop over 'i' is here}}
    for (int k = 0; k < n; ++k)
      use(P(i + k, 0), A); // expected-error {{parallel iterations over 'i' write the same elements of 'C'}}
  for (auto [i] : septran::parallel(n)) // expected-note {{the parallel loop over 'i' is here}}
    use(P(i / 2, 0), A); // expected-error {{parallel iterations over 'i' write the same elements of 'C'}}
  for (auto [i, j] : septran::parallel(P.shape())) // expected-note {{the parallel loop over 'j' is here}}
    use(P(i, j), P(i, j + 1)); // expected-error {{this launch reads elements of 'C' that other parallel iterations over 'j' write [septran-parallel-conflict]}} \
                               // expected-note {{written here}}
  for (auto [i] : septran::parallel(n)) { // expected-note {{the parallel loop over 'i' is here}}
    use(P(i, 0), A); // expected-note {{written here}}
    use(P(0, 0), A); // expected-error {{parallel iterations over 'i' write the same elements of 'C'}} \
                     // expected-note@-2 {{the parallel loop over 'i' is here}}
    use(P(i, 1), C); // expected-error {{this launch reads elements of 'C' that other parallel iterations over 'i' write}}
  }
  septran::local<float, 2> shared(C.extents());
  for (auto [i] : septran::parallel(n)) // expected-note {{the parallel loop over 'i' is here}}
    septran::fill(shared, 0); // expected-error {{parallel iterations over 'i' write the same elements of 'shared'}}
}

[[septran::task]] void accepted(tensor4<float> T, matrix<float> C, matrix<const float> A, vector<float> s, int n) {
  [[septran::tunable]] const int tile = 8;
  auto P = septran::partition(C, {4, tile});
  for (auto [i, j] : septran::parallel(P.shape()))
    use(P(2 * i, n - j), P(2 * i + 1, j));
  for (auto [i] : septran::parallel(n))
    for (int k = 0; k < n; ++k)
      use(P(k, i + k), A);
  for (int k = 0; k < n; ++k)
    for (auto [i] : septran::parallel(n))
      use(P(i + k, 0), A);
  for (auto [i, j] : septran::parallel(n, n))
    use(P(i * tile, i + j), A);
  auto Rows = septran::partition(C, {4, C.extent(1)});
  for (auto [i, once] : septran::parallel(Rows.shape()))
    use(Rows(i, 0), A);
  for (auto [i] : septran::parallel(n)) {
    septran::local<float, 2> own(C.extents());
    septran::fill(own, 0);
    use(own, A);
    sum(s, own);
  }
  // Indices that only together tell the iteration.
  for (auto [bh] : septran::parallel(n)) {
    auto B = septran::subtensor(T, bh / 4, bh % 4, septran::all, septran::all);
    use(B, A);
    auto R = septran::partition(B, {2, tile});
    for (auto [i] : septran::parallel(R.extent(0)))
      use(R(i, 0), B); // expected-error {{this launch reads elements of 'T' that other parallel iterations over 'i' write}} expected-note {{written here}} expected-note@-1 {{the parallel loop over 'i' is here}}
  }
  for (auto [i] : septran::parallel(n)) {
    auto half = P(i / 2, 0);
    use(septran::partition(half, {2, 4})(i % 2, 0), A);
  }
}
