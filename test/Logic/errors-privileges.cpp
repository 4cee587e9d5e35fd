// A task hands on no more than it has, and nothing is read before it is written.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf]] void add(vector<float> x, // expected-note {{'x' is declared here}} expected-note 1+ {{'x' may be read, too; [[septran::write]] says that it is only written}}
                           vector<const float> y) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) += y(i);
}
[[septran::leaf]] void sum([[septran::reduce("+")]] vector<float> s, vector<const float> x) {
  for (int i = 0; i < x.extent(0); ++i)
    s(0) += x(i);
}
[[septran::leaf]] void least([[septran::reduce("min")]] vector<float> s, // expected-note {{'s' is declared here}}
                             vector<const float> x) {
  for (int i = 0; i < x.extent(0); ++i)
    if (x(i) < s(0))
      s(0) = x(i);
}

[[septran::task]] void reduces([[septran::reduce("+")]] vector<float> s, vector<const float> x) {
  sum(s, x);
  least(s, x); // expected-error {{'least' reads or overwrites 's', which is reduced by "+" in task 'reduces' [septran-privilege-exceeded]}}
  add(s, x); // expected-error {{'add' reads or overwrites 's', which is reduced by "+" in task 'reduces'}}
}

[[septran::task]] void order([[septran::write]] vector<float> y, vector<const float> x, int n) {
  add(y, x); // expected-error {{'add' reads 'y', which is write-only and not written before [septran-read-before-write]}}
  septran::local<float, 1> l(x.extents());
  auto part = septran::partition(l, {4})(0);
  add(y, part); // expected-error {{'add' reads 'l', which is a local and not written before}}
  septran::fill(part, 0);
  add(y, l); // no error: a part of it is written
  septran::local<float, 1> m(x.extents());
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      add(y, m); // no error: a later iteration than that of the write
    septran::fill(m, 0);
  }
}

[[septran::leaf]] void reads_first([[septran::write]] vector<float> x) { // expected-note {{'x' is declared here}}
  for (int i = 0; i < x.extent(0); ++i)
    x(i) += 1; // expected-error {{'x' is write-only and is read here before the leaf writes it; drop [[septran::write]] or write first [septran-leaf-read-before-write]}}
}
[[septran::leaf]] void reads_guarded([[septran::write]] vector<float> x) {
  for (int i = 0; i < x.extent(0); ++i) {
    x(i) = i == 0 ? 0.0f : x(i - 1);
    if (i > 3)
      x(i) += 1;
  }
}
[[septran::leaf]] void overwrites([[septran::reduce("+")]] vector<float> s, // expected-note {{'s' is declared here}}
                                  vector<const float> x) {
  s(0) -= x(0);
  s(0) = x(0); // expected-error {{'s' is reduced by += in this leaf, so every access to it must be that update [septran-leaf-reduce-only]}}
}
