// The unscoped spelling is known to clang for technical reasons only; to users it stays unknown.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 -Xclang -verify
[[task]] void a(); // expected-warning {{unknown attribute 'task' ignored}}
void b([[write]] int x); // expected-warning {{unknown attribute 'write' ignored}}
void c() {
  [[leaf]] for (;;) {} // expected-warning {{unknown attribute 'leaf' ignored}}
}
