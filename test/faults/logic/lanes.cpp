// What vector lanes and reductions must get right: conditions within conditions, identities, a loop
// whose iterations depend on each other, ends that fill no vector, strides, broadcasts, small floats.
#include <septran/septran.h>

#include <algorithm>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;
using half = septran::bfloat16;

[[septran::leaf]]
void choose([[septran::write]] matrix<float> z, matrix<const float> x, matrix<const float> w) {
  for (int i = 0; i < z.extent(0); ++i)
    for (int j = 0; j < z.extent(1); ++j) {
      if (x(i, j) > 0) {
        if (w(i, j) > 0)
          z(i, j) = x(i, j) + w(i, j);
        else
          z(i, j) = 3;
      } else {
        z(i, j) = w(i, j) * x(i, j) - 1;
      }
    }
}

/// Every element needs the one before it.
[[septran::leaf]]
void accumulate(matrix<float> z) {
  for (int i = 0; i < z.extent(0); ++i)
    for (int j = 1; j < z.extent(1); ++j)
      z(i, j) += z(i, j - 1) * 0.5f;
}

/// Product, least and largest value, a difference, and sums under conditions, of every row.
[[septran::leaf]]
void fold_rows([[septran::write]] matrix<float> r, matrix<const float> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    float product = 1, least = 1000, largest = -1000, rest = 2, above = 0, far = 0, below = 0;
    for (int j = 0; j < x.extent(1); ++j) {
      product *= x(i, j) > 0 ? 1.25f : 0.875f;
      least = std::min(least, 2 + x(i, j) * x(i, j));
      largest = std::max(largest, -2 - x(i, j) * x(i, j));
      float near = x(i, j);
      if (near > 0.5f)
        near -= 1;
      else
        near += 0.25f;
      rest -= near;
      if (x(i, j) > 0) {
        above += x(i, j);
        if (x(i, j) * x(i, j) > 1)
          far += 1;
      } else {
        below += x(i, j) + 3;
      }
    }
    r(i, 0) = product;
    r(i, 1) = least;
    r(i, 2) = largest;
    r(i, 3) = rest;
    r(i, 4) = above;
    r(i, 5) = far;
    r(i, 6) = below;
  }
}

/// x is a column's neighbour in memory; c repeats a row.
[[septran::leaf]]
void round_columns([[septran::write]] matrix<half> h, matrix<const float> x, matrix<const float> c) {
  for (int i = 0; i < h.extent(0); ++i)
    for (int j = 0; j < h.extent(1); ++j)
      h(i, j) = half(x(i, j) + c(i, j));
}

/// Every element counts itself and all before it.
[[septran::leaf]]
void prefix_sums(matrix<float> z) {
  for (int i = 0; i < z.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < z.extent(1); ++j) {
      sum += z(i, j);
      z(i, j) = sum;
    }
  }
}

/// A sum of what a condition lets pass, in an element and not in a scalar.
[[septran::leaf]]
void add_some(vector<float> a, matrix<const float> x) {
  for (int i = 0; i < a.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j) {
      const float e = x(i, j);
      if (e > 0)
        a(i) += e;
    }
}

[[septran::leaf]]
void sum_block([[septran::reduce("+")]] vector<double> s, matrix<const float> x) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < x.extent(1); ++j)
      s(0) += double(x(i, j));
}

/// t(j, k) += sum over i of x(i, j) * w(i, k), whose parts cores sum.
[[septran::leaf]]
void add_products([[septran::reduce("+")]] matrix<double> t, matrix<const float> x,
                  matrix<const float> w) {
  for (int i = 0; i < x.extent(0); ++i)
    for (int j = 0; j < t.extent(0); ++j)
      for (int k = 0; k < t.extent(1); ++k)
        t(j, k) += double(x(i, j)) * double(w(i, k));
}

[[septran::task]]
void products([[septran::reduce("+")]] matrix<double> t, matrix<const float> x,
              matrix<const float> w) {
  [[septran::tunable]] const int rows = 3;
  auto xp = septran::partition(x, {rows, x.extent(1)});
  auto wp = septran::partition(w, {rows, w.extent(1)});
  for (auto [i] : septran::parallel(xp.extent(0)))
    add_products(t, xp(i, 0), wp(i, 0));
}

/// Both may be the same elements, each of which needs the one before.
[[septran::leaf]]
void follow(vector<float> p, vector<float> q) {
  for (int i = 0; i < p.extent(0) - 1; ++i)
    p(i + 1) = p(i + 1) * 0.5f + q(i) * 0.5f;
}

[[septran::task]]
void lanes([[septran::write]] matrix<float> z, [[septran::write]] matrix<float> r,
           [[septran::write]] matrix<half> h, vector<float> a, vector<double> s,
           matrix<double> t, matrix<const float> x, matrix<const float> w, vector<const float> row) {
  [[septran::tunable]] const int rows = 5;
  auto zp = septran::partition(z, {rows, z.extent(1)});
  auto ap = septran::partition(a, {rows});
  auto rp = septran::partition(r, {rows, r.extent(1)});
  auto xp = septran::partition(x, {rows, x.extent(1)});
  auto wp = septran::partition(w, {rows, w.extent(1)});
  for (auto [i] : septran::parallel(zp.extent(0))) {
    choose(zp(i, 0), xp(i, 0), wp(i, 0));
    accumulate(zp(i, 0));
    prefix_sums(zp(i, 0));
    fold_rows(rp(i, 0), xp(i, 0));
    add_some(ap(i), xp(i, 0));
  }
  round_columns(h, septran::transpose(x),
                septran::broadcast(row, {x.extent(1), row.extent(0)}));
  for (auto [i] : septran::parallel(xp.extent(0)))
    sum_block(s, xp(i, 0));
  products(septran::transpose(t), x, w);
  auto halves = septran::partition(a, {a.extent(0) / 2 + 1});
  if (a.extent(0) > 0)
    follow(halves(0), halves(0));
}
