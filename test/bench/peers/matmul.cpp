#include "matmul/matmul.h"
#include "loops.h"

#include <vector>

void matmul_f64(matrix<double> C, matrix<const double> A, matrix<const double> B) {
  multiply(C, A, B);
}
void matmul(matrix<float> C, matrix<const float> A, matrix<const float> B) { multiply(C, A, B); }
void matmul_weights(matrix<float> C, matrix<const float> A, septran::constant<float, 2> B) {
  multiply(C, A, B);
}
void matmul_i8(matrix<std::int32_t> C, matrix<const std::int8_t> A,
               septran::constant<std::int8_t, 2> B) {
  multiply(C, A, B);
}
void matmul_u8s8(matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                 septran::constant<std::int8_t, 2> B) {
  multiply(C, A, B);
}

/// In elements of 16 bits, with sums in f32.
template <class T>
void multiply_small(const matrix<T> &C, const matrix<const T> &A, const matrix<const T> &B) {
  const integer m = C.extent(0), n = C.extent(1), k = A.extent(1);
#pragma omp parallel
  {
    std::vector<float> sums(n);
#pragma omp for
    for (integer i = 0; i < m; ++i) {
      float *const s = sums.data();
      std::fill_n(s, n, 0.0f);
      for (integer p = 0; p < k; ++p) {
        const float a = float(A(i, p));
        const T *const b = row(B, p);
#pragma omp simd
        for (integer j = 0; j < n; ++j)
          s[j] += a * float(b[j]);
      }
      for (integer j = 0; j < n; ++j)
        C(i, j) = T(s[j]);
    }
  }
}

void matmul_f16(matrix<septran::float16> C, matrix<const septran::float16> A,
                septran::constant<septran::float16, 2> B) {
  multiply_small(C, A, B);
}
void matmul_bf16(matrix<septran::bfloat16> C, matrix<const septran::bfloat16> A,
                 septran::constant<septran::bfloat16, 2> B) {
  multiply_small(C, A, B);
}

void matmul_nt(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  const integer k = A.extent(1);
  const integer m = C.extent(0), n = C.extent(1);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i)
    for (integer j = 0; j < n; ++j) {
      const float *const a = row(A, i), *const b = row(B, j);
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (integer p = 0; p < k; ++p)
        sum += a[p] * b[p];
      C(i, j) = sum;
    }
}

void matmul_tn(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  const integer m = C.extent(0), n = C.extent(1), k = A.extent(0);
#pragma omp parallel for
  for (integer i = 0; i < m; ++i) {
    float *const c = row(C, i);
    std::fill_n(c, n, 0.0f);
    for (integer p = 0; p < k; ++p) {
      const float a = A(p, i);
      const float *const b = row(B, p);
#pragma omp simd
      for (integer j = 0; j < n; ++j)
        c[j] += a * b[j];
    }
  }
}
