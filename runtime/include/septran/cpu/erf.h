//===- septran/cpu/erf.h - erf of lanes -------------------------*- C++ -*-===//
//
//   float   erf(x) = x (c + A(x^2) / B(x^2)), c = 0.31
//   double  |x| < 1    x + x p(x^2)
//           otherwise  1 - e^-q(|x|), where q = -log(erfc) is nearly a parabola; both are computed
//                      and the lane chooses
//
// Largest error: float 3.2 ulp (measured over all floats: 3.02, and 3.11 without fused
// multiply-adds), double 4 ulp. The result never exceeds 1.
//
// A and B: minimax fit of the relative error over |x| <= 3.85 (Remez's algorithm), 2^-26, rounded
// to float and then moved by a few ulps each, to the least error that was found. Where erf is
// near 1, erf(x) / x is near c: then A is small, and rounding errors of A and B hardly count. From
// the largest |x| on, which gives 1, the result stays.
//
// p: minimax (Sollya's fpminimax). q: minimax of q's error weighted by erfc, which is its weight in
// the result, over [1, 6]; beyond, erf rounds to 1. Written around 1, where the weight is largest,
// so that the terms do not cancel there.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_ERF_H
#define SEPTRAN_CPU_ERF_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

template <vector V> SEPTRAN_CPU_INLINE V erf_register(const V &v) {
  if constexpr (std::is_same_v<lane_of<V>, float>) {
    const V x = clamp(v, -0x1.ea1bfp1f, 0x1.ea1bfp1f), z = x * x;
    const V a = polynomial(z, 0x1.684f0cp0f, 0x1.d031ccp-5f, 0x1.ea8f52p-6f, -0x1.99f0c2p-10f,
                           -0x1.f4f044p-14f, -0x1.1d9b76p-16f);
    const V b = polynomial(z, 0x1.b8456ep0f, 0x1.b82592p-1f, 0x1.8e78p-3f, 0x1.a09d3ep-6f,
                           0x1.023b32p-9f, 0x1.17624p-14f);
    // 1 + erf(x) must be 0 where erf(x) is -1.
    return native::opaque(x * (a / b + 0.31f));
  } else {
    const V size = cpu::abs(v), z = v * v;
    const V p = polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379fdp-2, 0x1.ce2f21a04362dp-4,
                           -0x1.b82ce312abefep-6, 0x1.565bcd1298e4ep-8, -0x1.c02db49af9cp-11,
                           0x1.f9a3353627a02p-14, -0x1.f4d3334ee5fa2p-17, 0x1.b9ee921c02e7p-20,
                           -0x1.5f98079b43d4bp-23, 0x1.fc773c0ed2f1dp-27, -0x1.4673ff4fb8ba4p-30,
                           0x1.2968906cf5707p-34);
    const V t = cpu::min(6.0, size) - 1;
    const V q = polynomial(t, 0x1.d97fbf27aa2a1p0, 0x1.51c9b0006c236p1, 0x1.afabc11a295f4p-1,
                           0x1.5477f09c036dcp-5, -0x1.48c9d3eb1efebp-7, 0x1.033f65b026328p-9,
                           -0x1.f1b389839d004p-13, -0x1.b8de9c9e1897fp-16, 0x1.c7a77eb56986ap-16,
                           -0x1.426bd16f2350fp-17, 0x1.147536a6bc603p-19, -0x1.32d2895a2373fp-23,
                           -0x1.a2f66929f6523p-24, 0x1.bf006835c60e6p-25, -0x1.002d31e25e87ap-26,
                           0x1.89a16645a92a9p-29, -0x1.94e4ae299da9dp-32, 0x1.faee22d91ae9cp-36,
                           -0x1.247b85fc9b37ap-40);
    const V near = mul_add(v, p, v);
    const V far = 1 - exp_in_range(-q);
    return cpu::copysign(size < 1 ? near : far, v);
  }
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V erf(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) { return detail::erf_register(x); }, v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_ERF_H
