// What the compiler adds for leaves of loops that have bounds of their own or follow each other.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines --implicit-check-not='{{.*}}implied {'
#include <septran/septran.h>

using vector = septran::tensor<float, 1>;
using matrix = septran::tensor<float, 2>;
using const_vector = septran::tensor<const float, 1>;
using const_matrix = septran::tensor<const float, 2>;

// Loops between bounds of their own: what lies between them is cut. Where every iteration selects an
// element, all of that is there; else only iterations that write outside of a tensor may be left out.
[[septran::leaf]] void relax([[septran::write]] matrix Y, const_matrix X, const_matrix F) {
  const int n = X.extent(0), m = X.extent(1);
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j)
      Y(i, j) = X(i - 1, j) + X(i + 1, j) + X(i, j - 1) + X(i, j + 1) - F(i, j);
}
[[septran::leaf]] void square(matrix C, const_matrix A, const_matrix B) {
  const int n = C.extent(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::leaf]] void times(vector y, const_matrix A, const_vector x) {
  const int n = A.extent(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      y(i) += A(i, j) * x(j);
}
[[septran::leaf]] void counted_out(vector y, const_vector x, const_vector w, int from, int to) {
  for (int i = from; i < to; ++i)
    if (w(0) > float(i))
      y(i) = x(i);
}
[[septran::leaf]] void either(vector y, vector z, const_vector w, int n) {
  for (int i = 0; i < n; ++i)
    if (w(i) > 0)
      y(i) = w(i);
    else
      z(i) = w(i);
}
[[septran::leaf]] void within(vector y, vector z, const_vector w) {
  for (int i = 2; i < z.extent(0) - 1; ++i)
    if (w(0) > 0) {
      y(i) = float(y.origin(0) + i);
      z(i) = float(i);
    }
}
[[septran::leaf]] void limited(vector y, const_vector w) {
  for (int i = 0; i < int(w(0)); ++i)
    y(i) = 0;
}
[[septran::task]] void inner([[septran::write]] matrix Y, matrix C, const_matrix X, vector y, vector z, const_vector w,
                             int n) {
  relax(Y, X, C);
  square(C, Y, X);
  times(y, X, w);
  counted_out(y, w, w, n, n);
  either(y, z, w, n);
  within(y, z, w);
  limited(y, w);
}

// Loops after each other: what all of them walk, from and to the same, is cut for all; and each is a leaf of
// its own. Definitions go where they are needed.
[[septran::leaf]] void layer([[septran::write]] matrix Y, const_matrix X, const_matrix W, const_vector b) {
  const float scale = 1.0f / float(X.extent(1));
  for (int i = 0; i < Y.extent(0); ++i)
    for (int j = 0; j < Y.extent(1); ++j)
      Y(i, j) = b(j);
  for (int p = 0; p < X.extent(1); ++p)
    for (int k = 0; k < Y.extent(0); ++k)
      for (int l = 0; l < Y.extent(1); ++l)
        Y(k, l) += scale * X(k, p) * W(p, l);
}
[[septran::leaf]] void edged(matrix Y, const_matrix X) {
  const int n = Y.extent(0), m = Y.extent(1);
  Y(0, 0) = X(0, 0);
  Y(n - 1, 0) = X(n - 1, 0);
  for (int j = 1; j < m; ++j)
    Y(0, j) = X(0, j);
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < m; ++j)
      Y(i, j) = X(i, j) - X(i - 1, j - 1);
}
[[septran::leaf]] void carried(vector y, const_vector x) {
  float sum = 0;
  for (int i = 0; i < x.extent(0); ++i)
    sum += x(i);
  for (int i = 0; i < y.extent(0); ++i)
    y(i) = sum;
}
[[septran::leaf]] void first_of_all(vector y) {
  const float first = y(0);
  for (int i = 0; i < y.extent(0); ++i)
    y(i) -= first;
}
[[septran::task]] void joined([[septran::write]] matrix Y, matrix X, const_matrix W, vector b) {
  layer(Y, X, W, b);
  edged(X, Y);
  carried(b, b);
  first_of_all(b);
}

