// Attention by oneDNN's primitives: products of all heads, the softmax of all scores between them.
#include "attention/attention.h"
#include "onednn/attend.h"

using namespace onednn;

void attention(tensor<float, 4> O, tensor<const float, 4> Q, tensor<const float, 4> K,
               tensor<const float, 4> V, float scale, bool causal) {
  static prepared calls;
  calls.run([&](sequence &all) { add_attention(all, O, Q, K, V, scale, causal); }, O, Q, K, V,
            std::bit_cast<std::int32_t>(scale), causal);
}
