// Root-mean-square normalisation: oneDNN's layer normalisation by a mean of zero, and by the mean
// square, that a reduction computes, in place of the variance.
#include "rmsnorm/rmsnorm.h"
#include "onednn/normalise.h"
#include "onednn/reduce.h"

#include <algorithm>
#include <bit>

using namespace onednn;

void rmsnorm(matrix<float> Y, matrix<const float> X, vector<const float> weight, float epsilon) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        const auto rows = X.extent(0);
        const memory squares = buffer(plain({rows, 1})), zero = buffer(plain({rows}));
        std::fill_n(static_cast<float *>(zero.get_data_handle()), rows, 0.0f);
        dnnl::post_ops mean;
        mean.append_eltwise(1, dnnl::algorithm::eltwise_linear, 1.0f / float(X.extent(1)), 0);
        add_reduction(all, squares, view_of(X), dnnl::algorithm::reduction_norm_lp_power_p_sum,
                      mean);
        const memory variance(plain({rows}), processor(), squares.get_data_handle());
        using flags = dnnl::normalization_flags;
        add_layer_norm(all, view_of(Y), view_of(X), epsilon,
                       flags::use_scale | flags::use_global_stats,
                       {{DNNL_ARG_SCALE, view_of(weight)},
                        {DNNL_ARG_MEAN, zero},
                        {DNNL_ARG_VARIANCE, variance}});
      },
      Y, X, weight, std::bit_cast<std::int32_t>(epsilon));
}
