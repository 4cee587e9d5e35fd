// Sums and the maximum of a matrix by oneDNN. Its reduction is plain loops for sums of columns:
// they are the product of a row of ones and the matrix.
#include "reductions/reductions.h"
#include "onednn/product.h"

#include <algorithm>

using namespace onednn;

/// Over the dimensions in which Y has one element and X has more.
static void add_reduction(sequence &calls, const memory &Y, const memory &X,
                          dnnl::algorithm algorithm) {
  const auto found = find<dnnl::reduction>({algorithm, X.get_desc(), Y.get_desc(), 0, 0});
  calls.add(dnnl::reduction(found), {{DNNL_ARG_SRC, X}, {DNNL_ARG_DST, Y}});
}

void row_sums(vector<float> y, matrix<const float> X) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        add_reduction(all, view(y, {y.extent(0), 1}, {1, 1}), view_of(X),
                      dnnl::algorithm::reduction_sum);
      },
      y, X);
}

void column_sums(vector<float> y, matrix<const float> X) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        const memory ones = buffer(plain({1, X.extent(0)}));
        std::fill_n(static_cast<float *>(ones.get_data_handle()), X.extent(0), 1.0f);
        add_product(all, row_of(y), ones, view_of(X), right_side::data);
      },
      y, X);
}

void maximum(vector<float> y, matrix<const float> X) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        add_reduction(all, view(y, {1, 1}, {1, 1}), view_of(X), dnnl::algorithm::reduction_max);
      },
      y, X);
}
