// Attributes on the wrong declaration are errors, not warnings: what is lost would be a wrong program.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
#include <septran/septran.h>

[[septran::task]] int x; // expected-error {{attribute 'septran::task' applies to functions without an object only [septran-attribute-subject]}}
struct [[septran::leaf]] S { // expected-error {{attribute 'septran::leaf' applies to functions without an object only}}
  [[septran::leaf]] void f(); // expected-error {{attribute 'septran::leaf' applies to functions without an object only}}
  [[septran::leaf]] static void g(septran::tensor<float, 1>) {}
};

[[septran::write]] void f(); // expected-error {{attribute 'septran::write' applies to parameters only}}
[[septran::reduce("+")]] void g(); // expected-error {{attribute 'septran::reduce' applies to parameters only}}
[[septran::tunable]] const int global = 1; // expected-error {{attribute 'septran::tunable' applies to local variables of a task only}}

void plain([[septran::tunable]] int n) { // expected-error {{attribute 'septran::tunable' applies to local variables of a task only}}
  [[septran::tunable]] const int tile = 1; // expected-error {{attribute 'septran::tunable' applies to local variables of a task only}}
  [[septran::task]] for (;;) {} // expected-error {{attribute 'septran::task' applies to functions without an object only}}
  auto lambda = [] [[septran::leaf]] {}; // expected-error {{attribute 'septran::leaf' applies to functions without an object only}} \
                                         // expected-warning {{an attribute specifier sequence in this position is a C++23 extension}}
}
