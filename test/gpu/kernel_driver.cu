// Checks and times one generated kernel that is no plain matrix product: KERNEL_x, with elements ELEMENT.
//
//   kernel_driver M N K REPEATS      REPEATS 0 times nothing
//
// Most work on matrices of M x N. Attention has 32 heads of M queries, N keys and K columns;
// convolution M x N pixels of K channels. Prints one line of JSON; exit code 1 if a result is wrong.
// Results are compared at 1000 places, corners among them, with the same formula in double; they may be
// off by what rounding every operation once can make. What moves through memory at least is timed, too,
// as one copy on the device, in turns with the kernel. The stencil does two steps, behind a copy of its
// argument, which they overwrite: three times its arguments' bytes.
#include "driver.h"
#include KERNEL_HEADER

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace {

using septran::cuda::device_buffer;
using T = ELEMENT;
template <int R> using view = septran::tensor<T, R>;
template <int R> using const_view = septran::tensor<const T, R>;

constexpr double single = 0x1p-24; // half the distance of neighbouring numbers at 1
constexpr double rounding = std::is_same_v<T, float>              ? single
                            : std::is_same_v<T, septran::float16> ? 0x1p-11
                                                                  : 0x1p-8;

#ifdef KERNEL_stencil
constexpr double passes = 3;
#else
constexpr double passes = 1;
#endif

struct expected {
  double value, allowed;
};

/// One kernel's arguments: numbers on the host, and what the device has of them.
struct problem {
  std::ptrdiff_t m, n, k;
  std::vector<T> in[3], out;
  device_buffer<T> on_device[3], result;

  problem(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t k) : m(m), n(n), k(k) {
    const std::vector<std::ptrdiff_t> counts = sizes();
    for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
      in[i] = random_numbers<T>(std::size_t(counts[i]), i + 1);
      on_device[i] = device_buffer<T>(in[i].data(), in[i].size());
    }
    out.resize(std::size_t(counts.back()));
    result = device_buffer<T>(out.size());
    septran::cuda::fill(result.data(), 0xff, out.size() * sizeof(T)); // NaN
  }

  /// Elements of every input, and of the output.
  std::vector<std::ptrdiff_t> sizes() const;
  /// Products and sums, of kernels that are made of them; 0 of others.
  double operations() const;
  void run();
  expected at(std::ptrdiff_t index) const;

  double bytes() const {
    double count = double(out.size());
    for (const std::vector<T> &values : in)
      count += double(values.size());
    return passes * count * sizeof(T);
  }
  double x(int which, std::ptrdiff_t index) const { return double(in[which][std::size_t(index)]); }
  const_view<1> vector(int which) const {
    return {on_device[which].data(), {std::ptrdiff_t(in[which].size())}};
  }
  const_view<2> matrix(int which) const { return {on_device[which].data(), {m, n}}; }
  view<2> matrix_result() { return {result.data(), {m, n}}; }
};

