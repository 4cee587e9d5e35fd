// Products of matrices by oneDNN's primitive: B is packed once, as weights are.
#include "matmul/matmul.h"
#include "onednn/bytes.h"
#include "onednn/product.h"

using namespace onednn;

template <class Sum, class Left, class Right>
static void multiply(const matrix<Sum> &C, const matrix<const Left> &A,
                     const matrix<const Right> &B) {
  static prepared calls;
  calls.run([&](sequence &all) { add_product(all, view_of(C), view_of(A), view_of(B)); }, C, A, B);
}

void matmul(matrix<float> C, matrix<const float> A, matrix<const float> B) { multiply(C, A, B); }
void matmul_f16(matrix<septran::float16> C, matrix<const septran::float16> A,
                septran::constant<septran::float16, 2> B) {
  multiply(C, A, B);
}
void matmul_bf16(matrix<septran::bfloat16> C, matrix<const septran::bfloat16> A,
                 septran::constant<septran::bfloat16, 2> B) {
  multiply(C, A, B);
}
void matmul_i8(matrix<std::int32_t> C, matrix<const std::int8_t> A,
               septran::constant<std::int8_t, 2> B) {
  require_exact_bytes(int(dnnl::get_effective_cpu_isa()));
  multiply(C, A, B);
}
void matmul_u8s8(matrix<std::int32_t> C, matrix<const std::uint8_t> A,
                 septran::constant<std::int8_t, 2> B) {
  require_exact_bytes(int(dnnl::get_effective_cpu_isa()));
  multiply(C, A, B);
}
void matmul_nt(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  multiply(C, A, septran::transpose(B));
}
void matmul_tn(matrix<float> C, matrix<const float> A, matrix<const float> B) {
  multiply(C, septran::transpose(A), B);
}
void matmul_weights(matrix<float> C, matrix<const float> A, septran::constant<float, 2> B) {
  multiply(C, A, B);
}
