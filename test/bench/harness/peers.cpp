#include "harness/peers.h"

#include "harness/module.h"
#include "peers/onednn/bytes.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace septran::bench {
namespace {

// The C functions as the libraries' headers declare them; enumerations are passed as int.
extern "C" {
// dnnl.h of oneDNN 2 and 3. Returns 0 for success. Matrices are row-major.
using dnnl_sgemm_function = int(char transa, char transb, std::int64_t m, std::int64_t n,
                                std::int64_t k, float alpha, const float *A, std::int64_t lda,
                                const float *B, std::int64_t ldb, float beta, float *C,
                                std::int64_t ldc);
struct dnnl_version_start { // what follows differs between versions
  int major, minor, patch;
};
using dnnl_version_function = const dnnl_version_start *();
using dnnl_get_effective_cpu_isa_function = int();

// cblas.h of OpenBLAS and BLIS, built with 32-bit integers as Debian's libopenblas0 and libblis4
// are.
using cblas_sgemv_function = void(int order, int trans, int m, int n, float alpha, const float *A,
                                  int lda, const float *x, int incx, float beta, float *y,
                                  int incy);
using openblas_set_num_threads_function = void(int);
using openblas_text_function = char *();

// blis.h of BLIS 0.9, whose dim_t has 64 bits.
using bli_thread_set_num_threads_function = void(std::int64_t);
using bli_init_function = void();
using bli_arch_query_id_function = int();
using bli_arch_string_function = char *(int);
using bli_info_get_version_str_function = char *();
}
// The types of functions of C and C++ are one and the same to the compilers in use.
template <class T>
using dnnl_gemm_x8s8s32_function = int(char transa, char transb, char offsetc, std::int64_t m,
                                       std::int64_t n, std::int64_t k, float alpha, const T *A,
                                       std::int64_t lda, T ao, const std::int8_t *B,
                                       std::int64_t ldb, std::int8_t bo, float beta,
                                       std::int32_t *C, std::int64_t ldc, const std::int32_t *co);
template <class T>
using cblas_gemm_function = void(int order, int transa, int transb, int m, int n, int k, T alpha,
                                 const T *A, int lda, const T *B, int ldb, T beta, T *C, int ldc);

constexpr int cblas_row_major = 101, cblas_no_trans = 111, cblas_trans = 112;

int cblas_op(bool transpose) { return transpose ? cblas_trans : cblas_no_trans; }
char dnnl_op(bool transpose) { return transpose ? 'T' : 'N'; }

template <class T> matrix_product<T> cblas_gemm(cblas_gemm_function<T> *multiply) {
  return [multiply](bool ta, bool tb, int m, int n, int k, const T *A, int lda, const T *B, int ldb,
                    T *C, int ldc) {
    multiply(cblas_row_major, cblas_op(ta), cblas_op(tb), m, n, k, 1, A, lda, B, ldb, 0, C, ldc);
  };
}

/// Offsets of A, B and C are none: that of C is one number ('F').
template <class T>
matrix_product<T, std::int32_t, std::int8_t>
dnnl_byte_product(dnnl_gemm_x8s8s32_function<T> *multiply, int isa) {
  return [multiply, isa](bool ta, bool tb, int m, int n, int k, const T *A, int lda,
                    const std::int8_t *B, int ldb, std::int32_t *C, int ldc) {
    onednn::require_exact_bytes(isa);
    const std::int32_t offset = 0;
    if (multiply(dnnl_op(ta), dnnl_op(tb), 'F', m, n, k, 1, A, lda, 0, B, ldb, 0, 0, C, ldc,
                 &offset) != 0)
      throw std::runtime_error("a product of bytes by oneDNN failed");
  };
}

/// A copy of a file, under a name of its own, until the end of the scope.
class temporary_copy {
public:
  explicit temporary_copy(const std::string &path) {
    auto name = (std::filesystem::temp_directory_path() / "septran-bench-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0)
      throw std::runtime_error("cannot create '" + name + "'");
    close(file);
    path_ = name;
    std::filesystem::copy_file(path, path_, std::filesystem::copy_options::overwrite_existing);
  }
  ~temporary_copy() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  temporary_copy(const temporary_copy &) = delete;
  temporary_copy &operator=(const temporary_copy &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// Set until the end of the scope, unless the value is empty.
class environment_variable {
public:
  environment_variable(const char *name, const std::string &value) : name_(name) {
    if (!value.empty())
      setenv(name, value.c_str(), 1);
  }
  ~environment_variable() { unsetenv(name_); }
  environment_variable(const environment_variable &) = delete;
  environment_variable &operator=(const environment_variable &) = delete;

private:
  const char *name_;
};

/// A copy of the library, which chooses its kernels by that variable.
library open_with(const std::string &path, const char *variable, const std::string &value) {
  const temporary_copy copy(std::filesystem::canonical(path).string());
  const environment_variable set(variable, value);
  return library(copy.path());
}

/// What cblas.h has; the rest is missing.
peer cblas_peer(const library &lib, const std::string &path) {
  auto *multiply_vector = lib.find<cblas_sgemv_function>("cblas_sgemv");
  return {
      .name = {},
      .version = {},
      .file = std::filesystem::canonical(path).string(),
      .multiply = cblas_gemm(lib.find<cblas_gemm_function<float>>("cblas_sgemm")),
      .multiply_f64 = cblas_gemm(lib.find<cblas_gemm_function<double>>("cblas_dgemm")),
      .multiply_vector =
          [multiply_vector](bool transpose, int m, int n, const float *A, int lda, const float *x,
                            float *y) {
            multiply_vector(cblas_row_major, cblas_op(transpose), m, n, 1, A, lda, x, 1, 0, y, 1);
          },
      .set_threads = {},
  };
}

} // namespace

peer open_onednn(const std::string &path) {
  const library lib(path);
  auto *multiply = lib.find<dnnl_sgemm_function>("dnnl_sgemm");
  const auto *version = lib.find<dnnl_version_function>("dnnl_version")();
  const int isa = lib.find<dnnl_get_effective_cpu_isa_function>("dnnl_get_effective_cpu_isa")();
  return {
      .name = "oneDNN",
      .version = std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
                 std::to_string(version->patch),
      .file = lib.file(),
      .multiply =
          [multiply](bool ta, bool tb, int m, int n, int k, const float *A, int lda, const float *B,
                     int ldb, float *C, int ldc) {
            if (multiply(dnnl_op(ta), dnnl_op(tb), m, n, k, 1, A, lda, B, ldb, 0, C, ldc) != 0)
              throw std::runtime_error("dnnl_sgemm failed");
          },
      .multiply_i8 = dnnl_byte_product(
          lib.find<dnnl_gemm_x8s8s32_function<std::int8_t>>("dnnl_gemm_s8s8s32"), isa),
      .multiply_u8s8 = dnnl_byte_product(
          lib.find<dnnl_gemm_x8s8s32_function<std::uint8_t>>("dnnl_gemm_u8s8s32"), isa),
      .set_threads = [](int) {}, // oneDNN asks OpenMP
  };
}

peer open_openblas(const std::string &path, const std::string &core) {
  const library lib = open_with(path, "OPENBLAS_CORETYPE", core);
  peer result = cblas_peer(lib, path);
  result.name =
      std::string("OpenBLAS/") + lib.find<openblas_text_function>("openblas_get_corename")();
  result.version = lib.find<openblas_text_function>("openblas_get_config")();
  result.set_threads = lib.find<openblas_set_num_threads_function>("openblas_set_num_threads");
  return result;
}

peer open_blis(const std::string &path, const std::string &arch) {
  const library lib = open_with(path, "BLIS_ARCH_TYPE", arch);
  // It reads the variable when it is first used.
  const environment_variable set("BLIS_ARCH_TYPE", arch);
  lib.find<bli_init_function>("bli_init")();
  const int chosen = lib.find<bli_arch_query_id_function>("bli_arch_query_id")();
  peer result = cblas_peer(lib, path);
  result.name =
      std::string("BLIS/") + lib.find<bli_arch_string_function>("bli_arch_string")(chosen);
  result.version = lib.find<bli_info_get_version_str_function>("bli_info_get_version_str")();
  result.set_threads = [set_threads = lib.find<bli_thread_set_num_threads_function>(
                            "bli_thread_set_num_threads")](int n) { set_threads(n); };
  return result;
}

} // namespace septran::bench
