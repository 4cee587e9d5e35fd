//===- septran/cpu/exp.h - exp, exp2, expm1 and tanh of lanes ---*- C++ -*-===//
//
// For x = n ln 2 + r with |r| <= ln 2 / 2: e^x = 2^n e^r, and e^r - 1 is a polynomial in r. Two
// constants whose sum is ln 2 to about twice the precision keep r accurate (Cody and Waite).
//
//   function  largest error     how
//   exp       2 ulp             p(r) 2^(n/2) 2^(n/2) for even n, |r| <= ln 2
//   exp2      2 ulp             r = x - n is exact
//   expm1     2 ulp             2 (p(r) 2^(n-1) + (2^(n-1) - 1/2)): only the last step overflows
//   tanh      3 ulp (double: 4) -h / (1 + h), h = expm1(-2 |x|) / 2: exact near 0 and near 1
//
// Where one instruction looks up the lanes of a float register in a table, exp and exp2 take the
// nearest multiple of 1/4 for n: a third of the steps, and of the constants, are not needed for so
// small an r.
//
// Results are also right at the ends: subnormal results are rounded once, what is too large is
// infinite, NaN stays NaN, the sign of zero is kept where the function keeps it.
//
// n is found by adding 1.5 * 2^(p-1), whose last bit weighs one; the low bits of that sum are n as
// an integer (exp: twice that, so that n is even and they are n/2). With -ffast-math, which would
// delete that addition, these functions do not compile.
//
// Coefficients: minimax fits of relative error (Sollya's fpminimax; half_expm1, exp_near_zero:
// Lawson's algorithm), rounded to the lane type.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_EXP_H
#define SEPTRAN_CPU_EXP_H

#include <septran/cpu/arith.h>

#include <limits>

