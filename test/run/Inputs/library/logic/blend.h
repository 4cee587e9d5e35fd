// A header of the logic's own, found beside it.
#pragma once
#include <septran/septran.h>

namespace blending {

template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using vector = septran::tensor<T, 1>;

inline float mixed(float a, float b, float share) { return a * share + b * (1.0F - share); }

} // namespace blending
