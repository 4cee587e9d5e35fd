// Matrix times vector: a product of the vector, as the only row of a matrix, and weights.
#include "gemv/gemv.h"
#include "onednn/product.h"

using namespace onednn;

static void multiply(prepared &calls, vector<float> y, matrix<const float> A, vector<const float> x,
                     const std::vector<int> &order) {
  calls.run([&](sequence &all) { add_product(all, row_of(y), row_of(x), view_of(A, order)); }, y, A,
            x);
}

void gemv(vector<float> y, matrix<const float> A, vector<const float> x) {
  static prepared calls;
  multiply(calls, y, A, x, {1, 0});
}
void gemv_t(vector<float> y, matrix<const float> A, vector<const float> x) {
  static prepared calls;
  multiply(calls, y, A, x, {0, 1});
}