#if defined(KERNEL_softmax)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, m * n}; }
void problem::run() { ENTRY(matrix_result(), matrix(0)); }
expected problem::at(std::ptrdiff_t index) const {
  const std::ptrdiff_t row = index / n * n;
  double sum = 0; // of numbers below 1: no maximum is needed in double
  for (std::ptrdiff_t j = 0; j < n; ++j)
    sum += std::exp(x(0, row + j));
  const double value = std::exp(x(0, index)) / sum;
  return {value, value * (double(n + 40) * single + rounding)};
}
#elif defined(KERNEL_rmsnorm)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, n, m * n}; }
void problem::run() { ENTRY(matrix_result(), matrix(0), vector(1), 1e-5f); }
expected problem::at(std::ptrdiff_t index) const {
  const std::ptrdiff_t row = index / n * n;
  double squares = 0;
  for (std::ptrdiff_t j = 0; j < n; ++j)
    squares += x(0, row + j) * x(0, row + j);
  const double value = x(0, index) / std::sqrt(squares / double(n) + double(1e-5f)) * x(1, index - row);
  return {value, std::abs(value) * (double(n + 20) * single + rounding)};
}
#elif defined(KERNEL_layernorm)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, n, n, m * n}; }
void problem::run() { ENTRY(matrix_result(), matrix(0), vector(1), vector(2), 1e-5f); }
expected problem::at(std::ptrdiff_t index) const {
  const std::ptrdiff_t row = index / n * n, j = index - row;
  double sum = 0, squares = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i)
    sum += x(0, row + i);
  const double mean = sum / double(n);
  for (std::ptrdiff_t i = 0; i < n; ++i)
    squares += (x(0, row + i) - mean) * (x(0, row + i) - mean);
  const double scale = 1 / std::sqrt(squares / double(n) + double(1e-5f));
  const double value = (x(0, index) - mean) * scale * x(1, j) + x(2, j);
  // The mean may be off by n roundings of numbers below 1, for every element alike.
  const double size = (std::abs(x(0, index) - mean) + 1) * scale * std::abs(x(1, j)) + std::abs(x(2, j));
  return {value, size * double(2 * n + 20) * single + std::abs(value) * rounding};
}
#elif defined(KERNEL_elementwise)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, m * n}; }
void problem::run() { ENTRY(matrix_result(), matrix(0)); }
expected problem::at(std::ptrdiff_t index) const {
  const double at = x(0, index), value = 0.5 * at * (1 + std::erf(at * double(0.70710678f)));
  return {value, std::abs(at) * 16 * single};
}
#elif defined(KERNEL_transpose)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, m * n}; }
void problem::run() { ENTRY(view<2>(result.data(), {n, m}), matrix(0)); }
expected problem::at(std::ptrdiff_t index) const { return {x(0, index % m * n + index / m), 0}; }
#elif defined(KERNEL_stencil)
constexpr float alpha = 0.2f, boundary = 0.5f;
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n, m * n}; }
void problem::run() {
  septran::cuda::copy_on_device(result.data(), on_device[0].data(), out.size());
  ENTRY(matrix_result(), alpha, boundary, 2);
}
expected problem::at(std::ptrdiff_t index) const {
  const auto step = [&](std::ptrdiff_t r, std::ptrdiff_t c, const auto &old) {
    if (r < 0 || r >= m || c < 0 || c >= n)
      return double(boundary);
    const double sides = old(r - 1, c) + old(r + 1, c) + old(r, c - 1) + old(r, c + 1);
    return old(r, c) + double(alpha) * (sides - 4 * old(r, c));
  };
  const auto begin = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
    return r < 0 || r >= m || c < 0 || c >= n ? double(boundary) : x(0, r * n + c);
  };
  const auto first = [&](std::ptrdiff_t r, std::ptrdiff_t c) { return step(r, c, begin); };
  return {step(index / n, index % n, first), 80 * single};
}
#elif defined(KERNEL_conv2d)
std::vector<std::ptrdiff_t> problem::sizes() const { return {m * n * k, 9 * k * k, m * n * k}; }
double problem::operations() const { return 18.0 * m * n * k * k; }
void problem::run() {
  ENTRY(view<4>(result.data(), {1, m, n, k}), const_view<4>(on_device[0].data(), {1, m, n, k}),
        const_view<4>(on_device[1].data(), {3, 3, k, k}));
}
expected problem::at(std::ptrdiff_t index) const {
  const std::ptrdiff_t o = index % k, column = index / k % n, row = index / k / n;
  double value = 0, size = 0;
  for (std::ptrdiff_t tap = 0; tap < 9; ++tap) {
    const std::ptrdiff_t r = row + tap / 3 - 1, c = column + tap % 3 - 1;
    for (std::ptrdiff_t i = 0; i < k && r >= 0 && r < m && c >= 0 && c < n; ++i) {
      const double product = x(0, (r * n + c) * k + i) * x(1, (tap * k + i) * k + o);
      value += product;
      size += std::abs(product);
    }
  }
  return {value, size * double(9 * k + 1) * single};
}
#elif defined(KERNEL_attention)
constexpr std::ptrdiff_t heads = 32;
std::vector<std::ptrdiff_t> problem::sizes() const {
  return {heads * m * k, heads * n * k, heads * n * k, heads * m * k};
}
double problem::operations() const { return 4.0 * heads * m * n * k; }
void problem::run() {
  const auto argument = [&](int which, std::ptrdiff_t rows) {
    return const_view<4>(on_device[which].data(), {1, heads, rows, k});
  };
  ENTRY(view<4>(result.data(), {1, heads, m, k}), argument(0, m), argument(1, n), argument(2, n), 0.125f,
        false);
}
expected problem::at(std::ptrdiff_t index) const {
  const std::ptrdiff_t column = index % k, query = index / k, head = query / m;
  double total = 0, value = 0, size = 0, largest = 0;
  for (std::ptrdiff_t key = head * n; key < (head + 1) * n; ++key) {
    double score = 0, score_size = 0;
    for (std::ptrdiff_t i = 0; i < k; ++i) {
      score += x(0, query * k + i) * x(1, key * k + i);
      score_size += std::abs(x(0, query * k + i) * x(1, key * k + i));
    }
    const double weight = std::exp(0.125 * score);
    total += weight;
    value += weight * x(2, key * k + column);
    size += weight * std::abs(x(2, key * k + column));
    largest = std::max(largest, 0.125 * score_size);
  }
  value /= total;
  size /= total;
  const double weights = double(2 * n + 60) * single + 4 * largest * double(k + 2) * single + 2 * rounding;
  return {value, size * weights + std::abs(value) * rounding};
}
#endif

