//===- peers.h - libraries that experts wrote --------------------*- C++ -*-===//
//
// They are opened when the program runs: it builds without them, and several copies
// of one library, each with another setting, live side by side.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace septran::bench {

/// C = A * B, row-major, for A of m x k and B of k x n elements.
using sgemm = std::function<void(int m, int n, int k, const float *A, int lda, const float *B,
                                 int ldb, float *C, int ldc)>;

struct peer {
  std::string name;    ///< "oneDNN", "OpenBLAS/Haswell"
  std::string version; ///< in the library's own words
  std::string file;
  sgemm multiply;
  std::function<void(int)> set_threads;
};

/// oneDNN (dnnl.h: dnnl_sgemm). Throws std::runtime_error if the library cannot be used.
peer open_onednn(const std::string &path);

/// OpenBLAS (cblas.h: cblas_sgemm) with its kernels for the processor family `core`; for an empty
/// `core` it chooses itself. The library reads that choice once, when it is loaded, and the loader
/// loads a file once: so a copy of the file is loaded.
peer open_openblas(const std::string &path, const std::string &core);

} // namespace septran::bench
