// What the compiler adds to the families of leaves whose loops the logic does not cut.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines --implicit-check-not='{{.*}}implied {'
#include <septran/septran.h>

#include <cmath>

using vector = septran::tensor<float, 1>;
using matrix = septran::tensor<float, 2>;
using const_vector = septran::tensor<const float, 1>;
using const_matrix = septran::tensor<const float, 2>;

[[septran::leaf]] void product(matrix C, const_matrix A, const_matrix B) {
  for (int k = 0; k < A.extent(1); ++k)
    for (int i = 0; i < C.extent(0); ++i)
      for (int j = 0; j < C.extent(1); ++j)
        C(i, j) += A(i, k) * B(k, j);
}

// Numbers of iterations count from the origin, which blocks move.
[[septran::leaf]] void masked(matrix S, const_matrix Q, const_matrix K, float scale, int width) {
  for (int i = 0; i < S.extent(0); ++i)
    for (int j = 0; j < S.extent(1); ++j) {
      float sum = 0;
      for (int d = 0; d < Q.extent(1); ++d)
        sum += Q(i, d) * K(j, d);
      const int gap = int(S.origin(0)) + i - int(S.origin(1)) - j;
      S(i, j) = gap < 0 || gap > width ? S(i, j) : sum * scale;
    }
}

// The loops that select what is written can be cut, of others the outermost.
[[septran::leaf]] void contract(vector y, septran::tensor<const float, 3> A, const_matrix B) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int k = 0; k < A.extent(1); ++k)
      for (int l = 0; l < A.extent(2); ++l)
        y(i) += A(i, k, l) * B(k, l);
}

// Blocks change what this computes from, numbers of iterations and extents: it is told.
[[septran::leaf]] void numbered(matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j) * float(i) / float(B.extent(1) + k);
}

// A dimension that is walked, and read at one place too; and one that is walked from elsewhere. They
// stay whole.
[[septran::leaf]] void pivoted(matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j) - A(0, k) * B(k + 1, j);
}

// Indices that are sums, conditions, and a dimension that two loops walk.
[[septran::leaf]] void convolve([[septran::write]] matrix Y, const_matrix X, septran::tensor<const float, 3> W,
                                int stride, int pad) {
  for (int o = 0; o < Y.extent(0); ++o)
    for (int x = 0; x < Y.extent(1); ++x) {
      float sum = 0;
      for (int c = 0; c < X.extent(0); ++c)
        for (int r = 0; r < W.extent(2); ++r) {
          const int at = stride * x + r - pad;
          if (at >= 0 && at < X.extent(1))
            sum += W(o, c, r) * X(c, at);
        }
      Y(o, x) = sum;
    }
}
[[septran::leaf]] void gram(matrix G, const_matrix X) {
  for (int a = 0; a < G.extent(0); ++a)
    for (int b = 0; b < G.extent(1); ++b)
      for (int i = 0; i < X.extent(0); ++i)
        G(a, b) += X(i, a) * X(i, b);
}

// Positions in the whole from the origin and, where that is not enough, from an argument too.
[[septran::leaf]] void decayed(matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        if (C.origin(0) + 2 * i > C.origin(1) + j)
          C(i, j) += A(i, k) * B(k, j);
}

// The leaf has the parameter that says where a block begins. No other sum may name it.
[[septran::leaf]] void counted(matrix C, const_matrix A, const_matrix B, int first, int last) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += 2 * (first + i) < last ? A(i, k) * B(k, j) : float((first + i) * first);
}
[[septran::leaf]] void told(matrix C, const_matrix A, const_matrix B, int first, int last) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += 2 * (first + i) < last ? A(i, k) * B(k, j) : float((first + i) * last);
}

// The further parameter would hide one.
[[septran::leaf]] void shadowed(matrix C, const_matrix A, const_matrix B, float first_i) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j) * first_i * float(i);
}

// Nothing is used again, or nothing is summed.
[[septran::leaf]] void scaled(matrix C, const_matrix A, const_vector b) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      C(i, j) = A(i, j) * b(j);
}
[[septran::leaf]] void row_norms(vector n, const_matrix A) {
  for (int i = 0; i < n.extent(0); ++i) {
    float sum = 0;
    for (int j = 0; j < A.extent(1); ++j)
      sum += A(i, j) * A(i, j);
    n(i) = std::sqrt(sum);
  }
}

