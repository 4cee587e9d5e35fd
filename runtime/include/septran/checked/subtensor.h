//===- checked/subtensor.h - subtensor with a place ------------------------===//
//
// The `subtensor` of views.h, one overload per rank: a defaulted place cannot follow
// a parameter pack.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_SUBTENSOR_H
#define SEPTRAN_CHECKED_SUBTENSOR_H

#include <septran/views.h>

namespace septran {

namespace checked {

template <class T, int R, class... S>
constexpr auto subtensor_at(const site &where, const tensor<T, R> &t, S... at) {
  constexpr int kept = (0 + ... + int(septran::detail::is_all<S>));
  const index_type position[R] = {septran::detail::position(at)...};
  const bool all[R] = {septran::detail::is_all<S>...};
  require_position(septran::detail::memory_of::first(t), t.extents().values, position, all, where);
  return septran::detail::select<T, R, kept>(t, position, all);
}

} // namespace checked

template <class T, class A>
constexpr auto subtensor(tensor<T, 1> t, A a, checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a);
}
template <class T, class A, class B>
constexpr auto subtensor(tensor<T, 2> t, A a, B b, checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a, b);
}
template <class T, class A, class B, class C>
constexpr auto subtensor(tensor<T, 3> t, A a, B b, C c,
                         checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a, b, c);
}
template <class T, class A, class B, class C, class D>
constexpr auto subtensor(tensor<T, 4> t, A a, B b, C c, D d,
                         checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a, b, c, d);
}
template <class T, class A, class B, class C, class D, class E>
constexpr auto subtensor(tensor<T, 5> t, A a, B b, C c, D d, E e,
                         checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a, b, c, d, e);
}
template <class T, class A, class B, class C, class D, class E, class F>
constexpr auto subtensor(tensor<T, 6> t, A a, B b, C c, D d, E e, F f,
                         checked::site where = checked::site::here()) {
  return checked::subtensor_at(where, t, a, b, c, d, e, f);
}

} // namespace septran

#endif
