// The queries of heads that share keys are the rows of one matrix.
#include "decode/decode.h"
#include "onednn/gemm/attend.h"

void decode(septran::tensor<float, 3> O, septran::tensor<const float, 3> Q,
            septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale) {
  const integer groups = K.extent(1), group = O.extent(1) / groups, keys = K.extent(2);
#pragma omp parallel for collapse(2)
  for (integer b = 0; b < O.extent(0); ++b)
    for (integer g = 0; g < groups; ++g)
      attend({&O(b, g * group, 0), group, O.extent(2)}, {&Q(b, g * group, 0), group, Q.extent(2)},
             {&K(b, g, 0, 0), keys, K.extent(3)}, {&V(b, g, 0, 0), keys, V.extent(3)}, scale,
             [keys](integer) { return keys; });
}
