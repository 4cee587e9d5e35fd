// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;

[[septran::task("a", "b")]] void a(); // expected-error {{attribute 'septran::task' takes at most one argument, found 2 [septran-attribute-arity]}}
[[septran::leaf(name)]] void b(); // expected-error {{attribute 'septran::leaf' expects a string in quotes [septran-attribute-string]}}
[[septran::leaf(3)]] void c(); // expected-error {{attribute 'septran::leaf' expects a string in quotes}}
[[septran::leaf("two words")]] void d(); // expected-error {{a family is named by an identifier, found "two words" [septran-family-name]}}
[[septran::leaf("")]] void e(); // expected-error {{a family is named by an identifier, found ""}}
[[septran::task, septran::leaf]] void f(); // expected-error {{attribute 'septran::leaf' cannot stand together with 'septran::task' [septran-attribute-conflict]}}
[[septran::task]] [[septran::task("x")]] void g(); // expected-error {{attribute 'septran::task' cannot stand together with 'septran::task'}}

void h([[septran::write("x")]] vector x); // expected-error {{attribute 'septran::write' takes no argument, found 1}}
void i([[septran::reduce]] vector x); // expected-error {{attribute 'septran::reduce' takes one argument, found 0}}
void j([[septran::reduce("-")]] vector x); // expected-error {{'septran::reduce' expects "+", "*", "min" or "max", found "-" [septran-reduce-operator]}}
void k([[septran::write, septran::reduce("+")]] vector x); // expected-error {{attribute 'septran::reduce' cannot stand together with 'septran::write'}}
