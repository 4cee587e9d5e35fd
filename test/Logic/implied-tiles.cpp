// Sums that become a tensor where the logic cuts the loops of their leaf by itself, and where several loops add them up.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines --implicit-check-not='{{.*}}implied {'
#include <septran/septran.h>

using matrix = septran::tensor<float, 2>;
using const_matrix = septran::tensor<const float, 2>;

// The logic cuts by itself, and has no tile.
[[septran::leaf("cut")]] void cut_leaf([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float plus = 0, minus = 0;
      for (int k = 0; k < A.extent(1); ++k) {
        plus += A(i, k) * B(k, j);
        minus -= A(i, k);
      }
      C(i, j) = plus * minus;
    }
}
[[septran::task("cut")]] void cut([[septran::write]] matrix C, const_matrix A, const_matrix B) { cut_leaf(C, A, B); }

// Loops with the same bounds after each other are one; with others each is a leaf, of the sums that it adds to. A
// loop that reads what another one sums has to wait for it.
[[septran::leaf("cut")]] void twice([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float plus = 0;
      for (int k = 0; k < A.extent(1); ++k)
        plus += A(i, k);
      float minus = B(0, j);
      for (int l = 0; l < A.extent(1); ++l)
        minus -= B(l, j);
      C(i, j) = plus * minus;
    }
}
[[septran::leaf("cut")]] void apart([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float plus = 0, minus = 0;
      for (int k = 0; k < A.extent(1); ++k)
        plus += A(i, k);
      for (int l = 1; l < A.extent(1); ++l)
        minus -= B(l, j);
      C(i, j) = plus * minus;
    }
}
[[septran::leaf("cut")]] void centred([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float sum = 0, squares = 0;
      for (int k = 0; k < A.extent(1); ++k)
        sum += A(i, k);
      for (int l = 1; l < A.extent(1); ++l)
        squares += (B(l, j) - sum) * (B(l, j) - sum);
      C(i, j) = squares;
    }
}

// CHECK-LABEL: task cut_leaf_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local plus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   local minus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch cut_leaf_start(plus, minus)
// CHECK-NEXT:   launch cut_leaf_sum(plus, minus, A, B)
// CHECK-NEXT:   launch cut_leaf_finish(plus, minus, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf cut_leaf_start(write f32[2] plus, write f32[2] minus) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       plus(i, j) = 0.0f
// CHECK-NEXT:       minus(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf cut_leaf_sum(read-write f32[2] plus, read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         plus(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:         minus(i, j) -= A(i, k)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf cut_leaf_finish(read f32[2] plus, read f32[2] minus, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       let plus_1 : f32 = plus(i, j)
// CHECK-NEXT:       let minus_1 : f32 = minus(i, j)
// CHECK-NEXT:       C(i, j) = plus_1 * minus_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task cut_leaf_sum_blocks of family cut_leaf_sum(read-write f32[2] plus, read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(plus.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(plus.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch cut_leaf_sum(plus[block i of tile_i, block j of tile_j], minus[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task twice_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local plus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   local minus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch twice_start(plus, minus, B)
// CHECK-NEXT:   launch twice_sum(plus, minus, A, B)
// CHECK-NEXT:   launch twice_finish(plus, minus, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf twice_start(write f32[2] plus, write f32[2] minus, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       plus(i, j) = 0.0f
// CHECK-NEXT:       minus(i, j) = B(0, j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf twice_sum(read-write f32[2] plus, read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         plus(i, j) += A(i, k)
// CHECK-NEXT:         minus(i, j) -= B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf twice_finish(read f32[2] plus, read f32[2] minus, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       let plus_1 : f32 = plus(i, j)
// CHECK-NEXT:       let minus_1 : f32 = minus(i, j)
// CHECK-NEXT:       C(i, j) = plus_1 * minus_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task twice_sum_blocks of family twice_sum(read-write f32[2] plus, read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(plus.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(plus.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch twice_sum(plus[block i of tile_i, block j of tile_j], minus[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task apart_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local plus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   local minus : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch apart_start(plus, minus)
// CHECK-NEXT:   launch apart_sum_1(plus, A)
// CHECK-NEXT:   launch apart_sum_2(minus, A, B)
// CHECK-NEXT:   launch apart_finish(plus, minus, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf apart_start(write f32[2] plus, write f32[2] minus) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       plus(i, j) = 0.0f
// CHECK-NEXT:       minus(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf apart_sum_1(read-write f32[2] plus, read f32[2] A) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         plus(i, j) += A(i, k)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf apart_sum_2(read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. minus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. minus.extent(1)) {
// CHECK-NEXT:       for (l : 1 .. A.extent(1)) {
// CHECK-NEXT:         minus(i, j) -= B(l, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf apart_finish(read f32[2] plus, read f32[2] minus, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. plus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. plus.extent(1)) {
// CHECK-NEXT:       let plus_1 : f32 = plus(i, j)
// CHECK-NEXT:       let minus_1 : f32 = minus(i, j)
// CHECK-NEXT:       C(i, j) = plus_1 * minus_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task apart_sum_1_blocks of family apart_sum_1(read-write f32[2] plus, read f32[2] A) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(plus.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(plus.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch apart_sum_1(plus[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task apart_sum_2_blocks of family apart_sum_2(read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_l = full
// CHECK-NEXT:   define B_1 = B[1 +: max(A.extent(1) - 1, 0), all]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(minus.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(minus.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (l : 0 .. ceil_div(B_1.extent(0), tile_l)) {
// CHECK-NEXT:         launch apart_sum_2_at(minus[block i of tile_i, block j of tile_j], A, B_1[block l of tile_l, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf apart_sum_2_at(read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. minus.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. minus.extent(1)) {
// CHECK-NEXT:       for (l : 0 .. B.extent(0)) {
// CHECK-NEXT:         minus(i, j) -= B(l, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task apart_sum_2_at_blocks of family apart_sum_2_at(read-write f32[2] minus, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_l = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(minus.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(minus.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (l : 0 .. ceil_div(B.extent(0), tile_l)) {
// CHECK-NEXT:         launch apart_sum_2_at(minus[block i of tile_i, block j of tile_j], A, B[block l of tile_l, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