namespace septran::cpu {
namespace detail {

/// c0 + x (c1 + x (c2 + ...))
template <vector V> SEPTRAN_CPU_INLINE V polynomial(V, lane_of<V> c) { return c - V{}; }
template <vector V, class... C>
SEPTRAN_CPU_INLINE V polynomial(const V &x, lane_of<V> c0, lane_of<V> c1, C... more) {
  return mul_add(x, polynomial(x, c1, more...), c0);
}

/// The same of an even degree, by pairs of terms, which do not wait for each other (G. Estrin, 1960);
/// x2 is x * x.
template <vector V> SEPTRAN_CPU_INLINE V paired_polynomial(V, V, lane_of<V> c) { return c - V{}; }
template <vector V, class... C>
SEPTRAN_CPU_INLINE V paired_polynomial(const V &x, const V &x2, lane_of<V> c0, lane_of<V> c1,
                                       C... more) {
  return mul_add(x2, paired_polynomial(x, x2, more...), mul_add(x, c1 - V{}, c0 - V{}));
}

/// Limits into [low, high]; NaN stays NaN.
template <vector V> SEPTRAN_CPU_INLINE V clamp(const V &x, lane_of<V> low, lane_of<V> high) {
  return cpu::max(low, cpu::min(high, x));
}

/// A value in lanes of V, by the type of the lanes.
template <vector V> SEPTRAN_CPU_INLINE constexpr lane_of<V> by_lane(float single, double wide) {
  if constexpr (std::is_same_v<lane_of<V>, float>)
    return single;
  else
    return wide;
}

/// The upper half of a float's bits: its square is exact.
template <vector V> SEPTRAN_CPU_INLINE V upper_half(const V &v) {
  constexpr int cut = sizeof(lane_of<V>) == 4 ? 12 : 27;
  return as<V>(as<bits_of<V>>(v) & (~uint_like<lane_of<V>>(0) << cut));
}

/// What the exponent fields of T are made of.
template <class T> struct float_fields;
template <> struct float_fields<float> { static constexpr int fraction_bits = 23, bias = 127; };
template <> struct float_fields<double> { static constexpr int fraction_bits = 52, bias = 1023; };

/// An integer near x, as a float and, with `Offset` added, in the low bits of `bits`.
template <vector V, int Offset = 0> struct nearby {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  static constexpr lane_of<V> magic = by_lane<V>(0x1.8p23f + Offset, 0x1.8p52 + Offset);
  V value;
  bits_of<V> bits;
  SEPTRAN_CPU_INLINE explicit nearby(const V &sum) : value(sum - magic), bits(as<bits_of<V>>(sum)) {}
};

/// The integer nearest to a * b, for |a * b| below 2^(p-2).
template <vector V> SEPTRAN_CPU_INLINE nearby<V> nearest_product(const V &a, lane_of<V> b) {
  return nearby<V>(mul_add(a, b, nearby<V>::magic));
}

/// The integer nearest to x; its bits have the bias of two exponents added, which `scale` needs.
template <vector V> using exponent = nearby<V, 2 * float_fields<lane_of<V>>::bias>;
template <vector V> SEPTRAN_CPU_INLINE exponent<V> nearest_exponent(const V &x) {
  return exponent<V>(x + exponent<V>::magic);
}

/// 2^n for a normal result; n is in the low bits.
template <vector V> SEPTRAN_CPU_INLINE V power_of_two(const bits_of<V> &n) {
  using F = float_fields<lane_of<V>>;
  return as<V>((n + F::bias) << F::fraction_bits);
}

/// x 2^n for x near 1, |n| < 2 bias, rounded once. Two factors, each a normal float whose exponent is
/// half of that in n: the first product is exact. What lies above the exponent's bits is shifted out.
template <vector V> SEPTRAN_CPU_INLINE V scale(const V &x, exponent<V> n) {
  if constexpr (requires { native::scale(x, n.value); }) {
    return V(native::scale(x, n.value));
  } else {
    constexpr int fraction = float_fields<lane_of<V>>::fraction_bits;
    const bits_of<V> half = n.bits >> 1;
    return x * as<V>(half << fraction) * as<V>((n.bits - half) << fraction);
  }
}

/// e^r - 1 for |r| <= ln 2 / 2. Relative error: float 2^-30, double 2^-61 before rounding.
template <vector V> SEPTRAN_CPU_INLINE V expm1_near_zero(const V &r) {
  V q;
  if constexpr (std::is_same_v<lane_of<V>, float>)
    q = polynomial(r, 0x1p-1f, 0x1.555554p-3f, 0x1.5554fp-5f, 0x1.111306p-7f, 0x1.6d436ap-10f,
                   0x1.9e0bfep-13f);
  else
    q = polynomial(r, 0x1p-1, 0x1.5555555555559p-3, 0x1.555555555554dp-5, 0x1.111111110f659p-7,
                   0x1.6c16c16c1aafap-10, 0x1.a01a01b000a1cp-13, 0x1.a01a018e0fb83p-16,
                   0x1.71ddf819199dfp-19, 0x1.27e5133c92e3cp-22, 0x1.af5f17c20c511p-26,
                   0x1.1f1a283c7cf11p-29);
  return mul_add(r * r, q, r);
}

/// Whether scale_quarters serves.
template <vector V>
inline constexpr bool has_quarters = [] {
  if constexpr (!std::is_same_v<lane_of<V>, float>)
    return false;
  else if constexpr (requires(V v) { native::scale(v, v); })
    return false; // it needs no factors
  else
    return requires(V v, bits_of<V> b) {
      native::lookup(b, b);
      native::fma(v, v, v);
    };
}();

/// A multiple of 1/4, and four times that, and eight times the exponent's bias, in the low bits.
template <vector V> struct quarters {
  V value;
  bits_of<V> bits;
};

/// The one that is nearest to a * b, for |a * b| <= 160.
template <vector V> SEPTRAN_CPU_INLINE quarters<V> nearest_quarters(const V &a, float b) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  constexpr float magic = 0x1.8p21f + 2 * float_fields<float>::bias;
  const V sum = mul_add(a, b, magic);
  return {sum - magic, as<bits_of<V>>(sum)};
}

/// (1 + t) 2^n for the bits of such an n, where |t| < 1/5. For n = 2 h + k/4 the factors are normal
/// floats: 2^(h + k/4), and 2^h, which is exact or rounds to a subnormal.
template <vector V> SEPTRAN_CPU_INLINE V scale_quarters(const V &t, const bits_of<V> &bits) {
  // 2^(k/4), as what is added to the bits of 1.
  constexpr bits_of<V> powers = {0,        0x1837f0, 0x3504f3, 0x5744fd,
                                 0x800000, 0x9837f0, 0xb504f3, 0xd744fd};
  const bits_of<V> root = (bits << 20) & 0x7f800000; // 2^h
  const V first = as<V>(root + bits_of<V>(native::lookup(powers, bits)));
  return mul_add(first, t, first) * as<V>(root);
}

/// x - n ln 2.
template <vector V> SEPTRAN_CPU_INLINE V minus_ln2(const V &x, const V &n) {
  const V high = mul_add(n, by_lane<V>(-0x1.62e4p-1f, -0x1.62e42fefa38p-1), x);
  return mul_add(n, by_lane<V>(-0x1.7f7d1cp-20f, -0x1.ef35793c7673p-45), high);
}

/// e^r for |r| <= ln 2. Relative error: float 2^-26, double 2^-56 before rounding.
template <vector V> SEPTRAN_CPU_INLINE V exp_near_zero(const V &r) {
  V q;
  if constexpr (std::is_same_v<lane_of<V>, float>)
    q = polynomial(r, 0x1.00000cp-1f, 0x1.555512p-3f, 0x1.5549e0p-5f, 0x1.112738p-7f, 0x1.71c35cp-10f,
                   0x1.9ba324p-13f);
  else
    q = polynomial(r, 0x1.ffffffffffff3p-2, 0x1.55555555555b6p-3, 0x1.5555555556949p-5,
                   0x1.111111110832cp-7, 0x1.6c16c169c0905p-10, 0x1.a01a01b21cf4cp-13,
                   0x1.a01a05814ae2ap-16, 0x1.71de2a18a88dbp-19, 0x1.27e1ca5fd318bp-22,
                   0x1.ae711e9513a10p-26, 0x1.217a78e8606d1p-29, 0x1.5e740724ffbdap-33);
  if constexpr (requires { native::fma(r, r, r); })
    return mul_add(r, mul_add(r, q, 1), 1);
  else
    return (r * r * q + r) + 1; // rounds less where products are rounded too
}

/// e^x for |x| <= 170 (double: 1400).
template <vector V>
  requires has_quarters<V>
SEPTRAN_CPU_INLINE V exp_in_range(const V &x) {
  const quarters<V> n = nearest_quarters(x, 0x1.715476p0f);
  const V r = minus_ln2(x, n.value);
  // Relative error of 1 + t: 2^-27 before rounding.
  const V t = mul_add(r * r, polynomial(r, 0x1.000006p-1f, 0x1.5571f4p-3f, 0x1.5520e4p-5f), r);
  return scale_quarters(t, n.bits);
}

/// The same. n is even, and 2^(n/2) a normal float where 2^n is not. The first product with it is exact,
/// the second is rounded once.
template <vector V> SEPTRAN_CPU_INLINE V exp_in_range(const V &x) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  using F = float_fields<lane_of<V>>;
  // The last bit weighs two; the exponent's bias is in the low bits.
  constexpr auto magic = by_lane<V>(0x1.8p24f + 2 * F::bias, 0x1.8p53 + 2 * F::bias);
  const V sum = mul_add(x, by_lane<V>(0x1.715476p0f, 0x1.71547652b82fep0), magic);
  const V n = sum - magic, result = exp_near_zero(minus_ln2(x, n));
  if constexpr (requires { native::scale(result, n); }) {
    return V(native::scale(result, n));
  } else {
    const V root = as<V>(as<bits_of<V>>(sum) << F::fraction_bits); // 2^(n/2)
    return result * root * root;
  }
}

