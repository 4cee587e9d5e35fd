// What may be kept with a constant, and what must not: values of another argument's elements, and those
// that are read before the last of them is made.
#include <septran/constant.h>
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;
using input = septran::tensor<const float, 1>;

[[septran::leaf]]
void twice([[septran::write]] vector y, input x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = x(i) + x(i);
}

[[septran::leaf]]
void product([[septran::write]] vector y, input a, input b) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = a(i) * b(i);
}

[[septran::leaf]]
void add(vector y, input a) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += a(i);
}

[[septran::task]]
void constants(vector y, input x, septran::constant<float, 1> W) {
  septran::local<float, 1> kept(W.extent(0)), scaled(W.extent(0)), early(W.extent(0));
  twice(kept, W);
  product(scaled, W, x);
  twice(early, W);
  add(y, early);
  product(early, W, W);
  add(y, early);
  add(y, kept);
  add(y, scaled);
}
