// Matrix times vector by Eigen.
#include "gemv/gemv.h"
#include "eigen/maps.h"

void gemv(vector<float> y, matrix<const float> A, vector<const float> x) {
  map(y).noalias() = map(A) * map(x);
}
void gemv_t(vector<float> y, matrix<const float> A, vector<const float> x) {
  map(y).noalias() = map(A).transpose() * map(x);
}
