//===- peers.h - libraries that experts wrote --------------------*- C++ -*-===//
//
// They are opened when the program runs: it builds without them, and several copies
// of one library, each with another setting, live side by side.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace septran::bench {

/// C = op(A) * op(B), row-major, for op(A) of m x k and op(B) of k x n elements. op is the matrix
/// itself, or, with `transpose`, the transposed one: then lda or ldb belongs to what lies in
/// memory.
template <class Element, class Sum = Element, class Right = Element>
using matrix_product =
    std::function<void(bool transpose_a, bool transpose_b, int m, int n, int k, const Element *A,
                       int lda, const Right *B, int ldb, Sum *C, int ldc)>;

/// y = op(A) * x, row-major, for A of m x n elements.
using matrix_times_vector = std::function<void(bool transpose, int m, int n, const float *A,
                                               int lda, const float *x, float *y)>;

/// A function that is empty is one that the library lacks.
struct peer {
  std::string name;    ///< "oneDNN", "OpenBLAS/Haswell"
  std::string version; ///< in the library's own words
  std::string file;
  matrix_product<float> multiply;
  matrix_product<double> multiply_f64 = {};
  matrix_product<std::int8_t, std::int32_t> multiply_i8 = {};
  matrix_product<std::uint8_t, std::int32_t, std::int8_t> multiply_u8s8 = {};
  matrix_times_vector multiply_vector = {};
  std::function<void(int)> set_threads;
};

/// oneDNN (dnnl.h: dnnl_sgemm, dnnl_gemm_s8s8s32, dnnl_gemm_u8s8s32). Throws std::runtime_error if
/// the library cannot be used.
peer open_onednn(const std::string &path);

/// OpenBLAS (cblas.h: cblas_sgemm, cblas_dgemm, cblas_sgemv) with its kernels for the processor
/// family `core`; for an empty `core` it chooses itself. The library reads that choice once, and
/// the loader loads a file once: so a copy of the file is loaded.
peer open_openblas(const std::string &path, const std::string &core);

/// BLIS (the same functions of its cblas.h) with its kernels for the processor family of that
/// number in `BLIS_ARCH_TYPE`, as open_openblas does.
peer open_blis(const std::string &path, const std::string &arch);

} // namespace septran::bench