// Launched for whole tensors: cores can share what gives nothing to use again, if its blocks are
// independent.
[[septran::leaf]] void shared(matrix C, const_matrix A, const_vector b) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      C(i, j) = A(i, j) * b(j);
}
[[septran::leaf]] void prefixes(matrix C) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 1; j < C.extent(1); ++j)
      C(i, j) += C(i, j - 1);
}
[[septran::leaf]] void chained(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) += i > 0 ? x(i - 1) : 0.0f;
}
[[septran::leaf]] void parts(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) *= 2;
}
[[septran::task]] void whole(matrix C, const_matrix A, vector b) {
  for (int step = 0; step < 3; ++step) {
    shared(C, A, b);
    prefixes(C);
  }
  chained(b);
  auto bp = septran::partition(b, {64});
  for (auto [i] : septran::parallel(bp.shape()))
    parts(bp(i));
}

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

// A mapping could not tell this sum from the argument.
[[septran::leaf]] void hidden([[septran::write]] matrix C, const_matrix A, const_matrix B, const_vector sum) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      const float first = sum(0);
      {
        float sum = first;
        for (int k = 0; k < A.extent(1); ++k)
          sum += A(i, k) * B(k, j);
        C(i, j) = sum;
      }
    }
}

// What is written last is read before: the parts of all elements cannot be put together.
[[septran::leaf]] void relaxed(vector x, const_matrix A, const_vector b) {
  for (int i = 0; i < x.extent(0); ++i) {
    float sum = b(i);
    for (int j = 0; j < A.extent(1); ++j)
      sum -= A(i, j) * x(j);
    x(i) = sum;
  }
}

// The logic has its own.
[[septran::leaf("mine")]] void mine_leaf(matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::task("mine")]] void mine(matrix C, const_matrix A, const_matrix B) { mine_leaf(C, A, B); }

// A name that is taken.
[[septran::leaf]] void taken(matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      for (int k = 0; k < A.extent(1); ++k)
        C(i, j) += A(i, k) * B(k, j);
}
[[septran::leaf]] void taken_blocks(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) = 0;
}

// Of parts that need each other one has a name that is taken.
[[septran::leaf]] void partly([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float total = 0;
      for (int k = 0; k < A.extent(1); ++k)
        total += A(i, k) * B(k, j);
      C(i, j) = total;
    }
}
[[septran::leaf]] void partly_sum(vector x) {
  for (int i = 0; i < x.extent(0); ++i)
    x(i) = 0;
}


// CHECK-LABEL: task product_blocks of family product(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch product(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task masked_blocks of family masked(read-write f32[2] S, read f32[2] Q, read f32[2] K, f32 scale, i32 width) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(S.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(S.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch masked(S[block i of tile_i, block j of tile_j], Q[block i of tile_i, all], K[block j of tile_j, all], scale, width)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task masked_tile of family masked(read-write f32[2] S, read f32[2] Q, read f32[2] K, f32 scale, i32 width) at {{.*}} implied {
// CHECK-NEXT:   local sum : f32[S.extent(0), S.extent(1)]
// CHECK-NEXT:   launch masked_start(sum)
// CHECK-NEXT:   launch masked_sum(sum, Q, K)
// CHECK-NEXT:   launch masked_finish(sum, S, scale, width)
// CHECK-NEXT: }

