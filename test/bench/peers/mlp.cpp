#include "mlp/mlp.h"
#include "common/activations.h"
#include "loops.h"

#include <vector>

void linear_gelu(matrix<float> Y, matrix<const float> X, septran::constant<float, 2> W,
                 vector<const float> bias) {
  multiply(Y, X, W);
  const float *const b = bias.data();
  for_elements(Y, [&](integer i, integer j) {
    return activate<activation::gelu_tanh>(row(Y, i)[j] + b[j]);
  });
}

void swiglu(matrix<float> Y, matrix<const float> X, septran::constant<float, 2> Wg,
            septran::constant<float, 2> Wu) {
  std::vector<float> memory(std::size_t(Y.extent(0) * Y.extent(1)));
  const matrix<float> U(memory.data(), {Y.extent(0), Y.extent(1)});
  multiply(Y, X, Wg);
  multiply(U, X, Wu);
  for_elements(Y, [&](integer i, integer j) {
    return activate<activation::silu>(row(Y, i)[j]) * row(U, i)[j];
  });
}
