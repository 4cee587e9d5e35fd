// Variants of a family can stand for each other, or there is an error.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;

[[septran::leaf("f")]] void first(vector<float> x) {} // expected-note {{'x' is declared here}}
[[septran::leaf("f")]] void second([[septran::write]] vector<float> x) { // expected-error {{variants of family 'f' differ: parameter 1 is write-only in 'second' and read-write in 'first' [septran-family-privilege]}}
  septran::transpose(x)(0) = 0;
}
[[septran::leaf("f")]] void third(vector<double> x) {} // expected-error {{'third' has no variant with its signature in family 'f'; variants take the same parameters [septran-family-signature]}}
[[septran::leaf("f")]] void fourth(vector<float> x, int n) {} // expected-error {{'fourth' has no variant with its signature in family 'f'}}

// Overloads of one name are no variants of each other.
[[septran::leaf]] void overloaded(vector<float> x) {}
[[septran::leaf]] void overloaded(vector<double> x) {}
