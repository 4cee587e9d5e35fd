#include "conv2d/conv2d.h"
#include "onednn/convolve.h"

using namespace onednn;

void conv2d_3x3(tensor<float, 4> Y, tensor<const float, 4> X, septran::constant<float, 4> W) {
  static prepared calls;
  calls.run(
      [&](sequence &all) {
        const std::vector<int> channels_second{0, 3, 1, 2}, outputs_first{3, 2, 0, 1};
        add_convolution(all, view_of(Y, channels_second), view_of(X, channels_second),
                        view_of(W, outputs_first), 1);
      },
      Y, X, W);
}

// The same function: which algorithm it takes is the peer's own choice.
void conv2d_3x3_winograd(tensor<float, 4> Y, tensor<const float, 4> X, septran::constant<float, 4> W) {
  conv2d_3x3(Y, X, W);
}