// CHECK-LABEL: leaf masked_start(write f32[2] sum) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       sum(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf masked_sum(read-write f32[2] sum, read f32[2] Q, read f32[2] K) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (d : 0 .. Q.extent(1)) {
// CHECK-NEXT:         sum(i, j) += Q(i, d) * K(j, d)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf masked_finish(read f32[2] sum, read-write f32[2] S, f32 scale, i32 width) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       let sum_1 : f32 = sum(i, j)
// CHECK-NEXT:       S(i, j) = S.origin(0) + i - S.origin(1) - j < 0 || S.origin(0) + i - S.origin(1) - j > width ? S(i, j) : sum_1 * scale
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task masked_sum_blocks of family masked_sum(read-write f32[2] sum, read f32[2] Q, read f32[2] K) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_d = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (d : 0 .. ceil_div(Q.extent(1), tile_d)) {
// CHECK-NEXT:         launch masked_sum(sum[block i of tile_i, block j of tile_j], Q[block i of tile_i, block d of tile_d], K[block j of tile_j, block d of tile_d])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task contract_blocks of family contract(read-write f32[1] y, read f32[3] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(y.extent(0), tile_i)) {
// CHECK-NEXT:     for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:       launch contract(y[block i of tile_i], A[block i of tile_i, block k of tile_k, all], B[block k of tile_k, all])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task numbered_blocks of family numbered(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch numbered_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], i32(i * tile_i), i32(k * tile_k), B.extent(1))

// CHECK-LABEL: leaf numbered_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i, i32 first_k, i64 B_extent1) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += A(i, k) * B(k, j) * f32(first_i + i) / f32(B_extent1 + i64(first_k + k))

// CHECK-LABEL: task numbered_at_blocks of family numbered_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i, i32 first_k, i64 B_extent1) at {{.*}} implied {
// CHECK:              launch numbered_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first_i + i32(i * tile_i), first_k + i32(k * tile_k), B_extent1)

// CHECK-LABEL: task pivoted_blocks of family pivoted(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch pivoted_at(C[block i of tile_i, block j of tile_j], A[all, block k of tile_k], B[all, block j of tile_j], i32(i * tile_i), i32(k * tile_k))

// CHECK-LABEL: leaf pivoted_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i, i32 first_k) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += A(first_i + i, k) * B(first_k + k, j) - A(0, k) * B(first_k + k + 1, j)

// CHECK-LABEL: task pivoted_at_blocks of family pivoted_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i, i32 first_k) at {{.*}} implied {
// CHECK:              launch pivoted_at(C[block i of tile_i, block j of tile_j], A[all, block k of tile_k], B[all, block j of tile_j], first_i + i32(i * tile_i), first_k + i32(k * tile_k))

// CHECK-LABEL: task convolve_blocks of family convolve(write f32[2] Y, read f32[2] X, read f32[3] W, i32 stride, i32 pad) at {{.*}} implied {
// CHECK:            launch convolve_at(Y[block o of tile_o, block x of tile_x], X, W[block o of tile_o, all, all], stride, pad, i32(x * tile_x))

// CHECK-LABEL: leaf convolve_at(write f32[2] Y, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:                if (stride * (first_x + x) + r - pad >= 0 && stride * (first_x + x) + r - pad < X.extent(1)) {
// CHECK:                  sum += W(o, c, r) * X(c, stride * (first_x + x) + r - pad)
// CHECK:            Y(o, x) = sum

// CHECK-LABEL: task convolve_at_blocks of family convolve_at(write f32[2] Y, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:            launch convolve_at(Y[block o of tile_o, block x of tile_x], X, W[block o of tile_o, all, all], stride, pad, first_x + i32(x * tile_x))

// CHECK-LABEL: task convolve_at_tile of family convolve_at(write f32[2] Y, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:        launch convolve_at_start(sum)
// CHECK:        launch convolve_at_sum(sum, X, W, stride, pad, first_x)
// CHECK:        launch convolve_at_finish(sum, Y)

// CHECK-LABEL: leaf convolve_at_start(write f32[2] sum) at {{.*}} implied {
// CHECK:            sum(o, x) = 0.0f

// CHECK-LABEL: leaf convolve_at_sum(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:                if (stride * (first_x + x) + r - pad >= 0 && stride * (first_x + x) + r - pad < X.extent(1)) {
// CHECK:                  sum(o, x) += W(o, c, r) * X(c, stride * (first_x + x) + r - pad)

// CHECK-LABEL: leaf convolve_at_finish(read f32[2] sum, write f32[2] Y) at {{.*}} implied {
// CHECK:            let sum_1 : f32 = sum(o, x)
// CHECK:            Y(o, x) = sum_1

// CHECK-LABEL: task convolve_at_sum_blocks of family convolve_at_sum(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:              launch convolve_at_sum(sum[block o of tile_o, block x of tile_x], X[block c of tile_c, all], W[block o of tile_o, block c of tile_c, all], stride, pad, first_x + i32(x * tile_x))

// CHECK-LABEL: task convolve_tile of family convolve(write f32[2] Y, read f32[2] X, read f32[3] W, i32 stride, i32 pad) at {{.*}} implied {
// CHECK:        launch convolve_start(sum)
// CHECK:        launch convolve_sum(sum, X, W, stride, pad)
// CHECK:        launch convolve_finish(sum, Y)

// CHECK-LABEL: leaf convolve_start(write f32[2] sum) at {{.*}} implied {
// CHECK:            sum(o, x) = 0.0f

// CHECK-LABEL: leaf convolve_sum(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad) at {{.*}} implied {
// CHECK:                if (stride * x + r - pad >= 0 && stride * x + r - pad < X.extent(1)) {
// CHECK:                  sum(o, x) += W(o, c, r) * X(c, stride * x + r - pad)

// CHECK-LABEL: leaf convolve_finish(read f32[2] sum, write f32[2] Y) at {{.*}} implied {
// CHECK:            let sum_1 : f32 = sum(o, x)
// CHECK:            Y(o, x) = sum_1

// CHECK-LABEL: task convolve_sum_blocks of family convolve_sum(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad) at {{.*}} implied {
// CHECK:              launch convolve_sum_at(sum[block o of tile_o, block x of tile_x], X[block c of tile_c, all], W[block o of tile_o, block c of tile_c, all], stride, pad, i32(x * tile_x))

// CHECK-LABEL: leaf convolve_sum_at(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:                if (stride * (first_x + x) + r - pad >= 0 && stride * (first_x + x) + r - pad < X.extent(1)) {
// CHECK:                  sum(o, x) += W(o, c, r) * X(c, stride * (first_x + x) + r - pad)

// CHECK-LABEL: task convolve_sum_at_blocks of family convolve_sum_at(read-write f32[2] sum, read f32[2] X, read f32[3] W, i32 stride, i32 pad, i32 first_x) at {{.*}} implied {
// CHECK:              launch convolve_sum_at(sum[block o of tile_o, block x of tile_x], X[block c of tile_c, all], W[block o of tile_o, block c of tile_c, all], stride, pad, first_x + i32(x * tile_x))

// CHECK-LABEL: task gram_blocks of family gram(read-write f32[2] G, read f32[2] X) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_a = full
// CHECK-NEXT:   tunable tile_b = full
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   parallel for (a : 0 .. ceil_div(G.extent(0), tile_a)) group 1 {
// CHECK-NEXT:     parallel for (b : 0 .. ceil_div(G.extent(1), tile_b)) group 1 {
// CHECK-NEXT:       for (i : 0 .. ceil_div(X.extent(0), tile_i)) {
// CHECK-NEXT:         launch gram_at(G[block a of tile_a, block b of tile_b], X[block i of tile_i, all], i32(a * tile_a), i32(b * tile_b))

// CHECK-LABEL: leaf gram_at(read-write f32[2] G, read f32[2] X, i32 first_a, i32 first_b) at {{.*}} implied {
// CHECK-NEXT:   for (a : 0 .. G.extent(0)) {
// CHECK-NEXT:     for (b : 0 .. G.extent(1)) {
// CHECK-NEXT:       for (i : 0 .. X.extent(0)) {
// CHECK-NEXT:         G(a, b) += X(i, first_a + a) * X(i, first_b + b)

// CHECK-LABEL: task gram_at_blocks of family gram_at(read-write f32[2] G, read f32[2] X, i32 first_a, i32 first_b) at {{.*}} implied {
// CHECK:              launch gram_at(G[block a of tile_a, block b of tile_b], X[block i of tile_i, all], first_a + i32(a * tile_a), first_b + i32(b * tile_b))

// CHECK-LABEL: task decayed_blocks of family decayed(read-write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch decayed_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], i32(i * tile_i))

// CHECK-LABEL: leaf decayed_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         if (C.origin(0) + i - (first_i + i) + i64((first_i + i) * 2) > C.origin(1) + i64(j)) {
// CHECK-NEXT:           C(i, j) += A(i, k) * B(k, j)

// CHECK-LABEL: task decayed_at_blocks of family decayed_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first_i) at {{.*}} implied {
// CHECK:              launch decayed_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first_i + i32(i * tile_i))

// CHECK-LABEL: task counted_blocks of family counted(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first, i32 last) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch counted_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first, last, i32(i * tile_i))

// CHECK-LABEL: leaf counted_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first, i32 last, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += (first + (first_i + i)) * 2 < last ? A(i, k) * B(k, j) : f32((first + (first_i + i)) * first)

// CHECK-LABEL: task counted_at_blocks of family counted_at(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first, i32 last, i32 first_i) at {{.*}} implied {
// CHECK:              launch counted_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first, last, first_i + i32(i * tile_i))

// CHECK-LABEL: task told_blocks of family told(read-write f32[2] C, read f32[2] A, read f32[2] B, i32 first, i32 last) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch told(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first + i32(i * tile_i), last)

// CHECK-LABEL: task shared_blocks of family shared(read-write f32[2] C, read f32[2] A, read f32[1] b) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch shared(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block j of tile_j], b[block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task prefixes_blocks of family prefixes(read-write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) {
// CHECK-NEXT:     launch prefixes(C[block i of tile_i, all])
// CHECK-NEXT:   }
// CHECK-NEXT: }

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

// CHECK-LABEL: task hidden_blocks of family hidden(write f32[2] C, read f32[2] A, read f32[2] B, read f32[1] sum) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch hidden(C[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], sum)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task partly_blocks of family partly(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch partly(C[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
