// Layers of a transformer's feed-forward part: products with what follows them.
#include "mlp/mlp.h"
#include "onednn/product.h"

using namespace onednn;

void linear_gelu(matrix<float> Y, matrix<const float> X, septran::constant<float, 2> W,
                 vector<const float> bias) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        dnnl::post_ops gelu;
        gelu.append_eltwise(1, dnnl::algorithm::eltwise_gelu_tanh, 0, 0);
        add_product(all, view_of(Y), view_of(X), view_of(W), right_side::weights, with(gelu),
                    {{DNNL_ARG_BIAS, row_of(bias)}});
      },
      Y, X, W, bias);
}

void swiglu(matrix<float> Y, matrix<const float> X, septran::constant<float, 2> Wg,
            septran::constant<float, 2> Wu) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        const memory U = buffer(plain({Y.extent(0), Y.extent(1)}));
        add_product(all, U, view_of(X), view_of(Wu));
        dnnl::post_ops gate;
        gate.append_eltwise(1, dnnl::algorithm::eltwise_swish, 1, 0);
        gate.append_binary(dnnl::algorithm::binary_mul, U.get_desc());
        add_product(all, view_of(Y), view_of(X), view_of(Wg), right_side::weights, with(gate),
                    {{DNNL_ARG_ATTR_MULTIPLE_POST_OP(1) | DNNL_ARG_SRC_1, U}});
      },
      Y, X, Wg, Wu);
}
