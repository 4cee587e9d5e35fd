//===- attention.cpp - scaled dot-product attention: the logic --------------===//
//
// Spreads over batch, heads and blocks of queries, for which attention_rows.h has a family of tasks.
//
//===----------------------------------------------------------------------===//
#include "attention/attention.h"

#include "attention/attention_rows.h"

#include <numbers>

template <class T> using tensor4 = septran::tensor<T, 4>;

/// All batches and heads.
template <class T>
[[septran::task]]
void attention_heads([[septran::write]] tensor4<T> O, tensor4<const T> Q, tensor4<const T> K,
                     tensor4<const T> V, accumulator_t<T> scale, bool causal) {
  [[septran::tunable]] const int tile_q = 256;
  // Weights are powers of two.
  const auto exponents = scale * std::numbers::log2e_v<accumulator_t<T>>;
  // The last query and the last key stand at the same position.
  const int shift = int(K.origin(2) + K.extent(2) - Q.origin(2) - Q.extent(2));
  auto Op = septran::partition(O, {1, 1, tile_q, O.extent(3)});
  auto Qp = septran::partition(Q, {1, 1, tile_q, Q.extent(3)});
  for (auto [b, h, i] : septran::parallel(Op.extent(0), Op.extent(1), Op.extent(2))) {
    const int key_head = int(h * K.extent(1) / Q.extent(1));
    attention_rows(septran::subtensor(Op(b, h, i, 0), 0, 0, septran::all, septran::all),
                   septran::subtensor(Qp(b, h, i, 0), 0, 0, septran::all, septran::all),
                   septran::subtensor(K, b, key_head, septran::all, septran::all),
                   septran::subtensor(V, b, key_head, septran::all, septran::all), exponents,
                   causal, shift);
  }
}

[[septran::task]]
void attention([[septran::write]] tensor4<float> O, tensor4<const float> Q, tensor4<const float> K,
               tensor4<const float> V, float scale, bool causal) {
  attention_heads(O, Q, K, V, scale, causal);
}

[[septran::task]]
void attention_f64([[septran::write]] tensor4<double> O, tensor4<const double> Q,
                   tensor4<const double> K, tensor4<const double> V, double scale, bool causal) {
  attention_heads(O, Q, K, V, scale, causal);
}

[[septran::task]]
void attention_f16([[septran::write]] tensor4<septran::float16> O,
                   tensor4<const septran::float16> Q, tensor4<const septran::float16> K,
                   tensor4<const septran::float16> V, float scale, bool causal) {
  attention_heads(O, Q, K, V, scale, causal);
}

[[septran::task]]
void attention_bf16([[septran::write]] tensor4<septran::bfloat16> O,
                    tensor4<const septran::bfloat16> Q, tensor4<const septran::bfloat16> K,
                    tensor4<const septran::bfloat16> V, float scale, bool causal) {
  attention_heads(O, Q, K, V, scale, causal);
}
