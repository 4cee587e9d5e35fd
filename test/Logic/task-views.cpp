// Partitions, windows and the other views, and how they combine.
// RUN: %septran-rewrite --print-tasks %s -- -std=c++20 | FileCheck %s --match-full-lines
#include <septran/septran.h>

template <class T> using vector = septran::tensor<T, 1>;
template <class T> using matrix = septran::tensor<T, 2>;
template <class T> using tensor4 = septran::tensor<T, 4>;

// CHECK-LABEL: leaf use(read-write f32[2] C, read f32[2] A) at {{.*/}}task-views.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. C.extent(0)) {
// CHECK-NEXT:     for (j : 0 .. C.extent(1)) {
// CHECK-NEXT:       C(i, j) += A(i, j)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
[[septran::leaf]] void use(matrix<float> C, matrix<const float> A) {
  for (int i = 0; i < C.extent(0); ++i)
    for (int j = 0; j < C.extent(1); ++j)
      C(i, j) += A(i, j);
}
// CHECK-LABEL: leaf use_row(read-write f32[1] c, read f32[1] a) at {{.*/}}task-views.cpp:{{[0-9]+}} {
// CHECK-NEXT:   for (i : 0 .. c.extent(0)) {
// CHECK-NEXT:     c(i) += a(i)
// CHECK-NEXT:   }
// CHECK-NEXT: }
[[septran::leaf]] void use_row(vector<float> c, vector<const float> a) {
  for (int i = 0; i < c.extent(0); ++i)
    c(i) += a(i);
}
// CHECK-LABEL: leaf use_element(read-write f32[0] c) at {{.*/}}task-views.cpp:{{[0-9]+}} {
// CHECK-NEXT:   c() = 0.0f
// CHECK-NEXT: }
[[septran::leaf]] void use_element(septran::tensor<float, 0> c) { c() = 0; }

// CHECK-LABEL: task blocks(read-write f32[2] C, read f32[2] A, i32 size) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   tunable tile = 8
// CHECK-NEXT:   let A_block : i64 = size + 1 <= 0 ? A.extent(0) : size + 1
// CHECK-NEXT:   for (i : 0 .. ceil_div(C.extent(0), tile)) {
// CHECK-NEXT:     launch use(C[block i of tile, all], A[block i of A_block, all])
// CHECK-NEXT:     launch use#1(C, A)
// CHECK-NEXT:     launch use#2(C[block i / 2 of tile, block 1 of C.extent(1)], A)
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Blocks; a block as large as the tensor is the whole dimension.
[[septran::task]] void blocks(matrix<float> C, matrix<const float> A, int size) {
  [[septran::tunable]] const int tile = 8;
  auto Cp = septran::partition(C, {tile, C.extent(1)});
  const auto Ap = septran::partition(A, {size + 1, -1});
  for (int i = 0; i < Cp.extent(0); ++i) {
    use(Cp(i, 0), Ap(i, septran::all));
    use(Cp(septran::all, 0), Ap(septran::all, 0));
    use(Cp(i / 2, 1), A);
  }
}

// CHECK-LABEL: task shapes(read-write f32[2] C, read f32[2] A) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), 4)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), 8)) group 1 {
// CHECK-NEXT:       launch use(C[block i of 4, block j of 8], A)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   parallel for (i_1 : 0 .. ceil_div(C.extent(0), 4)) {
// CHECK-NEXT:     launch use#1(C[block i_1 of 4, all], A)
// CHECK-NEXT:   }
// CHECK-NEXT:   parallel for (i_2 : 0 .. ceil_div(C.extent(0), 4)) group 2 {
// CHECK-NEXT:     parallel for (j_1 : 0 .. C.extent(1) / 8) group 2 {
// CHECK-NEXT:       launch use#2(C[block i_2 of 4, block j_1 of 8], A)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// The shapes of partitions, as loops and as lists.
[[septran::task]] void shapes(matrix<float> C, matrix<const float> A) {
  auto Cp = septran::partition(C, {4, 8});
  const auto shape = Cp.shape();
  auto extents = C.extents();
  for (auto [i, j] : septran::parallel(shape))
    use(Cp(i, j), A);
  for (auto [i] : septran::parallel(shape[0]))
    use(Cp(i, septran::all), A);
  for (auto [i, j] : septran::parallel(Cp.extent(0), extents[1] / 8))
    use(septran::partition(C, {4, 8})(i, j), A);
}

