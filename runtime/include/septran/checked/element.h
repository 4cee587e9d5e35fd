//===- checked/element.h - a reference that notices reads and writes ------===//
//
// A checked `tensor<T, R>` gives `element<T>` where the plain one gives `T &`. As the
// result of an access, that is as an rvalue, it acts as the reference: converting it
// reads, assigning to it writes. Under a name it acts as the value it had then, so
// that `auto v = x(i)` means what it means in the plain program.
//
// Some spellings of plain C++ remain that a checked build does not follow:
//   auto &&r = x(i);              is a copy here; write `T &r = x(i);`
//   printf("%f", x(i)), f(x(i))   for a template f that returns what it takes does not
//                                 compile where x may be written; write `T(x(i))`
//   &x(i), T &r = x(i)            give up checking that tensor's unwritten elements
//
// Constant expressions are checked by the compiler: there only the bounds are left to do.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_ELEMENT_H
#define SEPTRAN_CHECKED_ELEMENT_H

#include <septran/checked/monitor.h>
#include <septran/float_types.h>

#include <type_traits>

namespace septran::checked {

template <class T> class element;

namespace detail {

template <class T> inline constexpr bool is_element = false;
template <class T> inline constexpr bool is_element<element<T>> = true;

/// The type that an element, or a plain operand, has in the plain program.
template <class U> struct plain_type {
  using type = U;
};
template <class T> struct plain_type<element<T>> {
  using type = T;
};
template <class U> using plain_t = typename plain_type<std::remove_cvref_t<U>>::type;

/// The operand as the plain program would see it.
template <class U> constexpr decltype(auto) plain(U &&operand) {
  if constexpr (is_element<std::remove_cvref_t<U>>)
    return plain_t<U>(static_cast<U &&>(operand).value());
  else
    return static_cast<U &&>(operand);
}

/// An operand of `a op b` beside one of type `Other`, converted as the operator does it. Spelled
/// out, since the plain program may have a literal here that fits, of which -Wconversion says
/// nothing.
template <class Other, class U> constexpr auto operand(U value) {
  if constexpr (std::is_arithmetic_v<U> && std::is_arithmetic_v<Other>)
    return static_cast<decltype(U() + Other())>(value);
  else if constexpr (std::is_integral_v<U> && septran::detail::is_small_float<Other>)
    return static_cast<float>(value);
  else
    return value;
}

/// The element that `a.index` names, or null after a report. `a.element` is the tensor's first.
template <class T>
constexpr T *find(const access &a, T *data, const std::ptrdiff_t *extents,
                  const std::ptrdiff_t *strides, const char *verb) {
  bool inside = true;
  std::ptrdiff_t offset = 0;
  for (int d = 0; d < a.rank; ++d) {
    inside = inside && a.index[d] >= 0 && a.index[d] < extents[d];
    offset += a.index[d] * strides[d];
  }
  if (inside)
    return data + offset;
  current_monitor().out_of_bounds(a, extents, verb);
  return nullptr;
}

} // namespace detail

template <class T> class element {
public:
  /// The element of a tensor at the first `rank` of these indices; none after a report.
  template <int N>
  constexpr element(T *data, const std::ptrdiff_t *extents, const std::ptrdiff_t *strides, int rank,
                    const index (&at)[N])
      : where_(at[0].where), rank_(rank) {
    static_assert(N <= max_indices);
    for (int d = 0; d < rank; ++d)
      index_[d] = at[d];
    element_ =
        detail::find({data, where_, index_, rank_, 0}, data, extents, strides, "uses element");
    if (element_ != nullptr)
      value_ = *element_;
  }

  /// The value, without the place.
  constexpr element(const element &other) : value_(other.value()) {}

  // Reading. A named element gives the value it had; its access is judged all the same.
  constexpr T value() && { return take(); }
  constexpr T value() const & {
    if (element_ != nullptr && !std::is_constant_evaluated() &&
        !detail::current_monitor().read(access()))
      return T{};
    return value_;
  }
  constexpr operator T() && { return take(); }
  constexpr operator T() const & { return value(); }

  /// A small float is also a float, which one conversion must reach.
  constexpr operator float() &&
    requires septran::detail::is_small_float<T>
  {
    return float(take());
  }
  constexpr operator float() const &
    requires septran::detail::is_small_float<T>
  {
    return float(value());
  }

  /// A reference leaves the checked world: what happens through it is not seen.
  template <class U>
    requires std::is_same_v<U, T>
  constexpr operator U &() && {
    return *escape();
  }
  constexpr T *operator&() && { return escape(); }

  // Writing, with the conversions of a plain assignment. Compound operators are those of T.
  constexpr T operator=(T value) && { return put(value); }
  constexpr T operator=(const element &other) && { return put(other.value()); }
  constexpr T operator=(element &&other) && { return put(static_cast<element &&>(other).value()); }
  template <class U> constexpr T operator=(element<U> &&other) && {
    return put(static_cast<element<U> &&>(other).value());
  }
  constexpr element &operator=(T value) & { return hold(value); }
  constexpr element &operator=(const element &other) & { return hold(other.value()); }

  template <class U> constexpr T operator+=(U &&b) && {
    return put(left<U>(take('+')) + right<U>(b), '+');
  }
  template <class U> constexpr T operator-=(U &&b) && {
    return put(left<U>(take('+')) - right<U>(b), '+');
  }
  template <class U> constexpr T operator*=(U &&b) && {
    return put(left<U>(take('*')) * right<U>(b), '*');
  }
  template <class U> constexpr T operator/=(U &&b) && {
    return put(left<U>(take('*')) / right<U>(b), '*');
  }
  template <class U> constexpr T operator%=(U &&b) && {
    return put(left<U>(take('%')) % right<U>(b), '%');
  }
  template <class U> constexpr T operator&=(U &&b) && {
    return put(left<U>(take('&')) & right<U>(b), '&');
  }
  template <class U> constexpr T operator|=(U &&b) && {
    return put(left<U>(take('|')) | right<U>(b), '|');
  }
  template <class U> constexpr T operator^=(U &&b) && {
    return put(left<U>(take('^')) ^ right<U>(b), '^');
  }
  template <class U> constexpr T operator<<=(U &&b) && {
    return put(take('<') << plain<U>(b), '<');
  }
  template <class U> constexpr T operator>>=(U &&b) && {
    return put(take('>') >> plain<U>(b), '>');
  }
  template <class U> constexpr element &operator+=(U &&b) & {
    return hold(left<U>(value()) + right<U>(b));
  }
  template <class U> constexpr element &operator-=(U &&b) & {
    return hold(left<U>(value()) - right<U>(b));
  }
  template <class U> constexpr element &operator*=(U &&b) & {
    return hold(left<U>(value()) * right<U>(b));
  }
  template <class U> constexpr element &operator/=(U &&b) & {
    return hold(left<U>(value()) / right<U>(b));
  }

  constexpr T operator++() && { return put(take('+') + 1, '+'); }
  constexpr T operator--() && { return put(take('+') - 1, '+'); }
  constexpr T operator++(int) && {
    const T old = take('+');
    put(old + 1, '+');
    return old;
  }
  constexpr T operator--(int) && {
    const T old = take('+');
    put(old - 1, '+');
    return old;
  }

private:
  static constexpr int max_indices = 6;

  template <class U> static constexpr decltype(auto) plain(std::remove_reference_t<U> &operand) {
    return detail::plain(static_cast<U &&>(operand));
  }

  // The operands of the plain program's operator.
  template <class U> static constexpr auto left(T value) {
    return detail::operand<detail::plain_t<U>>(value);
  }
  template <class U> static constexpr auto right(std::remove_reference_t<U> &value) {
    return detail::operand<T>(plain<U>(value));
  }

  constexpr detail::access access(char update = 0) const {
    return {element_, where_, index_, rank_, update};
  }

  constexpr T take(char update = 0) {
    if (element_ == nullptr)
      return value_;
    if (std::is_constant_evaluated() || detail::current_monitor().read(access(update)))
      return *element_;
    return T{};
  }

  // Converts like an assignment in the plain program.
  template <class V> constexpr T put(V value, char update = 0) {
    const T converted = static_cast<T>(value);
    if (element_ != nullptr &&
        (std::is_constant_evaluated() || detail::current_monitor().write(access(update))))
      *element_ = converted;
    return converted;
  }

  template <class V> constexpr element &hold(V value) {
    value_ = static_cast<T>(value);
    element_ = nullptr;
    return *this;
  }

  constexpr T *escape() {
    if (element_ == nullptr)
      return nowhere();
    if (!std::is_constant_evaluated())
      detail::current_monitor().escape(access());
    return element_;
  }

  /// What a wrong index refers to outlives this object.
  static T *nowhere() {
    static thread_local T value{};
    return &value;
  }

  T *element_ = nullptr;
  T value_{};
  site where_;
  std::ptrdiff_t index_[max_indices] = {};
  int rank_ = 0;
};

/// What a read that fails gives: 0.
template <class T> inline const T nothing{};

/// The element of a read-only tensor: any use of it is a read.
template <class T, int N>
constexpr const T &read(const T *data, const std::ptrdiff_t *extents, const std::ptrdiff_t *strides,
                        int rank, const index (&at)[N]) {
  std::ptrdiff_t values[N] = {};
  for (int d = 0; d < N; ++d)
    values[d] = at[d];
  detail::access a{data, at[0].where, values, rank, 0};
  const T *found = detail::find(a, data, extents, strides, "reads element");
  a.element = found;
  const bool good = found != nullptr && (std::is_constant_evaluated() ||
                                         detail::current_monitor().read_constant(a, sizeof(T)));
  return good ? *found : nothing<T>;
}

// Operators of class types are templates that take no conversion, so elements of small floats
// need their own; elements of built-in types convert to what the built-in operators take.
template <class A, class B>
concept element_operands =
    detail::is_element<std::remove_cvref_t<A>> || detail::is_element<std::remove_cvref_t<B>>;
template <class A, class B>
concept small_float_operands =
    element_operands<A, B> && (septran::detail::is_small_float<detail::plain_t<A>> ||
                               septran::detail::is_small_float<detail::plain_t<B>>);

template <class A, class B>
  requires small_float_operands<A, B>
constexpr auto operator+(A &&a, B &&b) {
  return detail::operand<detail::plain_t<B>>(detail::plain(static_cast<A &&>(a))) +
         detail::operand<detail::plain_t<A>>(detail::plain(static_cast<B &&>(b)));
}
template <class A, class B>
  requires small_float_operands<A, B>
constexpr auto operator-(A &&a, B &&b) {
  return detail::operand<detail::plain_t<B>>(detail::plain(static_cast<A &&>(a))) -
         detail::operand<detail::plain_t<A>>(detail::plain(static_cast<B &&>(b)));
}
template <class A, class B>
  requires small_float_operands<A, B>
constexpr auto operator*(A &&a, B &&b) {
  return detail::operand<detail::plain_t<B>>(detail::plain(static_cast<A &&>(a))) *
         detail::operand<detail::plain_t<A>>(detail::plain(static_cast<B &&>(b)));
}
template <class A, class B>
  requires small_float_operands<A, B>
constexpr auto operator/(A &&a, B &&b) {
  return detail::operand<detail::plain_t<B>>(detail::plain(static_cast<A &&>(a))) /
         detail::operand<detail::plain_t<A>>(detail::plain(static_cast<B &&>(b)));
}
template <class T>
  requires septran::detail::is_small_float<T>
constexpr T operator-(const element<T> &a) {
  return -a.value();
}
template <class T>
  requires septran::detail::is_small_float<T>
constexpr T operator-(element<T> &&a) {
  return -static_cast<element<T> &&>(a).value();
}

} // namespace septran::checked

namespace septran::detail {
template <class T> inline constexpr bool converts_to_small_float<checked::element<T>> = true;
} // namespace septran::detail

// std::max(x(i), y) deduces one type from both operands. Adding overloads to std is not something
// a library may do in general; a checked build does it to leave the logic as it is.
namespace std {
template <class A, class B>
  requires septran::checked::element_operands<A, B>
constexpr auto max(A &&a, B &&b) {
  const septran::checked::detail::plain_t<A> x = static_cast<A &&>(a);
  const septran::checked::detail::plain_t<B> y = static_cast<B &&>(b);
  return x < y ? y : x;
}
template <class A, class B>
  requires septran::checked::element_operands<A, B>
constexpr auto min(A &&a, B &&b) {
  const septran::checked::detail::plain_t<A> x = static_cast<A &&>(a);
  const septran::checked::detail::plain_t<B> y = static_cast<B &&>(b);
  return y < x ? y : x;
}
} // namespace std

#endif
