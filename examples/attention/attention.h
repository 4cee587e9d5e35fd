//===- attention.h - scaled dot-product attention, forward ------*- C++ -*-===//
//
// O = softmax(scale * Q * K^T) * V for every batch and head, without ever holding
// the matrix of scores: keys are taken block by block with a running maximum and sum
// (M. Milakov, N. Gimelshein, Online normalizer calculation for softmax, 2018;
// T. Dao et al., FlashAttention, 2022).
//
//   O, Q   batch x heads x queries x width
//   K, V   batch x key heads x keys x width (V may have another width, O has V's)
//
// The number of heads is a multiple of the number of key heads; consecutive heads
// share keys (grouped-query attention). Any strides; O overlaps no other argument.
//
// With `causal`, query i sees the keys j <= i + keys - queries: the last query sees
// all of them, as in decoding with a cache. A query that sees no key gives zeros.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void attention(septran::tensor<float, 4> O, septran::tensor<const float, 4> Q,
               septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale,
               bool causal);

void attention_f64(septran::tensor<double, 4> O, septran::tensor<const double, 4> Q,
                   septran::tensor<const double, 4> K, septran::tensor<const double, 4> V,
                   double scale, bool causal);

/// The 16-bit types sum in float; the weights of V are rounded to the 16-bit type.
void attention_f16(septran::tensor<septran::float16, 4> O,
                   septran::tensor<const septran::float16, 4> Q,
                   septran::tensor<const septran::float16, 4> K,
                   septran::tensor<const septran::float16, 4> V, float scale, bool causal);

void attention_bf16(septran::tensor<septran::bfloat16, 4> O,
                    septran::tensor<const septran::bfloat16, 4> Q,
                    septran::tensor<const septran::bfloat16, 4> K,
                    septran::tensor<const septran::bfloat16, 4> V, float scale, bool causal);
