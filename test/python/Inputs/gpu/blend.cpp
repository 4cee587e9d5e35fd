// A task whose tensors are the device's under one mapping and the host's under the other; one of its
// parameters has the name that the stream would have.
#include <septran/septran.h>

using matrix = septran::tensor<float, 2>;
using const_matrix = septran::tensor<const float, 2>;
using const_vector = septran::tensor<const float, 1>;

[[septran::leaf]]
void blend_rows([[septran::write]] matrix out, const_matrix stream, const_vector base, float share) {
  for (int i = 0; i < out.extent(0); ++i)
    for (int j = 0; j < out.extent(1); ++j)
      out(i, j) = share * stream(i, j) + (1 - share) * base(j);
}

[[septran::task]]
void blend_blocks([[septran::write]] matrix out, const_matrix stream, const_vector base,
                  float share) {
  [[septran::tunable]] const int rows = 4;
  auto to = septran::partition(out, {rows, out.extent(1)});
  auto from = septran::partition(stream, {rows, stream.extent(1)});
  for (auto [i] : septran::parallel(to.extent(0)))
    blend_rows(to(i, 0), from(i, 0), base, share);
}

/// out = share * stream + (1 - share) * base, by rows.
[[septran::task]]
void blend([[septran::write]] matrix out, const_matrix stream, const_vector base, float share) {
  blend_blocks(out, stream, base, share);
}