/// 2^r for |r| <= 1/2. Relative error: float 2^-28, double 2^-57 before rounding.
template <vector V> SEPTRAN_CPU_INLINE V exp2_near_zero(const V &r) {
  if constexpr (std::is_same_v<lane_of<V>, float>)
    return paired_polynomial(r, r * r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af74p-5f,
                             0x1.3b3096p-7f, 0x1.5f0ca8p-10f, 0x1.3fad5ep-13f);
  else
    return polynomial(r, 1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a12cp-5,
                      0x1.3b2ab6fb9fd9dp-7, 0x1.5d87fe789e99p-10, 0x1.4309130f6fc36p-13,
                      0x1.ffcbfc667754fp-17, 0x1.62bfc64f78e84p-20, 0x1.b52522db1abedp-24,
                      0x1.e61d57b37fd08p-28, 0x1.e972f145eece9p-32);
}

/// 2^x for x within [-1100, 1100] (float: [-160, 160]).
template <vector V>
  requires has_quarters<V>
SEPTRAN_CPU_INLINE V exp2_in_range(const V &x) {
  const quarters<V> n = nearest_quarters(x, 1);
  const V r = x - n.value;
  // Relative error of 1 + t: 2^-27 before rounding.
  const V t = r * polynomial(r, 0x1.62e42cp-1f, 0x1.ebfbe8p-3f, 0x1.c6e6dep-5f, 0x1.3b1a72p-7f);
  return scale_quarters(t, n.bits);
}
template <vector V> SEPTRAN_CPU_INLINE V exp2_in_range(const V &x) {
  const exponent<V> n = nearest_exponent(x);
  return scale(exp2_near_zero(x - n.value), n);
}

