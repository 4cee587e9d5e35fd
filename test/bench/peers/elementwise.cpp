#include "common/activations.h"
#include "elementwise/elementwise.h"
#include "loops.h"

template <activation Which> void activate_all(matrix<float> Y, matrix<const float> X) {
  for_elements(Y, [&](integer i, integer j) { return activate<Which>(row(X, i)[j]); });
}

void gelu(matrix<float> Y, matrix<const float> X) { activate_all<activation::gelu>(Y, X); }
void gelu_tanh(matrix<float> Y, matrix<const float> X) {
  activate_all<activation::gelu_tanh>(Y, X);
}
void silu(matrix<float> Y, matrix<const float> X) { activate_all<activation::silu>(Y, X); }

void residual(matrix<float> Y, matrix<const float> X, matrix<const float> H,
              vector<const float> gate) {
  const float *const g = gate.data();
  for_elements(Y, [&](integer i, integer j) { return row(X, i)[j] + g[j] * row(H, i)[j]; });
}

void modulate(matrix<float> Y, matrix<const float> X, vector<const float> shift,
              vector<const float> scale) {
  const float *const a = shift.data(), *const b = scale.data();
  for_elements(Y, [&](integer i, integer j) { return row(X, i)[j] * (1 + b[j]) + a[j]; });
}
