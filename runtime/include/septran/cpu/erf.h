//===- septran/cpu/erf.h - erf of lanes -------------------------*- C++ -*-===//
//
//   |x| < 1    erf(x) = x + x p(x^2)
//   otherwise  erf(x) = 1 - e^-q(|x|), where q = -log(erfc) is nearly a parabola
//
// Both are computed and the lane chooses. Largest error: 4 ulp (float and double).
//
// p: minimax (Sollya's fpminimax). q: minimax of q's error weighted by erfc, which is its weight in
// the result, over [1, 4] (float) and [1, 6] (double); beyond, erf rounds to 1. Written around 2.5
// and 3.5.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_ERF_H
#define SEPTRAN_CPU_ERF_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

template <vector V> SEPTRAN_CPU_INLINE V erf_register(V x) {
  using T = lane_of<V>;
  const V size = cpu::abs(x), z = x * x;
  V p, q;
  if constexpr (std::is_same_v<T, float>) {
    p = polynomial(z, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d52p-4f, -0x1.b7fec4p-6f,
                   0x1.542feap-8f, -0x1.a51952p-11f, 0x1.4c5beep-14f);
    const V t = cpu::min(4.0f, size) - 2.5f;
    q = polynomial(t, 0x1.f3a2e8p2f, 0x1.56928ap2f, 0x1.e344f2p-1f, 0x1.5f332p-7f, -0x1.4225c2p-9f,
                   0x1.472666p-13f, -0x1.852d46p-13f);
  } else {
    p = polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379fdp-2, 0x1.ce2f21a04362dp-4,
                   -0x1.b82ce312abefep-6, 0x1.565bcd1298e4ep-8, -0x1.c02db49af9cp-11,
                   0x1.f9a3353627a02p-14, -0x1.f4d3334ee5fa2p-17, 0x1.b9ee921c02e7p-20,
                   -0x1.5f98079b43d4bp-23, 0x1.fc773c0ed2f1dp-27, -0x1.4673ff4fb8ba4p-30,
                   0x1.2968906cf5707p-34);
    const V t = cpu::min(6.0, size) - 3.5;
    q = polynomial(t, 0x1.c3991652a239ap3, 0x1.d107c69162274p2, 0x1.eefa41a3d1907p-1,
                   0x1.567800d0761ebp-8, -0x1.ca1050f7c27ccp-11, 0x1.34e6b8df8738ap-13,
                   -0x1.9938d899a4d34p-16, 0x1.04c2abbd03d4fp-18, -0x1.38b0ab98a81dbp-21,
                   0x1.83f9ff6ae2498p-24, -0x1.936bd421732f3p-31, 0x1.dc78d431acdebp-29,
                   -0x1.1ed27fee14143p-29, -0x1.9ba372533d515p-29, -0x1.dd19801c3bbddp-30,
                   -0x1.55828a1dc21d6p-31, -0x1.2dc511af417cfp-33, -0x1.3bad460058dd2p-36,
                   -0x1.247b85febd392p-40);
  }
  const V near = mul_add(x, p, x);
  const V far = 1 - exp_in_range(-q);
  return cpu::copysign(size < 1 ? near : far, x);
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V erf(V v) {
  return detail::native::by_register(
      [](auto x) __attribute__((always_inline)) { return detail::erf_register(x); }, v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_ERF_H
