// Sums and the maximum of a matrix by oneDNN's primitive. The sum of columns is a product with a row
// of ones, which is faster than the reduction.
#include "reductions/reductions.h"
#include "onednn/product.h"
#include "onednn/reduce.h"

using namespace onednn;

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
        add_reduction(all, row_of(y), view_of(X), dnnl::algorithm::reduction_sum);
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
