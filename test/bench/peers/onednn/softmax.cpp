// Softmax by oneDNN's primitive.
#include "softmax/softmax.h"
#include "onednn/softmax.h"

using namespace onednn;

void softmax(matrix<float> Y, matrix<const float> X) {
  static prepared calls;
  calls.run([&](sequence &all) { add_softmax(all, view_of(Y), view_of(X)); }, Y, X);
}
