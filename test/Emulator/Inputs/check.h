// What the hand-written kernels of this folder share: numbers, and the comparison with a plain loop.
#ifndef SEPTRAN_TEST_EMULATOR_CHECK_H
#define SEPTRAN_TEST_EMULATOR_CHECK_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

/// Numbers of both signs with few bits, from a fixed sequence.
template <class T> std::vector<T> numbers(int count, unsigned seed) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(T(float(int(seed >> 16) % 17 - 8) / 8.0f));
  }
  return values;
}

/// Exits with an error unless every value is within `tolerance` of the expected one.
template <class T>
void expect_near(const char *what, const std::vector<T> &values,
                 const std::vector<double> &expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(double(float(values[i])) - expected[i]) <= tolerance)) {
      std::printf("wrong result: %s, element %zu is %g instead of %g\n", what, i,
                  double(float(values[i])), expected[i]);
      std::exit(1);
    }
}

/// C = A * B with sums in double.
template <class T>
std::vector<double> exact_product(const std::vector<T> &a, const std::vector<T> &b, int m, int n,
                                  int k) {
  std::vector<double> c(std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int p = 0; p < k; ++p)
      for (int j = 0; j < n; ++j)
        c[std::size_t(i * n + j)] +=
            double(float(a[std::size_t(i * k + p)])) * double(float(b[std::size_t(p * n + j)]));
  return c;
}

#endif
