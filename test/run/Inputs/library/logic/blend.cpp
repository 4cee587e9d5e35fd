// Two entries that are overloads, in a namespace whose name the libraries have, too; parameters with
// the names that the generated functions might take; scalars of every kind; macros.
#include "blend.h"

#define N 7
#define rows unused_macro

namespace blend {

using namespace blending;

[[septran::leaf]]
void mix_leaf([[septran::write]] matrix<float> arguments, matrix<const float> v,
              vector<const float> library, float a0, std::int64_t shift) {
  for (int i = 0; i < arguments.extent(0); ++i)
    for (int j = 0; j < arguments.extent(1); ++j)
      arguments(i, j) = mixed(v(i, j + shift), library(j), a0);
}

/// arguments = a0 * v, from column `shift` on, + (1 - a0) * library.
[[septran::task]]
void mix([[septran::write]] matrix<float> arguments, matrix<const float> v,
         vector<const float> library, float a0, std::int64_t shift) {
  [[septran::tunable]] const int tile = 16;
  auto out = septran::partition(arguments, {tile, arguments.extent(1)});
  auto in = septran::partition(v, {tile, v.extent(1)});
  for (auto [i] : septran::parallel(out.extent(0)))
    mix_leaf(out(i, 0), in(i, 0), library, a0, shift);
}

[[septran::leaf]]
void sum_leaf([[septran::reduce("+")]] vector<double> total, vector<const std::int32_t> x,
              septran::float16 weight, bool negated, std::uint8_t) {
  for (int i = 0; i < x.extent(0); ++i)
    total(0) += (negated ? -1.0 : 1.0) * double(float(weight)) * double(x(i));
}

/// restrict_ = (-1 if negated) * weight * sum of x.
[[septran::task]]
void sum([[septran::write]] vector<float> result, vector<const std::int32_t> x,
         septran::float16 weight, bool negated, std::uint8_t) {
  septran::local<double, 1> total(1);
  septran::fill(total, 0);
  sum_leaf(total, x, weight, negated, 0);
  septran::convert(result, total);
}

} // namespace blend
