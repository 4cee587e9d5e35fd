//===- septran/cpu/math.h - Mathematical functions --------------*- C++ -*-===//
//
// The functions of float and double lanes (see each header for how, and how exactly), and the same
// names for scalars, which are the C library's.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_MATH_H
#define SEPTRAN_CPU_MATH_H

#include <septran/cpu/arith.h>
#include <septran/cpu/cbrt.h>
#include <septran/cpu/erf.h>
#include <septran/cpu/erfc.h>
#include <septran/cpu/exp.h>
#include <septran/cpu/fmod.h>
#include <septran/cpu/hyperbolic.h>
#include <septran/cpu/inverse_trig.h>
#include <septran/cpu/log.h>
#include <septran/cpu/pow.h>
#include <septran/cpu/trig.h>

namespace septran::cpu {

template <scalar T> SEPTRAN_CPU_INLINE auto exp(T x) { return std::exp(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto exp2(T x) { return std::exp2(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto expm1(T x) { return std::expm1(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto log(T x) { return std::log(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto log2(T x) { return std::log2(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto log10(T x) { return std::log10(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto log1p(T x) { return std::log1p(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto cbrt(T x) { return std::cbrt(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto sinh(T x) { return std::sinh(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto cosh(T x) { return std::cosh(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto tanh(T x) { return std::tanh(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto erf(T x) { return std::erf(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto erfc(T x) { return std::erfc(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto sin(T x) { return std::sin(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto cos(T x) { return std::cos(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto tan(T x) { return std::tan(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto asin(T x) { return std::asin(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto acos(T x) { return std::acos(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto atan(T x) { return std::atan(x); }
template <scalar A, scalar B> SEPTRAN_CPU_INLINE auto atan2(A x, B y) { return std::atan2(x, y); }
template <scalar A, scalar B> SEPTRAN_CPU_INLINE auto pow(A x, B y) { return std::pow(x, y); }
template <scalar A, scalar B> SEPTRAN_CPU_INLINE auto fmod(A x, B y) { return std::fmod(x, y); }

} // namespace septran::cpu

#endif // SEPTRAN_CPU_MATH_H
