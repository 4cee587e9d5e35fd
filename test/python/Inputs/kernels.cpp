#include <septran/septran.h>

#include "scale.h"

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]]
void affine_leaf([[septran::write]] matrix<float> out, matrix<const float> in,
                 vector<const float> restrict, float factor, std::int8_t shift, bool negate) {
  for (int i = 0; i < out.extent(0); ++i)
    for (int j = 0; j < out.extent(1); ++j)
      out(i, j) = (negate ? -1.0F : 1.0F) * factor * in(i, j) + restrict(j + shift) + bias;
}

// Names that C or Python have uses for.
[[septran::task]]
void affine([[septran::write]] matrix<float> out, matrix<const float> in,
            vector<const float> restrict, float factor, std::int8_t shift, bool negate) {
  [[septran::tunable]] const int tile = 8;
  auto to = septran::partition(out, {tile, out.extent(1)});
  auto from = septran::partition(in, {tile, in.extent(1)});
  for (auto [i] : septran::parallel(to.extent(0)))
    affine_leaf(to(i, 0), from(i, 0), restrict, factor, shift, negate);
}

template <class T>
[[septran::leaf]]
void halve([[septran::write]] vector<T> low, [[septran::write]] vector<T> lambda,
           vector<const T> both, vector<T> self) {
  for (int i = 0; i < low.extent(0); ++i) {
    low(i) = both(i);
    lambda(i) = both(low.extent(0) + i);
    self(i) += T(1);
  }
}

/// Two outputs, and one argument that is read and written.
[[septran::task]]
void split([[septran::write]] vector<std::int32_t> low, [[septran::write]] vector<std::int32_t> lambda,
           vector<const std::int32_t> both, vector<std::int32_t> self) {
  halve(low, lambda, both, self);
}

template <class T>
[[septran::leaf]]
void negate_leaf([[septran::write]] vector<T> y, vector<const T> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = T(-float(x(i)));
}
[[septran::task]]
void negate_half([[septran::write]] vector<septran::float16> y, vector<const septran::float16> x) {
  negate_leaf(y, x);
}
[[septran::task]]
void negate_bf16([[septran::write]] vector<septran::bfloat16> y,
                 vector<const septran::bfloat16> x) {
  negate_leaf(y, x);
}

[[septran::leaf]]
void add_leaf([[septran::write]] vector<double> z, vector<const double> x, vector<const double> y) {
  for (int i = 0; i < z.extent(0); ++i)
    z(i) = x(i) + y(i);
}
[[septran::task]]
void added([[septran::write]] vector<double> z, vector<const double> x, vector<const double> y) {
  add_leaf(z, x, y);
}

[[septran::leaf]]
void throw_leaf(vector<float> y) {
  if (y.extent(0) == 13)
    throw "thirteen";
  y(0) = 1;
}
[[septran::task]]
void thrower(vector<float> y) { throw_leaf(y); }

[[septran::leaf]]
void pick_leaf([[septran::write]] vector<float> y, vector<const float> table,
               vector<const std::int32_t> at) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = table(at(i));
}
/// Indices that are data.
[[septran::task]]
void pick([[septran::write]] vector<float> y, vector<const float> table,
          vector<const std::int32_t> at) {
  pick_leaf(y, table, at);
}

[[septran::leaf]]
void choose_leaf([[septran::write]] vector<float> y, vector<const bool> mask) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = mask(i) ? 1.0F : 0.0F;
}
[[septran::task]]
void choose([[septran::write]] vector<float> y, vector<const bool> mask) { choose_leaf(y, mask); }
