#include "loops.h"
#include "transpose/transpose.h"

void transpose(matrix<float> Y, matrix<const float> X) {
  for_elements(Y, [&](index i, index j) { return row(X, j)[i]; });
}
