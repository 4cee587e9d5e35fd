#include "attend.h"
#include "decode/decode.h"

#include <vector>

void decode(septran::tensor<float, 3> O, septran::tensor<const float, 3> Q,
            septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale) {
  const integer heads = O.extent(1), width = O.extent(2), keys = K.extent(2);
  const integer group = heads / K.extent(1), count = O.extent(0) * heads;
#pragma omp parallel
  {
    std::vector<float> scores(keys);
#pragma omp for
    for (integer bh = 0; bh < count; ++bh) {
      const integer b = bh / heads, h = bh % heads, g = h / group;
      attend(&O(b, h, 0), &Q(b, h, 0), {&K(b, g, 0, 0), K.stride(2)}, {&V(b, g, 0, 0), V.stride(2)},
             keys, width, scale, scores.data());
    }
  }
}
