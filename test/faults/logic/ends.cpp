// Elements that lie side by side as fields of records, and rows whose ends have other neighbours.
#include <septran/septran.h>

#include <algorithm>

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

/// Rows have two elements, or more.
[[septran::leaf]]
void square(matrix<float> y, matrix<const float> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    const float re = x(i, 0), im = x(i, 1);
    y(i, 0) = re * re - im * im;
    y(i, 1) += 2 * re * im;
  }
}

/// The second of a pair needs what the first became.
[[septran::leaf]]
void turn(vector<float> r, vector<const float> angle) {
  for (int i = 0; i < angle.extent(0); ++i) {
    r(2 * i) += angle(i) * r(2 * i + 1);
    r(2 * i + 1) -= angle(i) * r(2 * i);
  }
}

[[septran::leaf]]
void neighbours(vector<float> y, vector<const float> x) {
  const int n = int(x.extent(0));
  for (int j = 0; j < n; ++j) {
    y(j) += x((j + 1) % n) + 2 * x((j + n - 1) % n) + 3 * x((j + 3) % n);
    y(j) += x(std::max(j - 2, 0)) * x(j + 2 < n ? j + 2 : j + 2 - n);
  }
}

/// What a scalar was is not what it is set to afterwards.
[[septran::leaf]]
void shift(vector<float> y, vector<const float> x) {
  const int n = int(x.extent(0));
  int last = 0;
  for (int j = 0; j < n; ++j) {
    const int before = last;
    last = j + 1;
    y(j) += x(j == 0 ? n - 1 : j - 1) * float(before);
  }
}

/// Neighbours that there may not be, of rows of any length.
[[septran::leaf]]
void tridiagonal(vector<float> y, vector<const float> x, int apart) {
  const int n = int(x.extent(0));
  for (int j = 0; j < n; ++j) {
    if (j >= apart && j + 2 < n)
      y(j) += x(j) * x(j + 2);
    if (!(j <= apart - 1))
      y(j) -= 2 * x(j - apart);
  }
}

[[septran::task]]
void ends(matrix<float> y, matrix<const float> x, vector<float> r, vector<const float> angle,
          vector<float> z, vector<const float> w, int apart) {
  square(y, x);
  turn(r, angle);
  neighbours(z, w);
  shift(z, w);
  if (apart >= 0)
    tridiagonal(z, w, apart);
}
