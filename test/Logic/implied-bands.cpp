// Sums whose bounds move from row to row, as in a band of a matrix: what all rows of a tile have is a rectangle.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines --implicit-check-not='{{.*}}implied {'
#include <septran/septran.h>

#include <algorithm>

using matrix = septran::tensor<float, 2>;
using const_matrix = septran::tensor<const float, 2>;

// The logic cuts by itself, and has no tile.
[[septran::leaf("cut")]] void cut_leaf([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      C(i, j) = A(i, 0) * B(0, j);
}
[[septran::task("cut")]] void cut([[septran::write]] matrix C, const_matrix A, const_matrix B) { cut_leaf(C, A, B); }

// Of a loop whose bounds move from row to row all rows of a tile have a part, and some have one before it, or after it.
// Where they jump, there are no such parts.
[[septran::leaf("cut")]] void band([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float sum = 0;
      const int first = std::max(2 * i - 1, 0);
      for (int k = first; k < std::min(i + j, int(A.extent(1))); ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}
[[septran::leaf("cut")]] void falling([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float sum = 0;
      for (int k = 0; k < C.extent(0) - i; ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}
[[septran::leaf("cut")]] void jumping([[septran::write]] matrix C, const_matrix A, const_matrix B) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j) {
      float sum = 0;
      for (int k = 0; k < i % 3; ++k)
        sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
}

// CHECK-LABEL: task band_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local sum : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch band_start(sum)
// CHECK-NEXT:   launch band_sum_1(sum, A, B)
// CHECK-NEXT:   launch band_sum_2(sum, A, B)
// CHECK-NEXT:   launch band_sum_3(sum, A, B)
// CHECK-NEXT:   launch band_finish(sum, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_start(write f32[2] sum) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       sum(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_1(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(i * 2 - 1, 0) .. min(min(i + j, A.extent(1)), max(i32(sum.extent(0) - 1) * 2 - 1, 0))) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_2(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(i32(sum.extent(0) - 1) * 2 - 1, 0) .. min(A.extent(1), 0)) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_3(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(max(i32(sum.extent(0) - 1) * 2 - 1, min(A.extent(1), 0)), 0) .. min(i + j, A.extent(1))) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_finish(read f32[2] sum, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       let sum_1 : f32 = sum(i, j)
// CHECK-NEXT:       C(i, j) = sum_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_1_blocks of family band_sum_1(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch band_sum_1_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], i32(i * tile_i), i32(j * tile_j), sum.extent(0))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_1_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i32 first_j, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max((first_i + i) * 2 - 1, 0) .. min(min(first_i + i + (first_j + j), A.extent(1)), max(i32(sum_extent0 - 1) * 2 - 1, 0))) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_2_blocks of family band_sum_2(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   define A_1 = A[all, max(i32(sum.extent(0) - 1) * 2 - 1, 0) +: max(min(A.extent(1), 0) - max(i32(sum.extent(0) - 1) * 2 - 1, 0), 0)]
// CHECK-NEXT:   define B_1 = B[max(i32(sum.extent(0) - 1) * 2 - 1, 0) +: max(min(A.extent(1), 0) - max(i32(sum.extent(0) - 1) * 2 - 1, 0), 0), all]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A_1.extent(1), tile_k)) {
// CHECK-NEXT:         launch band_sum_2_at(sum[block i of tile_i, block j of tile_j], A_1[block i of tile_i, block k of tile_k], B_1[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_2_at(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_3_blocks of family band_sum_3(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch band_sum_3_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], i32(i * tile_i), i32(j * tile_j), sum.extent(0))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf band_sum_3_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i32 first_j, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(max(i32(sum_extent0 - 1) * 2 - 1, min(A.extent(1), 0)), 0) .. min(first_i + i + (first_j + j), A.extent(1))) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_1_at_blocks of family band_sum_1_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i32 first_j, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch band_sum_1_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], first_i + i32(i * tile_i), first_j + i32(j * tile_j), sum_extent0)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_2_at_blocks of family band_sum_2_at(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch band_sum_2_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task band_sum_3_at_blocks of family band_sum_3_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i32 first_j, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch band_sum_3_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], first_i + i32(i * tile_i) + i32(j * tile_j), first_j, sum_extent0)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task falling_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local sum : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch falling_start(sum)
// CHECK-NEXT:   launch falling_sum_1(sum, A, B)
// CHECK-NEXT:   launch falling_sum_2(sum, A, B)
// CHECK-NEXT:   launch falling_finish(sum, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_start(write f32[2] sum) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       sum(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_sum_1(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. sum.extent(0) - i32(sum.extent(0) - 1)) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_sum_2(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(sum.extent(0) - i32(sum.extent(0) - 1), 0) .. sum.extent(0) - i) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_finish(read f32[2] sum, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       let sum_1 : f32 = sum(i, j)
// CHECK-NEXT:       C(i, j) = sum_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task falling_sum_1_blocks of family falling_sum_1(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   define A_1 = A[all, 0 +: sum.extent(0) - i32(sum.extent(0) - 1)]
// CHECK-NEXT:   define B_1 = B[0 +: sum.extent(0) - i32(sum.extent(0) - 1), all]
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A_1.extent(1), tile_k)) {
// CHECK-NEXT:         launch falling_sum_1_at(sum[block i of tile_i, block j of tile_j], A_1[block i of tile_i, block k of tile_k], B_1[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_sum_1_at(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. A.extent(1)) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task falling_sum_2_blocks of family falling_sum_2(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch falling_sum_2_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], i32(i * tile_i), sum.extent(0))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf falling_sum_2_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : max(sum_extent0 - i32(sum_extent0 - 1), 0) .. sum_extent0 - (first_i + i)) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task falling_sum_1_at_blocks of family falling_sum_1_at(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   tunable tile_k = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       for (k : 0 .. ceil_div(A.extent(1), tile_k)) {
// CHECK-NEXT:         launch falling_sum_1_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, block k of tile_k], B[block k of tile_k, block j of tile_j])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task falling_sum_2_at_blocks of family falling_sum_2_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i, i64 sum_extent0) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch falling_sum_2_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], first_i + i32(i * tile_i), sum_extent0)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task jumping_tile of family cut(write f32[2] C, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   local sum : f32[C.extent(0), C.extent(1)]
// CHECK-NEXT:   launch jumping_start(sum)
// CHECK-NEXT:   launch jumping_sum(sum, A, B)
// CHECK-NEXT:   launch jumping_finish(sum, C)
// CHECK-NEXT: }

// CHECK-LABEL: leaf jumping_start(write f32[2] sum) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       sum(i, j) = 0.0f
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf jumping_sum(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. i % 3) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf jumping_finish(read f32[2] sum, write f32[2] C) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       let sum_1 : f32 = sum(i, j)
// CHECK-NEXT:       C(i, j) = sum_1
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task jumping_sum_blocks of family jumping_sum(read-write f32[2] sum, read f32[2] A, read f32[2] B) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch jumping_sum_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], i32(i * tile_i))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: leaf jumping_sum_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   for (i : 0 .. sum.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. sum.extent(1)) {
// CHECK-NEXT:       for (k : 0 .. (first_i + i) % 3) {
// CHECK-NEXT:         sum(i, j) += A(i, k) * B(k, j)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CHECK-LABEL: task jumping_sum_at_blocks of family jumping_sum_at(read-write f32[2] sum, read f32[2] A, read f32[2] B, i32 first_i) at {{.*}} implied {
// CHECK-NEXT:   tunable tile_i = full
// CHECK-NEXT:   tunable tile_j = full
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(sum.extent(0), tile_i)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(sum.extent(1), tile_j)) group 1 {
// CHECK-NEXT:       launch jumping_sum_at(sum[block i of tile_i, block j of tile_j], A[block i of tile_i, all], B[all, block j of tile_j], first_i + i32(i * tile_i))
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
