#include "kernels/kernels.h"

namespace septran::bench {

std::vector<kernel> all_kernels(bool quick) {
  return {matmul_kernel(quick),  attention_kernel(quick), conv2d_kernel(quick),
          stencil_kernel(quick), digits_kernel(quick),    softmax_kernel(quick),
          saxpy_kernel(quick),   dot_kernel(quick)};
}

} // namespace septran::bench
