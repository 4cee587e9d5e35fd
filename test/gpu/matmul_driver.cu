// Checks and times one generated matrix product: ENTRY with elements ELEMENT.
//
//   matmul_driver M N K REPEATS      REPEATS 0 times nothing
//
// Prints one line of JSON; exit code 1 if a result is wrong. Results are compared with sums in double
// at 4000 places, corners among them. A sum may be off by as much as rounding every product and sum
// once can make it.
#include "driver.h"
#include "matmul/matmul.h"

#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using septran::cuda::device_buffer;

/// Half the distance of neighbouring numbers at 1.
template <class T> double rounding() {
  if (std::is_same_v<T, double>)
    return 0x1p-53;
  if (std::is_same_v<T, float>)
    return 0x1p-24;
  return std::is_same_v<T, septran::float16> ? 0x1p-11 : 0x1p-8;
}

#ifdef TF32
constexpr double product_rounding = 0x1p-10;
#else
constexpr double product_rounding = 0;
#endif

struct problem {
  std::ptrdiff_t m, n, k;
  std::vector<ELEMENT> a, b;
};

/// The largest error as a part of what is allowed.
double largest_error(const problem &p, const std::vector<ELEMENT> &c) {
  using sum_t = std::conditional_t<std::is_same_v<ELEMENT, double>, double, float>;
  double largest = 0;
  unsigned long long seed = 5;
  for (int sample = 0; sample < 4000; ++sample) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    const std::ptrdiff_t i = sample < 4 ? (sample & 1) * (p.m - 1) : std::ptrdiff_t((seed >> 33) % p.m);
    const std::ptrdiff_t j = sample < 4 ? (sample >> 1) * (p.n - 1) : std::ptrdiff_t((seed >> 13) % p.n);
    double sum = 0, size = 0;
    for (std::ptrdiff_t l = 0; l < p.k; ++l) {
      const double product = double(p.a[i * p.k + l]) * double(p.b[l * p.n + j]);
      sum += product;
      size += std::abs(product);
    }
    const double allowed = size * (double(p.k + 1) * rounding<sum_t>() + product_rounding) +
                           std::abs(sum) * rounding<ELEMENT>() + 1e-30;
    const double error = std::abs(double(c[i * p.n + j]) - sum) / allowed;
    largest = error <= largest ? largest : error; // NaN is the largest
  }
  return largest;
}

#ifdef WITH_CUBLAS
template <class T> constexpr cudaDataType_t data_type() {
  if (std::is_same_v<T, double>)
    return CUDA_R_64F;
  if (std::is_same_v<T, float>)
    return CUDA_R_32F;
  return std::is_same_v<T, septran::float16> ? CUDA_R_16F : CUDA_R_16BF;
}

/// C = A * B of rows is C' = B' * A' of columns.
void library_product(cublasHandle_t handle, const problem &p, ELEMENT *c, const ELEMENT *a,
                     const ELEMENT *b) {
#ifdef TF32
  constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F_FAST_TF32;
#else
  constexpr cublasComputeType_t compute =
      std::is_same_v<ELEMENT, double> ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
#endif
  const double one64 = 1, zero64 = 0;
  const float one32 = 1, zero32 = 0;
  constexpr bool is64 = std::is_same_v<ELEMENT, double>;
  const void *one = is64 ? static_cast<const void *>(&one64) : &one32;
  const void *zero = is64 ? static_cast<const void *>(&zero64) : &zero32;
  if (cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, int(p.n), int(p.m), int(p.k), one, b,
                   data_type<ELEMENT>(), int(p.n), a, data_type<ELEMENT>(), int(p.k), zero, c,
                   data_type<ELEMENT>(), int(p.n), compute, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS)
    throw septran::cuda::error("cublasGemmEx failed");
}
#endif

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: matmul_driver M N K REPEATS\n");
    return 2;
  }
  problem p{std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]), {}, {}};
  const int repeats = std::atoi(argv[4]);
  p.a = random_numbers<ELEMENT>(std::size_t(p.m * p.k), 1);
  p.b = random_numbers<ELEMENT>(std::size_t(p.k * p.n), 2);
  device_buffer<ELEMENT> a(p.a.data(), p.a.size()), b(p.b.data(), p.b.size());
  device_buffer<ELEMENT> c(std::size_t(p.m * p.n));
  septran::cuda::fill(c.data(), 0xff, c.size() * sizeof(ELEMENT)); // NaN
  auto product = [&] {
    ENTRY(septran::tensor<ELEMENT, 2>(c.data(), {p.m, p.n}),
          septran::tensor<const ELEMENT, 2>(a.data(), {p.m, p.k}),
          septran::tensor<const ELEMENT, 2>(b.data(), {p.k, p.n}));
  };
  product();
  std::vector<ELEMENT> result(c.size());
  c.download(result.data());
  const double error = largest_error(p, result);
  std::vector<double> own, library;
#ifdef WITH_CUBLAS
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    throw septran::cuda::error("cublasCreate failed");
  device_buffer<ELEMENT> other(c.size());
#endif
  for (int i = 0; i < repeats + (repeats ? 2 : 0); ++i) { // the first two warm up
    own.push_back(milliseconds_of(product));
#ifdef WITH_CUBLAS
    library.push_back(
        milliseconds_of([&] { library_product(handle, p, other.data(), a.data(), b.data()); }));
#endif
    if (i < 2) {
      own.clear();
      library.clear();
    }
  }
  std::printf("{\"m\": %td, \"n\": %td, \"k\": %td, \"error\": %g", p.m, p.n, p.k,
              std::isfinite(error) ? error : 1e300);
  if (!own.empty())
    std::printf(", \"milliseconds\": %g", median(own));
  if (!library.empty())
    std::printf(", \"cublas_milliseconds\": %g", median(library));
  std::printf("}\n");
  return error <= 1 ? 0 : 1;
}
