//===- attention.cpp - scaled dot-product attention: the logic --------------===//
//
// attention_heads  spreads over batch, heads and blocks of queries
// attention_rows   cuts a block of queries again; a mapping may nest it
// attention_tile   takes one block of queries past all blocks of keys
//
//===----------------------------------------------------------------------===//
#include "attention/attention.h"

#include "attention/softmax_leaves.h"
#include "common/gemm.h"

template <class T> using tensor4 = septran::tensor<T, 4>;

/// One block of queries. With `causal`, row i sees the keys up to Q.origin(0) + i + shift.
template <class T>
[[septran::task("attention_rows")]]
void attention_tile([[septran::write]] matrix<T> O, matrix<const T> Q, matrix<const T> K,
                    matrix<const T> V, accumulator_t<T> scale, bool causal, int shift) {
  [[septran::tunable]] const int tile_kv = 128;
  septran::local<accumulator_t<T>, 2> acc(O.extents());
  septran::local<accumulator_t<T>, 1> m(Q.extent(0));
  septran::local<accumulator_t<T>, 1> l(Q.extent(0));
  septran::fill(acc, 0);
  septran::fill(m, std::numeric_limits<accumulator_t<T>>::lowest());
  septran::fill(l, 0);

  auto Kp = septran::partition(K, {tile_kv, K.extent(1)});
  auto Vp = septran::partition(V, {tile_kv, V.extent(1)});
  for (int k = 0; k < Kp.extent(0); ++k) {
    auto Kb = Kp(k, 0);
    auto Vb = Vp(k, 0);
    // The last key that row 0 sees, counted from the block's first one.
    const int last = int(Q.origin(0) + shift - Kb.origin(0));
    if (causal && last + int(Q.extent(0)) <= 0)
      continue;

    septran::local<accumulator_t<T>, 2> s({Q.extent(0), Kb.extent(0)});
    septran::fill(s, 0);
    gemm_blocked(s, Q, septran::transpose(Kb));
    if (causal && last + 1 < Kb.extent(0))
      mask_causal(s, last);

    septran::local<accumulator_t<T>, 1> decay(Q.extent(0));
    septran::local<T, 2> p({Q.extent(0), Kb.extent(0)});
    raise_max(m, decay, s, scale);
    weigh(p, l, s, m, decay, scale);
    scale_rows(acc, decay);
    gemm_blocked(acc, p, Vb);
  }
  normalise(O, acc, l);
}

/// Queries by blocks.
template <class T>
[[septran::task("attention_rows")]]
void attention_rows([[septran::write]] matrix<T> O, matrix<const T> Q, matrix<const T> K,
                    matrix<const T> V, accumulator_t<T> scale, bool causal, int shift) {
  [[septran::tunable]] const int tile_q = 64;
  auto Op = septran::partition(O, {tile_q, O.extent(1)});
  auto Qp = septran::partition(Q, {tile_q, Q.extent(1)});
  for (auto [i] : septran::parallel(Op.extent(0)))
    attention_tile(Op(i, 0), Qp(i, 0), K, V, scale, causal, shift);
}

/// All batches and heads.
template <class T>
[[septran::task]]
void attention_heads([[septran::write]] tensor4<T> O, tensor4<const T> Q, tensor4<const T> K,
                     tensor4<const T> V, accumulator_t<T> scale, bool causal) {
  [[septran::tunable]] const int tile_q = 256;
  // The last query and the last key stand at the same position.
  const int shift = int(K.origin(2) + K.extent(2) - Q.origin(2) - Q.extent(2));
  auto Op = septran::partition(O, {1, 1, tile_q, O.extent(3)});
  auto Qp = septran::partition(Q, {1, 1, tile_q, Q.extent(3)});
  for (auto [b, h, i] : septran::parallel(Op.extent(0), Op.extent(1), Op.extent(2))) {
    const int key_head = int(h * K.extent(1) / Q.extent(1));
    attention_rows(septran::subtensor(Op(b, h, i, 0), 0, 0, septran::all, septran::all),
                   septran::subtensor(Qp(b, h, i, 0), 0, 0, septran::all, septran::all),
                   septran::subtensor(K, b, key_head, septran::all, septran::all),
                   septran::subtensor(V, b, key_head, septran::all, septran::all), scale, causal,
                   shift);
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
