#include "loops.h"
#include "transpose/transpose.h"

void transpose(matrix<float> Y, matrix<const float> X) {
  for_elements(Y, [&](integer i, integer j) { return row(X, j)[i]; });
}
