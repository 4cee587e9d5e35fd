// What a task does not accept. One run reports all of it, and each mistake once.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -ferror-limit=0 -Xclang -verify
#include <septran/septran.h>

#include <utility>
#include <vector>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;
struct settings { int x; };
int global = 3;
constexpr int known = 4;
const int also_known = 5;
void plain(matrix<float>);
int count(int n);
matrix<float> make();

[[septran::leaf]] void use(matrix<float> C, matrix<const float> A) {
  for (int i = 0; i < C.extent(0); ++i)
    C(i, 0) += A(i, 0);
}

[[septran::task]] void elements(matrix<float> C, matrix<const float> A) {
  C(0, 0) = 1; // expected-error {{a task does not touch elements; move this into a leaf [septran-task-touches-element]}}
  C(0, 1) += A(0, 0); // expected-error {{a task does not touch elements}}
  const float x = A(0, 0); // expected-error {{a task does not touch elements}}
  C(0, 0)++; // expected-error {{a task does not touch elements}}
  if (A(0, 0) > 0) // expected-error {{a task does not touch elements}}
    use(C, A);
  septran::fill(C, A(1, 1)); // expected-error {{a task does not touch elements}}
  septran::fill(C, x); // no error: x is reported where it is defined
}

[[septran::task]] void scalars(matrix<float> C, int n, bool b) {
  int m = 0; // expected-error {{a task does not accept the variable 'm', which is assigned again; scalars of a task are constants [septran-not-in-task]}}
  m = 3;
  n += 1; // expected-error {{a task does not accept an assignment; scalars of a task are constants}}
  int k; // expected-error {{a task does not accept a variable without a value}}
  settings s{1}; // expected-error {{a task does not accept a variable of type 'settings'; variables are scalars, locals, views and partitions}}
  std::vector<int> v; // expected-error {{a task does not accept a variable of type 'std::vector<int>'}}
  auto [x, y] = std::pair(1, 2); // expected-error {{a task does not accept a structured binding}}
  static int calls = 0; // expected-error {{a task does not accept a static variable}}
  matrix<float> *p = &C; // expected-error {{a task does not accept a variable of type 'matrix<float> *'}}
  const int g = global; // expected-error {{a task does not accept the variable 'global', which is no constant; pass it as a parameter}}
  const int c = count(n); // expected-error {{a task does not accept a call of 'count'; its body is not in this translation unit}}
  static constexpr int fine = known + also_known;
  septran::fill(C, fine);
}

[[septran::task]] void control(matrix<float> C, matrix<const float> A, int n, bool b) {
  while (n > 0) {} // expected-error {{a task does not accept a while loop; write a counted for loop}}
  do {} while (b); // expected-error {{a task does not accept a do loop; write a counted for loop}}
  switch (n) {} // expected-error {{a task does not accept a switch; write conditions}}
  for (int i = n; i > 0; --i) // expected-error {{a task does not accept a loop that counts downwards; write a counted loop: for (int i = lo; i < hi; ++i)}}
    use(C, A);
  for (int i = 0; i < n && b; ++i) // expected-error {{a task does not accept a loop without a fixed bound}}
    use(C, A);
  for (int i = 0; i < n; ++i) {
    if (b)
      break; // expected-error {{a task does not accept a break; write a condition around the statements to be skipped}}
    use(C, A);
  }
  for (auto ij : septran::parallel(C.extents())) {} // expected-error {{a task does not accept a parallel loop without names for its indices; write for (auto [i, j] : septran::parallel(...))}}
  for (int i : {1, 2}) {} // expected-error {{a task does not accept a loop over this range; write a counted loop, or a loop over septran::parallel}}
  if (int m = n) {} // expected-error {{a task does not accept a declaration in a condition; declare the variable before}}
}

[[septran::task]] void launches(matrix<float> C, matrix<const float> A) {
  plain(C); // expected-error {{'plain' is neither a task nor a leaf, and a task launches nothing else [septran-not-a-launch]}}
  count(3); // expected-error {{'count' is neither a task nor a leaf}}
  C.extent(0); // expected-error {{'extent' is neither a task nor a leaf}}
  auto f = [&] { use(C, A); }; // expected-error-re {{a task does not accept a variable of type '{{.*}}lambda{{.*}}'}}
  use(make(), A); // expected-error {{a task does not accept a tensor that 'make' returns; transpose, subtensor, reshape and broadcast give views}}
  use(C, matrix<const float>(nullptr, {1, 1})); // expected-error {{a task does not accept a tensor made here; tensors are parameters, locals, and blocks and views of those}}
  use(C, septran::broadcast(A, {3, 4})); // expected-error {{a task does not accept a broadcast that may or may not repeat dimension 0; give the tensor's own extent(0) to keep a dimension, or drop it with subtensor to repeat it}}
  const int e = A.extent(2); // expected-error {{a task does not accept dimension 2 of a tensor of rank 2; dimensions count from 0 to the rank minus 1}}
  const int s = A.stride(0); // expected-error {{a task does not accept 'stride' of a tensor; extent, extents, size, rank and origin are accepted}}
}

[[septran::task]] void tunables(matrix<float> C, bool b) {
  [[septran::tunable]] const float f = 2; // expected-error {{tunable 'f' must be an integer [septran-tunable-form]}}
  [[septran::tunable]] int n = 2; // expected-error {{tunable 'n' must be a constant with a default value, const int n = 64}}
  if (b) {
    [[septran::tunable]] const int h = 2; // expected-error {{tunable 'h' must be declared at the top level of its task}}
  }
}

[[septran::leaf]] void launching(matrix<float> C, matrix<const float> A) {
  use(C, A); // expected-error {{leaf 'launching' launches 'use'; only tasks launch [septran-leaf-launches]}}
}
