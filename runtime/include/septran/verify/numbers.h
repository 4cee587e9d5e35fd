//===- verify/numbers.h - <numbers> for numbers with a bound -----*- C++ -*-===//
//
// Logic that takes a constant in the type of its elements, as std::numbers::log2e_v<T>, does so in the
// reference, too: the constant as T has it, which is not rounded any more.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_NUMBERS_H
#define SEPTRAN_VERIFY_NUMBERS_H

#include <septran/verify/real_type.h>

#include <numbers>

#define SEPTRAN_VERIFY_NUMBER(name)                                                                \
  template <septran::verify::floating T>                                                           \
  inline constexpr septran::verify::real<T> std::numbers::name##_v<septran::verify::real<T>> = [] { \
    if constexpr (std::is_floating_point_v<T>)                                                     \
      return std::numbers::name##_v<T>;                                                            \
    else                                                                                           \
      return static_cast<T>(std::numbers::name##_v<float>);                                        \
  }()

SEPTRAN_VERIFY_NUMBER(e);
SEPTRAN_VERIFY_NUMBER(log2e);
SEPTRAN_VERIFY_NUMBER(log10e);
SEPTRAN_VERIFY_NUMBER(pi);
SEPTRAN_VERIFY_NUMBER(inv_pi);
SEPTRAN_VERIFY_NUMBER(inv_sqrtpi);
SEPTRAN_VERIFY_NUMBER(ln2);
SEPTRAN_VERIFY_NUMBER(ln10);
SEPTRAN_VERIFY_NUMBER(sqrt2);
SEPTRAN_VERIFY_NUMBER(sqrt3);
SEPTRAN_VERIFY_NUMBER(inv_sqrt3);
SEPTRAN_VERIFY_NUMBER(egamma);
SEPTRAN_VERIFY_NUMBER(phi);

#undef SEPTRAN_VERIFY_NUMBER

#endif
