#include "decode/decode.h"
#include "onednn/attend.h"

using namespace onednn;

void decode(tensor<float, 3> O, tensor<const float, 3> Q, tensor<const float, 4> K,
            tensor<const float, 4> V, float scale) {
  static prepared calls;
  const auto one_query = [](const auto &X) {
    return septran::tensor(X.data(),
                           septran::extents_t<4>(X.extent(0), X.extent(1), 1, X.extent(2)));
  };
  calls.run(
      [&](sequence &all) { add_attention(all, one_query(O), one_query(Q), K, V, scale, false); }, O,
      Q, K, V, std::bit_cast<std::int32_t>(scale));
}
