// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
#include <septran/septran.h>

#include <vector>

using matrix = septran::tensor<float, 2>;
struct settings { int x; };

[[septran::task]] int returns(matrix C) { return 0; } // expected-error {{'returns' returns 'int'; a task or leaf returns void and writes to tensors [septran-return-type]}}
[[septran::leaf]] auto deduced(matrix C) { return 0; } // expected-error {{'deduced' returns 'int'}}

[[septran::task]] void parameters(settings s, // expected-error {{parameter 's' has type 'settings'; a task or leaf takes tensors, and scalars by value [septran-parameter-type]}}
                                  float &f, // expected-error {{parameter 'f' has type 'float &'}}
                                  std::vector<float> v, // expected-error {{parameter 'v' has type 'std::vector<float>'}}
                                  const float *p, // expected-error {{parameter 'p' has type 'const float *'}}
                                  septran::local<float, 1> &l, // expected-error {{parameter 'l' has type 'septran::local<float, 1> &'}}
                                  const int &, const matrix &) {} // no error: these are read only

[[septran::leaf]] void elements(septran::tensor<long double, 1> a, // expected-error {{a tensor of 'long double' is not accepted; elements are bool, integers of 8 to 64 bits, float, double, float16, bfloat16, float8_e4m3 and float8_e5m2 [septran-element-type]}}
                                septran::tensor<settings, 1> b) {} // expected-error {{a tensor of 'settings' is not accepted}}
[[septran::leaf]] void variadic(matrix C, ...) {} // expected-error {{parameter '...' has type 'any number of arguments'}}

[[septran::leaf]] void privileges([[septran::write]] septran::tensor<const float, 2> a, // expected-error {{attribute 'septran::write' needs a tensor that can be written, but 'a' is a tensor of constant elements [septran-not-writable]}}
                                  [[septran::reduce("+")]] int n) {} // expected-error {{attribute 'septran::reduce' needs a tensor that can be written, but 'n' is a scalar}}

void plain([[septran::write]] matrix C) {} // expected-error {{attribute 'septran::write' needs a task or leaf, but 'plain' is neither; add [[septran::task]] or [[septran::leaf]] [septran-stray-attribute]}}

[[septran::leaf]] void elsewhere(matrix C); // expected-note {{'elsewhere' is declared here}}
[[septran::task]] void launches(matrix C) {
  elsewhere(C); // expected-error {{'elsewhere' is launched, but its definition is not in this translation unit [septran-no-definition]}}
  elsewhere(C); // reported once
}

template <class T>
[[septran::task]] void unused(septran::tensor<T, 1> x) { // expected-warning {{task template 'unused' is never instantiated in this translation unit, so it is not mapped [septran-never-instantiated]}}
  septran::fill(x, T(0));
}

[[septran::task]] void again(matrix C) {
  again(C); // expected-error {{'again' launches itself: again -> again; launch a leaf of the family instead [septran-recursive-launch]}}
}
[[septran::task]] void ping(matrix C);
[[septran::task]] void pong(matrix C) {
  ping(C);
}
[[septran::task]] void ping(matrix C) {
  pong(C); // expected-error {{'pong' launches itself: pong -> ping -> pong}}
}
