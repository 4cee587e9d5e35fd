// The product as everybody writes it first. Polly recognises it, tiles it and packs its operands,
// provided that extents are constants: here those of one of the benchmark's shapes. For any extents
// it does less, and with leading dimensions as further parameters it takes minutes.
#include "matmul/matmul.h"
#include "loops.h"

namespace {

constexpr int known = 1024;

void multiply_known(float (*__restrict C)[known], const float (*__restrict A)[known],
                    const float (*__restrict B)[known]) {
  for (int i = 0; i < known; ++i)
    for (int j = 0; j < known; ++j) {
      C[i][j] = 0;
      for (int p = 0; p < known; ++p)
        C[i][j] += A[i][p] * B[p][j];
    }
}

/// In the order that needs no help. Rows lie one after the other, as they do in the benchmark.
void multiply(integer m, integer n, integer k, float *__restrict C, const float *__restrict A,
              const float *__restrict B) {
  for (integer i = 0; i < m; ++i) {
    for (integer j = 0; j < n; ++j)
      C[i * n + j] = 0;
    for (integer p = 0; p < k; ++p)
      for (integer j = 0; j < n; ++j)
        C[i * n + j] += A[i * k + p] * B[p * n + j];
  }
}

using known_rows = float (*)[known];
using const_known_rows = const float (*)[known];

} // namespace

void matmul(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  const integer m = C.extent(0), n = C.extent(1), k = A.extent(1);
  if (m == known && n == known && k == known)
    multiply_known(known_rows(C.data()), const_known_rows(A.data()), const_known_rows(B.data()));
  else
    multiply(m, n, k, C.data(), A.data(), B.data());
}
