// Products of matrices by Eigen, which splits them between OpenMP's threads itself.
#include "matmul/matmul.h"
#include "eigen/maps.h"

template <class T>
void multiply(const matrix<T> &C, const matrix<const T> &A, const matrix<const T> &B) {
  map(C).noalias() = map(A) * map(B);
}

void matmul(matrix<float> C, matrix<const float> A, matrix<const float> B) { multiply(C, A, B); }
void matmul_weights(matrix<float> C, matrix<const float> A, septran::constant<float, 2> B) {
  multiply<float>(C, A, B);
}
void matmul_f64(matrix<double> C, matrix<const double> A, matrix<const double> B) {
  multiply(C, A, B);
}
void matmul_nt(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  map(C).noalias() = map(A) * map(B).transpose();
}
void matmul_tn(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  map(C).noalias() = map(A).transpose() * map(B);
}
