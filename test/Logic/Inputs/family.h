// A family that is spread over a header and the file that includes it.
#pragma once
#include <septran/septran.h>

namespace lib {

template <class T> using vector = septran::tensor<T, 1>;

template <class T>
[[septran::task("double")]] void double_blocked(vector<T> x);

template <class T> [[septran::leaf("double")]] void double_leaf(vector<T> x) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) += x(i);
}

template <class T> void double_blocked(vector<T> x) {
  [[septran::tunable]] const int tile = 64;
  auto P = septran::partition(x, {tile});
  for (auto [i] : septran::parallel(P.shape()))
    double_leaf(P(i));
}

// No member of the family for the types in use, and not launched: not part of the program.
template <class T> [[septran::leaf("double")]] void double_rank_2(septran::tensor<T, 2> x) {}
[[septran::leaf]] inline void not_launched(vector<float> x) {}

} // namespace lib
