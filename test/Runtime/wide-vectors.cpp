// Vectors wider than the registers of the target pass through every function without a remark of
// g++, whose notes on the ABI cannot be switched off by a pragma.
//
// REQUIRES: gcc
// clang-format off
// RUN: %gxx -std=c++20 -O2 -Wall -Wextra -I %septran_include -c %s -o %t.o > %t.out 2>&1
// RUN: count 0 < %t.out
// RUN: %gxx -std=c++20 -O2 -Wall -Wextra -I %septran_include -c %s -o %t.o -march=x86-64-v3 > %t.out 2>&1
// RUN: count 0 < %t.out
// clang-format on

#include <septran/cpu/cpu.h>

namespace cpu = septran::cpu;

constexpr int W = 32;

template <class T> void move_lanes(T *p, T *q, int n) {
  const auto v = cpu::load<W>(p) + cpu::load_n<W>(p, n) + cpu::load_strided<W>(p, 2) +
                 cpu::load_strided_n<W>(p, 2, n);
  cpu::store(q, v);
  cpu::store_n(q, v, n);
  cpu::store_strided(q, 3, v);
  cpu::store_strided_n(q, 3, v, n);
  cpu::stream(q, cpu::convert<T>(v));
  cpu::store_fields_n(q, n, v, cpu::load_field<1, 2, W>(p));
  cpu::store_fields(q, v, cpu::load_field_n<2, 3, W>(p, n), v);
}

template void move_lanes(float *, float *, int);
template void move_lanes(double *, double *, int);
template void move_lanes(septran::bfloat16 *, septran::bfloat16 *, int);
template void move_lanes(septran::float16 *, septran::float16 *, int);
template void move_lanes(septran::float8_e4m3 *, septran::float8_e4m3 *, int);

template <class T> T arithmetic(T *p) {
  auto v = cpu::load<W>(p);
  v = cpu::min(v, cpu::max(cpu::abs(v), T(1))) + cpu::fma(v, v, v) + cpu::mul_add(v, v, v);
  v += cpu::sqrt(v) + cpu::rsqrt(v) + cpu::floor(v) + cpu::ceil(v) + cpu::trunc(v) + cpu::round(v);
  v += cpu::copysign(v, -v) + cpu::low_half(cpu::concat(v, v));
  v = cpu::select(v < 0, v, cpu::splat<T, W>(2)) + cpu::iota<T, W>(0);
  cpu::store(p, v);
  return cpu::any(v < 1) ? cpu::reduce_add(v) * cpu::reduce_mul(v)
                         : cpu::reduce_min(v) + cpu::reduce_max(v);
}

template float arithmetic(float *);
template double arithmetic(double *);

template <class T> void functions(T *p) {
  const auto v = cpu::load<W>(p);
  cpu::store(p, cpu::exp(v) + cpu::exp2(v) + cpu::expm1(v) + cpu::tanh(v) + cpu::erf(v));
  cpu::store(p, cpu::log(v) + cpu::log2(v) + cpu::log1p(v) + cpu::sin(v) + cpu::cos(v));
  cpu::store(p, cpu::log10(v) + cpu::cbrt(v) + cpu::sinh(v) + cpu::cosh(v) + cpu::erfc(v));
  cpu::store(p, cpu::tan(v) + cpu::asin(v) + cpu::acos(v) + cpu::atan(v) + cpu::nearbyint(v));
  cpu::store(p, cpu::pow(v, v) + cpu::atan2(v, v) + cpu::fmod(v, v));
  cpu::store(p, cpu::select(cpu::isnan(v) | cpu::isinf(v) | ~cpu::isfinite(v), v, -v));
}

template void functions(float *);
template void functions(double *);

void dot_products(std::int32_t *c, const std::uint8_t *a, const std::int8_t *b, float *d,
                  const std::uint16_t *x) {
  cpu::store(c, cpu::dot4_u8s8(cpu::load<W>(c), cpu::load<4 * W>(a), cpu::load<4 * W>(b)));
  cpu::store(d, cpu::dot2_bf16(cpu::load<W>(d), cpu::load<2 * W>(x), cpu::load<2 * W>(x)));
}

void copies(float *d, const septran::bfloat16 *s, double *e) {
  cpu::copy_block(d, 64, s, 1, 64, 64, 64);
  cpu::pack_panels<64>(e, e + 5000, 1, 64, 64, 64);
}
