//===- verify/reference.h - where a retyped program finds its names ------===//
//
// septran-verify copies the logic into namespace septran_reference, with `real<T>` in the place of
// every floating-point type. This header holds what such a copy means when it says `std::` and
// `septran::`, and the few functions that the copy calls where a number cannot simply be replaced.
//
// In the copy, std::exp is the one with an error bound, and std::is_floating_point<real<T>> is
// true: code that asks takes the branch that it takes for T.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_REFERENCE_H
#define SEPTRAN_VERIFY_REFERENCE_H

#include <septran/septran.h>
#include <septran/verify/math.h>

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>

namespace septran::verify {

/// What a mapping says: "function.name" -> the value of a tunable in place of its default, and
/// "leaf.multiplicand_bits" and "leaf.flushes_subnormals" -> what its primitive does.
inline std::map<std::string, long> &settings() {
  static std::map<std::string, long> values;
  return values;
}
/// The setting `name`; `value` if there is none.
template <class I> I tunable(const char *name, I value) {
  const auto found = settings().find(name);
  return found == settings().end() ? value : static_cast<I>(found->second);
}

/// While a leaf runs, products and sums may be what the primitive that it is bound to makes of them.
class primitive_scope {
  relaxations before;

public:
  constexpr explicit primitive_scope(const char *leaf) {
    if (std::is_constant_evaluated())
      return;
    before = relaxed();
    if (settings().empty())
      return;
    const std::string prefix = leaf + std::string(".");
    relaxed().factor_bits = tunable((prefix + "multiplicand_bits").c_str(), before.factor_bits);
    relaxed().flushes_subnormals =
        tunable((prefix + "flushes_subnormals").c_str(), int(before.flushes_subnormals));
  }
  constexpr ~primitive_scope() {
    if (!std::is_constant_evaluated())
      relaxed() = before;
  }
  primitive_scope(const primitive_scope &) = delete;
  primitive_scope &operator=(const primitive_scope &) = delete;
};

/// A constant that comes out of a macro, as a real; everything else as it is.
template <class T> constexpr decltype(auto) lift(T &&x) {
  if constexpr (std::is_floating_point_v<std::remove_cvref_t<T>>)
    return real<std::remove_cvref_t<T>>(x);
  else
    return static_cast<T &&>(x);
}

/// What a variable argument list takes in place of a real.
template <class T> constexpr decltype(auto) plain(T &&x) {
  if constexpr (detail::is_real<std::remove_cvref_t<T>>)
    return static_cast<double>(x.nearest());
  else
    return static_cast<T &&>(x);
}

/// A real where the program relies on the conversion of a floating-point number to an integer.
template <class T> struct converting {
  real<T> value;
  template <std::integral I> constexpr operator I() const { return static_cast<I>(value); }
};
template <class T> constexpr decltype(auto) implicit(T &&x) {
  if constexpr (detail::is_real<std::remove_cvref_t<T>>)
    return converting<typename std::remove_cvref_t<T>::value_type>{x};
  else
    return static_cast<T &&>(x);
}

/// sizeof(T) of the program that was retyped.
template <class T>
inline constexpr std::size_t size_of =
    sizeof(detail::bare_t<std::remove_cv_t<std::remove_reference_t<T>>>);
template <class T> inline constexpr std::size_t size_of<T[]> = 0;
template <class T, std::size_t N> inline constexpr std::size_t size_of<T[N]> = N * size_of<T>;

namespace detail {
template <class T> using unqualified_bare_t = bare_t<std::remove_cv_t<T>>;
} // namespace detail

} // namespace septran::verify

