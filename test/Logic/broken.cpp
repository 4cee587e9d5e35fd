// C++ that does not compile gets clang's messages alone.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify | count 0
#include <septran/septran.h>

[[septran::task]] void broken(septran::tensor<float, 1> x) {
  undeclared(x); // expected-error {{use of undeclared identifier 'undeclared'}}
  while (true) {}
}