// CHECK-LABEL: task relax_blocks of family relax(write f32[2] Y, read f32[2] X, read f32[2] F) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   define Y_1 = Y[1 +: max(X.extent(0) - 2, 0), 1 +: max(X.extent(1) - 2, 0)]
// CHECK-NEXT:   define F_1 = F[1 +: max(X.extent(0) - 2, 0), 1 +: max(X.extent(1) - 2, 0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y_1.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y_1.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch relax_at(Y_1[block i of tile_i, block j of tile_j], X, F_1[block i of tile_i, block j of tile_j], i32(i * tile_i) + 1, i32(j * tile_j) + 1)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf relax_at(write f32[2] Y, read f32[2] X, read f32[2] F, i32 first_i, i32 first_j) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. Y.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. Y.extent(1)) {
// CHECK-NEXT:       Y(i, j) = X(first_i + i - 1, first_j + j) + X(first_i + i + 1, first_j + j) + X(first_i + i, first_j + j - 1) + X(first_i + i, first_j + j + 1) - F(i, j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task relax_at_blocks of family relax_at(write f32[2] Y, read f32[2] X, read f32[2] F, i32 first_i, i32 first_j) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch relax_at(Y[block i of tile_i, block j of tile_j], X, F[block i of tile_i, block j of tile_j], first_i + i32(i * tile_i), first_j + i32(j * tile_j))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task square_blocks of family square(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   define C_1 = C[all, 0 +: C.extent(0)]
// CHECK-NEXT:   define A_1 = A[all, 0 +: C.extent(0)]
// CHECK-NEXT:   define B_1 = B[0 +: C.extent(0), 0 +: C.extent(0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C_1.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C_1.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A_1.extent(1), tile_k)) {
// CHECK-NEXT:         launch square_at(C_1[block i of tile_i, block j of tile_j], A_1[block i of tile_i, block k of tile_k], B_1[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf square_at(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task square_at_blocks of family square_at(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch square_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task times_blocks of family times(read-write f32[1] y, read f32[2] A, read f32[1] x) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   define A_1 = A[all, 0 +: A.extent(0)]
// CHECK-NEXT:   define x_1 = x[0 +: A.extent(0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(A_1.extent(0), tile_i)) {
// CHECK-NEXT:     for (j : 0 .. ceil_div(A_1.extent(1), tile_j)) {
// CHECK-NEXT:       launch times_at(y[block i of tile_i], A_1[block i of tile_i, block j of tile_j], x_1[block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf times_at(read-write f32[1] y, read f32[2] A, read f32[1] x) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. A.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. A.extent(1)) {
// CHECK-NEXT:       y(i) += A(i, j) * x(j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task times_at_blocks of family times_at(read-write f32[1] y, read f32[2] A, read f32[1] x) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(A.extent(0), tile_i)) {
// CHECK-NEXT:     for (j : 0 .. ceil_div(A.extent(1), tile_j)) {
// CHECK-NEXT:       launch times_at(y[block i of tile_i], A[block i of tile_i, block j of tile_j], x[block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task counted_out_blocks of family counted_out(read-write f32[1] y, read f32[1] x, read f32[1] w, i32 from, i32 to) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   define y_1 = y[max(from, 0) +: max(min(to, y.extent(0)) - max(from, 0), 0)]
// CHECK-NEXT:   define x_1 = x[max(from, 0) +: max(min(to, x.extent(0)) - max(from, 0), 0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(y_1.extent(0), tile_i)) {
// CHECK-NEXT:     launch counted_out_at(y_1[block i of tile_i], x_1[block i of tile_i], w, from, to, max(from, 0) + i32(i * tile_i))
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf counted_out_at(read-write f32[1] y, read f32[1] x, read f32[1] w, i32 from, i32 to, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. y.extent(0)) {
// CHECK-NEXT:     if (w(0) > f32(first_i + i)) {
// CHECK-NEXT:       y(i) = x(i)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task counted_out_at_blocks of family counted_out_at(read-write f32[1] y, read f32[1] x, read f32[1] w, i32 from, i32 to, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(y.extent(0), tile_i)) {
// CHECK-NEXT:     launch counted_out_at(y[block i of tile_i], x[block i of tile_i], w, from, to, first_i + i32(i * tile_i))
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task either_blocks of family either(read-write f32[1] y, read-write f32[1] z, read f32[1] w, i32 n) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   define y_1 = y[0 +: max(min(n, y.extent(0)), 0)]
// CHECK-NEXT:   define z_1 = z[0 +: max(min(n, z.extent(0)), 0)]
// CHECK-NEXT:   define w_1 = w[0 +: max(n, 0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(w_1.extent(0), tile_i)) {
// CHECK-NEXT:     launch either_at(y_1[block i of tile_i], z_1[block i of tile_i], w_1[block i of tile_i], n)
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf either_at(read-write f32[1] y, read-write f32[1] z, read f32[1] w, i32 n) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. w.extent(0)) {
// CHECK-NEXT:     if (w(i) > 0.0f) {
// CHECK-NEXT:       y(i) = w(i)
// CHECK-NEXT:     } else {
// CHECK-NEXT:       z(i) = w(i)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task either_at_blocks of family either_at(read-write f32[1] y, read-write f32[1] z, read f32[1] w, i32 n) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(w.extent(0), tile_i)) {
// CHECK-NEXT:     launch either_at(y[block i of tile_i], z[block i of tile_i], w[block i of tile_i], n)
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task within_blocks of family within(read-write f32[1] y, read-write f32[1] z, read f32[1] w) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   define y_1 = y[2 +: max(min(z.extent(0) - 1, y.extent(0)) - 2, 0)]
// CHECK-NEXT:   define z_1 = z[2 +: max(z.extent(0) - 3, 0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(z_1.extent(0), tile_i)) {
// CHECK-NEXT:     launch within_at(y_1[block i of tile_i], z_1[block i of tile_i], w, i32(i * tile_i) + 2)
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf within_at(read-write f32[1] y, read-write f32[1] z, read f32[1] w, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. z.extent(0)) {
// CHECK-NEXT:     if (w(0) > 0.0f) {
// CHECK-NEXT:       y(i) = f32(y.origin(0) + i64(i))
// CHECK-NEXT:       z(i) = f32(first_i + i)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task within_at_blocks of family within_at(read-write f32[1] y, read-write f32[1] z, read f32[1] w, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(z.extent(0), tile_i)) {
// CHECK-NEXT:     launch within_at(y[block i of tile_i], z[block i of tile_i], w, first_i + i32(i * tile_i))
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task layer_blocks of family layer(write f32[2] Y, read f32[2] X, read f32[2] W, read f32[1] b) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch layer(Y[block i of tile_i, block j of tile_j], X[block i of tile_i, all], W[all, block j of tile_j], b[block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task layer_parts of family layer(write f32[2] Y, read f32[2] X, read f32[2] W, read f32[1] b) at {{.*}} implied {
// CHECK-NEXT:   launch layer_1(Y, b)
// CHECK-NEXT:   launch layer_2(Y, X, W)
// CHECK-NEXT: }

// CHECK-LABEL: leaf layer_1(write f32[2] Y, read f32[1] b) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. Y.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. Y.extent(1)) {
// CHECK-NEXT:       Y(i, j) = b(j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf layer_2(read-write f32[2] Y, read f32[2] X, read f32[2] W) at {{.*}} implied {
// CHECK-NEXT:   let scale : f32 = 1.0f / f32(X.extent(1))
// CHECK-NEXT:   for (p : 0 .. X.extent(1)) {
// CHECK-NEXT:     for (k : 0 .. Y.extent(0)) {
// CHECK-NEXT:       for (l : 0 .. Y.extent(1)) {
// CHECK-NEXT:         Y(k, l) += scale * X(k, p) * W(p, l)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task layer_1_blocks of family layer_1(write f32[2] Y, read f32[1] b) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch layer_1(Y[block i of tile_i, block j of tile_j], b[block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task layer_2_blocks of family layer_2(read-write f32[2] Y, read f32[2] X, read f32[2] W) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   tunable tile_l = full
// CHECK-NEXT:   tunable tile_p = full
// CHECK-NEXT:   parallel for (k : 0 .. ceil_div(Y.extent(0), tile_k)) group 1 {
// CHECK-NEXT:     parallel for (l : 0 .. ceil_div(Y.extent(1), tile_l)) group 1 {
// CHECK-NEXT:       for (p : 0 .. ceil_div(X.extent(1), tile_p)) {
// CHECK-NEXT:         launch layer_2_at(Y[block k of tile_k, block l of tile_l], X[block k of tile_k, block p of tile_p], W[block p of tile_p, block l of tile_l], X.extent(1))
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf layer_2_at(read-write f32[2] Y, read f32[2] X, read f32[2] W, i64 X_extent1) at {{.*}} implied {
// CHECK-NEXT:   let scale : f32 = 1.0f / f32(X_extent1)
// CHECK-NEXT:   for (p : 0 .. X.extent(1)) {
// CHECK-NEXT:     for (k : 0 .. Y.extent(0)) {
// CHECK-NEXT:       for (l : 0 .. Y.extent(1)) {
// CHECK-NEXT:         Y(k, l) += scale * X(k, p) * W(p, l)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task layer_2_at_blocks of family layer_2_at(read-write f32[2] Y, read f32[2] X, read f32[2] W, i64 X_extent1) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   tunable tile_l = full
// CHECK-NEXT:   tunable tile_p = full
// CHECK-NEXT:   parallel for (k : 0 .. ceil_div(Y.extent(0), tile_k)) group 1 {
// CHECK-NEXT:     parallel for (l : 0 .. ceil_div(Y.extent(1), tile_l)) group 1 {
// CHECK-NEXT:       for (p : 0 .. ceil_div(X.extent(1), tile_p)) {
// CHECK-NEXT:         launch layer_2_at(Y[block k of tile_k, block l of tile_l], X[block k of tile_k, block p of tile_p], W[block p of tile_p, block l of tile_l], X_extent1)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task edged_parts of family edged(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   launch edged_1(Y, X)
// CHECK-NEXT:   launch edged_2(Y, X)
// CHECK-NEXT:   launch edged_3(Y, X)
// CHECK-NEXT: }

// CHECK-LABEL: leaf edged_1(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   Y(0, 0) = X(0, 0)
// CHECK-NEXT:   Y(Y.extent(0) - 1, 0) = X(Y.extent(0) - 1, 0)
// CHECK-NEXT: }

// CHECK-LABEL: leaf edged_2(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   for (j : 1 .. Y.extent(1)) {
// CHECK-NEXT:     Y(0, j) = X(0, j)
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf edged_3(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   for (i : 1 .. Y.extent(0)) {
// CHECK-NEXT:     for (j : 1 .. Y.extent(1)) {
// CHECK-NEXT:       Y(i, j) = X(i, j) - X(i - 1, j - 1)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task edged_2_blocks of family edged_2(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   define Y_1 = Y[all, 1 +: max(Y.extent(1) - 1, 0)]
// CHECK-NEXT:   define X_1 = X[all, 1 +: max(Y.extent(1) - 1, 0)]
// CHECK-NEXT:   parallel for (j : 0 .. ceil_div(Y_1.extent(1), tile_j)) {
// CHECK-NEXT:     launch edged_2_at(Y_1[all, block j of tile_j], X_1[all, block j of tile_j])
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf edged_2_at(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   for (j : 0 .. Y.extent(1)) {
// CHECK-NEXT:     Y(0, j) = X(0, j)
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task edged_2_at_blocks of family edged_2_at(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (j : 0 .. ceil_div(Y.extent(1), tile_j)) {
// CHECK-NEXT:     launch edged_2_at(Y[all, block j of tile_j], X[all, block j of tile_j])
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task edged_3_blocks of family edged_3(read-write f32[2] Y, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   define Y_1 = Y[1 +: max(Y.extent(0) - 1, 0), 1 +: max(Y.extent(1) - 1, 0)]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y_1.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y_1.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch edged_3_at(Y_1[block i of tile_i, block j of tile_j], X, i32(i * tile_i) + 1, i32(j * tile_j) + 1)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf edged_3_at(read-write f32[2] Y, read f32[2] X, i32 first_i, i32 first_j) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. Y.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. Y.extent(1)) {
// CHECK-NEXT:       Y(i, j) = X(first_i + i, first_j + j) - X(first_i + i - 1, first_j + j - 1)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task edged_3_at_blocks of family edged_3_at(read-write f32[2] Y, read f32[2] X, i32 first_i, i32 first_j) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(Y.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(Y.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch edged_3_at(Y[block i of tile_i, block j of tile_j], X, first_i + i32(i * tile_i), first_j + i32(j * tile_j))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