#if !defined(KERNEL_conv2d) && !defined(KERNEL_attention)
double problem::operations() const { return 0; }
#endif

/// The largest error as a part of what is allowed.
double largest_error(const problem &p) {
  double largest = 0;
  unsigned long long seed = 5;
  const std::ptrdiff_t count = std::ptrdiff_t(p.out.size());
  for (int sample = 0; sample < 1000; ++sample) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    const std::ptrdiff_t index = sample == 0   ? 0
                                 : sample == 1 ? count - 1
                                               : std::ptrdiff_t((seed >> 13) % (unsigned long long)count);
    const expected want = p.at(index);
    const double error = std::abs(double(p.out[std::size_t(index)]) - want.value) / (want.allowed + 1e-30);
    largest = error <= largest ? largest : error; // NaN is the largest
  }
  return largest;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: kernel_driver M N K REPEATS\n");
    return 2;
  }
  problem p(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]));
  const int repeats = std::atoi(argv[4]);
  p.run();
  p.result.download(p.out.data());
  const double error = largest_error(p);
  // A copy reads and writes each of its bytes.
  const std::size_t copied = repeats ? std::size_t(p.bytes() / 2) : 0;
  device_buffer<unsigned char> from(copied), to(copied);
  std::vector<double> own, copy;
  for (int i = 0; i < repeats + (repeats ? 2 : 0); ++i) { // the first two warm up
    own.push_back(milliseconds_of([&] { p.run(); }));
    copy.push_back(milliseconds_of([&] { septran::cuda::copy_on_device(to.data(), from.data(), copied); }));
    if (i < 2) {
      own.clear();
      copy.clear();
    }
  }
  std::printf("{\"m\": %td, \"n\": %td, \"k\": %td, \"bytes\": %.0f, \"error\": %g", p.m, p.n, p.k, p.bytes(),
              std::isfinite(error) ? error : 1e300);
  if (p.operations() > 0)
    std::printf(", \"operations\": %.0f", p.operations());
  if (!own.empty())
    std::printf(", \"milliseconds\": %g, \"copy_milliseconds\": %g", median(own), median(copy));
  std::printf("}\n");
  return error <= 1 ? 0 : 1;
}
