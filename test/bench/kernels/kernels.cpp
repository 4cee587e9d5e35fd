#include "kernels/kernels.h"

namespace septran::bench {

std::vector<kernel> all_kernels(bool quick) {
  std::vector<kernel> all = {attention_kernel(quick), stencil_kernel(quick), digits_kernel(quick),
                             saxpy_kernel(quick), dot_kernel(quick)};
  for (const auto &family :
       {conv2d_kernels(quick), matmul_kernels(quick), product_kernels(quick), network_kernels(quick),
        norm_kernels(quick), elementwise_kernels(quick), data_parallel_kernels(quick)})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace septran::bench
