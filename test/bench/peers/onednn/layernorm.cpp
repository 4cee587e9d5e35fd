// Layer normalisation by oneDNN's primitive.
#include "layernorm/layernorm.h"
#include "onednn/primitives.h"

#include <bit>

using namespace onednn;

void layernorm(matrix<float> Y, matrix<const float> X, vector<const float> weight,
               vector<const float> bias, float epsilon) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        using layer_norm = dnnl::layer_normalization_forward;
        using flags = dnnl::normalization_flags;
        const memory from = view_of(X);
        const auto found = find<layer_norm>({dnnl::prop_kind::forward_inference, from.get_desc(),
                                             epsilon, flags::use_scale | flags::use_shift});
        all.add(layer_norm(found), {{DNNL_ARG_SRC, from},
                                    {DNNL_ARG_DST, view_of(Y)},
                                    {DNNL_ARG_SCALE, view_of(weight)},
                                    {DNNL_ARG_SHIFT, view_of(bias)}});
      },
      Y, X, weight, bias, std::bit_cast<std::int32_t>(epsilon));
}
