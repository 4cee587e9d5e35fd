// A misspelt attribute is an error here, whatever other compilers' flags say about unknown ones.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Wno-unknown-attributes -Xclang -verify
#include <septran/septran.h>

[[septran::taks]] void a(); // expected-error {{unknown attribute 'septran::taks'; expected leaf, reduce, task, tunable or write; did you mean 'septran::task'? [septran-unknown-attribute]}}
[[using septran: leef("x")]] void b(); // expected-error {{unknown attribute 'septran::leef'; expected leaf, reduce, task, tunable or write; did you mean 'septran::leaf'?}}
[[nodiscard, septran::gpu(1, [] { return 2; }())]] int c(); // expected-error {{unknown attribute 'septran::gpu'; expected leaf, reduce, task, tunable or write [septran-unknown-attribute]}}

// Other scopes, names without a scope and uses outside of attributes are nobody's business.
[[other::task, task, leaf]] void d();
int subscripts(int (&a)[2], int *b) { return a[b[septran::max_rank]]; }
