// Operations on every element by oneDNN's primitives.
#include "elementwise/elementwise.h"
#include "onednn/primitives.h"

using namespace onednn;

static void activate(prepared &calls, matrix<float> Y, matrix<const float> X,
                     dnnl::algorithm algorithm, float alpha) {
  calls.run(
      [&](sequence &all) {
        using eltwise = dnnl::eltwise_forward;
        const memory from = view_of(X);
        const auto found = find<eltwise>(
            {dnnl::prop_kind::forward_inference, algorithm, from.get_desc(), alpha, 0});
        all.add(eltwise(found), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, view_of(Y)}});
      },
      Y, X);
}

void gelu(matrix<float> Y, matrix<const float> X) {
  static prepared calls;
  activate(calls, Y, X, dnnl::algorithm::eltwise_gelu_erf, 0);
}
void gelu_tanh(matrix<float> Y, matrix<const float> X) {
  static prepared calls;
  activate(calls, Y, X, dnnl::algorithm::eltwise_gelu_tanh, 0);
}
void silu(matrix<float> Y, matrix<const float> X) {
  static prepared calls;
  activate(calls, Y, X, dnnl::algorithm::eltwise_swish, 1);
}

/// Y = the product of A and B, and one addend after the other.
static void multiply_add(sequence &all, const memory &Y, const memory &A, const memory &B,
                         const std::vector<memory> &addends) {
  dnnl::post_ops additions;
  sequence::arguments memories{{DNNL_ARG_SRC_0, A}, {DNNL_ARG_SRC_1, B}, {DNNL_ARG_DST, Y}};
  for (const memory &addend : addends) {
    memories.insert({DNNL_ARG_ATTR_MULTIPLE_POST_OP(additions.len()) | DNNL_ARG_SRC_1, addend});
    additions.append_binary(dnnl::algorithm::binary_add, addend.get_desc());
  }
  const auto found = find<dnnl::binary>(
      {dnnl::algorithm::binary_mul, A.get_desc(), B.get_desc(), Y.get_desc()}, with(additions));
  all.add(dnnl::binary(found), std::move(memories));
}

void residual(matrix<float> Y, matrix<const float> X, matrix<const float> H,
              vector<const float> gate) {
  static prepared calls;
  calls.run(
      [&](sequence &all) { multiply_add(all, view_of(Y), view_of(H), row_of(gate), {view_of(X)}); },
      Y, X, H, gate);
}

void modulate(matrix<float> Y, matrix<const float> X, vector<const float> shift,
              vector<const float> scale) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        multiply_add(all, view_of(Y), view_of(X), row_of(scale), {view_of(X), row_of(shift)});
      },
      Y, X, shift, scale);
}
