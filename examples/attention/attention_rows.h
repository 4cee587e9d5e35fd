//===- attention_rows.h - attention of some queries of one head -*- C++ -*-===//
//
// A family: all have the same signature and results, and a mapping nests them.
//
//   attention_tile  takes the queries past all keys, block by block
//   attention_seen  leaves out the keys that none of the queries sees
//   attention_rows  cuts the queries into blocks
//
// Weights are powers of two, 2^(scale * score - m). With `causal`, row i sees the keys up to
// Q.origin(0) + i + shift.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "attention/softmax_leaves.h"

/// C = A * B, of the family matmul, summed in C itself: where scores lie in registers.
template <class C_t, class A_t, class B_t>
[[septran::task("matmul")]]
void matmul_in_place([[septran::write]] matrix<C_t> C, matrix<const A_t> A, matrix<const B_t> B) {
  septran::fill(C, 0);
  gemm_blocked(C, A, B);
}

/// Past all blocks of keys.
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
    matmul_tile(s, Q, septran::transpose(Kb));
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

/// Past the keys that some query sees, and no others.
template <class T>
[[septran::task("attention_rows")]]
void attention_seen([[septran::write]] matrix<T> O, matrix<const T> Q, matrix<const T> K,
                    matrix<const T> V, accumulator_t<T> scale, bool causal, int shift) {
  // Where they see none, attention_tile passes over whatever it gets.
  const int seen = causal ? int(Q.origin(0) + Q.extent(0) + shift - K.origin(0)) : int(K.extent(0));
  auto Kp = septran::partition(K, {seen, K.extent(1)});
  auto Vp = septran::partition(V, {seen, V.extent(1)});
  attention_tile(O, Q, Kp(0, 0), Vp(0, 0), scale, causal, shift);
}

/// By blocks of queries.
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