/// 2^(x + tail) for such an x, where the tail is far below 1.
template <vector V> SEPTRAN_CPU_INLINE V exp2_in_range(const V &x, const V &tail) {
  const exponent<V> n = nearest_exponent(x);
  return scale(exp2_near_zero((x - n.value) + tail), n);
}

/// (e^(-2 x) - 1) / 2 for x from 0 to 10, in fewer steps: for -2 x = n ln 2 - 2 s, the constants take in
/// the factors 2 and the exponent's bias, and a second constant for ln 2 would change bits that 2^n
/// shifts out. Relative error 2^-26 before rounding.
template <vector V> SEPTRAN_CPU_INLINE V half_expm1(const V &x) {
  static_assert(std::is_same_v<lane_of<V>, float> && keeps_rounding<V>);
  constexpr float magic = 0x1.8p23f + 127;
  const V sum = mul_add(x, -0x1.715476p1f, magic);
  const V power = as<V>(as<bits_of<V>>(sum) << 23); // 2^n
  const V s = mul_add(sum - magic, 0x1.62e43p-2f, x);
  const V q = polynomial(s, 0x1.fffffep-1f, -0x1.5554b4p-1f, 0x1.5556f4p-2f, -0x1.12254ap-3f,
                         0x1.6b9a1ap-5f);
  return mul_add(mul_add(s * s, q, -s), power, mul_add(power, 0.5f, -0.5f));
}

/// e^x - 1 for 2^(n - 1) a normal float.
template <vector V> SEPTRAN_CPU_INLINE V expm1_in_range(const V &x) {
  const nearby<V> n = nearest_product(x, by_lane<V>(0x1.715476p0f, 0x1.71547652b82fep0));
  const V half = power_of_two<V>(n.bits - 1);
  return 2 * mul_add(expm1_near_zero(minus_ln2(x, n.value)), half, half - lane_of<V>(0.5));
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V exp(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        // e^-104 and e^-746 round to zero; e^89 and e^710 are infinite.
        constexpr auto low = detail::by_lane<R>(-104, -746), high = detail::by_lane<R>(89, 710);
        return detail::exp_in_range(detail::clamp(x, low, high));
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V exp2(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        constexpr auto low = detail::by_lane<R>(-151, -1076);
        constexpr auto high = detail::by_lane<R>(128, 1024);
        return detail::exp2_in_range(detail::clamp(x, low, high));
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V expm1(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        // Below, e^x is less than half of the last bit of 1.
        constexpr auto low = detail::by_lane<R>(-18, -38), high = detail::by_lane<R>(89, 710);
        return cpu::copysign(detail::expm1_in_range(detail::clamp(x, low, high)), x);
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V tanh(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        // Beyond, the result rounds to 1.
        constexpr auto beyond = detail::by_lane<R>(10, 20);
        const R size = cpu::min(beyond, cpu::abs(x));
        if constexpr (std::is_same_v<lane_of<R>, float>) {
          const R h = detail::half_expm1(size);
          return cpu::copysign(-h / (1 + h), x);
        } else {
          const R m = detail::expm1_in_range(-2 * size);
          return cpu::copysign(-m / (2 + m), x);
        }
      },
      v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_EXP_H
