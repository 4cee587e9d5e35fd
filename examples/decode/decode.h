//===- decode.h - attention of one new token to a long cache ----*- C++ -*-===//
//
// O = softmax(scale * Q * K^T) * V for one query of every batch and head, as when a
// language model writes its next token.
//
//   O, Q   batch x heads x width
//   K, V   batch x key heads x keys x width (V may have another width, O has V's)
//
// The number of heads is a multiple of the number of key heads; consecutive heads
// share keys (grouped-query attention). Any strides; O overlaps no other argument.
// Without keys, O is zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

void decode(septran::tensor<float, 3> O, septran::tensor<const float, 3> Q,
            septran::tensor<const float, 4> K, septran::tensor<const float, 4> V, float scale);