// CHECK-LABEL: task halos(read-write f32[2] C, read f32[2] A, f32 border) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   tunable th = 32
// CHECK-NEXT:   tunable tw = 64
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), th)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), tw)) group 1 {
// CHECK-NEXT:       launch use(C[block i of th, block j of tw], A[i * th - 1 +: min(th, A.extent(0) - i * th) + 2 halo(1, 1), j * tw - 2 +: min(tw, A.extent(1) - j * tw) + 4 halo(2, 2)] fill 0.0f)
// CHECK-NEXT:       launch use#1(C[block i of th, block j of tw], A[i * th - 1 +: min(th, A.extent(0) - i * th) + 1 halo(1, 0), j * tw +: min(tw, A.extent(1) - j * tw)] fill border)
// CHECK-NEXT:       launch use#2(C[block i of th, block j of tw], A[i * th +: min(th + 2, A.extent(0) - i * th), all])
// CHECK-NEXT:       define named = A[i * th - 1 +: min(th, A.extent(0) - i * th) + 2 halo(1, 1), -2 +: A.extent(1) + 4 halo(2, 2)] fill 0.0f
// CHECK-NEXT:       launch use#3(C[block i of th, block j of tw], named)
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Overlapping blocks with a halo; outside of the tensor they read the fill value.
[[septran::task]] void halos(matrix<float> C, matrix<const float> A, float border) {
  [[septran::tunable]] const int th = 32, tw = 64;
  auto Cp = septran::partition(C, {th, tw});
  auto zero = septran::windows(A, {th, tw}, {th, tw}, {1, 2}, {1, 2});
  auto given = septran::windows(A, {th, tw}, {th, tw}, {1, 0}, {0, 0}, border);
  auto inside = septran::windows(A, {th + 2, A.extent(1)}, {th, A.extent(1)}, {0, 0}, {0, 0});
  for (auto [i, j] : septran::parallel(Cp.shape())) {
    use(Cp(i, j), zero(i, j));
    use(Cp(i, j), given(i, j));
    use(Cp(i, j), inside(i, 0));
    auto named = zero(i, septran::all);
    use(Cp(i, j), named);
  }
}

// CHECK-LABEL: task dimensions(read-write f32[4] C, read f32[4] A, read f32[1] v) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   parallel for (b : 0 .. C.extent(0)) group 1 {
// CHECK-NEXT:     parallel for (h : 0 .. C.extent(1)) group 1 {
// CHECK-NEXT:       define Cb = C[at b, at h, all, all]
// CHECK-NEXT:       define Ab = A[at b, at h, all, all]
// CHECK-NEXT:       launch use(Cb, Ab)
// CHECK-NEXT:       launch use#1(Cb, Ab[all, all] -> (1, 0))
// CHECK-NEXT:       launch use#2(Cb[all, all] -> (1, 0), Ab)
// CHECK-NEXT:       launch use#3(Cb, v[all] -> (new Cb.extent(0), 0))
// CHECK-NEXT:       launch use#4(Cb, reshape(v, Cb.extent(0), Cb.extent(1)))
// CHECK-NEXT:       launch use_row(Cb[at 0, all], v)
// CHECK-NEXT:       launch use_row#1(Cb[at 2, all], v)
// CHECK-NEXT:       launch use_element(Cb[at 1, at 2])
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Dimensions fixed, exchanged, repeated and merged.
[[septran::task]] void dimensions(tensor4<float> C, tensor4<const float> A, vector<const float> v) {
  for (auto [b, h] : septran::parallel(C.extent(0), C.extent(1))) {
    auto Cb = septran::subtensor(C, b, h, septran::all, septran::all);
    const auto Ab = septran::subtensor(A, b, h, septran::all, septran::all);
    use(Cb, Ab);
    use(Cb, septran::transpose(Ab));
    use(septran::transpose(Cb), Ab);
    use(Cb, septran::broadcast(v, {Cb.extent(0), v.extent(0)}));
    use(Cb, septran::reshape(v, {Cb.extent(0), Cb.extent(1)}));
    use_row(septran::subtensor(Cb, 0, septran::all), v);
    use_row(septran::subtensor(septran::transpose(Cb), septran::all, 2), v);
    use_element(septran::subtensor(Cb, 1, 2));
  }
}

// CHECK-LABEL: task nested(read-write f32[4] C, read f32[4] A, read f32[1] v) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   parallel for (b : 0 .. C.extent(0)) group 1 {
// CHECK-NEXT:     parallel for (h : 0 .. C.extent(1)) group 1 {
// CHECK-NEXT:       parallel for (i : 0 .. ceil_div(C.extent(2), 16)) group 1 {
// CHECK-NEXT:         launch use(C[at b, at h, block i of 16, all], A[at b, at h, block i of 16, all])
// CHECK-NEXT:         define C_1 = C[at b, at h, block i of 16, all]
// CHECK-NEXT:         define v_1 = reshape(v, 8, 8)
// CHECK-NEXT:         launch use#1(C_1[block 1 of 4, block 2 of 4], v_1[block 0 of 4, block 1 of 4])
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Views of views: one view where that can be said, a named one in between where not.
[[septran::task]] void nested(tensor4<float> C, tensor4<const float> A, vector<const float> v) {
  auto Cp = septran::partition(C, {1, 1, 16, C.extent(3)});
  auto Ap = septran::partition(A, {1, 1, 16, A.extent(3)});
  for (auto [b, h, i] : septran::parallel(Cp.extent(0), Cp.extent(1), Cp.extent(2))) {
    use(septran::subtensor(Cp(b, h, i, 0), 0, 0, septran::all, septran::all),
        septran::subtensor(Ap(b, h, i, 0), 0, 0, septran::all, septran::all));
    auto inner = septran::partition(septran::subtensor(Cp(b, h, i, 0), 0, 0, septran::all, septran::all), {4, 4});
    use(inner(1, 2), septran::partition(septran::reshape(v, {8, 8}), {4, 4})(0, 1));
  }
}

// CHECK-LABEL: task positions(read-write f32[2] C, read f32[2] A) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   parallel for (i : 0 .. ceil_div(C.extent(0), 16)) group 1 {
// CHECK-NEXT:     parallel for (j : 0 .. ceil_div(C.extent(1), 16)) group 1 {
// CHECK-NEXT:       define Cb = C[block i of 16, block j of 16]
// CHECK-NEXT:       let diagonal : bool = Cb.origin(0) == Cb.origin(1)
// CHECK-NEXT:       if (diagonal) {
// CHECK-NEXT:         local x : f32[Cb.extent(0), Cb.extent(1)]
// CHECK-NEXT:         local y : f32[min(C.extent(0) - i * 16, 16) + 1]
// CHECK-NEXT:         local z : f32[Cb.extent(0) * Cb.extent(1)]
// CHECK-NEXT:         launch fill(x, f32(C.origin(0) + i * 16))
// CHECK-NEXT:         launch fill#1(y, 2.0f)
// CHECK-NEXT:         launch fill#2(z, f32(min(C.extent(1), 16)))
// CHECK-NEXT:         launch use(x, A)
// CHECK-NEXT:         launch use#1(Cb, x)
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
/// Sizes and positions of blocks, and locals made from them.
[[septran::task]] void positions(matrix<float> C, matrix<const float> A) {
  auto Cp = septran::partition(C, {16, 16});
  for (auto [i, j] : septran::parallel(Cp.shape())) {
    auto Cb = Cp(i, j);
    const bool diagonal = Cb.origin(0) == Cb.origin(1);
    if (!diagonal)
      continue;
    septran::local<float, 2> x(Cb.extents());
    septran::local<float, 1> y({Cp(i, j).extent(0) + 1}), z{Cb.size()};
    septran::fill(x, float(Cp(i, j).origin(0)));
    septran::fill(y, float(Cb.rank()));
    septran::fill(z, float(Cp(0, 0).extents()[1]));
    use(x, A);
    use(Cb, x);
  }
}

// CHECK-LABEL: task known(read-write f32[2] C, read f32[1] v, i32 m, i32 n) at {{.*/}}task-views.cpp:{{[0-9]+}}, entry {
// CHECK-NEXT:   local x : f32[m, n]
// CHECK-NEXT:   define V = reshape(v, m, n)
// CHECK-NEXT:   launch fill(x, 0.0f)
// CHECK-NEXT:   launch use(x[block 1 of 4, all], V[block 1 of 4, all])
// CHECK-NEXT:   launch use#1(C, x[all, all])
// CHECK-NEXT: }
/// A block size that is the extent of a local or view by its definition.
[[septran::task]] void known(matrix<float> C, vector<const float> v, int m, int n) {
  septran::local<float, 2> x({m, n});
  auto V = septran::reshape(v, {m, n});
  auto Xp = septran::partition(x, {4, n});
  auto Vp = septran::partition(V, {4, n});
  septran::fill(x, 0);
  use(Xp(1, 0), Vp(1, 0));
  use(C, septran::broadcast(x, {m, n}));
}