namespace septran_reference {

/// Copies of standard leaves are added here, see namespace septran::reference.
namespace septran {
using namespace ::septran;
}

namespace std {
using namespace ::std;

using ::septran::verify::abs;
using ::septran::verify::acos;
using ::septran::verify::acosf;
using ::septran::verify::acosh;
using ::septran::verify::acoshf;
using ::septran::verify::asin;
using ::septran::verify::asinf;
using ::septran::verify::asinh;
using ::septran::verify::asinhf;
using ::septran::verify::atan;
using ::septran::verify::atan2;
using ::septran::verify::atan2f;
using ::septran::verify::atanf;
using ::septran::verify::atanh;
using ::septran::verify::atanhf;
using ::septran::verify::cbrt;
using ::septran::verify::cbrtf;
using ::septran::verify::ceil;
using ::septran::verify::ceilf;
using ::septran::verify::clamp;
using ::septran::verify::copysign;
using ::septran::verify::copysignf;
using ::septran::verify::cos;
using ::septran::verify::cosf;
using ::septran::verify::cosh;
using ::septran::verify::coshf;
using ::septran::verify::erf;
using ::septran::verify::erfc;
using ::septran::verify::erfcf;
using ::septran::verify::erff;
using ::septran::verify::exp;
using ::septran::verify::exp2;
using ::septran::verify::exp2f;
using ::septran::verify::expf;
using ::septran::verify::expm1;
using ::septran::verify::expm1f;
using ::septran::verify::fabs;
using ::septran::verify::fabsf;
using ::septran::verify::floor;
using ::septran::verify::floorf;
using ::septran::verify::fma;
using ::septran::verify::fmaf;
using ::septran::verify::fmax;
using ::septran::verify::fmaxf;
using ::septran::verify::fmin;
using ::septran::verify::fminf;
using ::septran::verify::fmod;
using ::septran::verify::isfinite;
using ::septran::verify::isinf;
using ::septran::verify::isnan;
using ::septran::verify::log;
using ::septran::verify::log10;
using ::septran::verify::log10f;
using ::septran::verify::log1p;
using ::septran::verify::log1pf;
using ::septran::verify::log2;
using ::septran::verify::log2f;
using ::septran::verify::logf;
using ::septran::verify::max;
using ::septran::verify::min;
using ::septran::verify::nearbyint;
using ::septran::verify::nearbyintf;
using ::septran::verify::pow;
using ::septran::verify::powf;
using ::septran::verify::rint;
using ::septran::verify::rintf;
using ::septran::verify::round;
using ::septran::verify::roundf;
using ::septran::verify::sin;
using ::septran::verify::sinf;
using ::septran::verify::sinh;
using ::septran::verify::sinhf;
using ::septran::verify::sqrt;
using ::septran::verify::sqrtf;
using ::septran::verify::tan;
using ::septran::verify::tanf;
using ::septran::verify::tanh;
using ::septran::verify::tanhf;
using ::septran::verify::trunc;
using ::septran::verify::truncf;
using ::std::abs;
using ::std::acos;
using ::std::acosh;
using ::std::asin;
using ::std::asinh;
using ::std::atan;
using ::std::atan2;
using ::std::atanh;
using ::std::cbrt;
using ::std::ceil;
using ::std::clamp;
using ::std::copysign;
using ::std::cos;
using ::std::cosh;
using ::std::erf;
using ::std::erfc;
using ::std::exp;
using ::std::exp2;
using ::std::expm1;
using ::std::fabs;
using ::std::floor;
using ::std::fma;
using ::std::fmax;
using ::std::fmin;
using ::std::fmod;
using ::std::isfinite;
using ::std::isinf;
using ::std::isnan;
using ::std::log;
using ::std::log10;
using ::std::log1p;
using ::std::log2;
using ::std::max;
using ::std::min;
using ::std::nearbyint;
using ::std::pow;
using ::std::rint;
using ::std::round;
using ::std::sin;
using ::std::sinh;
using ::std::sqrt;
using ::std::tan;
using ::std::tanh;
using ::std::trunc;

template <class T>
struct is_floating_point
    : ::std::is_floating_point<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T>
struct is_arithmetic : ::std::is_arithmetic<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T>
struct is_fundamental : ::std::is_fundamental<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_fundamental_v = is_fundamental<T>::value;
template <class T>
struct is_scalar : ::std::is_scalar<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_scalar_v = is_scalar<T>::value;
template <class T>
struct is_signed : ::std::is_signed<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T>
struct is_class : ::std::is_class<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_class_v = is_class<T>::value;
template <class T>
struct is_compound : ::std::is_compound<::septran::verify::detail::unqualified_bare_t<T>> {};
template <class T> inline constexpr bool is_compound_v = is_compound<T>::value;
template <class T>
concept floating_point = is_floating_point_v<T>;

} // namespace std
} // namespace septran_reference

/// Copies of standard leaves: they see namespace septran as the originals do, and the functions
/// with error bounds as std.
namespace septran::reference {
namespace std = ::septran_reference::std;
}

#endif
