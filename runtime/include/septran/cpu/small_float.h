//===- septran/cpu/small_float.h - 16- and 8-bit floats in lanes -*- C++ -*-===//
//
// Small floats are stored as bits and computed with as float lanes that hold exactly representable
// values. `to_lanes` widens, which is exact; `from_lanes` rounds to nearest, ties to even, with the
// same results as the scalar conversions of <septran/float.h>.
//
// A format is data: how many exponent and mantissa bits, and what lies beyond the largest number.
// Widening and rounding are written once, for any format with fewer bits than float:
//
//  - The bits of a small float, moved to the fields of a float, are its value times a power of two,
//    subnormals included; one multiplication by that power restores it.
//  - A normal result is rounded by an integer addition below the last kept bit. A subnormal result is
//    rounded by the hardware, adding the power of two whose last bit weighs as much as the format's.
//
// Sources: IEEE 754-2019 section 3.6 (binary16); OCP 8-bit Floating Point Specification 1.0 section 5.
// Assumption: the processor does not flush subnormal floats to zero.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_SMALL_FLOAT_H
#define SEPTRAN_CPU_SMALL_FLOAT_H

#include <septran/cpu/native.h>

namespace septran::cpu::detail {

/// How an element lies in memory.
template <class T> struct storage { using type = std::remove_cv_t<T>; };
template <class T> using stored_t = typename storage<std::remove_cv_t<T>>::type;

/// Elements to lanes, and back.
template <class T, vector B> SEPTRAN_CPU_INLINE auto to_lanes(B bits) { return bits; }
template <class T, vector V> SEPTRAN_CPU_INLINE auto from_lanes(V v) { return v; }

} // namespace septran::cpu::detail

#endif // SEPTRAN_CPU_SMALL_FLOAT_H
