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

// A further parameter that would hide one has another name.
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
// CHECK-NEXT:         if (C.origin(0) + i - (first_i + i) + (first_i + i) * 2 > C.origin(1) + i64(j)) {
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

// CHECK-LABEL: task shadowed_blocks of family shadowed(read-write f32[2] C, read f32[2] A, read f32[2] B, f32 first_i) at {{.*}} implied {
// CHECK:              launch shadowed_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first_i, i32(i * tile_i))

// CHECK-LABEL: leaf shadowed_at(read-write f32[2] C, read f32[2] A, read f32[2] B, f32 first_i, i32 first_i_2) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         C(i, j) += A(i, k) * B(k, j) * first_i * f32(first_i_2 + i)

// CHECK-LABEL: task shadowed_at_blocks of family shadowed_at(read-write f32[2] C, read f32[2] A, read f32[2] B, f32 first_i, i32 first_i_2) at {{.*}} implied {
// CHECK:              launch shadowed_at(C[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j], first_i, first_i_2 + i32(i * tile_i))

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
